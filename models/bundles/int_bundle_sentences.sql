with

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),

mentioned as (

    select
        'kpi' as bundle_kind,
        kpi_label as topic,
        cik_int,
        report_year,
        filing_id,
        section_name,
        sentence_id,
        sentence_text,
        token_count,
        is_navigational,
        has_causal_connector,
        n_cues,
        n_numbers,
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
        token_count,
        is_navigational,
        has_causal_connector,
        risk_cue_count as n_cues,
        n_numbers,
        is_self_contained,
        is_telling as is_explained
    from risk_mentions

)

select
    *,
    n_cues / cast(greatest(token_count, 1) as double) as cue_density,
    n_numbers / cast(greatest(token_count, 1) as double) as numeric_density
from mentioned
