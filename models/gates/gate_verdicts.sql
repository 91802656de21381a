with

int_gates_ruled as (

    select * from {{ ref('int_gates_ruled') }}

),

int_gates_measured as (

    select * from {{ ref('int_gates_measured') }}

),

int_null_measured as (

    select * from {{ ref('int_null_measured') }}

),

gate_waivers as (

    select * from {{ ref('gate_waivers') }}

),

active_waivers as (

    select
        gate_id,
        max_by(reason, (expires_on, reason)) as waiver_reason,
        max(expires_on) as waived_until
    from gate_waivers
    where {{ today_utc() }} between set_on and expires_on
    group by gate_id

),

-- The index decides what must exist; measurements are joined to it.
measured as (

    select
        int_gates_ruled.*,
        case
            -- A score of another model than the limit was set with is not the measure.
            when
                int_gates_ruled.applies_when in ('scorer_is', 'scorer_is_not')
                and not int_gates_ruled.is_applicable
                then null
            else int_gates_measured.n
        end as n,
        int_gates_measured.n_expected,
        int_gates_measured.n_clusters,
        int_gates_measured.ci_low,
        int_gates_measured.ci_high,
        case
            -- A score of another model than the limit was set with is not the measure.
            when
                int_gates_ruled.applies_when in ('scorer_is', 'scorer_is_not')
                and not int_gates_ruled.is_applicable
                then null
            when int_gates_ruled.statistic = 'mean' then int_gates_measured.mean
            when int_gates_ruled.statistic = 'ci_low' then int_gates_measured.ci_low
            when int_gates_ruled.statistic = 'ci_high' then int_gates_measured.ci_high
            when int_gates_ruled.statistic = 'ci_low_above_null'
                then int_gates_measured.ci_low - int_null_measured.null_value
            when int_gates_ruled.statistic = 'distance'
                then int_gates_measured.distance
            when int_gates_ruled.statistic = 'change' then int_gates_measured.change
            when int_gates_ruled.statistic = 'absolute_change'
                then int_gates_measured.absolute_change
            when int_gates_ruled.statistic = 'relative_change'
                then int_gates_measured.relative_change
            when int_gates_ruled.statistic = 'significant_change'
                then int_gates_measured.significant_change
        end as value,
        int_null_measured.null_value,
        active_waivers.waiver_reason,
        active_waivers.waived_until
    from int_gates_ruled
    left join int_gates_measured
        on
            int_gates_ruled.run_id = int_gates_measured.run_id
            and int_gates_ruled.measured_in = int_gates_measured.measured_in
            and int_gates_ruled.system_id = int_gates_measured.system_id
            and int_gates_ruled.gold_set = int_gates_measured.gold_set
            and int_gates_ruled.slice_name = int_gates_measured.slice_name
            and int_gates_ruled.slice_value = int_gates_measured.slice_value
            and int_gates_ruled.metric = int_gates_measured.metric
            and int_gates_ruled.k = int_gates_measured.k
            and int_gates_ruled.unit = int_gates_measured.unit
            and int_gates_ruled.mode = int_gates_measured.mode
            and coalesce(int_gates_ruled.null_kind, '')
            = coalesce(int_gates_measured.null_kind, '')
    left join int_null_measured
        on
            int_gates_ruled.gate_id = int_null_measured.gate_id
            and int_gates_ruled.corpus = int_null_measured.corpus
    left join active_waivers
        on int_gates_ruled.gate_id = active_waivers.gate_id

),

-- Fail closed: only a finite number on the right side of a finite limit passes.
compared as (

    select
        *,
        case
            -- Only a rule that says no excuses a gate, and only one without a value.
            when not coalesce(is_applicable, true) and value is null
                then 'not_applicable'
            -- Nor do passages that nobody recognises tell whether they are good.
            when is_unrecognised then 'too_few'
            when isnan(value) or isinf(value) then 'unmeasured'
            -- An interval over two or three filings is no interval.
            when n_clusters < min_clusters then 'too_few'
            -- Nor have a few items one, or a difference of pairs. A missing null is
            -- another matter.
            when
                n > 0 and n < min_n and n_expected < min_n
                and statistic in ('ci_low', 'ci_high', 'distance')
                then 'too_few'
            when
                value is null or isnan(value) or isinf(value)
                or limit_value is null or isnan(limit_value) or isinf(limit_value)
                or n is null or n = 0
                then 'unmeasured'
            -- Few items excuse a gate, few answers to enough of them do not.
            when n < min_n and n_expected >= min_n then 'fail'
            when n < min_n then 'too_few'
            when direction = 'min' and value >= limit_value then 'pass'
            when direction = 'max' and value <= limit_value then 'pass'
            else 'fail'
        end as raw_verdict,
        coalesce(n < min_n and n_expected >= min_n, false) as has_too_few_answers,
        null_value is not null and not isnan(null_value) as has_null,
        case
            when null_value is null or isnan(null_value) then false
            -- A gate on what lies above the null cannot be passed by it.
            when statistic = 'ci_low_above_null' then false
            when direction = 'min' then null_value >= limit_value
            else null_value <= limit_value
        end as is_passed_by_null
    from measured

),

waived as (

    select
        *,
        case
            when raw_verdict in ('fail', 'unmeasured') and waiver_reason is not null
                then 'waived'
            else raw_verdict
        end as verdict
    from compared

),

-- What counts as a breach is said here and nowhere else.
with_breaches as (

    select
        *,
        case
            when verdict = 'fail' and has_too_few_answers then 'too_few_answers'
            when verdict in ('fail', 'unmeasured') then verdict
            when verdict = 'pass' and is_passed_by_null then 'passed_by_null'
            -- A gate that claims to stop a null must have seen one.
            when verdict = 'pass' and is_held_against_null and not has_null
                then 'null_unmeasured'
        end as breach
    from waived

),

first_broken as (

    select min(phase) as broken_phase
    from with_breaches
    where
        breach is not null
        and severity = 'error'

)

select
    with_breaches.run_id,
    with_breaches.gate_id,
    with_breaches.phase,
    with_breaches.measured_in,
    with_breaches.applies_when,
    with_breaches.capability,
    with_breaches.subject,
    with_breaches.system_id,
    with_breaches.gold_set,
    with_breaches.slice_name,
    with_breaches.slice_value,
    with_breaches.metric,
    with_breaches.k,
    with_breaches.unit,
    with_breaches.mode,
    with_breaches.null_kind,
    with_breaches.statistic,
    with_breaches.direction,
    with_breaches.limit_value,
    with_breaches.value,
    with_breaches.ci_low,
    with_breaches.ci_high,
    with_breaches.n,
    with_breaches.n_expected,
    with_breaches.min_n,
    with_breaches.severity,
    with_breaches.verdict,
    with_breaches.breach,
    -- A broken phase says nothing good about the phases behind it.
    coalesce(first_broken.broken_phase >= with_breaches.phase, true) as is_trusted,
    with_breaches.null_value,
    with_breaches.is_passed_by_null,
    with_breaches.waiver_reason,
    with_breaches.waived_until,
    with_breaches.rationale,
    with_breaches.set_on,
    with_breaches.set_by
from with_breaches
cross join first_broken
