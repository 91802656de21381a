{#- Rows of the filings that questions are asked of: `is_of_year`, or `is_asked` where a question
    names form and period itself. -#}
{% macro of_asked_filings(flag='is_of_year') -%}
    filing_id not in (select filing_id from int_filings_asked where not {{ flag }})
{%- endmacro %}
