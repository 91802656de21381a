with

int_p3_levels as (

    select * from {{ ref('int_p3_levels') }}

),

worded as (

    select
        'A|' || cik_int || '|' || report_year || '|' || kpi_label as question_key,
        'A' as category,
        'level' as question_form,
        kpi_label as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'numeric' as answer_type,
        {{ signed_amount('value', 'value_raw') }} as answer_text,
        value as answer_numeric,
        unit as answer_unit,
        half_width as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [value_raw] as evidence_spans,
        'local' as retrieval_scope,
        'easy' as difficulty,
        [section_name] as section_hints,
        'Level of ' || kpi_label || ' as stated; ' || n_statements
        || ' statement(s) in the filing agree.' as notes,
        case when n_statements > 1 then 0.95 else 0.9 end as curation_confidence
    from int_p3_levels

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
