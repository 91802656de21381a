{#- Whether a list holds every element of another one. Engine seam. -#}
{% macro has_all(column, elements) -%}
    {{ return(adapter.dispatch('has_all', 'finrag')(column, elements)) }}
{%- endmacro %}

{% macro default__has_all(column, elements) -%}
    list_has_all({{ column }}, {{ elements }})
{%- endmacro %}

{% macro spark__has_all(column, elements) -%}
    size(array_except({{ elements }}, {{ column }})) = 0
{%- endmacro %}
