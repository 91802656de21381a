{#- A list of values as comma-separated SQL string literals; null for an empty list, which
    no value equals. -#}
{% macro sql_literals(values) -%}
    {%- for value in values -%}
        {{ sql_literal(value) }}{{ ', ' if not loop.last }}
    {%- else -%}
        null
    {%- endfor -%}
{%- endmacro %}
