{#-
    Whether a metric is measured by the passages that a system returned: what it ranked, what
    it cited, and what its statements are held against. Where none of them is recognised, such
    a metric has no value; it is not 0. Official evaluators take a passage that no qrels name
    for a wrong one. The argument is a row of metric_catalogue.
-#}
{% macro needs_passages(catalogue) -%}
    (
        {{ catalogue }}.measured_by in ('ranking', 'citations', 'claims', 'question')
        and {{ catalogue }}.mode <> 'official'
    )
{%- endmacro %}
