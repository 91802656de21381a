{#- A value as a SQL string literal: the only way text from configuration enters SQL. -#}
{% macro sql_literal(value) -%}
    '{{ value | string | replace("'", "''") }}'
{%- endmacro %}
