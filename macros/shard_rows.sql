{#-
    The rows of this model in the files that the manifest of the shards lists for it.

    Places of files may hold anything, so all of them are literals; a folder such as bucket=3 is
    no column.
-#}
{% macro shard_rows() %}
    {%- set manifest = sql_literal(var('shard_manifest')) %}
    {%- set files = sql_literal('$.doors."' ~ model.name ~ '"[*].file') %}
    {%- set listed = run_query(
        "select json_extract_string(content, '$.store') || '/'"
        ~ " || unnest(json_extract_string(content, " ~ files ~ ")) as place"
        ~ " from read_text(" ~ manifest ~ ") order by place"
    ) %}
    {%- if not listed.rows %}
        {%- do exceptions.raise_compiler_error(
            'the manifest of shards ' ~ manifest ~ ' lists no file of ' ~ model.name
            ~ '; run `finrag build --full` with an engine, which makes all shards again'
        ) %}
    {%- endif %}
    {%- set places = sql_literals(listed.columns['place'].values()) %}
    {{- return(
        'select * from read_parquet([' ~ places ~ '], hive_partitioning = false)'
    ) }}
{% endmacro %}
