{#-
    A table, made in one statement where it has no contract, else in one transaction.

    dbt's own makes it under another name, renames what is there, renames the new one and drops
    the old one: six statements more, each with a context of its own, for a database that
    replaces a table at once. Who reads meanwhile sees the old table or the new one, and what
    breaks off leaves the old one.

    Where shards were made before, what they hold is not made again: the table is then a view, and
    a Python model is not run. A table that becomes a view, or a view anew, is dropped first: who
    reads between the two statements finds neither.

    Hooks run as dbt's own has them. Grants, indexes and comments are not set: no model of this
    project asks for them.
-#}
{% materialization table, adapter='duckdb', supported_languages=['sql', 'python'] %}

    {%- set existing = load_cached_relation(this) %}
    {%- set query = shard_query(compiled_code) %}
    {%- set kind, language = ('view', 'sql') if query else ('table', model.language) %}
    {%- set made = this.incorporate(type=kind) %}
    {%- set is_promised = config.get('contract').enforced and language == 'sql' %}

    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {%- if existing is not none and (query or not existing.is_table) %}
        {%- do drop_relation_if_exists(existing) %}
    {%- endif %}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}

    {%- call statement('main', language=language, auto_begin=is_promised) %}
        {%- if query %}
            {{- dbt.duckdb__create_view_as(made, query) }}
        {%- else %}
            {{- create_table_as(False, made, compiled_code, language) }}
        {%- endif %}
    {%- endcall %}

    {{ run_hooks(post_hooks, inside_transaction=True) }}
    {%- if is_promised %}
        {%- do adapter.commit() %}
    {%- endif %}
    {{ run_hooks(post_hooks, inside_transaction=False) }}

    {{ return({'relations': [made]}) }}

{% endmaterialization %}
