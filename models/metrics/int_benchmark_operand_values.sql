{#-
    Of the operands of a gold program that stand in the context, the share that a system
    retrieved: among the first k of their space. An operand with several places needs one.
-#}
with

judgments as (

    select *
    from {{ ref('judgments') }}
    where evidence_kind = 'operand'

),

rankings as (

    select *
    from {{ ref('rankings') }}
    where unit <> 'sentence'

),

int_benchmark_questions_owed as (

    select * from {{ ref('int_benchmark_questions_owed') }}

),

int_public_metrics as (

    select * from {{ ref('int_public_metrics') }}

),

findable as (

    select
        item_id,
        evidence_id,
        passage_id
    from judgments
    where mapping = 'mapped'

),

found as (

    select
        int_benchmark_questions_owed.system_id,
        findable.item_id,
        findable.evidence_id,
        min(rankings.rank) as first_rank
    from findable
    inner join int_benchmark_questions_owed
        on findable.item_id = int_benchmark_questions_owed.item_id
    left join rankings
        on
            int_benchmark_questions_owed.system_id = rankings.system_id
            and findable.item_id = rankings.item_id
            and findable.passage_id = rankings.passage_id
    group by
        int_benchmark_questions_owed.system_id,
        findable.item_id,
        findable.evidence_id

),

cutoffs as (

    select k
    from int_public_metrics
    where metric = 'operands_retrieved'

),

counted as (

    select
        found.system_id,
        found.item_id,
        cutoffs.k,
        cast(count(*) filter (where found.first_rank <= cutoffs.k) as double)
        / count(*) as value
    from found
    cross join cutoffs
    group by found.system_id, found.item_id, cutoffs.k

),

programs as (

    select item_id
    from judgments
    group by item_id

),

owed as (

    select
        int_benchmark_questions_owed.system_id,
        int_benchmark_questions_owed.benchmark,
        int_benchmark_questions_owed.item_id,
        cutoffs.k,
        counted.value,
        case
            when counted.value is null then 'uncovered'
            when not int_benchmark_questions_owed.is_run then 'not_run'
            else 'evaluated'
        end as value_status
    from programs
    inner join int_benchmark_questions_owed
        on programs.item_id = int_benchmark_questions_owed.item_id
    cross join cutoffs
    left join counted
        on
            int_benchmark_questions_owed.system_id = counted.system_id
            and programs.item_id = counted.item_id
            and cutoffs.k = counted.k

)

select
    system_id,
    benchmark as gold_set,
    item_id,
    'operands_retrieved' as metric,
    k,
    value_status,
    case when value_status = 'evaluated' then value end as value
from owed
