with

int_p3_reviewed as (

    select * from {{ ref('int_p3_reviewed') }}

),

py_questions_paraphrased as (

    select * from {{ ref('py_questions_paraphrased') }}

),


accepted as (

    select *
    from py_questions_paraphrased
    where is_accepted

)

-- A variant asks for the same gold in other words.
select
    int_p3_reviewed.* replace (
        accepted.variant_id as question_id,
        accepted.question_text as question_text,
        int_p3_reviewed.gold_version || '~' as gold_version,
        'paraphrase:' || accepted.model as created_by
    ),
    accepted.question_id as variant_of
from int_p3_reviewed
inner join accepted
    on int_p3_reviewed.question_id = accepted.question_id

union all

select
    int_p3_reviewed.*,
    cast(null as varchar) as variant_of
from int_p3_reviewed
