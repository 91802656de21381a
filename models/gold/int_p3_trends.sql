with

trend_bundles as (

    select * from {{ ref('trend_bundles') }}

),

int_p3_causes_sound as (

    select * from {{ ref('int_p3_causes_sound') }}

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
        cik_int,
        {{ unnest_structs('sentences') }}
    from trend_bundles

),

-- One explained change a year, the fullest.
kpi_years as (

    select
        bundled.bundle_id,
        'kpi' as bundle_kind,
        bundled.topic,
        bundled.cik_int,
        sound.report_year,
        sound.sentence_id,
        sound.section_name,
        sound.text_hash,
        sound.cause_text as described,
        kpi_labels.noun_phrase
    from bundled
    inner join int_p3_causes_sound as sound
        on
            bundled.sentence_id = sound.sentence_id
            and bundled.topic = sound.kpi_label
    inner join kpi_labels
        on bundled.topic = kpi_labels.kpi_label
    where bundled.bundle_type = 'kpi_trend'
    qualify
        row_number() over (
            partition by bundled.bundle_id, sound.report_year
            order by sound.token_count desc, sound.sentence_id asc
        ) = 1

),

-- The bundle tells which years; what each says is the filing's best sentence.
risk_years as (

    select distinct
        bundled.bundle_id,
        'risk' as bundle_kind,
        bundled.topic,
        bundled.cik_int,
        described.report_year,
        described.sentence_id,
        described.section_name,
        described.text_hash,
        described.sentence_text as described,
        risk_topics.noun_phrase
    from bundled
    inner join int_p3_risks_described as described
        on
            bundled.filing_id = described.filing_id
            and bundled.topic = described.risk_topic
    inner join risk_topics
        on bundled.topic = risk_topics.risk_topic
    where bundled.bundle_type = 'risk_trend'

),

all_years as (

    select * from kpi_years
    union all
    select * from risk_years

),

-- One sentence repeated word for word is no trend.
years as (

    select *
    from all_years
    qualify
        row_number() over (
            partition by bundle_id, text_hash order by report_year
        ) = 1

),

-- Runs of consecutive years, cut into blocks of three.
runs_of_years as (

    select
        *,
        report_year - row_number() over (partition by bundle_id order by report_year)
            as run_key
    from years

),

blocks as (

    select
        *,
        cast(floor((row_number() over (
            partition by bundle_id, run_key order by report_year
        ) - 1) / 3) as integer) as block_no
    from runs_of_years

),

described_over_years as (

    select
        bundle_kind,
        topic,
        cik_int,
        noun_phrase,
        min(report_year) as first_year,
        max(report_year) as last_year,
        count(*) as n_years,
        list(report_year order by report_year) as report_years,
        list(report_year || ': ' || described order by report_year) as answers,
        list(sentence_id order by report_year) as evidence_sentence_ids,
        list(described order by report_year) as evidence_spans,
        list(distinct section_name order by section_name) as section_hints
    from blocks
    group by bundle_kind, topic, cik_int, noun_phrase, bundle_id, run_key, block_no
    having count(*) >= 2

),

worded as (

    select
        'D|' || cik_int || '|' || first_year || '-' || last_year || '|' || topic
            as question_key,
        'D' as category,
        case when bundle_kind = 'kpi' then 'trend' else 'risk_trend' end
            as question_form,
        topic as balance_topic,
        [cik_int] as cik_ints,
        report_years,
        noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'span' as answer_type,
        array_to_string(answers, '; ') as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        evidence_sentence_ids,
        evidence_spans,
        'cross_year' as retrieval_scope,
        case when n_years = 2 then 'medium' else 'hard' end as difficulty,
        section_hints,
        'One sentence a year over ' || n_years || ' years.' as notes,
        0.8 as curation_confidence
    from described_over_years

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
