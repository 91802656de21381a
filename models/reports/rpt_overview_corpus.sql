with

runs as (

    select * from {{ ref('runs') }}

),

source_files as (

    select * from {{ ref('source_files') }}

),

sections as (

    select * from {{ ref('sections') }}

),

records as (

    select
        cast(coalesce(sum(n_records), 0) as bigint) as n_records,
        cast(coalesce(sum(n_quarantined), 0) as bigint) as n_quarantined
    from source_files
    where record_kind in ('filing', 'sentence')

),

section_counts as (

    select count(*) as n_sections
    from sections
    where section_length > 0

)

select
    runs.run_id,
    runs.corpus,
    runs.encoder,
    records.n_records,
    records.n_quarantined,
    runs.n_companies,
    runs.n_filings,
    section_counts.n_sections,
    runs.n_sentences,
    runs.n_distinct_texts,
    round(
        1.0 - runs.n_distinct_texts / nullif(cast(runs.n_sentences as double), 0), 6
    ) as duplicate_share
from runs
cross join records
cross join section_counts
