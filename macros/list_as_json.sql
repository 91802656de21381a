{#- A list of texts as a JSON array: the shape of a list answer. Engine seam. -#}
{% macro list_as_json(column) -%}
    {{ return(adapter.dispatch('list_as_json', 'finrag')(column)) }}
{%- endmacro %}

{% macro default__list_as_json(column) -%}
    cast(to_json({{ column }}) as varchar)
{%- endmacro %}

{% macro spark__list_as_json(column) -%}
    to_json({{ column }})
{%- endmacro %}
