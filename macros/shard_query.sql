{#-
    What a model reads where shards were made before: a model of one company's rows reads its files
    and is not made here, a model that joins facts of all companies to such rows keeps its query.
    Empty for every other model, and for all where there are no shards.

    compiled_code: the model, compiled.
-#}
{% macro shard_query(compiled_code) %}
    {%- set meta = config.get('meta', {}) %}
    {%- if not var('shard_manifest') %}
        {{- return('') }}
    {%- elif meta.get('company_local') %}
        {%- set query = shard_rows() %}
    {%- elif meta.get('view_over_shards') and model.language == 'sql' %}
        {%- set query = compiled_code %}
    {%- else %}
        {{- return('') }}
    {%- endif %}
    {%- if config.get('contract').enforced %}
        {%- do get_assert_columns_equivalent(query) %}
        {%- set query = get_select_subquery(query) %}
    {%- endif %}
    {{- return(query) }}
{% endmacro %}
