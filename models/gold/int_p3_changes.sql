with

int_p3_levels as (

    select * from {{ ref('int_p3_levels') }}

),

paired as (

    select
        later.cik_int,
        later.kpi_label,
        later.noun_phrase,
        earlier.report_year as first_year,
        later.report_year as last_year,
        earlier.sentence_id as first_sentence_id,
        later.sentence_id as last_sentence_id,
        earlier.value_raw as first_raw,
        later.value_raw as last_raw,
        {{ signed_amount('earlier.value', 'earlier.value_raw') }} as first_text,
        {{ signed_amount('later.value', 'later.value_raw') }} as last_text,
        earlier.section_name as first_section,
        later.section_name as last_section,
        later.value - earlier.value as change,
        earlier.half_width + later.half_width as tolerance,
        later.change_value,
        later.value as last_value,
        earlier.value as first_value
    from int_p3_levels as later
    inner join int_p3_levels as earlier
        on
            later.cik_int = earlier.cik_int
            and later.kpi_label = earlier.kpi_label
            and later.noun_phrase is not distinct from earlier.noun_phrase
            and later.report_year = earlier.report_year + 1
    where
        later.unit = 'USD'
        and earlier.unit = 'USD'

),

-- Operands whose rounding is a tenth of their difference say little; a change that the
-- later filing states otherwise is disputed.
sound as (

    select *
    from paired
    where
        abs(change) >= 10 * tolerance
        and (
            change_value is null
            or abs(abs(change) - abs(change_value)) <= 2 * tolerance
        )

),

worded as (

    select
        'N|' || cik_int || '|' || first_year || '-' || last_year || '|' || kpi_label
            as question_key,
        'N' as category,
        'change' as question_form,
        kpi_label as balance_topic,
        [cik_int] as cik_ints,
        [first_year, last_year] as report_years,
        noun_phrase as slot_topic,
        cast(null as varchar) as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'numeric' as answer_type,
        case when change > 0 then 'Up by ' else 'Down by ' end
        || {{ money_text('abs(change)') }} || ', from ' || first_text || ' in fiscal '
        || first_year || ' to ' || last_text || ' in fiscal ' || last_year || '.'
            as answer_text,
        change as answer_numeric,
        'USD' as answer_unit,
        tolerance,
        [first_sentence_id, last_sentence_id] as evidence_sentence_ids,
        [first_raw, last_raw] as evidence_spans,
        'cross_year' as retrieval_scope,
        'hard' as difficulty,
        case
            when first_section = last_section then [first_section]
            else [first_section, last_section]
        end as section_hints,
        'Operands ' || first_text || ' and ' || last_text
        || '; tolerance is the sum of their rounding.' as notes,
        0.9 as curation_confidence
    from sound

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
