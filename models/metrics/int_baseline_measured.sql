{#-
    Every figure of this run that a baseline may hold: see seed baseline_metrics. Files of a
    public set may change while the filings stay: its figures carry the digest of its
    questions, its answers, its evidence and what is searched; those of frozen anchors the
    digest of the anchors.
-#}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

distance_profiles as (

    select * from {{ ref('distance_profiles') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

runs as (

    select * from {{ ref('runs') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

anchors as (

    select *
    from {{ ref('anchors') }}
    where frozen_among is not null

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings'

),

asked as (

    select
        gold_set,
        'questions' as part,
        md5(string_agg(
            concat_ws('|', item_id, document_id, question_text), '|' order by item_id
        )) as digest
    from items
    group by gold_set

),

judged as (

    select
        gold_set,
        'judgments' as part,
        md5(string_agg(
            concat_ws('|', item_id, evidence_id, passage_id, grade),
            '|' order by item_id, evidence_id, passage_id
        )) as digest
    from judgments
    group by gold_set

),

answered as (

    select
        gold_set,
        'answers' as part,
        md5(string_agg(
            concat_ws(
                '|',
                item_id,
                coalesce(answer_text, ''),
                coalesce(cast(to_json(answers) as varchar), ''),
                coalesce(cast(answer_numeric as varchar), ''),
                coalesce(scale, answer_unit, ''),
                coalesce(program, ''),
                coalesce(cast(is_answerable as varchar), ''),
                coalesce(original_fields, '')
            ),
            '|' order by item_id
        )) as digest
    from item_answers
    group by gold_set

),

searched as (

    select
        corpus_id as gold_set,
        'passages ' || coalesce(document_id, '') as part,
        md5(string_agg(passage_id || text_hash, '|' order by passage_id)) as digest
    from passages
    group by corpus_id, document_id

),

parts as (

    select * from asked
    union all
    select * from judged
    union all
    select * from answered
    union all
    select * from searched

),

sets as (

    select
        gold_set,
        md5(string_agg(digest, '|' order by part)) as set_hash
    from parts
    group by gold_set

),

frozen as (

    select md5(string_agg(item_id || text_hash, '|' order by item_id)) as set_hash
    from anchors

),

summaries as (

    select
        run_id,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        scorer_id,
        n_evaluated as n,
        mean,
        ci_low,
        ci_high
    from metric_summaries
    where slice_name in ('overall', 'sound', 'sound_scope', 'frozen')

),

-- Of the encoder of the run; another one that a system brings has no gate.
distances as (

    select
        distance_profiles.run_id,
        'gold' as system_id,
        distance_profiles.gold_set,
        distance_profiles.slice_name,
        distance_profiles.slice_value,
        'gold_distance_p50' as metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        distance_profiles.n_pairs as n,
        distance_profiles.p50 as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from distance_profiles
    inner join runs
        on distance_profiles.encoder = runs.encoder
    where
        distance_profiles.population = 'gold'
        and distance_profiles.slice_name = 'overall'

),

-- A cost that is not known is no figure, and no baseline.
spent as (

    select
        run_id,
        system_id,
        gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        case metric when 'cost_usd_per_query' then n_items else n_timed end as n,
        mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from system_costs
    unpivot include nulls (
        mean for metric in (latency_p50_ms, latency_p95_ms, cost_usd_per_query)
    )
    where
        metric <> 'cost_usd_per_query'
        or is_cost_known

),

measured as (

    select * from summaries
    union all
    select * from distances
    union all
    select * from spent

)

select
    measured.*,
    case
        when measured.slice_name = 'frozen' then frozen.set_hash
        else sets.set_hash
    end as set_hash
from measured
cross join frozen
left join sets
    on measured.gold_set = sets.gold_set
