{#- Position in its document of the block that a table is, from the table's id. -#}
{% macro table_place(table_id) -%}
    cast(regexp_extract({{ table_id }}, '_t([0-9]+)$', 1) as integer)
{%- endmacro %}
