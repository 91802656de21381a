with

py_sentence_rows_read as (

    select * from {{ ref('py_sentence_rows_read') }}

),

int_sentence_rows_repeated as (

    select * from {{ ref('int_sentence_rows_repeated') }}

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
    anti join int_sentence_rows_repeated
        on
            py_sentence_rows_read.source_file = int_sentence_rows_repeated.source_file
            and py_sentence_rows_read.source_line
            = int_sentence_rows_repeated.source_line
    where py_sentence_rows_read.record_status = 'loaded'

)

select * from loaded
