{#- The struct of one company's sentence inside a cross-company bundle. -#}
{% macro bundle_company_sentence() -%}
    struct_pack(
        cik_int := placed.cik_int, company_name := companies.company_name, report_year := placed.report_year, section_name := placed.section_name, filing_id := placed.filing_id, sentence_id := placed.sentence_id, sentence_text := placed.sentence_text
    )
{%- endmacro %}
