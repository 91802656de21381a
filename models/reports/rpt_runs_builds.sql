with

int_builds_compared as (

    select * from {{ ref('int_builds_compared') }}

),

recorded_gates as (

    select * from {{ ref('recorded_gates') }}

),

gates as (

    select
        record_id,
        {{ gate_counts() }}
    from recorded_gates
    group by record_id

)

select
    int_builds_compared.record_id,
    int_builds_compared.build_no,
    int_builds_compared.recorded_at,
    int_builds_compared.build,
    int_builds_compared.is_latest,
    int_builds_compared.run_id,
    int_builds_compared.evaluation_id,
    int_builds_compared.corpus,
    int_builds_compared.encoder,
    int_builds_compared.n_filings,
    int_builds_compared.n_questions,
    int_builds_compared.n_figures,
    int_builds_compared.finrag_version,
    substr(int_builds_compared.git_commit, 1, 10) as git_commit,
    int_builds_compared.has_uncommitted_changes,
    {{ build_verdict(
        'gates.n_errors',
        'gates.n_pass',
        'gates.n_errors_waived',
        'gates.n_errors_too_few',
    ) }} as verdict,
    gates.n_gates,
    gates.n_pass,
    gates.n_errors,
    gates.n_warnings,
    gates.n_errors_waived,
    gates.n_errors_too_few,
    int_builds_compared.is_same_corpus,
    int_builds_compared.is_same_anchors,
    int_builds_compared.is_same_questions,
    int_builds_compared.is_same_gold,
    int_builds_compared.is_same_encoder,
    int_builds_compared.is_same_results,
    int_builds_compared.is_comparable_on_anchors,
    int_builds_compared.is_comparable_on_questions,
    int_builds_compared.comparability
from int_builds_compared
left join gates
    on int_builds_compared.record_id = gates.record_id
