{#-
    Questions that a figure of a table answers, or a few of one table: what it was, how it
    changed from one column to the next, which of a group was largest, what share of a total
    it made up.
-#}
with

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

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
                then 'of the rows under “' || groups[-1] || '”'
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
        count(*) as n_rows,
        max(row_pos) - min(row_pos) + 1 as n_rows_between,
        list(label order by row_pos) as labels,
        list(cell_id order by row_pos) as cell_ids,
        list(sentence_id order by row_pos) as sentence_ids,
        list(cell_text order by row_pos) as cell_texts,
        sum(value) as group_sum,
        max(row_pos) as last_row_pos,
        max(value) as largest,
        max_by(cell_id, value) as largest_cell_id,
        list(value order by value desc)[2] as runner_up
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
        groups.largest_cell_id,
        groups.n_rows,
        max_by(lower(others.label), others.value) as largest_label
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
        groups.largest_cell_id,
        groups.n_rows,
        others.table_id,
        others.groups,
        others.column_path
    having count(distinct lower(others.label)) = groups.n_rows

),

largest_ones as (

    select
        'largest' as question_form,
        figures.*,
        {{ spoken_list(
            "list_transform(groups.labels, lambda one: '“' || one || '”')"
        ) }} as slot_topic,
        groups.place_text || ' ' || figures.period_text as slot_detail,
        'span' as answer_type,
        figures.label || ', with ' || figures.value_text || '.' as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        groups.sentence_ids as evidence_sentence_ids,
        groups.cell_texts as evidence_spans,
        groups.cell_ids as evidence_cell_ids,
        'hard' as difficulty
    from groups
    inner join figures
        on groups.largest_cell_id = figures.cell_id
    left join elsewhere
        on
            groups.largest_cell_id = elsewhere.largest_cell_id
            and lower(figures.label) <> elsewhere.largest_label
    where
        groups.place_text is not null
        and elsewhere.largest_cell_id is null
        and groups.largest > groups.runner_up + 2 * figures.half_width
        -- A row that the others add up to is their sum by whatever name.
        and abs(2 * groups.largest - groups.group_sum)
        > 2 * groups.n_rows * figures.half_width

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
    select * from largest_ones
    union all by name
    select * from shared

)

select
    concat_ws(
        '|', 'T', question_form, filing_id, figure_key, slot_topic, slot_detail
    ) as question_key,
    'T' as category,
    question_form,
    question_form as balance_topic,
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
