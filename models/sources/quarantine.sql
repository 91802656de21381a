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

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

stg_corpus__sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

unreadable as (

    select
        'filing' as record_kind,
        source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_filings_read
    where record_status = 'quarantined'

    union all

    select
        'sentence' as record_kind,
        source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_sentence_rows_read
    where record_status = 'quarantined'

    union all

    select
        'p3_question' as record_kind,
        source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_p3_rows_read
    where record_status = 'quarantined'

    union all

    -- Two systems may read one file.
    select
        'prediction' as record_kind,
        system_id || ': ' || source_file as source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_external_rows_read
    where record_status = 'quarantined'

    union all

    select
        'benchmark' as record_kind,
        benchmark || ': ' || source_file as source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_benchmark_records_read
    where record_status = 'quarantined'

    union all

    select
        'line_baseline' as record_kind,
        source_file,
        source_line,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from py_line_baselines_read
    where record_status = 'quarantined'

),

-- What could be read and is not staged was read before.
repeated as (

    select
        'filing' as record_kind,
        py_filings_read.source_file,
        py_filings_read.source_line,
        'duplicate_filing' as reason_code,
        'filing ' || py_filings_read.filing_id || ' was read before, from '
        || stg_corpus__filings.source_file || ', record '
        || stg_corpus__filings.source_line as reason,
        'keep one record per company, form and year, or correct its year; another'
        || ' filing of that year is read if its accession number is stated' as remedy,
        cast(null as varchar) as raw_excerpt
    from py_filings_read
    inner join stg_corpus__filings
        on py_filings_read.filing_id = stg_corpus__filings.filing_id
    anti join stg_corpus__filings as staged
        on
            py_filings_read.source_file = staged.source_file
            and py_filings_read.source_line = staged.source_line
    where py_filings_read.record_status = 'loaded'

    union all

    select
        'sentence' as record_kind,
        py_sentence_rows_read.source_file,
        py_sentence_rows_read.source_line,
        'duplicate_sentence_id' as reason_code,
        'sentence ' || py_sentence_rows_read.sentence_id || ' was read before'
            as reason,
        'keep one row per sentence id' as remedy,
        cast(null as varchar) as raw_excerpt
    from py_sentence_rows_read
    anti join stg_corpus__sentences
        on
            py_sentence_rows_read.source_file = stg_corpus__sentences.source_file
            and py_sentence_rows_read.source_line
            = stg_corpus__sentences.source_line
    where py_sentence_rows_read.record_status = 'loaded'

),

collected as (

    select * from unreadable
    union all
    select * from repeated

)

select
    md5(
        record_kind || '|' || source_file || '|' || source_line || '|' || reason_code
    ) as quarantine_id,
    record_kind,
    source_file,
    source_line,
    reason_code,
    reason,
    remedy,
    raw_excerpt
from collected
