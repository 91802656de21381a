{#- Name of a filing's page, made like that of a question (question_page_id). -#}
{% macro filing_page_id(filing_id) -%}
    substr(md5({{ filing_id }}), 1, 12)
{%- endmacro %}
