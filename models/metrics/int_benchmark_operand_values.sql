{#-
    Of the operands of a gold program that stand in the context, the share that a system
    retrieved: among the first k of their space. An operand with several places needs one.
-#}
with

benchmark_operands as (

    select * from {{ ref('benchmark_operands') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_rankings as (

    select * from {{ ref('benchmark_rankings') }}

),

places as (

    select
        benchmark,
        item_id,
        step_pos,
        operand_pos,
        {{ unnest_list('passage_ids', 'passage_id') }}
    from benchmark_operands

),

findable as (

    select
        places.benchmark,
        places.item_id,
        places.step_pos,
        places.operand_pos,
        case
            when benchmark_passages.is_rankable then benchmark_passages.passage_id
            else benchmark_passages.parent_id
        end as passage_id
    from places
    inner join benchmark_passages
        on
            places.benchmark = benchmark_passages.benchmark
            and places.passage_id = benchmark_passages.passage_id

),

-- Who ranked anything of the set owes every question with a program.
systems as (

    select
        system_id,
        benchmark
    from benchmark_rankings
    group by system_id, benchmark

),

found as (

    select
        systems.system_id,
        findable.item_id,
        findable.step_pos,
        findable.operand_pos,
        min(benchmark_rankings.rank) as first_rank
    from findable
    inner join systems
        on findable.benchmark = systems.benchmark
    left join benchmark_rankings
        on
            systems.system_id = benchmark_rankings.system_id
            and findable.item_id = benchmark_rankings.item_id
            and findable.passage_id = benchmark_rankings.passage_id
    group by
        systems.system_id,
        findable.item_id,
        findable.step_pos,
        findable.operand_pos

),

cutoffs as (

    select 5 as k
    union all
    select 10 as k

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

    select
        benchmark,
        item_id
    from benchmark_operands
    group by benchmark, item_id

)

select
    systems.system_id,
    programs.benchmark as gold_set,
    programs.item_id,
    'operands_retrieved' as metric,
    cutoffs.k,
    case
        when counted.value is null then 'uncovered'
        else 'evaluated'
    end as value_status,
    counted.value
from programs
inner join systems
    on programs.benchmark = systems.benchmark
cross join cutoffs
left join counted
    on
        systems.system_id = counted.system_id
        and programs.item_id = counted.item_id
        and cutoffs.k = counted.k
