{#- A JSON object, as text, less some of its keys (a list of names). -#}
{% macro json_without(column, keys) -%}
    {%- set nulls = {} -%}
    {%- for key in keys %}{% do nulls.update({key: none}) %}{% endfor -%}
    cast(json_merge_patch({{ column }}, {{ sql_literal(tojson(nulls)) }}) as varchar)
{%- endmacro %}
