{#-
    Question by question: what came of it in the latest build and in the last one before
    it that had other answers to the same questions.
-#}
with

rpt_runs_builds as (

    select * from {{ ref('rpt_runs_builds') }}

),

recorded_answers as (

    select * from {{ ref('recorded_answers') }}

),

items as (

    select * from {{ ref('items') }}

),

rpt_questions as (

    select * from {{ ref('rpt_questions') }}

),

latest as (

    select *
    from rpt_runs_builds
    where is_latest

),

earlier as (

    select rpt_runs_builds.*
    from rpt_runs_builds
    inner join latest
        on rpt_runs_builds.answers_hash <> latest.answers_hash
    where rpt_runs_builds.is_comparable_on_questions
    order by rpt_runs_builds.build_no desc
    limit 1

),

worded as (

    select
        *,
        case
            when outcome not in ('answered', 'abstained')
                then replace(outcome, '_', ' ')
            when is_right then outcome || ', right'
            when not is_right then outcome || ', wrong'
            else outcome || ', undecided'
        end as result
    from recorded_answers

),

changed as (

    select
        now.system_id,
        now.gold_set,
        now.item_id,
        earlier.build as build_before,
        latest.build,
        earlier_answers.result as result_before,
        now.result,
        case
            when now.is_right and not coalesce(earlier_answers.is_right, false)
                then 'became right'
            when earlier_answers.is_right and not coalesce(now.is_right, false)
                then 'no longer right'
            else 'other outcome'
        end as change
    from latest
    cross join earlier
    inner join worded as now
        on latest.answers_hash = now.answers_hash
    inner join worded as earlier_answers
        on
            earlier.answers_hash = earlier_answers.answers_hash
            and now.system_id = earlier_answers.system_id
            and now.item_id = earlier_answers.item_id
    where now.result <> earlier_answers.result

)

select
    changed.system_id,
    changed.gold_set,
    changed.item_id,
    changed.build_before,
    changed.build,
    changed.result_before,
    changed.result,
    changed.change,
    items.question_text,
    rpt_questions.page_id
from changed
inner join items
    on changed.item_id = items.item_id
left join rpt_questions
    on changed.item_id = rpt_questions.item_id
