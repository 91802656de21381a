{#-
    Questions that a figure of a table answers, or a few of one table: what it was, how it
    changed from one column to the next, which of a group was largest or smallest, what
    share of a total it made up.
-#}
with

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

-- A figure that stands in several places is asked for once.
figures as (

    select
        *,
        {{ amount_text('value', 'unit') }} as value_text
    from int_p3_cells
    where
        rejected_for is null
        and value > 0
        -- Rounded so far that another figure could pass for it.
        and half_width <= 0.05 * value
    qualify
        row_number() over (
            partition by filing_id, figure_key order by table_id, cell_id
        ) = 1

),

lookups as (

    select
        'lookup' as question_form,
        *,
        figure_name as slot_topic,
        period_text as slot_detail,
        'numeric' as answer_type,
        value_text as answer_text,
        value as answer_numeric,
        unit as answer_unit,
        half_width as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [cell_text] as evidence_spans,
        [cell_id] as evidence_cell_ids,
        'easy' as difficulty
    from figures

),

-- The next period to the right or to the left, a year apart and as long.
changes as (

    select
        'change_tabled' as question_form,
        later.* replace (earlier.half_width + later.half_width as half_width),
        later.figure_name as slot_topic,
        earlier.period_text as earlier_text,
        earlier.value as earlier_value,
        earlier.value_text as earlier_value_text,
        earlier.cell_text as earlier_cell_text,
        earlier.cell_id as earlier_cell_id,
        later.value - earlier.value as change
    from figures as later
    inner join figures as earlier
        on
            later.table_id = earlier.table_id
            and later.row_pos = earlier.row_pos
            and later.unit = earlier.unit
            and later.column_names = earlier.column_names
            and later.period_end - earlier.period_end between 350 and 380
            -- Leap years and years of 53 weeks are years.
            and abs(
                coalesce(later.period_end - later.period_start, 0)
                - coalesce(earlier.period_end - earlier.period_start, 0)
            ) <= 15
    where
        later.unit in ('USD', 'USD_per_share')
        and abs(later.value - earlier.value)
        >= 10 * (earlier.half_width + later.half_width)
        -- A change as large as a level would be answered by the level as well.
        and abs(abs(later.value - earlier.value) - earlier.value) > later.half_width
        and abs(abs(later.value - earlier.value) - later.value) > later.half_width

),

changed as (

    select
        question_form,
        * exclude (
            question_form, slot_topic, earlier_text, earlier_value, earlier_value_text,
            earlier_cell_text, earlier_cell_id, change
        ),
        slot_topic,
        'from the figure ' || earlier_text || ' to that ' || period_text
            as slot_detail,
        'numeric' as answer_type,
        case when change > 0 then 'Up by ' else 'Down by ' end
        || {{ amount_text('abs(change)', 'unit') }} || ', from ' || earlier_value_text
        || ' to ' || value_text || '.' as answer_text,
        change as answer_numeric,
        unit as answer_unit,
        half_width as tolerance,
        [sentence_id] as evidence_sentence_ids,
        [earlier_cell_text, cell_text] as evidence_spans,
        [earlier_cell_id, cell_id] as evidence_cell_ids,
        'medium' as difficulty
    from changes

),

-- Rows under one group and header, sums left out; nothing of the group is missing.
groups as (

    select
        table_id,
        groups,
        column_path,
        period_text,
        -- What the rows measure: a question without it could mean any table.
        case
            when {{ list_length('any_value(groups)') }} > 0
                then
                    'of the rows under “' || groups[-1] || '”'
                    || coalesce(
                        ', in the table “' || any_value(measure_caption) || '”,', ''
                    )
            when any_value(caption) is not null
                then 'in the table “' || any_value(caption) || '”'
        end
        || case
            when {{ list_length('any_value(column_names)') }} > 0
                then
                    ', column “'
                    || array_to_string(any_value(column_names), ' – ') || '”,'
            else ''
        end as place_text,
        any_value(row_path)[:-2] as group_path,
        count(*) as n_rows,
        list(label order by row_pos) as labels,
        list(cell_id order by row_pos) as cell_ids,
        list(sentence_id order by row_pos) as sentence_ids,
        list(cell_text order by row_pos) as cell_texts,
        sum(value) as group_sum,
        min(row_pos) as first_row_pos,
        max(row_pos) as last_row_pos,
        list(
            struct_pack(cell_id := cell_id, value := value) order by value, cell_id
        ) as members
    from figures
    where
        unit = 'USD'
        and not regexp_matches(
            label, {{ sql_literal(var('regexes')['total_label']) }}
        )
    group by table_id, groups, column_path, period_text
    having count(*) between 3 and 8 and count(*) = max(row_pos) - min(row_pos) + 1

),

-- The same labels under another header or in another table, wherever all of them stand.
elsewhere as (

    select
        groups.cell_ids,
        max_by(lower(others.label), (others.value, lower(others.label)))
            as largest_label,
        min_by(lower(others.label), (others.value, lower(others.label)))
            as smallest_label
    from groups
    inner join figures as members
        on list_contains(groups.cell_ids, members.cell_id)
    inner join int_p3_cells as others
        on
            members.filing_id = others.filing_id
            and lower(members.label) = lower(others.label)
            and members.unit = others.unit
            and members.period_end = others.period_end
            and (
                members.period_start is null
                or others.period_start is null
                or members.period_start = others.period_start
            )
    group by
        groups.cell_ids,
        groups.n_rows,
        others.table_id,
        others.groups,
        others.column_path
    having count(distinct lower(others.label)) = groups.n_rows

),

-- What stands beside the rows of a group, in it or where its indent may be lost.
beside as (

    select
        groups.cell_ids,
        groups.members[1].value as smallest_value,
        groups.members[-1].value as largest_value,
        table_cells.value,
        list_slice(table_cells.row_path, 1, len(groups.group_path))
        = groups.group_path
        and table_cells.row_path <> groups.group_path as is_in_group,
        -- "Net sales" is no sum of the rows below it, though it is none of the parts.
        regexp_matches(
            table_cells.row_path[-1], {{ sql_literal(var('regexes')['sum_label']) }}
        )
        or coalesce(
            abs(table_cells.value - groups.group_sum) <= 0.01 * groups.group_sum, false
        ) as is_total
    from groups
    inner join table_cells
        on
            groups.table_id = table_cells.table_id
            and groups.column_path = table_cells.column_path
    where
        not table_cells.is_header
        and not table_cells.is_label
        and not list_contains(groups.cell_ids, table_cells.cell_id)
        and (
            list_slice(table_cells.row_path, 1, len(groups.group_path))
            = groups.group_path
            or table_cells.row_pos between groups.first_row_pos - 1
            and groups.last_row_pos + 1
        )

),

-- Who asks for an end of a group names all of it: no row is missing, and none beside it
-- goes further. A loss, a zero, a dash, or a word in place of a figure is smaller.
judged_beside as (

    select
        cell_ids,
        bool_or(
            coalesce(value, 0) > 0
            and not is_total
            and (is_in_group or value >= largest_value)
        ) as is_incomplete,
        bool_or(coalesce(value, 0) <= smallest_value) as is_undercut
    from beside
    group by cell_ids

),

whole_groups as (

    select
        groups.*,
        coalesce(judged_beside.is_undercut, false) as is_undercut
    from groups
    left join judged_beside
        on groups.cell_ids = judged_beside.cell_ids
    where
        judged_beside.is_incomplete is not true
        -- A result among the costs that it is made of is no row like the others.
        and not list_bool_or(
            list_transform(
                groups.labels,
                lambda label: regexp_matches(
                    label, {{ sql_literal(var('regexes')['result_label']) }}
                )
            )
        )

),

ends as (

    select
        'largest' as question_form,
        *,
        members[-1].cell_id as end_cell_id,
        members[-1].value - members[-2].value as lead
    from whole_groups

    union all

    select
        'smallest' as question_form,
        *,
        members[1].cell_id as end_cell_id,
        members[2].value - members[1].value as lead
    from whole_groups
    where not is_undercut

),

largest_and_smallest as (

    select
        ends.question_form,
        figures.*,
        {{ spoken_list(
            "list_transform(ends.labels, lambda one: '“' || one || '”')"
        ) }} as slot_topic,
        ends.place_text || ' ' || figures.period_text as slot_detail,
        'span' as answer_type,
        figures.label || ', with ' || figures.value_text || '.' as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        ends.sentence_ids as evidence_sentence_ids,
        ends.cell_texts as evidence_spans,
        ends.cell_ids as evidence_cell_ids,
        'hard' as difficulty
    from ends
    inner join figures
        on ends.end_cell_id = figures.cell_id
    left join elsewhere
        on
            ends.cell_ids = elsewhere.cell_ids
            and lower(figures.label)
            <> case ends.question_form
                when 'largest' then elsewhere.largest_label
                else elsewhere.smallest_label
            end
    where
        ends.place_text is not null
        and elsewhere.cell_ids is null
        and ends.lead > 2 * figures.half_width
        -- A row that the others add up to is their sum by whatever name.
        and abs(2 * ends.members[-1].value - ends.group_sum)
        > 2 * ends.n_rows * figures.half_width

),

-- The row behind a group that the group adds up to, within its rounding.
shares as (

    select
        'share' as question_form,
        parts.*,
        totals.figure_name as total_name,
        totals.value as total_value,
        totals.cell_text as total_text,
        totals.cell_id as total_cell_id,
        totals.sentence_id as total_sentence_id,
        100 * parts.value / totals.value as share
    from groups
    inner join figures as totals
        on
            groups.table_id = totals.table_id
            and groups.column_path = totals.column_path
            and groups.period_text = totals.period_text
            and totals.row_pos between groups.last_row_pos + 1
            and groups.last_row_pos + 2
            and abs(groups.group_sum - totals.value)
            <= 2 * groups.n_rows * totals.half_width
    inner join figures as parts
        on list_contains(groups.cell_ids, parts.cell_id)
    -- Nearly all or hardly any of it is no question.
    where parts.value between 0.01 * totals.value and 0.95 * totals.value

),

shared as (

    select
        question_form,
        * exclude (
            question_form, total_name, total_value, total_text, total_cell_id,
            total_sentence_id, share
        ),
        total_name as slot_topic,
        figure_name || ' make up ' || period_text as slot_detail,
        'numeric' as answer_type,
        {{ amount_text('round(share, 1)', "'percent'") }} as answer_text,
        share as answer_numeric,
        'percent' as answer_unit,
        -- The printed answer has one decimal place.
        greatest(0.05, least(0.5, share / 20)) as tolerance,
        [sentence_id, total_sentence_id] as evidence_sentence_ids,
        [cell_text, total_text] as evidence_spans,
        [cell_id, total_cell_id] as evidence_cell_ids,
        'hard' as difficulty
    from shares

),

unioned as (

    select * from lookups
    union all by name
    select * from changed
    union all by name
    select * from largest_and_smallest
    union all by name
    select * from shared

)

select
    concat_ws(
        '|', 'T', question_form, filing_id, figure_key, slot_topic, slot_detail
    ) as question_key,
    'T' as category,
    question_form,
    -- The smallest of a group is asked for in place of the largest, not besides.
    case question_form when 'smallest' then 'largest' else question_form end
        as balance_topic,
    [cik_int] as cik_ints,
    [report_year] as report_years,
    slot_topic,
    slot_detail,
    form_text as slot_direction,
    cast(null as integer) as slot_count,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    evidence_sentence_ids,
    evidence_spans,
    evidence_cell_ids,
    'local' as retrieval_scope,
    difficulty,
    ['ITEM_' || split_part(section_id, '_section_', 2)] as section_hints,
    case origin
        when 'facts' then 'Read from the print; equal to what the filer tagged'
        else 'Read from the print of a filing without tags'
    end
    || '. Table of ' || table_size || ' cells.' as notes,
    case origin when 'facts' then 0.97 else 0.9 end as curation_confidence,
    origin
from unioned
