with

cross_company_bundles as (

    select * from {{ ref('cross_company_bundles') }}

),

int_p3_causes_sound as (

    select * from {{ ref('int_p3_causes_sound') }}

),

companies as (

    select * from {{ ref('companies') }}

),

int_p3_risks_described as (

    select * from {{ ref('int_p3_risks_described') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

risk_topics as (

    select * from {{ ref('risk_topics') }}

),

bundled as (

    select
        bundle_id,
        bundle_type,
        topic,
        {{ unnest_structs('sentences') }}
    from cross_company_bundles
    where
        is_explained
        and topic <> 'general_risk'

),

described as (

    select
        bundled.bundle_id,
        bundled.bundle_type,
        bundled.topic,
        bundled.report_year,
        bundled.cik_int,
        coalesce(sound.sentence_id, int_p3_risks_described.sentence_id) as sentence_id,
        coalesce(sound.section_name, int_p3_risks_described.section_name)
            as section_name,
        companies.display_name,
        case
            when bundled.bundle_type = 'kpi_cross_company' then sound.cause_text
            else int_p3_risks_described.sentence_text
        end as answer,
        coalesce(kpi_labels.noun_phrase, risk_topics.noun_phrase) as noun_phrase
    from bundled
    inner join companies
        on bundled.cik_int = companies.cik_int
    left join int_p3_causes_sound as sound
        on
            bundled.bundle_type = 'kpi_cross_company'
            and bundled.cik_int = sound.cik_int
            and bundled.report_year = sound.report_year
            and bundled.topic = sound.kpi_label
    left join int_p3_risks_described
        on
            bundled.bundle_type = 'risk_cross_company'
            and bundled.cik_int = int_p3_risks_described.cik_int
            and bundled.report_year = int_p3_risks_described.report_year
            and bundled.topic = int_p3_risks_described.risk_topic
    left join kpi_labels
        on bundled.topic = kpi_labels.kpi_label
    left join risk_topics
        on bundled.topic = risk_topics.risk_topic
    -- The bundle tells which companies; what each says is the filing's best sentence.
    qualify
        row_number() over (
            partition by bundled.bundle_id, bundled.cik_int
            order by sound.token_count desc nulls last, sound.sentence_id asc
        ) = 1

),

-- A company without a sound cause, or whose sentence is boilerplate, leaves the
-- question, and one alone makes none.
gathered as (

    select
        bundle_id,
        bundle_type,
        topic,
        report_year,
        noun_phrase,
        list(cik_int order by cik_int) as cik_ints,
        list(display_name || ': ' || answer order by cik_int) as answers,
        list(sentence_id order by cik_int) as evidence_sentence_ids,
        list(answer order by cik_int) as evidence_spans,
        list(distinct section_name order by section_name) as section_hints,
        count(*) as n_companies
    from described
    where answer is not null
    group by bundle_id, bundle_type, topic, report_year, noun_phrase
    having count(*) >= 2

),

worded as (

    select
        'E|' || bundle_id as question_key,
        'E' as category,
        case
            when bundle_type = 'kpi_cross_company' then 'peer_cause' else 'peer_risk'
        end as question_form,
        topic as balance_topic,
        cik_ints,
        [report_year] as report_years,
        noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'list' as answer_type,
        cast(to_json(answers) as varchar) as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        evidence_sentence_ids,
        evidence_spans,
        'cross_company' as retrieval_scope,
        'hard' as difficulty,
        section_hints,
        'One sentence of each of ' || n_companies || ' companies.' as notes,
        0.8 as curation_confidence
    from gathered

)

select
    question_key,
    category,
    question_form,
    balance_topic,
    cik_ints,
    report_years,
    slot_topic,
    slot_detail,
    slot_direction,
    slot_count,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    evidence_sentence_ids,
    evidence_spans,
    retrieval_scope,
    difficulty,
    section_hints,
    notes,
    curation_confidence
from worded
