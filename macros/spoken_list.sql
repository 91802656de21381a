{#- The elements of a list as one says them: "a", "a and b", "a, b and c". -#}
{% macro spoken_list(column) -%}
    case
        when {{ list_length(column) }} < 2 then {{ joined_list(column, '') }}
        else
            {{ joined_list(first_of_list(column, list_length(column) ~ ' - 1'), ', ') }}
            || ' and ' || {{ item_of(column, list_length(column)) }}
    end
{%- endmacro %}
