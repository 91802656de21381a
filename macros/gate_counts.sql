{#-
    Counts of gates, for a query over gate verdicts: all; by verdict; breaches by severity
    (references are systems that are not under test); and error gates that were waived or have too few items, as build_verdict reads them.
-#}
{% macro gate_counts() -%}
    count(*) as n_gates,
    count(*) filter (where verdict = 'pass') as n_pass,
    count(*) filter (where verdict = 'fail') as n_fail,
    count(*) filter (where verdict = 'unmeasured') as n_unmeasured,
    count(*) filter (where verdict = 'too_few') as n_too_few,
    count(*) filter (where verdict = 'not_applicable') as n_not_applicable,
    count(*) filter (where verdict = 'waived') as n_waived,
    count(*) filter (where breach is not null and severity = 'error') as n_errors,
    count(*) filter (where breach is not null and severity = 'warn') as n_warnings,
    count(*) filter (where breach is not null and severity = 'reference')
        as n_references,
    count(*) filter (where verdict = 'waived' and severity = 'error')
        as n_errors_waived,
    count(*) filter (where verdict = 'too_few' and severity = 'error')
        as n_errors_too_few
{%- endmacro %}
