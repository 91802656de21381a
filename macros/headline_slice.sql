{#- The slice that stands for a gold set in a headline: questions on filings without those
    that a check has flagged, any other set whole. -#}
{% macro headline_slice(column) -%}
    case when {{ gold_set_is('filings', column) }} then 'sound' else 'overall' end
{%- endmacro %}
