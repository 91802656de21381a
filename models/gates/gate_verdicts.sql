with

py_gates_checked as (

    select * from {{ ref('py_gates_checked') }}

),

-- A limit for a role has a verdict on each system in it.
checked as (

    select
        py_gates_checked.*,
        unnest(py_gates_checked.verdicts) as judged
    from py_gates_checked

)

select
    checked.run_id,
    checked.judged.gate_id,
    checked.phase,
    checked.measured_in,
    checked.applies_when,
    checked.capability,
    checked.judged.subject,
    checked.judged.system_id,
    checked.gold_set,
    checked.slice_name,
    checked.slice_value,
    checked.metric,
    checked.k,
    checked.unit,
    checked.mode,
    checked.null_kind,
    checked.statistic,
    checked.direction,
    checked.limit_value,
    checked.judged.value,
    checked.judged.ci_low,
    checked.judged.ci_high,
    checked.judged.n,
    checked.judged.n_expected,
    checked.min_n,
    checked.judged.severity,
    checked.judged.verdict,
    checked.judged.breach,
    checked.judged.is_trusted,
    checked.judged.null_value,
    checked.judged.is_passed_by_null,
    checked.judged.waiver_reason,
    checked.judged.waived_until,
    checked.rationale,
    checked.set_on,
    checked.set_by,
    checked.judged.gate_label,
    checked.judged.statement,
    checked.judged.value_text,
    checked.judged.limit_text,
    checked.judged.null_text,
    checked.judged.remedy,
    checked.judged.page
from checked
