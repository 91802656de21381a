{#-
    Marks of footnotes by table and position: those on the labels of rows (row_pos, is_label) or on
    the headers of columns (col_pos, is_header). Reads the CTE table_cells.
-#}
{% macro marks_by(position, flag) -%}
    select
        table_id,
        {{ position }},
        list_sort(list_distinct(flatten(list(footnote_marks)))) as marks
    from table_cells
    where {{ flag }} and len(footnote_marks) > 0
    group by table_id, {{ position }}
{%- endmacro %}
