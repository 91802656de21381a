with

py_sentence_rows_read as (

    select * from {{ ref('py_sentence_rows_read') }}

),

-- The window below runs over the repeated ids only: over tens of millions of rows it
-- would not fit into memory.
repeated_ids as (

    select sentence_id
    from py_sentence_rows_read
    where record_status = 'loaded'
    group by sentence_id
    having count(*) > 1

),

numbered as (

    select
        py_sentence_rows_read.source_file,
        py_sentence_rows_read.source_line,
        py_sentence_rows_read.sentence_id,
        row_number() over (
            partition by py_sentence_rows_read.sentence_id
            order by
                py_sentence_rows_read.source_file,
                py_sentence_rows_read.source_line
        ) as occurrence
    from py_sentence_rows_read
    inner join repeated_ids
        on py_sentence_rows_read.sentence_id = repeated_ids.sentence_id
    where py_sentence_rows_read.record_status = 'loaded'

)

select
    source_file,
    source_line,
    sentence_id
from numbered
where occurrence > 1
