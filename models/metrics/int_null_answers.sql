{#-
    Answers that nobody should accept, made of the gold answers of other questions: what a
    metric gives them is its floor. The topic of a question is what its wording names, as
    parsed_questions read it. Where no other question fits, there is no row.
-#}
with

item_answers as (

    select * from {{ ref('item_answers') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

golds as (

    select
        item_answers.item_id,
        item_answers.gold_set,
        item_answers.answer_type,
        item_answers.category,
        coalesce(item_answers.is_answerable, true) as is_answerable,
        coalesce(
            nullif(
                array_to_string(list_sort(parsed_questions.kpi_labels), '+'), ''
            ),
            nullif(
                array_to_string(list_sort(parsed_questions.risk_topics), '+'), ''
            ),
            nullif(parsed_questions.topic_text, '')
        ) as topic,
        list_sort(item_answers.cik_int) as cik_ints,
        list_sort(item_answers.years) as years,
        item_answers.answer_text,
        item_answers.answer_numeric,
        item_answers.answer_unit,
        coalesce(item_answers.tolerance, 0) as tolerance,
        -- Two spellings of one answer are one answer. Yes and no are drawn as they
        -- come: the other word would be wrong always, and its floor nothing.
        case
            when item_answers.answer_type = 'boolean' then item_answers.item_id
            else coalesce(
                cast(item_answers.answer_numeric as varchar)
                || ' ' || item_answers.answer_unit,
                {{ plain_words('item_answers.answer_text') }}
            )
        end as answer_key
    from item_answers
    left join parsed_questions
        on item_answers.item_id = parsed_questions.item_id
    where
        item_answers.answer_text <> ''
        or not item_answers.is_answerable

),

answerable as (

    select
        *,
        row_number() over (
            partition by gold_set, answer_type, answer_key
            order by {{ seeded_order('item_id', 'null_answers') }}, item_id
        ) as twin_number
    from golds
    where is_answerable

),

shuffled as (

    select
        item_id,
        gold_set,
        answer_type,
        answer_key,
        row_number() over (
            partition by gold_set, answer_type
            order by {{ seeded_order('item_id', 'random_answer') }}, item_id
        ) as place,
        count(*) over (partition by gold_set, answer_type) as n_places,
        row_number() over (
            partition by gold_set
            order by {{ seeded_order('item_id', 'random_answer') }}, item_id
        ) as place_overall,
        count(*) over (partition by gold_set) as n_overall
    from answerable
    -- One question speaks for all that have the same answer.
    where twin_number = 1

),

-- Another place in a seeded circle is never the own one; the twins go further round.
drawn_at_random as (

    select
        'random_answer' as null_kind,
        answerable.item_id,
        others.item_id as from_item_id
    from answerable
    inner join shuffled
        on
            answerable.gold_set = shuffled.gold_set
            and answerable.answer_type is not distinct from shuffled.answer_type
            and answerable.answer_key = shuffled.answer_key
    inner join shuffled as others
        on
            shuffled.gold_set = others.gold_set
            and shuffled.answer_type is not distinct from others.answer_type
            and shuffled.n_places > 1
            and others.place = (
                shuffled.place
                + (answerable.twin_number - 1) % (shuffled.n_places - 1)
            ) % shuffled.n_places + 1

),

without_answer as (

    select
        item_id,
        gold_set,
        row_number() over (
            partition by gold_set
            order by {{ seeded_order('item_id', 'random_answer') }}, item_id
        ) as place
    from golds
    where not is_answerable

),

-- What is not disclosed gets the answer of any question that has one.
drawn_for_none as (

    select
        'random_answer' as null_kind,
        without_answer.item_id,
        shuffled.item_id as from_item_id
    from without_answer
    inner join shuffled
        on
            without_answer.gold_set = shuffled.gold_set
            and (without_answer.place - 1) % shuffled.n_overall + 1
            = shuffled.place_overall

),

neighbours as (

    select
        case
            when answerable.years = others.years then 'wrong_company'
            else 'wrong_year'
        end as null_kind,
        answerable.item_id,
        others.item_id as from_item_id
    from answerable
    inner join answerable as others
        on
            answerable.gold_set = others.gold_set
            and answerable.answer_type = others.answer_type
            and answerable.category = others.category
            and answerable.topic = others.topic
            and answerable.answer_key <> others.answer_key
            and (
                (
                    answerable.cik_ints = others.cik_ints
                    and answerable.years <> others.years
                )
                or (
                    answerable.years = others.years
                    and {{ jaccard('answerable.cik_ints', 'others.cik_ints') }} = 0
                )
            )
    -- Another year's figure inside the tolerance would be right.
    where
        answerable.answer_numeric is null
        or others.answer_numeric is null
        or answerable.answer_unit is distinct from others.answer_unit
        or abs(answerable.answer_numeric - others.answer_numeric) > answerable.tolerance

),

neighbours_drawn as (

    select *
    from neighbours
    qualify
        row_number() over (
            partition by null_kind, item_id
            order by
                {{ seeded_order("item_id || '|' || from_item_id", 'null_answers') }},
                from_item_id
        ) = 1

),

drawn as (

    select * from drawn_at_random
    union all
    select * from drawn_for_none
    union all
    select * from neighbours_drawn

),

-- A year has neither a sign nor a scale; zero stays zero. A slip of the pen is the
-- hardest: three per cent beside the figure, or its first two digits swapped.
alterations as (

    select
        item_id,
        answer_unit,
        answer_numeric,
        tolerance,
        power(10, floor(log10(abs(answer_numeric))) - 1) as second_place,
        floor(abs(answer_numeric) / power(10, floor(log10(abs(answer_numeric)))))
            as first_digit,
        floor(
            abs(answer_numeric) / power(10, floor(log10(abs(answer_numeric))) - 1)
        ) % 10 as second_digit,
        row_number() over (
            partition by gold_set
            order by {{ seeded_order('item_id', 'altered_number') }}, item_id
        ) % 5 as alteration
    from answerable
    where
        answer_type = 'numeric'
        and answer_numeric <> 0
        and answer_unit is distinct from 'year'

),

slipped as (

    select
        *,
        round(
            case
                when alteration = 3 then answer_numeric * 1.03
                when alteration = 4
                    then
                        answer_numeric
                        + sign(answer_numeric) * 9 * second_place
                        * (second_digit - first_digit)
            end,
            9
        ) as slipped_value
    from alterations

),

-- A slip within the tolerance is right, and equal digits have none: the sign changes.
altered as (

    select
        item_id,
        answer_unit,
        case
            when alteration = 1 then answer_numeric * 1000
            when alteration = 2 then answer_numeric / 1000
            when abs(slipped_value - answer_numeric) > tolerance then slipped_value
            else -answer_numeric
        end as numeric_value
    from slipped

)

select
    drawn.null_kind,
    drawn.item_id,
    answerable.answer_text,
    answerable.answer_numeric as numeric_value,
    answerable.answer_unit as unit,
    answerable.answer_type as answer_form,
    drawn.from_item_id
from drawn
inner join answerable
    on drawn.from_item_id = answerable.item_id

union all

select
    'altered_number' as null_kind,
    item_id,
    {{ amount_text('numeric_value', 'answer_unit') }} as answer_text,
    numeric_value,
    answer_unit as unit,
    'numeric' as answer_form,
    item_id as from_item_id
from altered
