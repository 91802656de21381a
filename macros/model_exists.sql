{#-
    Whether the project has a model of this name: the rule of a gate on a room that is not
    built yet. When the room comes, its gates apply without anybody having to remember them.
-#}
{% macro model_exists(name) -%}
    {#- dbt knows no graph while it parses, nor in a unit test. -#}
    {%- set nodes = graph.get('nodes', {}).values() if execute else [] -%}
    {%- set found = nodes | selectattr('resource_type', 'equalto', 'model')
        | selectattr('name', 'equalto', name) | list -%}
    {{ 'true' if found else 'false' }}
{%- endmacro %}
