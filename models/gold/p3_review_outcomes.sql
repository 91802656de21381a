with

p3_reviews as (

    select * from {{ ref('p3_reviews') }}

),

int_p3_unioned as (

    select * from {{ ref('int_p3_unioned') }}

),

p3_correctable_fields as (

    select * from {{ ref('p3_correctable_fields') }}

),

reviews as (

    select * from p3_reviews
    {{ own_reviews() }}

),

cleaned as (

    select
        trim(question_id) as question_id,
        lower(trim(verdict)) as verdict,
        lower(trim(field)) as field,
        corrected_value,
        trim(content_hash) as content_hash,
        reviewer,
        reviewed_on,
        reason
    from reviews
    -- Marks on answers are opinions about systems, and say nothing about gold.
    where nullif(trim(system_id), '') is null

),

numbered as (

    select
        *,
        row_number() over (
            order by
                question_id, verdict, field, reviewed_on, corrected_value, reviewer,
                reason
        ) as review_pos,
        -- A variant is its question's id, a tilde and a number.
        string_split(question_id, '~')[1] as original_id,
        contains(question_id, '~') as is_variant
    from cleaned

),

asked as (

    select
        question_id,
        {{ p3_content_hash() }} as content_hash
    from int_p3_unioned

),

judged_alone as (

    select
        numbered.*,
        p3_correctable_fields.value_kind,
        try_cast(numbered.corrected_value as double) as corrected_number,
        coalesce(
            not numbered.is_variant
            and numbered.content_hash <> asked.content_hash,
            false
        ) as is_stale,
        asked.question_id is not null as is_known,
        p3_correctable_fields.field is not null and not numbered.is_variant
            as is_correctable
    from numbered
    left join asked
        on numbered.original_id = asked.question_id
    left join p3_correctable_fields
        on numbered.field = p3_correctable_fields.field

),

sorted_out as (

    select
        *,
        case
            when verdict is null or verdict not in ('accept', 'reject', 'correct')
                then 'unknown_verdict'
            when not is_known then 'unknown_question'
            when verdict <> 'correct' then 'applied'
            when not is_correctable then 'unknown_field'
            when corrected_value is null then 'no_value'
            when
                value_kind = 'number'
                and (corrected_number is null or not isfinite(corrected_number))
                then 'not_a_number'
            when
                (
                    field = 'difficulty'
                    and corrected_value not in ('easy', 'medium', 'hard')
                )
                or (field = 'tolerance' and corrected_number < 0)
                or (
                    field = 'curation_confidence'
                    and corrected_number not between 0 and 1
                )
                then 'not_allowed'
            else 'applied'
        end as outcome_alone
    from judged_alone

),

-- Two rows about one question that cannot both hold; a row that would not be applied
-- disarms no other.
disputed as (

    select question_id
    from sorted_out
    where outcome_alone = 'applied'
    group by question_id
    having
        count(distinct case when verdict = 'correct' then 'accept' else verdict end) > 1

),

corrected_twice as (

    select
        question_id,
        field
    from sorted_out
    where
        outcome_alone = 'applied'
        and verdict = 'correct'
    group by question_id, field
    having count(*) > 1

)

select
    sorted_out.review_pos,
    sorted_out.question_id,
    sorted_out.verdict,
    sorted_out.field,
    sorted_out.corrected_value,
    sorted_out.reviewer,
    sorted_out.reviewed_on,
    sorted_out.reason,
    case
        when
            sorted_out.outcome_alone = 'applied'
            and (
                disputed.question_id is not null
                or corrected_twice.question_id is not null
            )
            then 'contradicted'
        else sorted_out.outcome_alone
    end as outcome,
    sorted_out.is_stale
from sorted_out
left join disputed
    on sorted_out.question_id = disputed.question_id
left join corrected_twice
    on
        sorted_out.question_id = corrected_twice.question_id
        and sorted_out.field = corrected_twice.field
