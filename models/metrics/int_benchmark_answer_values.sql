{#-
    A system that answered any question of a set owes a value for every question of it and
    every metric that it has there. Where the gold is why nothing can be measured, the question
    is uncovered: for every system, whether or not it answered, unless its file says how it
    was judged.
-#}
with

benchmark_scores as (

    select * from {{ ref('benchmark_scores') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where
        gold_set <> 'p3'
        and outcome <> 'not_run'

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where gold_set <> 'p3'

),

int_public_metrics as (

    select * from {{ ref('int_public_metrics') }}

),

py_benchmark_gold_checked as (

    select * from {{ ref('py_benchmark_gold_checked') }}

),

int_benchmark_references_named as (

    select * from {{ ref('int_benchmark_references_named') }}

),

referenced as (

    select
        benchmark,
        question_id
    from int_benchmark_references_named
    group by benchmark, question_id

),

systems as (

    select
        benchmark,
        system_id,
        metric,
        mode
    from benchmark_scores
    group by benchmark, system_id, metric, mode

),

unmeasurable as (

    select
        benchmark || ':' || question_id as item_id,
        metric,
        mode
    from py_benchmark_gold_checked

    union all

    select
        item_id,
        'attribution' as metric,
        'strict' as mode
    from item_answers
    where
        answer_type = 'attribution'
        and {{ list_length('answers') }} = 0

    union all

    select
        item_answers.item_id,
        int_public_metrics.metric,
        int_public_metrics.mode
    from item_answers
    cross join int_public_metrics
    left join referenced
        on
            item_answers.gold_set = referenced.benchmark
            and item_answers.question_id = referenced.question_id
    where
        int_public_metrics.family = 'citations'
        and referenced.question_id is null

)

select
    systems.system_id,
    systems.benchmark as gold_set,
    item_answers.item_id,
    systems.metric,
    systems.mode,
    0 as k,
    case
        when benchmark_scores.value is not null then 'evaluated'
        when unmeasurable.item_id is not null then 'uncovered'
        when answers.item_id is null then 'not_run'
        when
            benchmark_scores.item_id is not null
            or coalesce(
                answers.answer,
                answers.program,
                answers.speaker,
                answers.role
            ) is not null
            then 'unscored'
        else 'failed'
    end as value_status,
    benchmark_scores.value
from systems
inner join item_answers
    on
        systems.benchmark = item_answers.gold_set
        and (
            left(systems.metric, 9) = 'citation_'
            or (systems.metric = 'attribution')
            = coalesce(item_answers.answer_type = 'attribution', false)
        )
left join unmeasurable
    on
        item_answers.item_id = unmeasurable.item_id
        and systems.metric = unmeasurable.metric
        and systems.mode = unmeasurable.mode
left join answers
    on
        systems.system_id = answers.system_id
        and item_answers.item_id = answers.item_id
left join benchmark_scores
    on
        systems.system_id = benchmark_scores.system_id
        and systems.metric = benchmark_scores.metric
        and systems.mode = benchmark_scores.mode
        and item_answers.item_id = benchmark_scores.item_id
