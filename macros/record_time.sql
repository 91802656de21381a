{#- When this invocation of dbt began, in UTC: one time for all that it records. -#}
{% macro record_time() -%}
    cast({{ sql_literal(run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f')) }} as timestamp)
{%- endmacro %}
