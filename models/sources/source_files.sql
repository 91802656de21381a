with

py_filings_read as (

    select * from {{ ref('py_filings_read') }}

),

py_sentence_rows_read as (

    select * from {{ ref('py_sentence_rows_read') }}

),

py_p3_rows_read as (

    select * from {{ ref('py_p3_rows_read') }}

),

py_external_rows_read as (

    select * from {{ ref('py_external_rows_read') }}

),

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

py_line_baselines_read as (

    select * from {{ ref('py_line_baselines_read') }}

),

quarantine as (

    select * from {{ ref('quarantine') }}

),

records as (

    select
        'filing' as record_kind,
        source_file,
        count(*) as n_records
    from py_filings_read
    group by source_file

    union all

    select
        'sentence' as record_kind,
        source_file,
        count(*) as n_records
    from py_sentence_rows_read
    group by source_file

    union all

    select
        'p3_question' as record_kind,
        source_file,
        count(*) as n_records
    from py_p3_rows_read
    group by source_file

    union all

    select
        'prediction' as record_kind,
        system_id || ': ' || source_file as source_file,
        count(*) as n_records
    from py_external_rows_read
    group by system_id, source_file

    union all

    select
        'benchmark' as record_kind,
        benchmark || ': ' || source_file as source_file,
        count(*) as n_records
    from py_benchmark_records_read
    group by benchmark, source_file

    union all

    select
        'line_baseline' as record_kind,
        source_file,
        count(*) as n_records
    from py_line_baselines_read
    group by source_file

),

losses as (

    select
        record_kind,
        source_file,
        count(*) as n_quarantined
    from quarantine
    group by record_kind, source_file

)

select
    records.record_kind,
    records.source_file,
    records.n_records,
    coalesce(losses.n_quarantined, 0) as n_quarantined,
    records.n_records - coalesce(losses.n_quarantined, 0) as n_loaded
from records
left join losses
    on
        records.record_kind = losses.record_kind
        and records.source_file = losses.source_file
