with

int_p3_unioned as (

    select * from {{ ref('int_p3_unioned') }}

),

p3_review_outcomes as (

    select * from {{ ref('p3_review_outcomes') }}

),

companies as (

    select * from {{ ref('companies') }}

),

-- Only a correction corrects, whatever else a row of another verdict carries.
applied as (

    select
        question_id,
        verdict,
        is_stale,
        case when verdict = 'correct' then field end as field,
        corrected_value
    from p3_review_outcomes
    where outcome = 'applied'

),

verdicts as (

    select
        question_id,
        bool_or(verdict = 'reject') as is_rejected,
        bool_and(not is_stale) as is_fresh,
        max(corrected_value) filter (where field = 'question_text') as question_text,
        max(corrected_value) filter (where field = 'answer_text') as answer_text,
        max(corrected_value) filter (where field = 'answer_numeric') as answer_numeric,
        max(corrected_value) filter (where field = 'answer_unit') as answer_unit,
        max(corrected_value) filter (where field = 'tolerance') as tolerance,
        max(corrected_value) filter (where field = 'evidence_sentence_ids')
            as evidence_sentence_ids,
        max(corrected_value) filter (where field = 'evidence_spans') as evidence_spans,
        max(corrected_value) filter (where field = 'difficulty') as difficulty,
        max(corrected_value) filter (where field = 'notes') as notes,
        max(corrected_value) filter (where field = 'curation_confidence')
            as curation_confidence
    from applied
    group by question_id

),

reviewed as (

    select
        int_p3_unioned.question_id,
        int_p3_unioned.cik_int,
        int_p3_unioned.company_name,
        int_p3_unioned.years,
        coalesce(verdicts.question_text, int_p3_unioned.question_text) as question_text,
        int_p3_unioned.answer_type,
        coalesce(verdicts.answer_text, int_p3_unioned.answer_text) as answer_text,
        coalesce(
            try_cast(verdicts.answer_numeric as double), int_p3_unioned.answer_numeric
        ) as answer_numeric,
        coalesce(verdicts.answer_unit, int_p3_unioned.answer_unit) as answer_unit,
        coalesce(try_cast(verdicts.tolerance as double), int_p3_unioned.tolerance)
            as tolerance,
        coalesce(
            string_split(verdicts.evidence_sentence_ids, ' | '),
            int_p3_unioned.evidence_sentence_ids
        ) as evidence_sentence_ids,
        coalesce(
            string_split(verdicts.evidence_spans, ' | '),
            int_p3_unioned.evidence_spans
        ) as evidence_spans,
        int_p3_unioned.retrieval_scope,
        coalesce(verdicts.difficulty, int_p3_unioned.difficulty) as difficulty,
        int_p3_unioned.section_hints,
        coalesce(verdicts.notes, int_p3_unioned.notes) as notes,
        int_p3_unioned.gold_version,
        int_p3_unioned.created_by,
        int_p3_unioned.created_at,
        -- What a person has looked at as it is and let stand is as sure as a person.
        coalesce(
            try_cast(verdicts.curation_confidence as double),
            case when verdicts.is_fresh then 1.0 end,
            int_p3_unioned.curation_confidence
        ) as curation_confidence,
        int_p3_unioned.category,
        int_p3_unioned.origin
    from int_p3_unioned
    left join verdicts
        on int_p3_unioned.question_id = verdicts.question_id
    where verdicts.is_rejected is not true

),

-- A company that the corpus lacks keeps the name that its suite gives.
named as (

    select
        placed.question_id,
        list(
            coalesce(companies.display_name, placed.company_name) order by placed.place
        ) as display_names
    from (
        select
            question_id,
            cik_int,
            unnest(company_name) as company_name,
            generate_subscripts(company_name, 1) as place
        from reviewed
    ) as placed
    left join companies
        on placed.cik_int[placed.place] = companies.cik_int
    group by placed.question_id

)

select
    reviewed.*,
    coalesce(named.display_names, reviewed.company_name) as display_names,
    -- Which questions a model words anew: a seeded draw, the same from build to build.
    row_number() over (
        order by
            {{ seeded_order('reviewed.question_id', 'paraphrase') }},
            reviewed.question_id
    ) <= {{ var('paraphrase_limit') | int }} as is_varied
from reviewed
left join named
    on reviewed.question_id = named.question_id
