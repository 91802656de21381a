{#- The date against which waivers expire: var `as_of_date`, else today in UTC. -#}
{% macro today_utc() -%}
    {%- if var('as_of_date') -%}
        cast({{ sql_literal(var('as_of_date')) }} as date)
    {%- else -%}
        cast(now() at time zone 'utc' as date)
    {%- endif -%}
{%- endmacro %}
