{#-
    What a system under test must reach: the gates by role, which the page shows before
    there is such a system.
-#}
with

gate_limits as (

    select * from {{ ref('gate_limits') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

gate_measures as (

    select * from {{ ref('gate_measures') }}

),

measures as (

    select
        metric,
        k,
        unit,
        mode,
        label,
        value_unit
    from metric_catalogue

    union all

    select
        metric,
        k,
        unit,
        mode,
        label,
        value_unit
    from gate_measures

),

limits as (

    select
        gate_limits.*,
        measures.label,
        measures.value_unit
    from gate_limits
    left join measures
        on
            gate_limits.metric = measures.metric
            and gate_limits.k = measures.k
            and gate_limits.unit = measures.unit
            and gate_limits.mode = measures.mode
    where gate_limits.system_id in ('candidate', 'any')

),

worded as (

    select
        *,
        case statistic
            when 'mean'
                then case when measured_in = 'costs' then 'value' else 'mean' end
            when 'ci_low' then 'lower bound of the 95 % interval'
            when 'ci_high' then 'upper bound of the 95 % interval'
            when 'ci_low_above_null'
                then 'lower bound of the 95 % interval, minus the strongest null'
            when 'distance' then 'distance from the null'
            when 'change' then 'change against the baseline'
            when 'absolute_change' then 'change against the baseline, up or down'
            when 'relative_change' then 'rise against the baseline'
            when 'significant_change'
                then 'change against the baseline, where it is more than chance'
        end
        || case
            when slice_name in ('sound', 'sound_scope') then ', over sound questions'
            else ', over all questions'
        end
        || case
            when slice_value = 'all' then ''
            else ' (' || replace(slice_value, '_', ' ') || ')'
        end as measured_as,
        case
            -- A difference of shares is in points.
            when
                value_unit = 'share'
                and statistic in (
                    'ci_low_above_null', 'distance', 'change', 'absolute_change',
                    'significant_change'
                )
                then format('{:g} points', round(100 * abs(limit_value), 4))
            when value_unit = 'share' or statistic = 'relative_change'
                then format('{:g} %', round(100 * abs(limit_value), 4))
            when value_unit = 'ms'
                then format('{:,} ms', cast(round(abs(limit_value)) as bigint))
            else format('{:g}', abs(limit_value))
        end as amount
    from limits

)

select
    run_id,
    gate_id,
    phase,
    severity,
    label as gate_label,
    measured_as,
    case
        when limit_value >= 0 and direction = 'min' then 'at least ' || amount
        when limit_value >= 0 then 'at most ' || amount
        when direction = 'min' then 'a loss of at most ' || amount
        else 'a fall of at least ' || amount
    end as limit_text,
    limit_value,
    case capability
        when 'ranks' then 'systems that rank passages'
        when 'answers' then 'systems that answer'
        when 'cites' then 'systems that cite passages'
        when 'times' then 'systems whose times are known'
        when 'marked' then 'systems whose answers people marked'
        else 'every system'
    end as applies_to,
    case severity when 'error' then 'stops a release' else 'warns' end as consequence,
    rationale,
    strftime(set_on, '%-d %B %Y') as set_on,
    set_by
from worded
