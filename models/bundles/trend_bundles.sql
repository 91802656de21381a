with

companies as (

    select * from {{ ref('companies') }}

),

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),

mentioned as (

    {{ bundle_mentions() }}

),

grouped as (

    select
        bundle_kind,
        topic,
        cik_int,
        list(distinct report_year order by report_year) as years,
        list({{ bundle_sentence() }} order by report_year, section_name, sentence_id)
            as sentences,
        count(*) as n_sentences,
        {{ exact_mean('cue_density') }} as cue_density,
        {{ exact_mean('numeric_density') }} as numeric_density,
        {{ exact_mean('cast(is_navigational as integer)') }} as navigational_share
    from mentioned
    where has_causal_connector
    group by bundle_kind, topic, cik_int
    having count(distinct report_year) >= 2

)

select
    'V3|' || grouped.bundle_kind || '|' || grouped.cik_int || '|' || grouped.topic
        as bundle_id,
    grouped.bundle_kind || '_trend' as bundle_type,
    grouped.topic,
    grouped.cik_int,
    companies.company_name,
    grouped.years,
    grouped.sentences,
    grouped.n_sentences,
    grouped.cue_density,
    grouped.numeric_density,
    grouped.navigational_share
from grouped
inner join companies
    on grouped.cik_int = companies.cik_int
