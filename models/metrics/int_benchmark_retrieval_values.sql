{#-
    Every system owes every question of a set a value for each kind of evidence that the set
    names at all, a system of a file for the kinds that it ranks, if it ranks any; what was
    found is joined to that. Recall is the share of the question's evidence of one kind among the first k of
    the list of its kind, also where that list is empty.
-#}
with

int_benchmark_questions_owed as (

    select * from {{ ref('int_benchmark_questions_owed') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        evidence_kind = 'text'
        and unit <> 'sentence'

),

rankings as (

    select *
    from {{ ref('rankings') }}
    where unit <> 'sentence'

),

int_benchmark_evidence_ranked as (

    select * from {{ ref('int_benchmark_evidence_ranked') }}

),

int_benchmark_pages_matched as (

    select * from {{ ref('int_benchmark_pages_matched') }}

),

int_public_metrics as (

    select * from {{ ref('int_public_metrics') }}

),

retrieval_metrics as (

    select
        metric,
        k,
        space
    from int_public_metrics
    where family = 'retrieval'

),

spaces as (

    select
        gold_set as benchmark,
        unit as space
    from judgments
    group by gold_set, unit

),

-- A metric without a kind of evidence is of all kinds that the set has.
metrics as (

    select
        spaces.benchmark,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        retrieval_metrics.space
    from spaces
    inner join retrieval_metrics
        on coalesce(retrieval_metrics.space, spaces.space) = spaces.space
    group by
        spaces.benchmark,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        retrieval_metrics.space

),

-- A cell is looked for among the rows.
ranked_kinds as (

    select
        rankings.system_id,
        rankings.gold_set,
        kinds.space
    from rankings
    inner join (
        values
        ('text', 'text'), ('table', 'table'), ('row', 'row'), ('row', 'cell'),
        ('page', 'page'), ('turn', 'turn')
    ) as kinds (ranked_space, space)
        on rankings.unit = kinds.ranked_space
    group by
        rankings.system_id,
        rankings.gold_set,
        kinds.space

),

ranking_systems as (

    select
        system_id,
        benchmark
    from ranked_kinds
    group by system_id, benchmark

),

owed as (

    select
        int_benchmark_questions_owed.system_id,
        int_benchmark_questions_owed.benchmark,
        int_benchmark_questions_owed.item_id,
        int_benchmark_questions_owed.is_run,
        metrics.metric,
        metrics.k
    from int_benchmark_questions_owed
    inner join metrics
        on int_benchmark_questions_owed.benchmark = metrics.benchmark
    left join ranked_kinds
        on
            int_benchmark_questions_owed.system_id = ranked_kinds.system_id
            and int_benchmark_questions_owed.benchmark = ranked_kinds.benchmark
            and metrics.space = ranked_kinds.space
    left join ranking_systems
        on
            int_benchmark_questions_owed.system_id = ranking_systems.system_id
            and int_benchmark_questions_owed.benchmark = ranking_systems.benchmark
    where
        not int_benchmark_questions_owed.is_given
        or metrics.space is null
        or ranked_kinds.space is not null
        or ranking_systems.system_id is null

),

-- The best order there is: by grade, over all evidence of the kind.
placed as (

    select
        system_id,
        item_id,
        space,
        grade,
        rank,
        row_number() over (
            partition by system_id, item_id, space
            order by grade desc, passage_id asc
        ) as ideal_rank
    from int_benchmark_evidence_ranked

),

measured as (

    select
        placed.system_id,
        placed.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        coalesce({{ exact_sum(
            'case when placed.rank <= retrieval_metrics.k '
            'then placed.grade / log2(placed.rank + 1.0) end'
        ) }}, 0)
        / {{ exact_sum(
            'case when placed.ideal_rank <= retrieval_metrics.k '
            'then placed.grade / log2(placed.ideal_rank + 1.0) end'
        ) }} as value
    from placed
    inner join retrieval_metrics
        on 'ndcg_' || placed.space = retrieval_metrics.metric
    group by
        placed.system_id,
        placed.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k

    union all

    select
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        count(*) filter (
            where int_benchmark_evidence_ranked.rank <= retrieval_metrics.k
        ) / count(*) as value
    from int_benchmark_evidence_ranked
    inner join retrieval_metrics
        on 'recall_' || int_benchmark_evidence_ranked.space = retrieval_metrics.metric
    group by
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k

    union all

    select
        system_id,
        item_id,
        'recall_page_near' as metric,
        k,
        n_matched / n_pages as value
    from int_benchmark_pages_matched

    union all

    select
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        cast(
            coalesce(
                min(int_benchmark_evidence_ranked.rank) <= retrieval_metrics.k, false
            ) as double
        ) as value
    from int_benchmark_evidence_ranked
    inner join retrieval_metrics
        on retrieval_metrics.metric = 'hybrid_hit'
    group by
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k

    union all

    select
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k,
        coalesce(
            1.0 / min(int_benchmark_evidence_ranked.rank) filter (
                where int_benchmark_evidence_ranked.rank <= retrieval_metrics.k
            ),
            0
        ) as value
    from int_benchmark_evidence_ranked
    inner join retrieval_metrics
        on retrieval_metrics.metric = 'best_reciprocal_rank'
    group by
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        retrieval_metrics.metric,
        retrieval_metrics.k

),

-- Without evidence there is nothing to find, whoever looks.
with_status as (

    select
        owed.*,
        measured.value,
        case
            when measured.value is null then 'uncovered'
            when not owed.is_run then 'not_run'
            else 'evaluated'
        end as value_status
    from owed
    left join measured
        on
            owed.system_id = measured.system_id
            and owed.item_id = measured.item_id
            and owed.metric = measured.metric
            and owed.k = measured.k

)

select
    system_id,
    benchmark as gold_set,
    item_id,
    metric,
    k,
    value_status,
    case when value_status = 'evaluated' then value end as value
from with_status
