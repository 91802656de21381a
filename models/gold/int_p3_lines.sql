{#-
    Lines of revenue of a filing's year, each with the reason why no question may rest on it,
    or none, and with its figure of the year before where the same table prints it. A line
    enters where facts and table both tell it and the table adds up to the total.
-#}
with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

revenue_lines as (

    select *
    from {{ ref('revenue_lines') }}
    where {{ of_asked_filings('is_asked') }}

),

revenue_reconciliations as (

    select * from {{ ref('revenue_reconciliations') }}

),

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

),

lines as (

    select
        revenue_lines.*,
        lower(revenue_lines.label) as name,
        coalesce(
            revenue_reconciliations.route = 'both'
            and revenue_reconciliations.verdict in ('reconciled', 'part')
            and revenue_lines.cell_id is not null
            and revenue_lines.fact_id is not null,
            false
        ) as is_confirmed,
        int_p3_cells.sentence_id,
        int_p3_cells.section_id,
        int_p3_cells.report_year,
        int_p3_cells.form_text,
        int_p3_cells.cell_text,
        int_p3_cells.half_width,
        int_p3_cells.rejected_for as cell_rejected_for,
        substr(
            {{ period_words(
                'revenue_lines.period_start', 'revenue_lines.period_end'
            ) }},
            length('for ') + 1
        ) as period_text
    from revenue_lines
    inner join revenue_reconciliations
        on
            revenue_lines.reconciliation_id
            = revenue_reconciliations.reconciliation_id
    left join int_p3_cells
        on revenue_lines.cell_id = int_p3_cells.cell_id

),

-- Who hears a label may find it in any view of the filing.
rivalled as (

    select lines.revenue_line_id
    from lines
    inner join lines as rivals
        on
            lines.filing_id = rivals.filing_id
            and lines.name = rivals.name
            and lines.period_end = rivals.period_end
            and lines.revenue_line_id <> rivals.revenue_line_id
    where
        -- Two leaves of one view and label are two lines, even where they are as large.
        (lines.is_chosen and rivals.is_chosen and rivals.role = 'leaf')
        or lines.value <> rivals.value
    group by lines.revenue_line_id

),

judged as (

    select
        lines.*,
        case
            when not lines.is_confirmed then 'facts and table do not both tell it'
            when lines.sentence_id is null then 'outside the items'
            -- What a question of revenue names needs no measure of its own.
            when
                lines.cell_rejected_for in (
                    'no single number',
                    'not tagged',
                    'tag and print differ',
                    'periods differ',
                    'of a part or of another company'
                )
                then lines.cell_rejected_for
            when coalesce(lines.currency <> 'USD', true) then 'not in dollars'
            when lines.period_end - lines.period_start not between 349 and 379
                then 'not of a whole year'
            when coalesce(lines.value, 0) <= 0 then 'no positive figure'
            when rivalled.revenue_line_id is not null then 'several lines of one label'
        end as rejected_for
    from lines
    left join rivalled
        on lines.revenue_line_id = rivalled.revenue_line_id

),

-- The same line a year before, in the table that prints both.
years_before as (

    select
        later.revenue_line_id,
        earlier.value,
        earlier.half_width,
        earlier.cell_id,
        earlier.cell_text,
        earlier.sentence_id,
        earlier.period_text
    from judged as later
    inner join judged as earlier
        on
            later.filing_id = earlier.filing_id
            and later.table_id = earlier.table_id
            and later.view = earlier.view
            and later.name = earlier.name
            and later.period_end - earlier.period_end between 350 and 380
    where
        earlier.role = 'leaf'
        and earlier.is_chosen
        and earlier.rejected_for is null

)

select
    judged.revenue_line_id,
    judged.reconciliation_id,
    judged.filing_id,
    judged.cik_int,
    judged.report_year,
    judged.form_text,
    judged.section_id,
    judged.view,
    judged.line_pos,
    judged.label,
    judged.segment_line_id,
    judged.segment_label,
    judged.segment_source,
    judged.period_text,
    judged.value,
    judged.half_width,
    judged.cell_id,
    judged.cell_text,
    judged.sentence_id,
    years_before.period_text as earlier_period_text,
    years_before.value as earlier_value,
    years_before.half_width as earlier_half_width,
    years_before.cell_id as earlier_cell_id,
    years_before.cell_text as earlier_cell_text,
    years_before.sentence_id as earlier_sentence_id,
    judged.rejected_for
from judged
left join years_before
    on judged.revenue_line_id = years_before.revenue_line_id
where
    judged.role = 'leaf'
    and judged.is_chosen
    and judged.is_filing_year
