with

int_p3_risks_described as (

    select * from {{ ref('int_p3_risks_described') }}

),

risk_topics as (

    select * from {{ ref('risk_topics') }}

),

worded as (

    select
        'C|' || described.cik_int || '|' || described.report_year || '|'
        || described.risk_topic
            as question_key,
        'C' as category,
        'risk' as question_form,
        described.risk_topic as balance_topic,
        [described.cik_int] as cik_ints,
        [described.report_year] as report_years,
        risk_topics.noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'span' as answer_type,
        described.sentence_text as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        [described.sentence_id] as evidence_sentence_ids,
        [described.sentence_text] as evidence_spans,
        'local' as retrieval_scope,
        'medium' as difficulty,
        ['ITEM_1A'] as section_hints,
        'Sentence with most cues of its topic: ' || described.topic_cue_count || '.'
            as notes,
        0.8 as curation_confidence
    from int_p3_risks_described as described
    inner join risk_topics
        on described.risk_topic = risk_topics.risk_topic

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
