{#- Whether a list holds every element of another one. -#}
{% macro has_all(column, elements) -%}
    list_has_all({{ column }}, {{ elements }})
{%- endmacro %}
