with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_question_evidence_joined as (

    select * from {{ ref('int_question_evidence_joined') }}

),

py_question_texts_labelled as (

    select * from {{ ref('py_question_texts_labelled') }}

),

int_question_numbers_matched as (

    select * from {{ ref('int_question_numbers_matched') }}

),

asked_companies as (

    select
        question_id,
        unnest(cik_int) as cik_int,
        generate_subscripts(cik_int, 1) as place
    from gold_p3

),

asked_years as (

    select
        question_id,
        unnest(years) as report_year,
        generate_subscripts(years, 1) as place
    from gold_p3

),

cues as (

    select
        text_hash,
        bool_or(label = 'cross_reference') as is_cross_reference,
        bool_or(label = 'table_lead_in') as is_lead_in,
        bool_or(label = 'auditor_report') as is_auditor_report
    from py_question_texts_labelled
    where atlas = 'evidence'
    group by text_hash

),

definitions as (

    select text_hash
    from py_question_texts_labelled
    where atlas = 'question' and label in ('asks_definition', 'asks_period')
    group by text_hash

),

-- A definition is the company's own even where others word theirs alike.
about as (

    select
        gold_p3.question_id,
        -- Evidence of questions on tables is the cells that hold their figures; of what
        -- a line consists of, the blocks that a reader chose.
        coalesce(int_question_numbers_matched.is_in_evidence, false)
        or coalesce(gold_p3.category in ('K', 'M', 'T'), false) as has_number,
        definitions.text_hash is not null
        or coalesce(gold_p3.category in ('H', 'I', 'K'), false) as is_definition,
        coalesce(gold_p3.category = 'K', false) as is_labelled
    from gold_p3
    left join definitions
        on md5(gold_p3.question_text) = definitions.text_hash
    left join int_question_numbers_matched
        on gold_p3.question_id = int_question_numbers_matched.question_id

),

-- A number can be read from a sentence that points back. What announces a table, or is
-- one, is evidence for the number that it holds itself, and for nothing else.
cited as (

    select
        evidence.question_id,
        evidence.evidence_sentence_id,
        evidence.place,
        evidence.is_found,
        evidence.cik_int,
        evidence.report_year,
        evidence.n_companies,
        evidence.is_navigational or coalesce(cues.is_cross_reference, false)
            as is_cross_reference,
        evidence.is_heading
        or (
            (coalesce(cues.is_lead_in, false) or evidence.is_table_text)
            and not about.has_number
        ) as is_lead_in,
        coalesce(cues.is_auditor_report, false) as is_auditor_report,
        evidence.n_companies >= 3
        and not about.has_number
        and not about.is_definition as is_shared,
        coalesce(
            (
                {{ matches_any('evidence.sentence_text', 'dangling') }}
                and not about.has_number
            )
            or (
                substr(evidence.sentence_text, 1, 1) between 'a' and 'z'
                and not about.is_labelled
            ),
            false
        ) as is_fragment
    from int_question_evidence_joined as evidence
    left join cues
        on evidence.text_key = cues.text_hash
    inner join about
        on evidence.question_id = about.question_id

),

strangers as (

    select
        cited.question_id,
        cited.place,
        cited.evidence_sentence_id
    from cited
    inner join asked_companies
        on cited.question_id = asked_companies.question_id
    where cited.is_found
    group by cited.question_id, cited.place, cited.evidence_sentence_id
    having not bool_or(cited.cik_int = asked_companies.cik_int)

),

untimely as (

    select
        cited.question_id,
        cited.place,
        cited.evidence_sentence_id
    from cited
    inner join asked_years
        on cited.question_id = asked_years.question_id
    where cited.is_found
    group by cited.question_id, cited.place, cited.evidence_sentence_id
    having not bool_or(cited.report_year = asked_years.report_year)

),

-- Reasons that one piece of evidence is enough for.
single as (

    select
        question_id,
        'unknown_evidence' as reason,
        place,
        evidence_sentence_id
    from cited
    where not is_found

    union all

    select
        question_id,
        'evidence_other_company' as reason,
        place,
        evidence_sentence_id
    from strangers

    union all

    select
        question_id,
        'evidence_outside_years' as reason,
        place,
        evidence_sentence_id
    from untimely

    union all

    select
        question_id,
        'fragment' as reason,
        place,
        evidence_sentence_id
    from cited
    where is_fragment

),

-- Reasons that all of the evidence must share: one sound sentence may carry the answer.
shared as (

    select
        question_id,
        bool_and(is_cross_reference) as is_cross_reference,
        bool_and(is_lead_in) as is_lead_in,
        bool_and(is_auditor_report or is_shared) as is_boilerplate,
        bool_or(is_auditor_report) as is_auditor_report,
        max(n_companies) as n_companies,
        array_to_string(list(evidence_sentence_id order by place), ', ') as detail
    from cited
    where is_found
    group by question_id

)

select
    question_id,
    reason,
    array_to_string(list(evidence_sentence_id order by place), ', ') as detail
from single
group by question_id, reason

union all

select
    question_id,
    'no_evidence' as reason,
    'answer type ' || answer_type as detail
from gold_p3
where
    answer_type is distinct from 'no_answer'
    and {{ list_length('evidence_sentence_ids') }} = 0

union all

select
    question_id,
    'cross_reference' as reason,
    detail
from shared
where is_cross_reference

union all

select
    question_id,
    'table_lead_in' as reason,
    detail
from shared
where is_lead_in

union all

select
    question_id,
    'boilerplate' as reason,
    case
        when is_auditor_report then 'auditor''s report: '
        else 'in filings of ' || n_companies || ' companies: '
    end || detail as detail
from shared
where is_boilerplate
