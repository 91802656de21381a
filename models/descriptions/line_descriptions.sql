with

py_lines_described as (

    select * from {{ ref('py_lines_described') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

quoted as (

    select
        system_id,
        revenue_line_id,
        generate_subscripts(spans, 1) as quote_pos,
        {{ unnest_structs('spans') }}
    from py_lines_described

),

-- A block's text is that of its section, character for character.
placed as (

    select
        quoted.system_id,
        quoted.revenue_line_id,
        quoted.quote_pos,
        blocks.section_id,
        blocks.char_start + quoted.quote_start as char_start,
        blocks.char_start + quoted.quote_end as char_end
    from quoted
    inner join blocks
        on quoted.block_id = blocks.block_id
),

told as (

    select
        placed.system_id,
        placed.revenue_line_id,
        sentences.sentence_id,
        min((placed.quote_pos, sentences.char_start)) as place
    from placed
    inner join sentences
        on
            placed.section_id = sentences.section_id
            and placed.char_start < sentences.char_end
            and placed.char_end > sentences.char_start
    group by placed.system_id, placed.revenue_line_id, sentences.sentence_id

),

listed as (

    select
        system_id,
        revenue_line_id,
        list(sentence_id order by place, sentence_id) as sentence_ids
    from told
    group by system_id, revenue_line_id

)

select
    py_lines_described.system_id,
    py_lines_described.revenue_line_id,
    py_lines_described.filing_id,
    py_lines_described.label,
    py_lines_described.status,
    py_lines_described.text,
    coalesce(listed.sentence_ids, []) as sentence_ids,
    py_lines_described.block_ids,
    list_transform(
        py_lines_described.spans, lambda span: struct_extract(span, 'quote')
    ) as quotes,
    py_lines_described.products,
    py_lines_described.kind,
    py_lines_described.tier,
    py_lines_described.score,
    py_lines_described.threshold,
    py_lines_described.gate_passed,
    py_lines_described.validated,
    py_lines_described.error,
    cast(len(py_lines_described.calls) as integer) as n_calls,
    cast(list_sum(list_transform(
        py_lines_described.calls, lambda one: struct_extract(one, 'input_tokens')
    )) as bigint) as input_tokens,
    cast(list_sum(list_transform(
        py_lines_described.calls, lambda one: struct_extract(one, 'output_tokens')
    )) as bigint) as output_tokens
from py_lines_described
left join listed
    on
        py_lines_described.system_id = listed.system_id
        and py_lines_described.revenue_line_id = listed.revenue_line_id
