{#- How many elements of a list without repeats are not this one. -#}
{% macro others_counted(elements, one) -%}
    len({{ elements }}) - cast(list_contains({{ elements }}, {{ one }}) as integer)
{%- endmacro %}
