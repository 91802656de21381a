{#-
    The end of a Python model: what it returns is written in place of the table that is there;
    with an engine it may be files that hold the rows, and the table is then a view of them.

    temporary: not used; dbt passes it.
    relation: the table.
    compiled_code: the model, compiled.
-#}
{% macro py_write_table(
    temporary, relation, compiled_code, partitioned_by=none, sorted_by=none
) %}
{{ compiled_code }}

def materialize(made, connection):
    {%- if var('engine') %}
    from finrag.warehouse import StoredRows

    if isinstance(made, StoredRows):
        if made.files:
            connection.execute('drop table if exists {{ relation }}')
            connection.execute('create view {{ relation }} as ' + made.query)
            return
        made = made.schema.empty_table()
    {%- endif %}
    name = 'made_by_{{ relation.identifier }}'
    connection.register(name, made)
    connection.execute('create or replace table {{ relation }} as select * from ' + name)
    connection.unregister(name)
{% endmacro %}
