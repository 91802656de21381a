with

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

int_p3_causes_sound as (

    select * from {{ ref('int_p3_causes_sound') }}

),

best as (

    select *
    from int_p3_causes_sound
    qualify
        row_number() over (
            partition by filing_id, kpi_label
            order by token_count desc, sentence_id asc
        ) = 1

),

worded as (

    select
        'B|' || best.cik_int || '|' || best.report_year || '|' || best.kpi_label
            as question_key,
        'B' as category,
        'cause' as question_form,
        best.kpi_label as balance_topic,
        [best.cik_int] as cik_ints,
        [best.report_year] as report_years,
        {{ figure_name(
            'best.kpi_label', 'kpi_labels.noun_phrase', 'best.subject_text'
        ) }} as slot_topic,
        cast(null as varchar) as slot_detail,
        best.change_direction as slot_direction,
        cast(null as integer) as slot_count,
        'span' as answer_type,
        best.cause_text as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        case
            when best.context_sentence_id is null then [best.sentence_id]
            else [best.sentence_id, best.context_sentence_id]
        end as evidence_sentence_ids,
        [best.cause_text] as evidence_spans,
        'local' as retrieval_scope,
        'medium' as difficulty,
        [best.section_name] as section_hints,
        'Cause stated after "' || best.causal_connector || '"'
        || case
            when best.context_sentence_id is null then '.'
            else '; the year stands in the second sentence.'
        end as notes,
        0.85 as curation_confidence
    from best
    inner join kpi_labels
        on best.kpi_label = kpi_labels.kpi_label

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
