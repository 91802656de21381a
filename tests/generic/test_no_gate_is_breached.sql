{#- The severity of the test is the worst severity among the rows: one test, two severities. -#}
{% test no_gate_is_breached(model) %}
{{ config(
    fail_calc = 'coalesce(max(severity_level), 0)',
    warn_if = '>= 1',
    error_if = '>= 2'
) }}

select * from {{ model }}

{% endtest %}
