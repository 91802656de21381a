{#-
    The statements that make a table of a model, in place of the one that is there.

    temporary: whether it goes away with the connection, as incremental models need it.
    relation: the table.
    compiled_code: the model, compiled.
    language: sql or python.
-#}
{% macro duckdb__create_table_as(
    temporary, relation, compiled_code, language='sql', partitioned_by=none, sorted_by=none
) %}
    {%- set name = relation.include(database=not temporary, schema=not temporary) %}
    {%- if language == 'python' %}
        {{- py_write_table(temporary, relation, compiled_code) }}
    {%- elif config.get('contract').enforced and not temporary %}
        {{- get_assert_columns_equivalent(compiled_code) }}
        create or replace table {{ name }} {{ get_table_columns_and_constraints() }};
        insert into {{ name }} {{ get_column_names() }} (
            {{ get_select_subquery(compiled_code) }}
        )
    {%- else %}
        create or replace {{ 'temporary ' if temporary }}table {{ name }} as (
            {{ compiled_code }}
        )
    {%- endif %}
{% endmacro %}
