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

-- A system's own answers: it may stand beside others than in an earlier build.
printed as (

    select
        answers_hash,
        system_id,
        md5(
            string_agg(
                concat_ws(
                    '|', item_id, outcome, coalesce(cast(is_right as varchar), '-')
                ),
                '|' order by item_id
            )
        ) as own_hash
    from recorded_answers
    group by answers_hash, system_id

),

built as (

    select
        rpt_runs_builds.build_no,
        rpt_runs_builds.build,
        rpt_runs_builds.is_latest,
        rpt_runs_builds.is_comparable_on_questions,
        printed.answers_hash,
        printed.system_id,
        printed.own_hash
    from rpt_runs_builds
    inner join printed
        on rpt_runs_builds.answers_hash = printed.answers_hash

),

compared as (

    select
        latest.system_id,
        latest.build,
        latest.answers_hash,
        earlier.build as build_before,
        earlier.answers_hash as answers_hash_before
    from built as latest
    inner join built as earlier
        on
            latest.system_id = earlier.system_id
            and latest.own_hash <> earlier.own_hash
    where
        latest.is_latest
        and not earlier.is_latest
        and earlier.is_comparable_on_questions
    qualify
        row_number() over (
            partition by latest.system_id order by earlier.build_no desc
        ) = 1

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
        compared.build_before,
        compared.build,
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
    from compared
    inner join worded as now
        on
            compared.answers_hash = now.answers_hash
            and compared.system_id = now.system_id
    inner join worded as earlier
        on
            compared.answers_hash_before = earlier.answers_hash
            and now.system_id = earlier.system_id
            and now.item_id = earlier.item_id
    where now.result <> earlier.result

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
