{#-
    Every answer beside its gold: systems and nulls in one table, so that one code
    scores both. Of a numeric question also what the same figure, or the same change,
    was in other years at the company: an answer that hits one of these has the wrong
    period.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

int_null_answers as (

    select * from {{ ref('int_null_answers') }}

),

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

golds as (

    select
        items.item_id,
        items.gold_set,
        items.question_text,
        item_answers.answer_type,
        item_answers.answer_text as gold_text,
        item_answers.answer_numeric as gold_numeric,
        item_answers.answer_unit as gold_unit,
        item_answers.tolerance,
        item_answers.cik_int as cik_ints,
        item_answers.years,
        item_answers.answers,
        item_answers.is_list,
        item_answers.executed_answer,
        item_answers.scale,
        item_answers.is_answerable
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id

),

figures as (

    select
        cik_int,
        kpi_label,
        unit,
        period_year,
        value
    from kpi_mentions
    where
        subject_scope = 'company'
        and not is_quarterly
        and value is not null

    union all

    select
        cik_int,
        kpi_label,
        unit,
        prior_period_year as period_year,
        prior_value as value
    from kpi_mentions
    where
        subject_scope = 'company'
        and not is_quarterly
        and prior_value is not null

),

levels as (

    select
        cik_int,
        kpi_label,
        unit,
        period_year,
        value
    from figures
    where period_year is not null
    group by cik_int, kpi_label, unit, period_year, value

),

figures_asked as (

    select
        golds.item_id,
        golds.gold_numeric,
        golds.gold_unit,
        coalesce(golds.tolerance, 0) as tolerance,
        golds.years,
        golds.cik_ints[1] as cik_int,
        parsed_questions.is_change,
        unnest(parsed_questions.kpi_labels) as kpi_label
    from golds
    inner join parsed_questions
        on golds.item_id = parsed_questions.item_id
    where
        golds.answer_type = 'numeric'
        and {{ list_length('golds.cik_ints') }} = 1

),

other_levels as (

    select
        figures_asked.item_id,
        levels.value
    from figures_asked
    inner join levels
        on
            figures_asked.cik_int = levels.cik_int
            and figures_asked.kpi_label = levels.kpi_label
            and figures_asked.gold_unit = levels.unit
            and not list_contains(figures_asked.years, levels.period_year)
    where
        not figures_asked.is_change
        and abs(levels.value - figures_asked.gold_numeric) > figures_asked.tolerance

),

other_changes as (

    select
        figures_asked.item_id,
        levels.value - earlier_levels.value as value
    from figures_asked
    inner join levels
        on
            figures_asked.cik_int = levels.cik_int
            and figures_asked.kpi_label = levels.kpi_label
            and figures_asked.gold_unit = levels.unit
    inner join levels as earlier_levels
        on
            levels.cik_int = earlier_levels.cik_int
            and levels.kpi_label = earlier_levels.kpi_label
            and levels.unit = earlier_levels.unit
            and levels.period_year - 1 = earlier_levels.period_year
            and not (
                list_contains(figures_asked.years, levels.period_year)
                and list_contains(figures_asked.years, levels.period_year - 1)
            )
    where
        figures_asked.is_change
        and abs(
            levels.value - earlier_levels.value - figures_asked.gold_numeric
        ) > figures_asked.tolerance

),

other_values as (

    select
        item_id,
        value
    from other_levels

    union

    select
        item_id,
        value
    from other_changes

),

other_values_listed as (

    select
        item_id,
        list(value order by value) as other_period_values
    from other_values
    group by item_id

),

paired as (

    select
        system_id,
        item_id,
        cast(null as varchar) as null_kind,
        outcome,
        answer_form,
        answer_text,
        numeric_value,
        unit,
        is_citing,
        -- Its steps are executed; their text is no answer in words.
        answer is null and program is not null as is_program
    from answers

    union all

    select
        'null_' || null_kind as system_id,
        item_id,
        null_kind,
        'answered' as outcome,
        answer_form,
        answer_text,
        numeric_value,
        unit,
        false as is_citing,
        false as is_program
    from int_null_answers

)

select
    paired.system_id,
    golds.gold_set,
    paired.item_id,
    paired.null_kind,
    paired.outcome,
    paired.answer_form,
    paired.answer_text,
    paired.numeric_value,
    paired.unit,
    paired.is_citing,
    golds.question_text,
    golds.answer_type,
    golds.gold_text,
    golds.gold_numeric,
    golds.gold_unit,
    golds.tolerance,
    golds.cik_ints,
    golds.years,
    golds.answers as golds,
    golds.is_list,
    golds.executed_answer,
    golds.scale,
    golds.is_answerable,
    coalesce(other_values_listed.other_period_values, cast([] as double[]))
        as other_period_values,
    -- Nothing is worded like an answer that the filing does not give; the words of an
    -- answer to a public set are compared as its evaluator compares them.
    case
        when
            {{ gold_set_is('filings', 'golds.gold_set') }}
            and paired.outcome = 'answered'
            and golds.answer_type <> 'no_answer'
            and paired.answer_text is not null
            and golds.gold_text is not null
            then md5(concat_ws(
                '|', golds.answer_type, md5(paired.answer_text), md5(golds.gold_text)
            ))
    end as pair_id,
    -- Answered or not. The gold of a public set is words: whether they are one figure
    -- is known when they are read.
    (
        golds.answer_type = 'numeric'
        and golds.gold_numeric is not null
    )
    or (
        {{ gold_set_is('public', 'golds.gold_set') }}
        and golds.answer_type is distinct from 'speaker'
        and coalesce(golds.is_answerable, true)
        and not coalesce(golds.is_list, false)
        and not paired.is_program
        -- A file may hold what people said of an answer, and no answer.
        and (paired.outcome <> 'answered' or paired.answer_text is not null)
    ) as asks_for_figure
from paired
inner join golds
    on paired.item_id = golds.item_id
left join other_values_listed
    on paired.item_id = other_values_listed.item_id
