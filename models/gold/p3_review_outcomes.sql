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


numbered as (

    select
        *,
        row_number() over (
            order by question_id, verdict, field, reviewed_on, corrected_value
        ) as review_pos,
        -- A variant is its question's id, a tilde and a number.
        {{ item_of(split_list('question_id', '~'), 1) }} as original_id,
        contains(question_id, '~') as is_variant
    from p3_reviews

),

asked as (

    select
        question_id,
        {{ p3_content_hash() }} as content_hash
    from int_p3_unioned

),

-- Two rows about one question that cannot both hold.
disputed as (

    select question_id
    from numbered
    where verdict in ('accept', 'reject', 'correct')
    group by question_id
    having
        count(distinct case when verdict = 'correct' then 'accept' else verdict end) > 1

),

corrected_twice as (

    select
        question_id,
        field
    from numbered
    where verdict = 'correct'
    group by question_id, field
    having count(*) > 1

)

select
    numbered.review_pos,
    numbered.question_id,
    numbered.verdict,
    numbered.field,
    numbered.corrected_value,
    numbered.reviewer,
    numbered.reviewed_on,
    numbered.reason,
    case
        when numbered.verdict is null
            or numbered.verdict not in ('accept', 'reject', 'correct')
            then 'unknown_verdict'
        when asked.question_id is null then 'unknown_question'
        when disputed.question_id is not null or corrected_twice.question_id is not null
            then 'contradicted'
        when
            numbered.verdict = 'correct'
            and (p3_correctable_fields.field is null or numbered.is_variant)
            then 'unknown_field'
        when numbered.verdict = 'correct' and numbered.corrected_value is null
            then 'no_value'
        when
            numbered.verdict = 'correct'
            and p3_correctable_fields.value_kind = 'number'
            and (
                {{ as_number('numbered.corrected_value') }} is null
                or not isfinite({{ as_number('numbered.corrected_value') }})
            )
            then 'not_a_number'
        when
            numbered.verdict = 'correct'
            and (
                (
                    numbered.field = 'difficulty'
                    and numbered.corrected_value not in ('easy', 'medium', 'hard')
                )
                or (
                    numbered.field = 'tolerance'
                    and {{ as_number('numbered.corrected_value') }} < 0
                )
                or (
                    numbered.field = 'curation_confidence'
                    and {{ as_number('numbered.corrected_value') }} not between 0 and 1
                )
            )
            then 'not_allowed'
        else 'applied'
    end as outcome,
    coalesce(
        not numbered.is_variant and numbered.content_hash <> asked.content_hash, false
    ) as is_stale
from numbered
left join asked
    on numbered.original_id = asked.question_id
left join disputed
    on numbered.question_id = disputed.question_id
left join corrected_twice
    on
        numbered.question_id = corrected_twice.question_id
        and numbered.field = corrected_twice.field
left join p3_correctable_fields
    on numbered.field = p3_correctable_fields.field
