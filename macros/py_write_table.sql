{#-
    The end of a Python model: what it returns is written in place of the table that is there.

    temporary: not used; dbt passes it.
    relation: the table.
    compiled_code: the model, compiled.
-#}
{% macro py_write_table(
    temporary, relation, compiled_code, partitioned_by=none, sorted_by=none
) %}
{{ compiled_code }}

def materialize(made, connection):
    name = 'made_by_{{ relation.identifier }}'
    connection.register(name, made)
    connection.execute('create or replace table {{ relation }} as select * from ' + name)
    connection.unregister(name)
{% endmacro %}
