{#- Key of a cell of a table, null where there is none; without a column, of its row. -#}
{% macro cell_key(table_id, row_pos, col_pos=none) -%}
    {{ table_id }} || ':r' || {{ row_pos }}
    {%- if col_pos %} || 'c' || {{ col_pos }}{% endif %}
{%- endmacro %}
