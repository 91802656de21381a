{#-
    Hand labels of revenue lines, matched to the lines and blocks of the corpus: whether a
    filing says what a line consists of, and where. A line read by several counts once, as
    its first reader has it.
-#}
with

revenue_line_labels as (

    select * from {{ ref('revenue_line_labels') }}

),

revenue_lines as (

    select *
    from {{ ref('revenue_lines') }}
    where
        role = 'leaf'
        and is_chosen
        and is_filing_year

),

blocks as (

    select * from {{ ref('blocks') }}

),

readings as (

    select
        *,
        {{ collapsed_text('line_label') }} as label,
        {{ folded_text('line_label') }} as name,
        coalesce({{ folded_text('segment_label') }}, '') as segment_name,
        regexp_extract_all(coalesce(block_hashes, ''), '[0-9a-f]+') as named_hashes
    from revenue_line_labels

),

ordered as (

    select
        *,
        row_number() over (
            partition by filing_id, name, segment_name
            order by
                list_position(['truth', 'person', 'model'], reader), reader_id, view
        ) as reading_pos
    from readings

),

-- Two agree who both find the line undefined, or who point to one block in common.
read as (

    select
        firsts.filing_id,
        firsts.label,
        firsts.name,
        firsts.segment_name,
        firsts.is_defined,
        firsts.kind,
        firsts.named_hashes,
        firsts.reader,
        count(others.reader_id) + 1 as n_readers,
        coalesce(
            bool_and(
                firsts.is_defined = others.is_defined
                and (
                    not firsts.is_defined
                    or list_has_any(firsts.named_hashes, others.named_hashes)
                )
            ),
            true
        ) as is_agreed
    from ordered as firsts
    left join ordered as others
        on
            firsts.filing_id = others.filing_id
            and firsts.name = others.name
            and firsts.segment_name = others.segment_name
            and others.reading_pos > 1
    where firsts.reading_pos = 1
    group by all

),

-- A label that two lines of a filing bear is of neither, unless it names the segment.
matched as (

    select
        read.filing_id,
        read.name,
        read.segment_name,
        min(revenue_lines.revenue_line_id) as revenue_line_id
    from read
    inner join revenue_lines
        on
            read.filing_id = revenue_lines.filing_id
            and read.name = {{ folded_text('revenue_lines.label') }}
            and (
                read.segment_name = ''
                or read.segment_name
                = {{ folded_text('revenue_lines.segment_label') }}
            )
    group by read.filing_id, read.name, read.segment_name
    having count(*) = 1

),

hashed as (

    select
        filing_id,
        block_id,
        md5({{ collapsed_text('block_text') }}) as block_hash
    from blocks
    where filing_id in (select read.filing_id from read)

),

placed as (

    select
        read.filing_id,
        read.name,
        read.segment_name,
        list(hashed.block_id order by hashed.block_id) as block_ids,
        count(distinct hashed.block_hash) as n_hashes
    from read
    inner join hashed
        on
            read.filing_id = hashed.filing_id
            and list_contains(read.named_hashes, hashed.block_hash)
    group by read.filing_id, read.name, read.segment_name

)

select
    concat_ws(':', read.filing_id, read.segment_name, read.name) as line_label_id,
    matched.revenue_line_id,
    read.filing_id,
    read.label,
    read.is_defined,
    read.kind,
    coalesce(placed.block_ids, []) as block_ids,
    read.reader,
    cast(read.n_readers as integer) as n_readers,
    read.is_agreed,
    case
        when not read.is_agreed then 'readers disagree'
        when matched.revenue_line_id is null then 'no such line'
        when read.is_defined and {{ list_length('read.named_hashes') }} = 0
            then 'no block named'
        when
            read.is_defined
            and coalesce(placed.n_hashes, 0) < {{ list_length('read.named_hashes') }}
            then 'block not found'
    end as rejected_for
from read
left join matched
    on
        read.filing_id = matched.filing_id
        and read.name = matched.name
        and read.segment_name = matched.segment_name
left join placed
    on
        read.filing_id = placed.filing_id
        and read.name = placed.name
        and read.segment_name = placed.segment_name
