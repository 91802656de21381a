{#-
    Every system that ranks benchmarks owes every question of a set a value for each
    kind of evidence that the set names at all; what was found is joined to that.
    Recall is the share of the question's evidence of one kind among the first k of
    the list of its kind, also where that list is empty.
-#}
{%- set hit_cutoffs = [5, 10] -%}
{%- set rank_cutoff = 10 -%}
with

int_benchmark_systems_listed as (

    select * from {{ ref('int_benchmark_systems_listed') }}

),

benchmark_items as (

    select * from {{ ref('benchmark_items') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_judgments as (

    select * from {{ ref('benchmark_judgments') }}

),

benchmark_rankings as (

    select * from {{ ref('benchmark_rankings') }}

),

int_benchmark_evidence_ranked as (

    select * from {{ ref('int_benchmark_evidence_ranked') }}

),

int_benchmark_pages_matched as (

    select * from {{ ref('int_benchmark_pages_matched') }}

),

runs as (

    select
        system_id,
        benchmark
    from benchmark_rankings
    group by system_id, benchmark

),

documents as (

    select
        benchmark,
        document_id
    from benchmark_passages
    where is_rankable
    group by benchmark, document_id

),

cutoffs as (

    select given.k
    from (values (1), (3), (5), (10)) as given (k)

),

spaces as (

    select
        benchmark,
        space
    from benchmark_judgments
    group by benchmark, space

),

metrics as (

    select
        spaces.benchmark,
        'recall_' || spaces.space as metric,
        cutoffs.k
    from spaces
    cross join cutoffs

    union all

    select
        spaces.benchmark,
        'recall_page_near' as metric,
        cutoffs.k
    from spaces
    cross join cutoffs
    where spaces.space = 'page'

    union all

    select
        spaces.benchmark,
        'hybrid_hit' as metric,
        cutoffs.k
    from spaces
    cross join cutoffs
    where cutoffs.k in ({{ hit_cutoffs | join(', ') }})
    group by spaces.benchmark, cutoffs.k

    union all

    select
        benchmark,
        'best_reciprocal_rank' as metric,
        {{ rank_cutoff }} as k
    from spaces
    group by benchmark

),

-- A filtered search of a document that is not there is none.
owed as (

    select
        int_benchmark_systems_listed.system_id,
        benchmark_items.benchmark,
        benchmark_items.item_id,
        metrics.metric,
        metrics.k,
        runs.system_id is not null
        and (
            int_benchmark_systems_listed.regime = 'open'
            or documents.document_id is not null
        ) as is_run
    from benchmark_items
    inner join metrics
        on benchmark_items.benchmark = metrics.benchmark
    cross join int_benchmark_systems_listed
    left join runs
        on
            int_benchmark_systems_listed.system_id = runs.system_id
            and benchmark_items.benchmark = runs.benchmark
    left join documents
        on
            benchmark_items.benchmark = documents.benchmark
            and benchmark_items.document_id = documents.document_id

),

measured as (

    select
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        'recall_' || int_benchmark_evidence_ranked.space as metric,
        cutoffs.k,
        count(*) filter (where int_benchmark_evidence_ranked.rank <= cutoffs.k)
        / count(*) as value
    from int_benchmark_evidence_ranked
    cross join cutoffs
    group by
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        int_benchmark_evidence_ranked.space,
        cutoffs.k

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
        'hybrid_hit' as metric,
        cutoffs.k,
        cast(
            coalesce(min(int_benchmark_evidence_ranked.rank) <= cutoffs.k, false)
            as double
        ) as value
    from int_benchmark_evidence_ranked
    cross join cutoffs
    group by
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.item_id,
        cutoffs.k

    union all

    select
        system_id,
        item_id,
        'best_reciprocal_rank' as metric,
        {{ rank_cutoff }} as k,
        coalesce(1.0 / min(rank) filter (where rank <= {{ rank_cutoff }}), 0) as value
    from int_benchmark_evidence_ranked
    group by system_id, item_id

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
