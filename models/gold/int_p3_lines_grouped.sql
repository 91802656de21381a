{#-
    Questions that lines of revenue answer: which of them make up a segment, which grew most,
    by what percentage one changed. The largest line and the share of one are questions on
    tables.
-#}
with

int_p3_lines as (

    select * from {{ ref('int_p3_lines') }}

),

revenue_lines as (

    select * from {{ ref('revenue_lines') }}

),

-- A line that no question may rest on leaves its segment, or its table, incomplete.
members as (

    select
        int_p3_lines.segment_line_id,
        any_value(int_p3_lines.filing_id) as filing_id,
        any_value(int_p3_lines.cik_int) as cik_int,
        any_value(int_p3_lines.report_year) as report_year,
        any_value(int_p3_lines.form_text) as form_text,
        any_value(int_p3_lines.period_text) as period_text,
        min(int_p3_lines.section_id) as section_id,
        any_value(int_p3_lines.segment_label) as segment_label,
        bool_and(int_p3_lines.segment_source = 'fact') as is_tagged,
        list(int_p3_lines.label order by int_p3_lines.line_pos) as labels,
        list(int_p3_lines.cell_text order by int_p3_lines.line_pos) as cell_texts,
        list(int_p3_lines.cell_id order by int_p3_lines.line_pos) as cell_ids,
        list(int_p3_lines.sentence_id order by int_p3_lines.line_pos)
            as sentence_ids,
        sum(int_p3_lines.value) as member_sum,
        sum(int_p3_lines.half_width) + max(int_p3_lines.half_width) as slack
    from int_p3_lines
    where
        int_p3_lines.segment_line_id is not null
        and int_p3_lines.segment_source in ('fact', 'subtotal')
    group by int_p3_lines.segment_line_id
    having
        count(*) between 2 and 12
        and bool_and(int_p3_lines.rejected_for is null)

),

-- Nothing of the segment is missing: its lines add up to what it earned.
made_up as (

    select
        members.*,
        'line_members' as question_form,
        members.segment_line_id as subject_key,
        'segment' as balance_topic,
        case when members.is_tagged then 'the segment ' else '' end
        || '“' || members.segment_label || '”' as slot_topic,
        'in ' || members.period_text as slot_detail,
        'list' as answer_type,
        cast(to_json(members.labels) as varchar) as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        members.sentence_ids as evidence_sentence_ids,
        members.labels as evidence_spans,
        members.cell_ids as evidence_cell_ids,
        'medium' as difficulty
    from members
    inner join revenue_lines
        on members.segment_line_id = revenue_lines.revenue_line_id
    where
        members.segment_label is not null
        and abs(members.member_sum - revenue_lines.value) <= members.slack

),

-- What rounding leaves of a change in percent: its lowest and its highest value.
changes as (

    select
        *,
        100 * (value - earlier_value) / earlier_value as change,
        100 * ((value - half_width) / (earlier_value + earlier_half_width) - 1)
            as change_low,
        100 * ((value + half_width) / (earlier_value - earlier_half_width) - 1)
            as change_high,
        -- Beside segments a table may have parts of one.
        case view when 'product' then 'product line' else 'line of revenue' end as noun
    from int_p3_lines
    where
        view in ('product', 'segment')
        and rejected_for is null
        -- Of a small base every change is large, and rounding decides which.
        and earlier_value >= 100 * earlier_half_width

),

-- All lines of the view, or the one left out may have grown more.
grown as (

    select
        int_p3_lines.reconciliation_id,
        any_value(changes.noun) as noun,
        list(changes.label order by changes.line_pos) as labels,
        list(changes.cell_text order by changes.line_pos)
        || list(changes.earlier_cell_text order by changes.line_pos) as cell_texts,
        list(changes.cell_id order by changes.line_pos)
        || list(changes.earlier_cell_id order by changes.line_pos) as cell_ids,
        list(changes.sentence_id order by changes.line_pos)
        || list(changes.earlier_sentence_id order by changes.line_pos)
            as sentence_ids,
        max_by(changes.revenue_line_id, (changes.change, changes.revenue_line_id))
            as winner_id
    from int_p3_lines
    left join changes
        on int_p3_lines.revenue_line_id = changes.revenue_line_id
    group by int_p3_lines.reconciliation_id
    having
        count(*) between 3 and 12
        and count(*) = count(changes.revenue_line_id)
        and count(distinct changes.earlier_period_text) = 1

),

-- Ahead by more than rounding may hide, and by what a reader sees in whole percent.
grown_most as (

    select
        grown.labels,
        grown.cell_texts,
        grown.cell_ids,
        grown.sentence_ids,
        winners.*
    from grown
    inner join changes as winners
        on grown.winner_id = winners.revenue_line_id
    inner join changes as others
        on
            grown.reconciliation_id = others.reconciliation_id
            and grown.winner_id <> others.revenue_line_id
    where winners.change_low > 0
    group by all
    having
        max(others.change_high) < winners.change_low
        and max(others.change) < winners.change - 1

),

led as (

    select
        *,
        'line_growth' as question_form,
        reconciliation_id as subject_key,
        'growth' as balance_topic,
        {{ spoken_list(
            "list_transform(labels, lambda one: '“' || one || '”')"
        ) }} as slot_topic,
        noun || ' grew most, by percent, from ' || earlier_period_text
        || ' to ' || period_text as slot_detail,
        'span' as answer_type,
        label || ', up ' || {{ amount_text('round(change, 1)', "'percent'") }}
        || ', from ' || {{ amount_text('earlier_value', "'USD'") }} || ' to '
        || {{ amount_text('value', "'USD'") }} || '.' as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        sentence_ids as evidence_sentence_ids,
        cell_texts as evidence_spans,
        cell_ids as evidence_cell_ids,
        'hard' as difficulty
    from grown_most

),

changed as (

    select
        *,
        'line_change' as question_form,
        revenue_line_id as subject_key,
        'change' as balance_topic,
        '“' || label || '”' as slot_topic,
        'from ' || earlier_period_text || ' to ' || period_text as slot_detail,
        'numeric' as answer_type,
        case when change > 0 then 'Up ' else 'Down ' end
        || {{ amount_text('round(abs(change), 1)', "'percent'") }}
        || ', from ' || {{ amount_text('earlier_value', "'USD'") }} || ' to '
        || {{ amount_text('value', "'USD'") }} || '.' as answer_text,
        change as answer_numeric,
        'percent' as answer_unit,
        -- The printed answer has one decimal place.
        round(greatest(0.05, (change_high - change_low) / 2), 6) as tolerance,
        [sentence_id, earlier_sentence_id] as evidence_sentence_ids,
        [earlier_cell_text, cell_text] as evidence_spans,
        [earlier_cell_id, cell_id] as evidence_cell_ids,
        'medium' as difficulty
    from changes
    where
        -- No change within rounding, and none that a change of the other sign could be.
        abs(change) >= 1
        and abs(change) >= 5 * (change_high - change_low)
        and not regexp_matches(
            label, {{ sql_literal(var('regexes')['vague_label']) }}
        )

),

unioned as (

    select * from made_up
    union all by name
    select * from led
    union all by name
    select * from changed

)

select
    concat_ws('|', 'M', question_form, subject_key) as question_key,
    'M' as category,
    question_form,
    balance_topic,
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
    list_sort(list_distinct(evidence_sentence_ids)) as evidence_sentence_ids,
    evidence_spans,
    evidence_cell_ids,
    'local' as retrieval_scope,
    difficulty,
    ['ITEM_' || split_part(section_id, '_section_', 2)] as section_hints,
    'Lines that facts and table confirm and that add up to the total.' as notes,
    0.95 as curation_confidence,
    'revenue_lines' as origin
from unioned
