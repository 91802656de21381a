with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

int_external_rankings_checked as (

    select * from {{ ref('int_external_rankings_checked') }}

),

records as (

    select
        system_id,
        source_file,
        source_line,
        item_id,
        'record' as part,
        cast(null as integer) as place,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from int_external_rows_matched
    where reason_code is not null

),

read_records as (

    select *
    from int_external_rows_matched
    where reason_code is null

),

cut_answers as (

    select
        system_id,
        source_file,
        source_line,
        item_id,
        'answer' as part,
        cast(null as integer) as place,
        'answer_cut' as reason_code,
        'the answer is too long to score; its beginning is kept' as reason,
        'check what the system wrote, or shorten it' as remedy,
        raw_excerpt
    from read_records
    where is_cut

),

faulty_parts as (

    select
        system_id,
        source_file,
        source_line,
        item_id,
        {{ unnest_structs('faults') }},
        raw_excerpt
    from read_records

),

parts as (

    select
        system_id,
        source_file,
        source_line,
        item_id,
        part,
        place,
        fault_code as reason_code,
        detail as reason,
        'correct it in the file; the rest of the record is read' as remedy,
        raw_excerpt
    from faulty_parts

),

entries as (

    select
        system_id,
        source_file,
        source_line,
        item_id,
        'source' as part,
        place,
        reason_code,
        reason,
        remedy,
        raw_excerpt
    from int_external_rankings_checked
    where reason_code is not null

),

orders as (

    select
        system_id,
        source_file,
        min(source_line) as source_line,
        item_id,
        'order' as part,
        cast(null as integer) as place,
        'order_contradicts_scores' as reason_code,
        'the order given for ' || item_id || ' is not the order of the scores'
            as reason,
        'sort by score, or leave the scores out; the scores decide' as remedy,
        min(raw_excerpt) as raw_excerpt
    from int_external_rankings_checked
    where is_out_of_order
    group by system_id, source_file, item_id

),

collected as (

    select * from records
    union all
    select * from cut_answers
    union all
    select * from parts
    union all
    select * from entries
    union all
    select * from orders

),

numbered as (

    select
        *,
        row_number() over (
            partition by system_id, source_file, source_line
            order by part, place, reason_code, reason
        ) as rejection_no
    from collected

)

select
    md5(concat_ws(
        '|',
        system_id,
        source_file,
        cast(source_line as varchar),
        cast(rejection_no as varchar)
    )) as rejection_id,
    system_id,
    source_file,
    source_line,
    item_id,
    part,
    place,
    reason_code,
    reason,
    remedy,
    raw_excerpt
from numbered
