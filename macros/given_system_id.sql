{#- Id of a system that a file names: one that is registered here keeps its name for itself. -#}
{% macro given_system_id(given, registered) -%}
    {{ given }} || case when {{ registered }} is null then '' else ' (file)' end
{%- endmacro %}
