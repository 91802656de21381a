{#-
    Question by question: what a system made of it in the latest build, and in the last
    comparable one in which that system answered otherwise.
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

-- Each build that can be compared with the latest, itself among them, and its answers.
built as (

    select
        rpt_runs_builds.build_no,
        rpt_runs_builds.build,
        rpt_runs_builds.is_latest,
        worded.*
    from rpt_runs_builds
    inner join worded
        on rpt_runs_builds.answers_hash = worded.answers_hash
    where rpt_runs_builds.is_comparable_on_questions

),

changed as (

    select
        now.system_id,
        now.gold_set,
        now.item_id,
        earlier.build as build_before,
        now.build,
        earlier.result as result_before,
        now.result,
        case
            when now.outcome not in ('answered', 'abstained') then 'not answered'
            when now.is_right and not coalesce(earlier.is_right, false)
                then 'became right'
            when earlier.is_right and not coalesce(now.is_right, false)
                then 'no longer right'
            else 'other outcome'
        end as change
    from built as now
    inner join built as earlier
        on
            now.system_id = earlier.system_id
            and now.item_id = earlier.item_id
            and now.result <> earlier.result
    where now.is_latest
    qualify
        earlier.build_no = max(earlier.build_no) over (partition by now.system_id)

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
