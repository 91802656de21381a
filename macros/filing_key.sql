{#- Key of a filing: ten-digit CIK, form without its slashes, and report year. -#}
{% macro filing_key(cik_int, form, report_year) -%}
    lpad(cast({{ cik_int }} as varchar), 10, '0') || '_' || replace({{ form }}, '/', '') || '_' || {{ report_year }}
{%- endmacro %}
