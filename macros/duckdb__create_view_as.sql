{#-
    The statement that makes a view: as dbt-duckdb has it, but over files where there are shards.

    relation: the view.
    sql: the model, compiled.
-#}
{% macro duckdb__create_view_as(relation, sql) %}
    {{- dbt.duckdb__create_view_as(relation, shard_query(sql) or sql) -}}
{% endmacro %}
