{%- set rounds = 3 -%}
with

companies as (

    select * from {{ ref('companies') }}

),

company_peers as (

    select *
    from {{ ref('company_peers') }}
    where similarity >= {{ var('min_compared_similarity') }}

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

-- Around each company its peers that speak of the topic in the same year.
near as (

    select
        lead_company.bundle_kind,
        lead_company.topic,
        lead_company.report_year,
        lead_company.is_explained,
        lead_company.cik_int as lead_cik,
        near_company.cik_int,
        company_peers.rank,
        first_value(near_company.cik_int) over (
            partition by
                lead_company.bundle_kind,
                lead_company.topic,
                lead_company.report_year,
                lead_company.cik_int
            order by company_peers.rank
        ) as nearest_cik
    from best_of_company as lead_company
    inner join company_peers
        on lead_company.cik_int = company_peers.cik_int
    inner join best_of_company as near_company
        on
            company_peers.peer_cik_int = near_company.cik_int
            and lead_company.bundle_kind = near_company.bundle_kind
            and lead_company.topic = near_company.topic
            and lead_company.report_year = near_company.report_year
            and lead_company.is_explained = near_company.is_explained

),

-- A third company is a peer of both that are there: a bank and its processor share no
-- trade with every bank.
surrounded as (

    select near.*
    from near
    left join company_peers
        on
            near.nearest_cik = company_peers.cik_int
            and near.cik_int = company_peers.peer_cik_int
    where
        near.cik_int = near.nearest_cik
        or company_peers.cik_int is not null
    qualify
        row_number() over (
            partition by
                near.bundle_kind,
                near.topic,
                near.report_year,
                near.lead_cik
            order by near.rank
        ) < {{ var('peer_bundle_size') | int }}

),

members_1 as (

    select
        bundle_kind,
        topic,
        report_year,
        lead_cik,
        cik_int
    from surrounded

    union all

    select distinct
        bundle_kind,
        topic,
        report_year,
        lead_cik,
        lead_cik as cik_int
    from surrounded

),

-- Larger groups first, then by seed; a group gives way to an earlier one that shares a
-- member, and goes on in the next round with those that are left.
{% for round in range(1, rounds + 1) %}
    lead_order_{{ round }} as (

        select
            bundle_kind,
            topic,
            report_year,
            lead_cik,
            row_number() over (
                partition by bundle_kind, topic, report_year
                order by
                    count(*) desc,
                    {{ seeded_order('lead_cik', 'peers') }},
                    lead_cik
            ) as lead_no
        from members_{{ round }}
        group by bundle_kind, topic, report_year, lead_cik
        having count(*) >= 2

    ),

    contested_{{ round }} as (

        select
            members_{{ round }}.*,
            lead_order_{{ round }}.lead_no,
            min(lead_order_{{ round }}.lead_no) over (
                partition by
                    members_{{ round }}.bundle_kind,
                    members_{{ round }}.topic,
                    members_{{ round }}.report_year,
                    members_{{ round }}.cik_int
            ) as first_lead_no
        from members_{{ round }}
        inner join lead_order_{{ round }}
            on
                members_{{ round }}.bundle_kind = lead_order_{{ round }}.bundle_kind
                and members_{{ round }}.topic = lead_order_{{ round }}.topic
                and members_{{ round }}.report_year = lead_order_{{ round }}.report_year
                and members_{{ round }}.lead_cik = lead_order_{{ round }}.lead_cik

    ),

    settled_{{ round }} as (

        select
            bundle_kind,
            topic,
            report_year,
            lead_cik,
            unnest(list(cik_int order by cik_int)) as cik_int
        from contested_{{ round }}
        group by bundle_kind, topic, report_year, lead_cik
        having bool_and(lead_no = first_lead_no)

    ),

    members_{{ round + 1 }} as (

        select members_{{ round }}.*
        from members_{{ round }}
        left join settled_{{ round }} as taken
            on
                members_{{ round }}.bundle_kind = taken.bundle_kind
                and members_{{ round }}.topic = taken.topic
                and members_{{ round }}.report_year = taken.report_year
                and members_{{ round }}.cik_int = taken.cik_int
        left join settled_{{ round }} as taken_lead
            on
                members_{{ round }}.bundle_kind = taken_lead.bundle_kind
                and members_{{ round }}.topic = taken_lead.topic
                and members_{{ round }}.report_year = taken_lead.report_year
                and members_{{ round }}.lead_cik = taken_lead.cik_int
        where
            taken.cik_int is null
            and taken_lead.cik_int is null

    ),

{% endfor %}
settled as (

    {% for round in range(1, rounds + 1) %}
        select * from settled_{{ round }}
        {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

placed as (

    select
        best_of_company.*,
        settled.lead_cik
    from settled
    inner join best_of_company
        on
            settled.bundle_kind = best_of_company.bundle_kind
            and settled.topic = best_of_company.topic
            and settled.report_year = best_of_company.report_year
            and settled.cik_int = best_of_company.cik_int

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
        placed.lead_cik
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
