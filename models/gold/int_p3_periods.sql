with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

period_definitions as (

    select *
    from {{ ref('period_definitions') }}
    where {{ of_asked_filings() }}

),

-- The label of the report's own year, defined one way only.
defined as (

    select *
    from period_definitions
    where coalesce(label_year, report_year) = report_year

),

gathered as (

    select
        cik_int,
        report_year,
        period_label,
        -- "Fiscal 2023" that ends in 2023 tells its year; the day is asked for then.
        coalesce(min(label_year), -1) <> min(end_year) as is_year_asked,
        min(end_year) as end_year,
        min(sentence_id) as sentence_id,
        min_by(section_name, sentence_id) as section_name,
        min_by(end_date, sentence_id) as end_date
    from defined
    group by cik_int, report_year, period_label
    having count(distinct end_year) = 1

),

worded as (

    select
        'I|' || cik_int || '|' || report_year || '|' || period_label as question_key,
        'I' as category,
        case when is_year_asked then 'period' else 'period_end' end as question_form,
        'period' as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        cast(null as varchar) as slot_topic,
        period_label as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        case when is_year_asked then 'numeric' else 'span' end as answer_type,
        case
            when is_year_asked then 'the period that ended on ' || end_date
            else strftime(end_date, '%B %-d, %Y')
        end as answer_text,
        case when is_year_asked then cast(end_year as double) end as answer_numeric,
        case when is_year_asked then 'year' end as answer_unit,
        case when is_year_asked then cast(0 as double) end as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [cast(end_year as varchar)] as evidence_spans,
        'local' as retrieval_scope,
        'easy' as difficulty,
        [section_name] as section_hints,
        case
            when is_year_asked then 'The answer is the year in which the period ends.'
            else 'The answer is the day on which the period ends.'
        end as notes,
        0.9 as curation_confidence
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
