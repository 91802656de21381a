{#- A field of a struct; null where the struct is null. -#}
{% macro field_of(column, name) -%}
    struct_extract({{ column }}, {{ sql_literal(name) }})
{%- endmacro %}
