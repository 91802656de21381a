{#-
    A table, made in one statement where it has no contract, else in one transaction.

    dbt's own makes it under another name, renames what is there, renames the new one and drops
    the old one: six statements more, each with a context of its own, for a database that
    replaces a table at once. Who reads meanwhile sees the old table or the new one, and what
    breaks off leaves the old one.

    Hooks run as dbt's own has them. Grants, indexes and comments are not set: no model of this
    project asks for them.
-#}
{% materialization table, adapter='duckdb', supported_languages=['sql', 'python'] %}

    {%- set existing = load_cached_relation(this) %}
    {%- set made = this.incorporate(type='table') %}
    {%- set is_promised = config.get('contract').enforced and model.language == 'sql' %}

    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {%- if existing is not none and not existing.is_table %}
        {%- do drop_relation_if_exists(existing) %}
    {%- endif %}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}

    {%- call statement('main', language=model.language, auto_begin=is_promised) %}
        {{- create_table_as(False, made, compiled_code, model.language) }}
    {%- endcall %}

    {{ run_hooks(post_hooks, inside_transaction=True) }}
    {%- if is_promised %}
        {%- do adapter.commit() %}
    {%- endif %}
    {{ run_hooks(post_hooks, inside_transaction=False) }}

    {{ return({'relations': [made]}) }}

{% endmaterialization %}
