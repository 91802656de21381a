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

eligible as (

    select *
    from mentioned
    where
        is_self_contained
        and not is_navigational

),

best_of_company as (

    select *
    from eligible
    qualify
        row_number() over (
            partition by bundle_kind, topic, report_year, cik_int
            order by
                is_explained desc,
                n_cues desc,
                cue_density desc,
                sentence_id asc
        ) = 1

),

-- Groups in the order of a seeded shuffle; a company left over alone joins none.
placed as (

    select
        *,
        cast(floor((row_number() over (
            partition by bundle_kind, topic, report_year, is_explained
            order by {{ seeded_order('cik_int', 'peers') }}, cik_int
        ) - 1) / {{ var('peer_bundle_size') | int }}) as integer) as group_no
    from best_of_company

),

grouped as (

    select
        placed.bundle_kind,
        placed.topic,
        placed.report_year,
        placed.is_explained,
        list(placed.cik_int order by placed.cik_int) as cik_ints,
        list(companies.company_name order by placed.cik_int) as company_names,
        list({{ bundle_company_sentence() }} order by placed.cik_int) as sentences,
        count(*) as n_companies,
        {{ exact_mean('placed.cue_density') }} as cue_density,
        {{ exact_mean('placed.numeric_density') }} as numeric_density,
        {{ exact_mean('cast(placed.is_navigational as integer)') }}
            as navigational_share
    from placed
    inner join companies
        on placed.cik_int = companies.cik_int
    group by
        placed.bundle_kind,
        placed.topic,
        placed.report_year,
        placed.is_explained,
        placed.group_no
    having count(*) >= 2

)

select
    'V4|' || bundle_kind || '|' || report_year || '|' || topic || '|'
    || array_to_string(cik_ints, '+') as bundle_id,
    bundle_kind || '_cross_company' as bundle_type,
    topic,
    report_year,
    cik_ints,
    company_names,
    sentences,
    n_companies,
    is_explained,
    cue_density,
    numeric_density,
    navigational_share
from grouped
