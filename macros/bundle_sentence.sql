{#- The struct of one sentence inside a trend bundle. -#}
{% macro bundle_sentence() -%}
    struct_pack(
        report_year := report_year,
        section_name := section_name,
        filing_id := filing_id,
        sentence_id := sentence_id,
        sentence_text := sentence_text
    )
{%- endmacro %}
