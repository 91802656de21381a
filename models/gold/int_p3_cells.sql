{#-
    Figures of tables, each with the reason why no question may rest on it, or none. A figure
    enters where reading the print alone gives what the filer tagged, where its paths name it
    alone in its table, and where no other value of the filing goes by the name and period that
    a question would show.
    In filings without tags it enters by its paths alone, and says so.
-#}
with

table_cells as (

    select * from {{ ref('table_cells') }}

),

tables as (

    select * from {{ ref('tables') }}

),

facts as (

    select * from {{ ref('facts') }}

),

fact_audits as (

    select * from {{ ref('fact_audits') }}

),

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

filings as (

    select *
    from {{ ref('filings') }}
    where {{ of_asked_filings('is_asked') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

-- A row without a label of its own, such as a sum, is read with that of its heading.
labelled_rows as (

    select
        table_id,
        list(distinct row_pos) as row_positions
    from table_cells
    where is_label
    group by table_id

),

-- A heading over rows has no figures; a row that has some is no group of the next one.
row_labels as (

    select
        table_id,
        list(distinct rtrim(row_path[-1], ' :')) as labels
    from table_cells
    where
        kind = 'number'
        and not is_header
        and not is_label
    group by table_id

),

-- A cell may carry several facts; a single one that differs speaks against its reading.
audited as (

    select
        facts.cell_id,
        min(facts.concept) as concept,
        bool_and(fact_audits.verdict = 'agrees') as is_agreed,
        bool_and(coalesce(fact_audits.is_period_right, true)) as is_period_agreed,
        bool_or(len(facts.dimensions) > 0) as has_dimensions,
        min(facts.period_start) as period_start,
        min(facts.period_end) as period_end,
        count(distinct [facts.period_start, facts.period_end]) = 1 as is_one_period
    from facts
    inner join fact_audits
        on facts.fact_id = fact_audits.fact_id
    where
        facts.cell_id is not null
        and fact_audits.verdict <> 'not_numeric'
    group by facts.cell_id

),

tagged_filings as (

    select filing_id
    from facts
    where cell_id is not null
    group by filing_id

),

figures as (

    select
        table_cells.* replace (
            -- Print often says where a period ends and not where it began.
            case
                when audited.is_one_period then audited.period_start
                else table_cells.period_start
            end as period_start,
            case
                when audited.is_one_period then audited.period_end
                else table_cells.period_end
            end as period_end
        ),
        filings.cik_int,
        filings.report_year,
        filings.form,
        tables.caption,
        tables.n_rows * tables.n_cols as table_size,
        rtrim(table_cells.row_path[-1], ' :') as label,
        list_filter(
            list_transform(table_cells.row_path[:-2], lambda one: rtrim(one, ' :')),
            lambda one: not list_contains(coalesce(row_labels.labels, []), one)
        ) as groups,
        -- Headers that name no period tell columns of one period apart.
        list_filter(
            table_cells.column_path,
            lambda header: not regexp_matches(
                header, {{ sql_literal(var('regexes')['period_header']) }}
            )
        ) as column_names,
        labelled_rows.table_id is null
        or list_contains(labelled_rows.row_positions, table_cells.row_pos)
            as has_own_label,
        -- Parts sold, the parent alone, a company bought: not the filer as it reports.
        -- A row or column that says so is named by it.
        regexp_matches(
            concat_ws(' | ', tables.caption, tables.lead_in, blocks.heading_path[-1]),
            {{ sql_literal(var('regexes')['other_entity']) }}
        ) as is_of_another,
        regexp_extract(
            array_to_string(table_cells.column_path, ' '), '\b(?:19|20)[0-9]{2}\b'
        ) as printed_year,
        regexp_matches(
            array_to_string(table_cells.column_path, ' '),
            {{ sql_literal(var('regexes')['part_of_year']) }}
        ) as is_part_of_year,
        audited.concept,
        coalesce(audited.is_one_period, false) as is_period_tagged,
        regexp_matches(
            array_to_string(table_cells.column_path, ' '),
            {{ sql_literal(var('regexes')['month_day']) }}
        ) as is_day_printed,
        audited.is_agreed,
        audited.is_period_agreed,
        audited.has_dimensions,
        tagged_filings.filing_id is not null as is_in_tagged_filing
    from table_cells
    inner join tables
        on table_cells.table_id = tables.table_id
    inner join filings
        on table_cells.filing_id = filings.filing_id
    left join blocks
        on tables.block_id = blocks.block_id
    left join row_labels
        on table_cells.table_id = row_labels.table_id
    left join labelled_rows
        on table_cells.table_id = labelled_rows.table_id
    left join audited
        on table_cells.cell_id = audited.cell_id
    left join tagged_filings
        on table_cells.filing_id = tagged_filings.filing_id
    where
        table_cells.kind = 'number'
        and not table_cells.is_header
        and not table_cells.is_label
        and not tables.is_layout

),

-- A filing of a quarter is of the day on which most of its figures end.
quarters as (

    select
        filing_id,
        period_end as quarter_end
    from figures
    where starts_with(form, '10-Q') and period_end is not null
    group by filing_id, period_end
    qualify
        row_number() over (
            partition by filing_id order by count(*) desc, period_end desc
        ) = 1

),

dated as (

    select
        *,
        -- A bare year over a column says neither where a period began nor whether the
        -- figure is one of a day.
        case
            when
                not is_period_tagged
                and not is_day_printed
                and (
                    period_start is null
                    or period_end - period_start between 349 and 379
                )
                then case
                    when period_end is not null and not is_part_of_year
                        then
                            'for fiscal '
                            || coalesce(
                                nullif(printed_year, ''),
                                cast(year(period_end) as varchar)
                            )
                end
            else {{ period_words('period_start', 'period_end') }}
        end as period_text
    from figures

),

named as (

    select
        *,
        -- "Net income (loss)" and "Net income" are one name.
        regexp_replace(lower(label), ' *\((loss|losses|gain|gains|deficit)\)', '')
            as name,
        lower(groups[-1]) as group_name,
        lower(array_to_string(column_names, ' – ')) as column_name,
        -- "Asia Pacific" is a place and no measure until something says of what. What
        -- is tagged for the whole company is one.
        (
            (concept is not null and not has_dimensions)
            or regexp_matches(
                concat_ws(
                    ' | ', label, groups[-1], array_to_string(column_names, ' | ')
                ),
                {{ sql_literal(var('regexes')['measure']) }}
            )
        )
        -- "Foreign operations" and "Grant-date fair value" say of what only in a place.
        and not (
            len(groups) = 0
            and len(column_names) = 0
            and regexp_matches(label, {{ sql_literal(var('regexes')['bare_label']) }})
        ) as is_measure_named,
        coalesce(
            regexp_matches(caption, {{ sql_literal(var('regexes')['measure']) }}), false
        ) as is_measure_captioned,
        '“' || label || '”'
        || case
            when {{ list_length('groups') }} > 0 then ' (under “' || groups[-1] || '”)'
            else ''
        end
        || case
            when {{ list_length('column_names') }} > 0
                then ', column “' || array_to_string(column_names, ' – ') || '”'
            else ''
        end as plain_name,
        -- Without a group or a column beside it a label is at home in its table alone.
        plain_name
        || case
            when
                caption is not null
                and (
                    not is_measure_named
                    or (
                        {{ list_length('groups') }} = 0
                        and {{ list_length('column_names') }} = 0
                    )
                )
                then ', in the table “' || caption || '”'
            else ''
        end as figure_name,
        case when not is_measure_named then caption end as measure_caption
    from dated

),

-- What would answer the same question otherwise. A period whose start is unknown may be
-- any that ends on that day; who hears a bare label may find it under any group. A
-- group and its row may change places.
rivalled as (

    select named.cell_id
    from named
    inner join named as rivals
        on
            named.filing_id = rivals.filing_id
            and named.name = rivals.name
            and named.unit = rivals.unit
            and named.period_end = rivals.period_end
            and named.value <> rivals.value
    where
        (
            named.column_name = rivals.column_name
            or (named.column_name = '' and named.row_id = rivals.row_id)
        )
        and (
            named.period_start is null
            or rivals.period_start is null
            or named.period_start = rivals.period_start
        )
        and (
            named.group_name is null
            or named.group_name = rivals.group_name
        )

    union

    select named.cell_id
    from named
    inner join named as rivals
        on
            named.filing_id = rivals.filing_id
            and named.group_name = rivals.name
            and named.unit = rivals.unit
            and named.period_end = rivals.period_end
            and named.value <> rivals.value
    where named.name in (rivals.group_name, lower(rivals.caption))

),

compared as (

    select
        named.*,
        -- Three filings of one form and year are told apart.
        named.form || coalesce(
            ' for the quarter ended '
            || strftime(quarters.quarter_end, '%B %-d, %Y'),
            ''
        ) as form_text,
        concat_ws(
            ' | ',
            lower(named.plain_name),
            named.unit,
            cast(named.period_start as varchar),
            cast(named.period_end as varchar)
        ) as figure_key,
        count(*) over (
            partition by named.table_id, named.row_path, named.column_path
        ) as n_same_paths,
        rivalled.cell_id is null as is_single_value
    from named
    left join rivalled
        on named.cell_id = rivalled.cell_id
    left join quarters
        on named.filing_id = quarters.filing_id

)

select
    cell_id,
    row_id,
    table_id,
    filing_id,
    section_id,
    sentence_id,
    cik_int,
    report_year,
    form_text,
    caption,
    measure_caption,
    table_size,
    row_pos,
    col_pos,
    row_path,
    column_path,
    column_names,
    groups,
    label,
    figure_name,
    figure_key,
    period_text,
    period_start,
    period_end,
    cell_text,
    value,
    case unit when 'USD/shares' then 'USD_per_share' else unit end as unit,
    {{ half_unit('cell_text', 'scale') }} as half_width,
    concept,
    coalesce(has_dimensions, false) as has_dimensions,
    case when is_in_tagged_filing then 'facts' else 'cells' end as origin,
    case
        when sentence_id is null then 'outside the items'
        when value is null then 'no single number'
        when
            unit is null
            or unit not in ('USD', 'USD/shares', 'percent')
            -- A header of percent over a pair of columns names but one of them.
            or (unit <> 'percent' and regexp_matches(column_name, '%|\bpercent'))
            -- A price of a ton is a price, too, but none of a share.
            or (
                unit = 'USD/shares'
                and not regexp_matches(
                    concat_ws(' | ', figure_name, caption),
                    {{ sql_literal(var('regexes')['of_shares']) }}
                )
            )
            then 'unit unknown or not asked for'
        when
            label is null
            or not has_own_label
            or not regexp_matches(
                label, {{ sql_literal(var('regexes')['figure_label']) }}
            )
            or regexp_matches(label, {{ sql_literal(var('regexes')['vague_label']) }})
            then 'no label that says what it is'
        when period_text is null then 'no usual period'
        when is_in_tagged_filing and is_agreed is null then 'not tagged'
        when is_in_tagged_filing and not is_agreed then 'tag and print differ'
        when is_in_tagged_filing and not is_period_agreed then 'periods differ'
        when is_of_another then 'of a part or of another company'
        when not is_measure_named and not is_measure_captioned
            then 'no measure named'
        when
            caption is null
            and {{ list_length('groups') }} = 0
            and {{ list_length('column_names') }} = 0
            then 'named by its label alone'
        when n_same_paths > 1 then 'paths are not unique'
        when not is_single_value then 'several values under one name'
    end as rejected_for
from compared
