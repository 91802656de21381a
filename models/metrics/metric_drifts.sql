{#-
    Like is compared with like: the same sentences and anchors for neighbours, the same
    questions and gold for questions, the same files of a public set, the same encoder,
    the same scoring model. Frozen anchors are compared across corpora and encoders: that is
    what they are for. A figure that should be here and is not keeps a null.
-#}
with

baseline_metrics as (

    select * from {{ ref('baseline_metrics') }}

),

runs as (

    select * from {{ ref('runs') }}

),

int_gold_hashed as (

    select *
    from {{ ref('int_gold_hashed') }}
    where hashed = 'filings'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_baseline_measured as (

    select * from {{ ref('int_baseline_measured') }}

),

int_growth_expected as (

    select * from {{ ref('int_growth_expected') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

gate_measures as (

    select * from {{ ref('gate_measures') }}

),

-- Of a distance nobody knows which way is good.
directions as (

    select
        metric,
        k,
        unit,
        mode,
        direction
    from metric_catalogue

    union all

    select
        metric,
        k,
        unit,
        mode,
        direction
    from gate_measures

),

sets as (

    select
        gold_set,
        slice_name = 'frozen' as is_frozen,
        max(set_hash) as set_hash
    from int_baseline_measured
    group by gold_set, slice_name = 'frozen'

),

joined as (

    select
        runs.run_id,
        baseline_metrics.baseline,
        cast(baseline_metrics.set_on as varchar) as set_on,
        baseline_metrics.system_id,
        baseline_metrics.gold_set,
        baseline_metrics.slice_name,
        baseline_metrics.slice_value,
        baseline_metrics.metric,
        baseline_metrics.k,
        baseline_metrics.unit,
        baseline_metrics.mode,
        baseline_metrics.scorer_id,
        baseline_metrics.n as baseline_n,
        baseline_metrics.mean as baseline_mean,
        baseline_metrics.ci_low as baseline_ci_low,
        baseline_metrics.ci_high as baseline_ci_high,
        int_baseline_measured.n,
        int_baseline_measured.mean,
        int_growth_expected.growth_change,
        directions.direction,
        baseline_metrics.corpus_hash = runs.corpus_hash as is_same_corpus,
        baseline_metrics.encoder = runs.encoder as is_same_encoder,
        case
            when
                baseline_metrics.slice_name = 'frozen'
                and (baseline_metrics.gold_hash is distinct from sets.set_hash)
                then 'the baseline is of other frozen anchors, or some are gone'
            when
                baseline_metrics.slice_name <> 'frozen'
                and (
                    {{ gold_set_is('corpus', 'baseline_metrics.gold_set') }}
                    or {{ gold_set_is('anchors', 'baseline_metrics.gold_set') }}
                )
                and (baseline_metrics.corpus_hash is distinct from runs.corpus_hash)
                then
                    'the baseline is of another corpus (' || baseline_metrics.corpus
                    || coalesce(', ' || baseline_metrics.n_filings || ' filings', '')
                    || '), this run of ' || runs.corpus
                    || ', ' || runs.n_filings || ' filings'
            when
                baseline_metrics.slice_name <> 'frozen'
                and {{ gold_set_is('anchors', 'baseline_metrics.gold_set') }}
                and (baseline_metrics.anchors_hash is distinct from runs.anchors_hash)
                then 'the baseline is of other anchors or windows'
            when
                {{ gold_set_is('filings', 'baseline_metrics.gold_set') }}
                and (
                    baseline_metrics.questions_hash is distinct from runs.questions_hash
                )
                then 'the baseline is of another suite of questions'
            when
                {{ gold_set_is('filings', 'baseline_metrics.gold_set') }}
                and (
                    baseline_metrics.gold_hash
                    is distinct from int_gold_hashed.gold_hash
                )
                then 'the baseline was judged by other gold'
            when
                {{ gold_set_is('public', 'baseline_metrics.gold_set') }}
                and (baseline_metrics.gold_hash is distinct from sets.set_hash)
                then 'the baseline was measured on other files of the set'
            when
                baseline_metrics.slice_name <> 'frozen'
                and baseline_metrics.encoder <> runs.encoder
                then
                    'the baseline was embedded by ' || baseline_metrics.encoder
                    || ', this run by ' || runs.encoder
            when
                baseline_metrics.system_id not in ('corpus', 'gold')
                and registered_systems.system_id is null
                then 'the system does not run here'
            when
                int_baseline_measured.mean is not null
                and (
                    baseline_metrics.scorer_id
                    is distinct from int_baseline_measured.scorer_id
                )
                then
                    'the baseline was scored by '
                    || coalesce(baseline_metrics.scorer_id, 'a rule')
                    || ', this run by '
                    || coalesce(int_baseline_measured.scorer_id, 'a rule')
        end as why_not
    from baseline_metrics
    cross join runs
    cross join int_gold_hashed
    left join registered_systems
        on baseline_metrics.system_id = registered_systems.system_id
    left join sets
        on
            baseline_metrics.gold_set = sets.gold_set
            and (baseline_metrics.slice_name = 'frozen') = sets.is_frozen
    left join int_growth_expected
        on
            baseline_metrics.slice_name = 'frozen'
            and baseline_metrics.metric = 'hit'
            and baseline_metrics.unit = 'sentence'
            and baseline_metrics.mode = 'finrag'
            and baseline_metrics.system_id = int_growth_expected.system_id
            and baseline_metrics.k = int_growth_expected.k
    left join int_baseline_measured
        on
            runs.run_id = int_baseline_measured.run_id
            and baseline_metrics.system_id = int_baseline_measured.system_id
            and baseline_metrics.gold_set = int_baseline_measured.gold_set
            and baseline_metrics.slice_name = int_baseline_measured.slice_name
            and baseline_metrics.slice_value = int_baseline_measured.slice_value
            and baseline_metrics.metric = int_baseline_measured.metric
            and baseline_metrics.k = int_baseline_measured.k
            and baseline_metrics.unit = int_baseline_measured.unit
            and baseline_metrics.mode = int_baseline_measured.mode
    left join directions
        on
            baseline_metrics.metric = directions.metric
            and baseline_metrics.k = directions.k
            and baseline_metrics.unit = directions.unit
            and baseline_metrics.mode = directions.mode
    where baseline_metrics.baseline = {{ sql_literal(var('baseline')) }}

),

compared as (

    select
        *,
        why_not is null as is_comparable,
        -- The seed has nine digits; what lies behind them is no change.
        case when why_not is null then round(mean - baseline_mean, 9) end as change,
        -- Nothing is no share of nothing: from zero only zero is no change.
        case
            when why_not is not null then null
            when baseline_mean <> 0
                then round((mean - baseline_mean) / abs(baseline_mean), 9)
            when mean = 0 then 0.0
        end as relative_change,
        case
            when why_not is null
                then mean < baseline_ci_low or mean > baseline_ci_high
        end as is_beyond_interval
    from joined

)

select
    md5(concat_ws(
        '|',
        baseline,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        cast(k as varchar),
        unit,
        mode
    )) as drift_id,
    run_id,
    baseline,
    set_on,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    unit,
    mode,
    scorer_id,
    baseline_n,
    baseline_mean,
    baseline_ci_low,
    baseline_ci_high,
    n,
    mean,
    change,
    relative_change,
    is_beyond_interval,
    case
        when change is null then null
        when change = 0 then 'unchanged'
        when direction is null then 'undetermined'
        when (direction = 'max') = (change > 0) then 'better'
        else 'worse'
    end as drift,
    case when is_comparable then growth_change end as growth_change,
    is_same_corpus,
    is_same_encoder,
    is_comparable,
    why_not
from compared
