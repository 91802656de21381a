{#- A JSON object, as text, less some of its keys (a list of names). Engine seam. -#}
{% macro json_without(column, keys) -%}
    {{ return(adapter.dispatch('json_without', 'finrag')(column, keys)) }}
{%- endmacro %}

{% macro default__json_without(column, keys) -%}
    {%- set nulls = {} -%}
    {%- for key in keys %}{% do nulls.update({key: none}) %}{% endfor -%}
    cast(json_merge_patch({{ column }}, {{ sql_literal(tojson(nulls)) }}) as varchar)
{%- endmacro %}

{% macro spark__json_without(column, keys) -%}
    to_json(map_filter(
        from_json({{ column }}, 'map<string, string>'),
        (name, value) -> name not in ({{ sql_literals(keys) }})
    ))
{%- endmacro %}
