with

sections as (

    select * from {{ ref('sections') }}

),

filings as (

    select * from {{ ref('filings') }}

),

companies as (

    select * from {{ ref('companies') }}

),

disclosures as (

    select * from {{ ref('disclosures') }}

),

disclosure_topics as (

    select * from {{ ref('disclosure_topics') }}

),

-- Absence can be claimed only of a filing that is there in full.
whole_filings as (

    select
        filing_id,
        cik_int,
        report_year
    from sections
    group by filing_id, cik_int, report_year
    having
        max(case when section_name = 'ITEM_1' then section_length end) >= 20
        and max(case when section_name = 'ITEM_1A' then section_length end) >= 20
        and max(case when section_name = 'ITEM_7' then section_length end) >= 20
        and count(*) >= 8
        and max(
            case when section_name in ('ITEM_8', 'ITEM_15') then section_length end
        ) >= 50

),

filing_count as (

    select count(*) as n_filings
    from filings

),

shares as (

    select
        disclosures.topic,
        count(*) / cast(min(filing_count.n_filings) as double) as disclosed_share
    from disclosures
    cross join filing_count
    group by disclosures.topic

),

habits as (

    select
        disclosures.cik_int,
        disclosures.topic
    from disclosures
    inner join companies
        on disclosures.cik_int = companies.cik_int
    where disclosures.n_sentences >= 3
    group by disclosures.cik_int, disclosures.topic, companies.n_filings
    having count(*) * 2 >= companies.n_filings

),

-- Asked only where an analyst might expect it: a topic of any business that one filing
-- in five tells, or one that most filings of the company dwell on.
absent as (

    select
        whole_filings.cik_int,
        whole_filings.report_year,
        disclosure_topics.topic,
        disclosure_topics.noun_phrase,
        habits.topic is not null as is_habit
    from whole_filings
    cross join disclosure_topics
    left join disclosures
        on
            whole_filings.filing_id = disclosures.filing_id
            and disclosure_topics.topic = disclosures.topic
    left join shares
        on disclosure_topics.topic = shares.topic
    left join habits
        on
            whole_filings.cik_int = habits.cik_int
            and disclosure_topics.topic = habits.topic
    where
        disclosures.topic is null
        and (
            habits.topic is not null
            or (disclosure_topics.is_general and shares.disclosed_share >= 0.2)
        )

),

worded as (

    select
        'J|' || cik_int || '|' || report_year || '|' || topic as question_key,
        'J' as category,
        'absence' as question_form,
        topic as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'no_answer' as answer_type,
        'Not disclosed.' as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        cast([] as varchar[]) as evidence_sentence_ids,
        cast([] as varchar[]) as evidence_spans,
        'local' as retrieval_scope,
        'easy' as difficulty,
        cast([] as varchar[]) as section_hints,
        case
            when is_habit
                then 'Verified absent; most of the company''s filings tell it.'
            else 'Verified absent; at least one filing in five tells it.'
        end as notes,
        0.85 as curation_confidence
    from absent

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
