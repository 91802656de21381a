{#-
    Figures of the tables in which a total of the filing stands, with what is tagged on each: all
    that is read to find the lines that add up to it.
-#}
with

table_cells as (

    select * from {{ ref('table_cells') }}

),

tables as (

    select * from {{ ref('tables') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

facts as (

    select * from {{ ref('facts') }}

),

int_revenue_totals as (

    select * from {{ ref('int_revenue_totals') }}

),

figures as (

    select
        *,
        2 * {{ half_unit('cell_text', 'scale') }} as printed_unit
    from table_cells
    where
        kind in ('number', 'dash')
        and value is not null
        and not is_header
        and not is_label
        and coalesce(unit, 'USD')
        not in ('percent', 'shares', 'USD/shares', 'years', 'days')

),

targets as (

    select
        filing_id,
        currency,
        unnest(list_prepend(total, parts)) as target
    from int_revenue_totals

),

-- What stands over the columns of a table, and whether something but the end of a page
-- stands between it and the table before.
headed as (

    select
        table_id,
        list_sort(list_distinct(list(
            concat_ws(' ', col_pos, array_to_string(column_path, ' '))
        ))) as headers
    from figures
    group by table_id

),

between_tables as (

    select
        blocks.block_id,
        blocks.part_id,
        blocks.block_pos,
        blocks.kind = 'table' as is_table,
        count(*) filter (where blocks.kind not in ('table', 'furniture', 'toc')) over (
            partition by blocks.part_id
            order by blocks.block_pos
            rows between unbounded preceding and current row
        ) as n_texts_before
    from blocks

),

placed as (

    select
        tables.table_id,
        tables.filing_id,
        between_tables.part_id,
        between_tables.block_pos,
        -- A page in the middle of a table ends one and begins another.
        coalesce(
            headed.headers = lag(headed.headers) over in_order
            and between_tables.n_texts_before
            = lag(between_tables.n_texts_before) over in_order,
            false
        ) as is_continued
    from tables
    inner join between_tables
        on tables.block_id = between_tables.block_id
    inner join headed
        on tables.table_id = headed.table_id
    where not tables.is_layout
    window in_order as (
        partition by between_tables.part_id order by between_tables.block_pos
    )

),

joined as (

    select
        table_id,
        part_id,
        block_pos,
        count(*) filter (where not is_continued) over (
            partition by part_id
            order by block_pos
            rows between unbounded preceding and current row
        ) as table_group
    from placed

),

holding as (

    select distinct
        joined.part_id,
        joined.table_group
    from figures
    inner join targets
        on
            figures.filing_id = targets.filing_id
            and coalesce(figures.unit, targets.currency) = targets.currency
            and abs(figures.value - targets.target) <= 0.5001 * figures.printed_unit
    inner join joined
        on figures.table_id = joined.table_id
    where targets.target > 0

),

-- Tables that go on are read as one, their rows one below the other.
read as (

    select
        joined.table_id,
        first_value(joined.table_id) over in_group as group_table_id,
        first_value(joined.block_pos) over in_group as group_block_pos,
        100000 * (row_number() over in_group - 1) as rows_above
    from joined
    inner join holding
        on
            joined.part_id = holding.part_id
            and joined.table_group = holding.table_group
    window in_group as (
        partition by joined.part_id, joined.table_group order by joined.block_pos
    )

),

-- Marks of footnotes stand on the label of a row or on the header of a column.
marked_rows as (

    {{ marks_by('row_pos', 'is_label') }}

),

marked_columns as (

    {{ marks_by('col_pos', 'is_header') }}

),

-- Of several facts in one cell the one with the fewest axes is the printed one.
tagged as (

    select
        facts.cell_id,
        facts.fact_id,
        facts.value as fact_value,
        {{ is_revenue_concept('facts.concept') }} as is_revenue_fact,
        {{ own_dimensions('facts.dimensions') }} as dimensions
    from facts
    where facts.cell_id is not null and facts.value is not null
    qualify
        row_number() over (
            partition by facts.cell_id order by len(facts.dimensions), facts.fact_id
        ) = 1

)

select
    figures.filing_id,
    read.group_table_id as table_id,
    figures.cell_id,
    figures.row_pos + read.rows_above as row_pos,
    figures.col_pos,
    figures.row_path,
    figures.column_path,
    figures.value,
    figures.scale,
    figures.printed_unit,
    figures.period_end,
    list_sort(
        list_distinct(
            list_concat(figures.footnote_marks, coalesce(marked_rows.marks, []))
        )
    ) as footnote_marks,
    coalesce(marked_columns.marks, []) as header_marks,
    tagged.fact_id,
    tagged.fact_value,
    tagged.is_revenue_fact,
    tagged.dimensions,
    read.group_block_pos as block_pos,
    concat_ws(' | ', tables.caption, tables.lead_in) as caption,
    concat_ws(' | ', blocks.heading_path[-1], blocks.note_title) as headings,
    case
        when blocks.note_kind in ('revenue', 'segment') then 0
        when
            blocks.note_kind is not null
            or regexp_matches(coalesce(figures.section_id, ''), '_section_(8|15)$')
            then 1
        else 2
    end as table_rank,
    regexp_matches(
        concat_ws(' ', tables.caption, blocks.heading_path[-1]),
        {{ sql_literal(var('regexes')['statement_title']) }}
    ) as is_statement
from figures
inner join read
    on figures.table_id = read.table_id
inner join tables
    on read.group_table_id = tables.table_id
inner join blocks
    on tables.block_id = blocks.block_id
left join marked_rows
    on figures.table_id = marked_rows.table_id and figures.row_pos = marked_rows.row_pos
left join marked_columns
    on
        figures.table_id = marked_columns.table_id
        and figures.col_pos = marked_columns.col_pos
left join tagged
    on figures.cell_id = tagged.cell_id
