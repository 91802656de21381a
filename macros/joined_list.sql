{#- The elements of a list as one text, in list order. -#}
{% macro joined_list(column, separator) -%}
    array_to_string({{ column }}, {{ sql_literal(separator) }})
{%- endmacro %}
