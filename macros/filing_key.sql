{#- Key of a filing: ten-digit CIK, form and report year. -#}
{% macro filing_key(cik_int, form, report_year) -%}
    lpad(cast({{ cik_int }} as varchar), 10, '0') || '_' || {{ form }} || '_' || {{ report_year }}
{%- endmacro %}
