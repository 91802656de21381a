{#- The elements of a list as one says them: "a", "a and b", "a, b and c". -#}
{% macro spoken_list(column) -%}
    case
        when {{ list_length(column) }} < 2 then array_to_string({{ column }}, '')
        else
            array_to_string({{ column }}[:-2], ', ') || ' and ' || {{ column }}[-1]
    end
{%- endmacro %}
