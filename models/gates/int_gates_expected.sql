{#-
    One row per gate that this run must have. A row of the catalogue that names a role
    stands for a gate of each system in it, called after both. Whom a gate is about is
    decided here and nowhere else: a system that is not under test breaks nothing, whatever
    its gates say, unless they check the index that all systems stand on.
-#}
with

py_gates_read as (

    select * from {{ ref('py_gates_read') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

line_systems as (

    select * from {{ ref('line_systems') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

runs as (

    select * from {{ ref('runs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

listed as (

    select *
    from py_gates_read
    where coalesce(system_id, '') not in ('candidate', 'any')

    union all by name

    select
        py_gates_read.* exclude (gate_id, system_id),
        py_gates_read.gate_id || '@' || registered_systems.system_id as gate_id,
        registered_systems.system_id
    from py_gates_read
    inner join registered_systems
        on
            py_gates_read.system_id = registered_systems.role
            or (py_gates_read.system_id = 'any' and not registered_systems.is_null)

),

systems_under_test as (

    select system_id
    from registered_systems
    where role = 'candidate'

    union all

    select system_id
    from line_systems
    where role = 'candidate'

),

-- A gate over a pair of systems is about the first of them.
under_test as (

    select system_id
    from systems_under_test

    union all

    select system_pairs.pair_id as system_id
    from system_pairs
    inner join systems_under_test
        on system_pairs.system_a = systems_under_test.system_id

),

addressed as (

    select
        listed.* replace (
            case
                when listed.subject <> 'system' then listed.subject
                when under_test.system_id is not null then 'candidate'
                else 'reference'
            end as subject
        )
    from listed
    left join under_test
        on listed.system_id = under_test.system_id

),

-- A gate on a slice of the questions asks nothing where no such question has evidence.
questions_counted as (

    select
        gold_set,
        slice_name,
        slice_value,
        sum(n_evaluated) as n_all,
        sum(round(mean * n_evaluated)) as n_with_evidence
    from metric_summaries
    where metric = 'questions_with_evidence'
    group by gold_set, slice_name, slice_value

),

metric_types as (

    select distinct
        metric,
        unit,
        mode,
        unnest(string_split(applies_to, ' ')) as answer_type
    from metric_catalogue
    where length(applies_to) > 0

),

-- Nor does one on a metric where no question of the slice is of its types.
types_counted as (

    select
        metric_summaries.gold_set,
        metric_types.metric,
        metric_types.unit,
        metric_types.mode,
        metric_summaries.slice_name,
        metric_summaries.slice_value,
        sum(round(metric_summaries.mean * metric_summaries.n_evaluated)) as n_of_type
    from metric_types
    inner join metric_summaries
        on
            'questions_' || metric_types.answer_type = metric_summaries.metric
    group by
        metric_summaries.gold_set,
        metric_types.metric,
        metric_types.unit,
        metric_types.mode,
        metric_summaries.slice_name,
        metric_summaries.slice_value

),

typed as (

    select distinct
        metric,
        unit,
        mode
    from metric_types

),

public_sets as (

    select
        gold_set,
        n_all
    from questions_counted
    where slice_name = 'overall'

),

-- A row for this corpus replaces the row for any corpus. Questions of the filings are
-- counted by the run, those of a public set, which need not be loaded, by themselves.
chosen as (

    select
        runs.run_id,
        case
            when {{ gold_set_is('public', 'addressed.gold_set') }}
                then coalesce(public_sets.n_all, 0)
            else runs.n_questions
        end as n_questions,
        questions_counted.n_with_evidence,
        case
            when typed.metric is null then questions_counted.n_all
            else types_counted.n_of_type
        end as n_of_type,
        typed.metric is not null as has_types,
        addressed.*
    from addressed
    cross join runs
    left join questions_counted
        on
            addressed.gold_set = questions_counted.gold_set
            and addressed.slice_name = questions_counted.slice_name
            and addressed.slice_value = questions_counted.slice_value
    left join public_sets
        on addressed.gold_set = public_sets.gold_set
    left join typed
        on
            addressed.metric = typed.metric
            and addressed.unit = typed.unit
            and addressed.mode = typed.mode
    left join types_counted
        on
            addressed.metric = types_counted.metric
            and addressed.unit = types_counted.unit
            and addressed.mode = types_counted.mode
            and addressed.gold_set = types_counted.gold_set
            and addressed.slice_name = types_counted.slice_name
            and addressed.slice_value = types_counted.slice_value
    where addressed.corpus in ('any', runs.corpus)
    qualify
        row_number() over (
            partition by addressed.gate_id
            order by addressed.corpus = 'any', addressed.corpus
        ) = 1

),

-- Where questions are counted, a slice without a count has none. Elsewhere (a category,
-- a year, a company) nobody counted them, and an unknown number excuses no gate.
with_ground as (

    select
        *,
        coalesce(
            n_questions = 0
            or (
                {{ gold_set_is('filings', 'gold_set') }}
                and not ({{ gold_set_is('tables', 'gold_set') }})
                and slice_name in ('overall', 'sound', 'sound_scope')
            ),
            false
        ) as is_counted,
        coalesce(
            {{ gold_set_is('public', 'gold_set') }} and slice_name = 'overall', false
        ) as is_public_whole
    from chosen

)

select
    * exclude (has_types, is_counted, is_public_whole)
    replace (
        case subject when 'reference' then 'reference' else severity end as severity,
        case
            when is_counted or is_public_whole then coalesce(n_with_evidence, 0)
            else n_with_evidence
        end as n_with_evidence,
        case
            when is_counted or (is_public_whole and not has_types)
                then coalesce(n_of_type, 0)
            else n_of_type
        end as n_of_type
    )
from with_ground
