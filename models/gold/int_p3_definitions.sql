with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

definition_candidates as (

    select *
    from {{ ref('definition_candidates') }}
    where {{ of_asked_filings() }}

),

defined as (

    select
        *,
        lower(term) as term_key
    from definition_candidates
    where
        is_definition
        and not is_standard
        -- A relative clause that is cut off may be the very definition.
        and not contains(sentence_text, definition_text || ', which ')
        -- The accounting standard's own words, whoever repeats them.
        and not contains(lower(definition_text), 'integrated set of')
        and not {{ matches_any('definition_text', 'dangling') }}

),

-- The fullest wording is the answer, and its sentence the evidence.
gathered as (

    select
        cik_int,
        report_year,
        filing_id,
        term_key,
        max_by(term, (length(definition_text), sentence_id)) as term,
        max_by(definition_text, (length(definition_text), sentence_id))
            as definition_text,
        max_by(sentence_id, (length(definition_text), sentence_id)) as sentence_id,
        max_by(section_name, (length(definition_text), sentence_id)) as section_name,
        max_by(exclusions, (length(definition_text), sentence_id)) as exclusions
    from defined
    group by cik_int, report_year, filing_id, term_key

),

worded as (

    select
        'H|' || cik_int || '|' || report_year || '|' || term_key as question_key,
        'H' as category,
        case
            when {{ list_length('exclusions') }} > 0 then 'definition_exclusions'
            else 'definition'
        end as question_form,
        'definition' as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        cast(null as varchar) as slot_topic,
        '“' || term || '”' as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'span' as answer_type,
        definition_text as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [definition_text] as evidence_spans,
        'local' as retrieval_scope,
        'medium' as difficulty,
        [section_name] as section_hints,
        'The defining sentence.' as notes,
        0.85 as curation_confidence
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
