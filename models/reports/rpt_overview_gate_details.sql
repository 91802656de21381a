with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

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
        phrase,
        value_unit,
        page,
        remedy,
        false as is_of_machinery
    from metric_catalogue

    union all

    select
        metric,
        k,
        unit,
        mode,
        phrase,
        value_unit,
        page,
        remedy,
        true as is_of_machinery
    from gate_measures

),

-- A gate over a pair of systems speaks of the first of them.
named as (

    select
        gate_verdicts.*,
        measures.page as measure_page,
        measures.is_of_machinery,
        measures.remedy as measure_remedy,
        measures.phrase
        || ' of '
        || case
            when gate_verdicts.system_id in ('corpus', 'gold')
                then 'the ' || gate_verdicts.system_id
            else coalesce(system_pairs.system_a, gate_verdicts.system_id)
        end
        || case
            when gate_verdicts.slice_name in ('overall', 'sound') then ''
            else ' (' || replace(gate_verdicts.slice_value, '_', ' ') || ')'
        end as measured,
        case gate_verdicts.measured_in
            when 'comparisons'
                then ' above ' || coalesce(system_pairs.system_b, 'its rival')
            when 'floors'
                then
                    case
                        when gate_verdicts.null_kind = 'strongest'
                            then ' above its strongest null'
                        else
                            ' above its null, '
                            || replace(gate_verdicts.null_kind, '_', ' ')
                    end
            when 'drifts' then ' against the baseline'
            else ''
        end as held_against,
        (
            gate_verdicts.statistic <> 'relative_change'
            and measures.value_unit <> 'share'
        ) as is_score
    from gate_verdicts
    left join system_pairs
        on gate_verdicts.system_id = system_pairs.pair_id
    left join measures
        on
            gate_verdicts.metric = measures.metric
            and gate_verdicts.k = measures.k
            and gate_verdicts.unit = measures.unit
            and gate_verdicts.mode = measures.mode

),

-- A value that misses its limit by little must not print like the limit.
rounded as (

    select
        *,
        measured || held_against
        || case statistic
            when 'ci_low' then ', lower bound'
            when 'ci_high' then ', upper bound'
            else ''
        end as gate_label,
        case
            when value is null or isnan(value) or isinf(value) then null
            when is_score then cast(round(value, 3) as varchar)
            when
                value <> limit_value
                and round(100 * value, 1) = round(100 * limit_value, 1)
                then cast(round(100 * value, 4) as varchar) || ' %'
            else cast(round(100 * value, 1) as varchar) || ' %'
        end as value_text,
        case when direction = 'min' then 'at least ' else 'at most ' end
        || case
            when is_score then cast(round(limit_value, 3) as varchar)
            else cast(round(100 * limit_value, 1) as varchar) || ' %'
        end as limit_text,
        case
            when null_value is null or isnan(null_value) then null
            when is_score then cast(round(null_value, 3) as varchar)
            else cast(round(100 * null_value, 1) as varchar) || ' %'
        end as null_text
    from named

),

described as (

    select
        *,
        case
            when verdict = 'not_applicable'
                then
                    gate_label || ' is not judged: '
                    || case
                        when applies_when = 'baseline_known'
                            then 'no baseline holds a figure to compare it with'
                        when applies_when in ('scorer_is', 'scorer_is_not')
                            then
                                'its limit is for another scoring model, or none runs'
                        when applies_when = 'spaces_loaded'
                            then 'tables and pages are not loaded'
                        when applies_when = 'lines_loaded'
                            then 'the filings bring no table of revenue'
                        when applies_when = 'routes_loaded'
                            then 'no filing tags its lines of revenue'
                        when applies_when = 'lines_labelled'
                            then
                                'no line of revenue of these filings is labelled, or '
                                || 'the system does not run'
                        when applies_when = 'lines_compared'
                            then 'no baseline holds descriptions to compare with'
                        else 'what it judges is not part of this run'
                    end
            when breach = 'too_few_answers'
                then
                    gate_label || ' speaks for ' || cast(n as varchar)
                    || ' answers where ' || cast(n_expected as varchar)
                    || ' were expected and ' || cast(min_n as varchar) || ' are needed'
            when breach = 'passed_by_null'
                then
                    gate_label || ' passes with ' || value_text
                    || ', and what knows nothing passes too, with ' || null_text
            when breach = 'null_unmeasured'
                then
                    gate_label || ' passes with ' || value_text
                    || ', but no null was measured to hold it against'
            when value_text is null and verdict = 'too_few'
                then
                    gate_label || ' cannot be measured: no passage that it returned '
                    || 'is recognised'
            when value_text is null
                then gate_label || ' was not measured; it should be ' || limit_text
            when verdict = 'too_few'
                then
                    gate_label || ' is ' || value_text
                    || ' over too little to tell (n = ' || cast(n as varchar)
                    || '); it should be ' || limit_text
            else gate_label || ' is ' || value_text || ', should be ' || limit_text
        end as statement
    from rounded

)

select
    run_id,
    gate_id,
    phase,
    severity,
    case severity
        when 'error' then 'stops a release'
        when 'warn' then 'warns'
        else 'breaks nothing: a reference system'
    end as consequence,
    verdict,
    breach,
    breach is not null
    or verdict in ('fail', 'unmeasured', 'too_few', 'waived') as needs_attention,
    is_trusted,
    gate_label,
    statement,
    system_id,
    gold_set,
    metric,
    k,
    unit,
    mode,
    case when not isnan(value) and not isinf(value) then value end as value,
    case when not isnan(ci_low) and not isinf(ci_low) then ci_low end as ci_low,
    case when not isnan(ci_high) and not isinf(ci_high) then ci_high end as ci_high,
    n,
    n_expected,
    limit_value,
    value_text,
    limit_text,
    null_text,
    rationale,
    strftime(set_on, '%-d %B %Y') as set_on,
    set_by,
    case
        when verdict = 'waived'
            then 'Fix it before the waiver ends; afterwards the gate is broken again.'
        when verdict = 'too_few' and value is null
            then
                'Return passages by their id in sentences.passages, or by their whole '
                || 'text.'
        when verdict = 'too_few'
            then 'Add filings or questions until there is enough to tell.'
        when breach is null then null
        when breach = 'passed_by_null'
            then 'Raise the limit above what the null scores, or judge another metric.'
        when breach = 'null_unmeasured'
            then 'Run the null of the same regime, or say why this gate needs none.'
        when breach = 'too_few_answers'
            then 'Find out why the system declines or fails so often.'
        when breach = 'unmeasured'
            then
                'Build all that the gate reads, with the system and scoring model it '
                || 'names; a gate that is not measured does not pass.'
        when measured_in = 'drifts'
            then
                'See what changed since the baseline; if it is intended, set a new '
                || 'baseline.'
        when measure_remedy <> '' then measure_remedy
        when system_id = 'gold'
            then 'Fix the questions and anchors first: no system can pass this gate.'
        when measured_in = 'comparisons'
            then 'Compare both systems item by item; the gain may not be there.'
        else 'Open the hardest items of this gate and see what they have in common.'
    end as remedy,
    case
        when is_of_machinery then measure_page
        when measured_in = 'drifts' then '/runs'
        when measured_in = 'comparisons' then '/compare'
        else measure_page
    end as page,
    waiver_reason,
    cast(waived_until as varchar) as waived_until
from described
