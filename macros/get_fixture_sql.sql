{#-
    The rows that a unit test gives for one input, in place of dbt's own macro of this name.

    dbt writes every column of the input into every row, most of them as nulls, which makes the
    statement of a wide input so long that reading it takes most of a test's time. Here the first
    part names all columns and has no row; a row then names only what it gives, and the union
    fills the rest with nulls of the right type.
-#}
{% macro get_fixture_sql(rows, column_name_to_data_types) -%}
    {%- set types = column_name_to_data_types or {} -%}
    {%- if not types -%}
        {%- for column in adapter.get_columns_in_relation(this) -%}
            {%- do types.update({column.name | lower: column.data_type}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if not types -%}
        {{ exceptions.raise_compiler_error(
            "unit test of '" ~ model.name ~ "': " ~ this ~ " is not in the database; "
            ~ "build the models once before their tests."
        ) }}
    {%- endif -%}
    select
    {%- for name, type in types.items() %} null::{{ type }} as "{{ name }}"{{ "," if not loop.last }}
    {%- endfor %}
    where false
    {%- for row in rows %}
    union all by name select
    {%- for name, value in format_row(row, types).items() %} {{ value }} as "{{ name }}"{{ "," if not loop.last }}
    {%- endfor %}
    {%- endfor %}
{%- endmacro %}
