{#- A list of texts as a JSON array: the shape of a list answer. -#}
{% macro list_as_json(column) -%}
    cast(to_json({{ column }}) as varchar)
{%- endmacro %}
