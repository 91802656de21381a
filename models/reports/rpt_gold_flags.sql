with

runs as (

    select * from {{ ref('runs') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

question_flag_reasons as (

    select * from {{ ref('question_flag_reasons') }}

),

answer_diagnosis_flags as (

    select * from {{ ref('answer_diagnosis_flags') }}

),

answer_diagnosis_reasons as (

    select * from {{ ref('answer_diagnosis_reasons') }}

),

answer_diagnoses as (

    select * from {{ ref('answer_diagnoses') }}

),

before_counted as (

    select
        reason,
        count(distinct question_id) as n_questions
    from question_flags
    group by reason

),

after_counted as (

    select
        reason,
        count(distinct item_id) as n_questions
    from answer_diagnosis_flags
    group by reason

),

answered as (

    select count(*) filter (where n_systems > 0) as n_answered
    from answer_diagnoses

),

-- A reason that nothing was found for is shown: it was looked for.
listed as (

    select
        'before' as found,
        question_flag_reasons.reason,
        question_flag_reasons.description,
        question_flag_reasons.remedy,
        case
            when question_flag_reasons.is_excluding then 'left out of gates'
            else 'to be read'
        end as effect,
        runs.n_questions > 0 as is_looked_for,
        before_counted.n_questions
    from question_flag_reasons
    cross join runs
    left join before_counted
        on question_flag_reasons.reason = before_counted.reason

    union all

    select
        'after' as found,
        answer_diagnosis_reasons.reason,
        answer_diagnosis_reasons.description,
        answer_diagnosis_reasons.remedy,
        case
            when answer_diagnosis_reasons.is_note then 'for information'
            when answer_diagnosis_reasons.is_excluding then 'left out of gates'
            else 'to be read'
        end as effect,
        answered.n_answered > 0 as is_looked_for,
        after_counted.n_questions
    from answer_diagnosis_reasons
    cross join answered
    left join after_counted
        on answer_diagnosis_reasons.reason = after_counted.reason

)

select
    runs.run_id,
    listed.found,
    listed.reason,
    replace(replace(listed.reason, 'schema_fault:', 'record: '), '_', ' ') as label,
    listed.description,
    listed.remedy,
    listed.effect,
    case when listed.is_looked_for then 'measured' else 'not_applicable' end
        as status,
    case
        when listed.is_looked_for then null
        when listed.found = 'before' then 'This build asks no questions.'
        else 'No system answers in this build.'
    end as why,
    case when listed.is_looked_for then coalesce(listed.n_questions, 0) end
        as n_questions
from listed
cross join runs
