with

int_p3_levels as (

    select * from {{ ref('int_p3_levels') }}

),

-- What another statement contradicts is not asked.
levels as (

    select
        *,
        {{ list_length('witnesses') }} > 0 as is_witnessed,
        {{ signed_amount('value', 'value_raw') }} as value_text
    from int_p3_levels
    where contradicted_by is null

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
        earlier.value_text as first_text,
        later.value_text as last_text,
        earlier.section_name as first_section,
        later.section_name as last_section,
        later.value - earlier.value as change,
        earlier.value as first_value,
        later.value as last_value,
        earlier.half_width + later.half_width as tolerance,
        later.change_value,
        -- Both levels, or the change that the later filing states.
        (earlier.is_witnessed and later.is_witnessed)
        or later.change_value is not null as is_witnessed
    from levels as later
    inner join levels as earlier
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
-- later filing states otherwise is disputed; one as large as a level would be answered
-- by the level as well.
changes as (

    select *
    from paired
    where
        abs(change) >= 10 * tolerance
        and abs(abs(change) - abs(first_value)) > tolerance
        and abs(abs(change) - abs(last_value)) > tolerance
        and (
            change_value is null
            or abs(abs(change) - abs(change_value)) <= 2 * tolerance
        )

),

factoids as (

    select
        'A|' || cik_int || '|' || report_year || '|' || kpi_label as question_key,
        'A' as category,
        'level' as question_form,
        kpi_label as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        noun_phrase as slot_topic,
        value_text as answer_text,
        value as answer_numeric,
        unit as answer_unit,
        half_width as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [value_raw] as evidence_spans,
        'local' as retrieval_scope,
        'easy' as difficulty,
        [section_name] as section_hints,
        'Level of ' || kpi_label || ' as stated; ' || case
            when is_witnessed
                then 'witnessed by ' || array_to_string(witnesses, ', ') || '.'
            else 'no second witness.'
        end as notes,
        is_witnessed,
        case
            when {{ list_length('witnesses') }} > 1 then 0.97
            when is_witnessed then 0.95
            else {{ var('unwitnessed_confidence') }}
        end as curation_confidence
    from levels

),

differences as (

    select
        'N|' || cik_int || '|' || first_year || '-' || last_year || '|' || kpi_label
            as question_key,
        'N' as category,
        'change' as question_form,
        kpi_label as balance_topic,
        [cik_int] as cik_ints,
        [first_year, last_year] as report_years,
        noun_phrase as slot_topic,
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
        || '; tolerance is the sum of their rounding; ' || case
            when is_witnessed then 'witnessed.' else 'no second witness.'
        end as notes,
        is_witnessed,
        case when is_witnessed then 0.95 else {{ var('unwitnessed_confidence') }} end
            as curation_confidence
    from changes

),

worded as (

    select * from factoids
    union all
    select * from differences

),

-- Questions that rest on one reading of one sentence are few beside the others.
capped as (

    select *
    from worded
    qualify
        is_witnessed
        or row_number() over (
            partition by category, cik_ints, is_witnessed
            order by {{ seeded_order('question_key', 'unwitnessed') }}, question_key
        ) <= {{ var('unwitnessed_per_company') | int }}

)

select
    question_key,
    category,
    question_form,
    balance_topic,
    cik_ints,
    report_years,
    slot_topic,
    cast(null as varchar) as slot_detail,
    cast(null as varchar) as slot_direction,
    cast(null as integer) as slot_count,
    'numeric' as answer_type,
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
from capped
