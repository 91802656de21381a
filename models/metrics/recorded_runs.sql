with

runs as (

    select * from {{ ref('runs') }}

),

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

int_results_measured as (

    select * from {{ ref('int_results_measured') }}

),

recorded_metrics as (

    select * from {{ ref('recorded_metrics') }}

),

int_answers_hashed as (

    select * from {{ ref('int_answers_hashed') }}

),

recorded_answers as (

    select * from {{ ref('recorded_answers') }}

),

evaluations as (

    select
        run_id,
        max(evaluation_id) as evaluation_id,
        max(finrag_version) as finrag_version,
        max(git_commit) as git_commit,
        max(gold_hash) as gold_hash,
        bool_or(has_uncommitted_changes) as has_uncommitted_changes
    from run_manifests
    group by run_id

),

results as (

    select
        run_id,
        results_hash,
        n_figures
    from int_results_measured
    group by run_id, results_hash, n_figures

),

-- A run whose figures are not all there is not recorded: nobody could look them up.
figures_kept as (

    select
        results_hash,
        count(*) as n_figures
    from recorded_metrics
    group by results_hash

),

-- Null where nothing was answered.
answers_kept as (

    select max(answers_hash) as answers_hash
    from int_answers_hashed
    where answers_hash in (select recorded_answers.answers_hash from recorded_answers)

)

select
    '{{ invocation_id }}' as record_id,
    {{ record_time() }} as recorded_at,
    runs.run_id,
    evaluations.evaluation_id,
    runs.corpus,
    runs.corpus_hash,
    runs.encoder,
    runs.n_questions,
    results.results_hash,
    results.n_figures,
    evaluations.finrag_version,
    evaluations.git_commit,
    evaluations.has_uncommitted_changes,
    runs.anchors_hash,
    runs.questions_hash,
    evaluations.gold_hash,
    runs.n_filings,
    answers_kept.answers_hash
from runs
inner join evaluations
    on runs.run_id = evaluations.run_id
inner join results
    on runs.run_id = results.run_id
inner join figures_kept
    on
        results.results_hash = figures_kept.results_hash
        and results.n_figures = figures_kept.n_figures
cross join answers_kept
where {{ not_yet_in_history('record_id', "'" ~ invocation_id ~ "'") }}
