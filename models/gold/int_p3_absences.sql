with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

int_p3_filings_whole as (

    select *
    from {{ ref('int_p3_filings_whole') }}
    where {{ of_asked_filings() }}

),

disclosures as (

    select * from {{ ref('disclosures') }}

),

disclosure_topics as (

    select * from {{ ref('disclosure_topics') }}

),

company_peers as (

    select * from {{ ref('company_peers') }}

),

-- Filings that do disclose a topic, by its narrow pattern.
telling as (

    select
        cik_int,
        report_year,
        topic
    from disclosures
    where
        n_telling_sentences >= 1
        and {{ of_asked_filings() }}

),

-- What an amendment discloses is disclosed.
disclosed as (

    select
        coalesce(int_filings_asked.year_filing_id, disclosures.filing_id)
            as filing_id,
        disclosures.topic
    from disclosures
    left join int_filings_asked
        on disclosures.filing_id = int_filings_asked.filing_id
    group by all

),

-- A company's habit: its filings of two of the nearest years do.
habits as (

    select
        int_p3_filings_whole.filing_id,
        telling.topic
    from int_p3_filings_whole
    inner join telling
        on
            int_p3_filings_whole.cik_int = telling.cik_int
            and abs(int_p3_filings_whole.report_year - telling.report_year) <= 2
    group by int_p3_filings_whole.filing_id, telling.topic
    having count(distinct telling.report_year) >= 2

),

-- What three filings of peers tell about that time.
expected as (

    select
        int_p3_filings_whole.filing_id,
        telling.topic,
        count(*) as n_peer_filings
    from int_p3_filings_whole
    inner join company_peers
        on
            int_p3_filings_whole.cik_int = company_peers.cik_int
            and company_peers.rank <= 8
    inner join telling
        on
            company_peers.peer_cik_int = telling.cik_int
            and abs(int_p3_filings_whole.report_year - telling.report_year) <= 2
    group by int_p3_filings_whole.filing_id, telling.topic
    having
        count(*) >= 3
        and count(distinct telling.cik_int) >= 2

),

-- Asked only where a reader could expect it of this company.
absent as (

    select
        int_p3_filings_whole.cik_int,
        int_p3_filings_whole.report_year,
        disclosure_topics.topic,
        disclosure_topics.noun_phrase,
        habits.topic is not null as is_habit,
        expected.n_peer_filings
    from int_p3_filings_whole
    cross join disclosure_topics
    left join disclosed
        on
            int_p3_filings_whole.filing_id = disclosed.filing_id
            and disclosure_topics.topic = disclosed.topic
    left join expected
        on
            int_p3_filings_whole.filing_id = expected.filing_id
            and disclosure_topics.topic = expected.topic
    left join habits
        on
            int_p3_filings_whole.filing_id = habits.filing_id
            and disclosure_topics.topic = habits.topic
    where
        disclosed.topic is null
        and (habits.topic is not null or expected.topic is not null)

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
                then 'Verified absent; the company''s filings of other years tell it.'
            else
                'Verified absent; ' || n_peer_filings
                || ' filings of peers tell it.'
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
