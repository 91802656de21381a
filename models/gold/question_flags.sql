with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

stg_p3__questions as (

    select * from {{ ref('stg_p3__questions') }}

),

question_flag_reasons as (

    select * from {{ ref('question_flag_reasons') }}

),

int_question_places_checked as (

    select * from {{ ref('int_question_places_checked') }}

),

int_question_evidence_checked as (

    select * from {{ ref('int_question_evidence_checked') }}

),

int_question_answers_checked as (

    select * from {{ ref('int_question_answers_checked') }}

),

int_question_topics_checked as (

    select * from {{ ref('int_question_topics_checked') }}

),

checked as (

    select * from int_question_places_checked
    union all
    select * from int_question_evidence_checked
    union all
    select * from int_question_answers_checked
    union all
    select * from int_question_topics_checked

),

record_faults as (

    select
        question_id,
        {{ unnest_structs('schema_faults') }}
    from stg_p3__questions

),

-- What is found here under its own name needs no second row.
taken_over as (

    select
        record_faults.question_id,
        'schema_fault:' || record_faults.fault_code as reason,
        array_to_string(
            list(record_faults.detail order by record_faults.detail), '; '
        ) as detail
    from record_faults
    left join checked
        on
            record_faults.question_id = checked.question_id
            and record_faults.fault_code = checked.reason
    where checked.question_id is null
    group by record_faults.question_id, record_faults.fault_code

),

found as (

    select * from checked
    union all
    select * from taken_over

)

-- A reason that the seed does not know leaves the question out: it fails closed.
select
    found.question_id,
    found.reason,
    coalesce(found.detail, '') as detail,
    coalesce(question_flag_reasons.is_excluding, true) as is_excluding,
    gold_p3.created_by as origin,
    gold_p3.gold_version
from found
inner join gold_p3
    on found.question_id = gold_p3.question_id
left join question_flag_reasons
    on
        found.reason = question_flag_reasons.reason
        and question_flag_reasons.phase = 'before'
