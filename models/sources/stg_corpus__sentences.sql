with

py_sentence_rows_read as (

    select *
    from {{ ref('py_sentence_rows_read') }}
    where record_status = 'loaded'

),

-- The window below runs over the repeated ids only: over tens of millions of rows it
-- would not fit into memory.
-- A shard sees its own companies alone: an id that companies of two shards share stays
-- twice, and the key of this door fails the build.
repeated_ids as (

    select sentence_id
    from py_sentence_rows_read
    group by sentence_id
    having count(*) > 1

),

repeated as (

    select
        py_sentence_rows_read.source_file,
        py_sentence_rows_read.source_line
    from py_sentence_rows_read
    inner join repeated_ids
        on py_sentence_rows_read.sentence_id = repeated_ids.sentence_id
    qualify
        row_number() over (
            partition by py_sentence_rows_read.sentence_id
            order by
                py_sentence_rows_read.source_file,
                py_sentence_rows_read.source_line
        ) > 1

),

loaded as (

    select
        py_sentence_rows_read.sentence_id,
        py_sentence_rows_read.cik_int,
        py_sentence_rows_read.company_name,
        py_sentence_rows_read.ticker,
        py_sentence_rows_read.form,
        py_sentence_rows_read.report_year,
        py_sentence_rows_read.fiscal_year_end,
        py_sentence_rows_read.item,
        py_sentence_rows_read.sentence_pos,
        py_sentence_rows_read.sentence_text,
        py_sentence_rows_read.char_start,
        py_sentence_rows_read.char_end,
        py_sentence_rows_read.source_file,
        py_sentence_rows_read.source_line
    from py_sentence_rows_read
    anti join repeated
        on
            py_sentence_rows_read.source_file = repeated.source_file
            and py_sentence_rows_read.source_line = repeated.source_line

)

select * from loaded
