{#- What atlases found, one row a sentence and topic, as bundles of both kinds see it: from the CTEs kpi_mentions and risk_mentions. -#}
{% macro bundle_mentions() -%}
    select
        'kpi' as bundle_kind,
        kpi_label as topic,
        cik_int,
        report_year,
        filing_id,
        section_name,
        sentence_id,
        sentence_text,
        is_navigational,
        has_causal_connector,
        n_cues,
        n_cues / cast(greatest(token_count, 1) as double) as cue_density,
        n_numbers / cast(greatest(token_count, 1) as double) as numeric_density,
        is_self_contained,
        is_company_cause as is_explained
    from kpi_mentions

    union all

    select
        'risk' as bundle_kind,
        risk_topic as topic,
        cik_int,
        report_year,
        filing_id,
        section_name,
        sentence_id,
        sentence_text,
        is_navigational,
        has_causal_connector,
        risk_cue_count as n_cues,
        risk_cue_count / cast(greatest(token_count, 1) as double) as cue_density,
        n_numbers / cast(greatest(token_count, 1) as double) as numeric_density,
        is_self_contained,
        is_telling as is_explained
    from risk_mentions
{%- endmacro %}
