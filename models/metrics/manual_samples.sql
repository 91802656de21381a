{#-
    Answers of candidates that a person is to read each quarter, drawn by seed, with the class
    that their claims give and the mark that people gave; of several marks the worst counts.
-#}
with

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where role = 'candidate'

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where outcome = 'answered'

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

int_answers_marked as (

    select *
    from {{ ref('int_answers_marked') }}
    where mark in ('perfect', 'minor extrapolation', 'hallucination')

),

quarters as (

    select
        date_part('year', {{ today_utc() }})
        || '-Q' || date_part('quarter', {{ today_utc() }}) as quarter

),

drawn as (

    select
        quarters.quarter,
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        items.question_id,
        items.question_text,
        answers.answer_text,
        row_number() over (
            partition by answers.system_id
            order by
                md5(concat_ws(
                    '|', '{{ var("gold_seed") }}', quarters.quarter, answers.item_id
                )),
                answers.item_id
        ) as draw_pos
    from answers
    inner join registered_systems
        on answers.system_id = registered_systems.system_id
    inner join items
        on answers.item_id = items.item_id
    cross join quarters

),

counted as (

    select
        system_id,
        item_id,
        count(*) as n_claims,
        count(*) filter (where support = 'supported') as n_supported,
        count(*) filter (where support = 'unsupported') as n_unsupported,
        count(*) filter (
            where support = 'unsupported' and claim_kind in ('number', 'quote')
        ) as n_made_up
    from answer_claims
    group by system_id, item_id

),

-- A figure or a quotation that no source has was made up, as is an answer of which
-- nothing is supported. What is inferred, or has no support beside what has, goes a
-- little beyond the sources.
classed as (

    select
        system_id,
        item_id,
        case
            when n_made_up > 0 or n_unsupported = n_claims then 'hallucination'
            when n_supported < n_claims then 'minor extrapolation'
            else 'perfect'
        end as computed_class
    from counted

),

marked as (

    select
        system_id,
        item_id,
        count(*) as n_marks,
        case
            when bool_or(mark = 'hallucination') then 'hallucination'
            when bool_or(mark = 'minor extrapolation') then 'minor extrapolation'
            else 'perfect'
        end as mark
    from int_answers_marked
    group by system_id, item_id

)

select
    drawn.quarter,
    drawn.system_id,
    drawn.gold_set,
    drawn.item_id,
    drawn.draw_pos,
    drawn.question_id,
    drawn.question_text,
    drawn.answer_text,
    classed.computed_class,
    marked.mark,
    coalesce(marked.n_marks, 0) as n_marks,
    case when marked.item_id is null then 'due' else 'marked' end as state
from drawn
left join classed
    on
        drawn.system_id = classed.system_id
        and drawn.item_id = classed.item_id
left join marked
    on
        drawn.system_id = marked.system_id
        and drawn.item_id = marked.item_id
where drawn.draw_pos <= {{ var('manual_sample_size') }}
