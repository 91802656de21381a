{#-
    Checks on an answer, one by one. A suite writes its own; a generated question has them from
    what it is made of: companies and years, which an answer names or cites, and what is asked
    for. What is asked for decides: without it there is no credit, unless it has several parts.
    A paraphrase has the checks of its question.
-#}
with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

stg_p3__questions as (

    select * from {{ ref('stg_p3__questions') }}

),

py_questions_paraphrased as (

    select * from {{ ref('py_questions_paraphrased') }}

),

companies as (

    select * from {{ ref('companies') }}

),

questions as (

    select
        gold_p3.*,
        stg_p3__questions.question_id is null as is_generated,
        stg_p3__questions.criteria
    from gold_p3
    left join py_questions_paraphrased
        on
            gold_p3.question_id = py_questions_paraphrased.variant_id
            and py_questions_paraphrased.is_accepted
    left join stg_p3__questions
        on
            coalesce(py_questions_paraphrased.question_id, gold_p3.question_id)
            = stg_p3__questions.question_id

),

generated as (

    select *
    from questions
    where
        is_generated
        and answer_type <> 'no_answer'

),

asked as (

    select
        question_id,
        unnest(cik_int) as cik_int,
        generate_subscripts(cik_int, 1) as place
    from generated

),

-- The year of a filing is not the year that its words mean.
years_asked as (

    select
        question_id,
        unnest(years) as report_year
    from generated
    where category <> 'I'

),

several as (

    select
        question_id,
        case answer_type
            when 'list' then 'item'
            else 'cause'
        end as kind,
        unnest(
            case answer_type
                when 'list' then from_json(answer_text, '["VARCHAR"]')
                else string_split(answer_text, '; ')
            end
        ) as text,
        generate_subscripts(
            case answer_type
                when 'list' then from_json(answer_text, '["VARCHAR"]')
                else string_split(answer_text, '; ')
            end,
            1
        ) as place
    from generated
    where category in ('D', 'F')

),

single as (

    select
        question_id,
        case
            when answer_unit = 'year' then 'year'
            when answer_type = 'numeric' then 'figure'
            when answer_type = 'boolean' then 'yes or no'
            when category = 'H' then 'definition'
            when category = 'I' then 'date'
            else 'cause'
        end as kind,
        case
            when answer_unit = 'year'
                then cast(cast(answer_numeric as integer) as varchar)
            when category = 'N'
                then
                    case when answer_numeric < 0 then 'Down by ' else 'Up by ' end
                    || {{ amount_text('abs(answer_numeric)', 'answer_unit') }}
            when answer_type = 'boolean'
                then
                    case
                        when answer_text ilike 'yes%' then 'Yes.'
                        else 'No.'
                    end
            else answer_text
        end as text
    from generated
    where category in ('A', 'B', 'G', 'H', 'I', 'N')

),

derived as (

    select
        asked.question_id,
        1 as part,
        asked.place,
        'company' as kind,
        companies.display_name as text,
        false as is_dealbreaker
    from asked
    inner join companies
        on asked.cik_int = companies.cik_int

    union all

    select
        question_id,
        2 as part,
        report_year as place,
        'year' as kind,
        cast(report_year as varchar) as text,
        false as is_dealbreaker
    from years_asked

    union all

    select
        question_id,
        3 as part,
        place,
        kind,
        text,
        false as is_dealbreaker
    from several

    union all

    select
        question_id,
        3 as part,
        1 as place,
        kind,
        text,
        true as is_dealbreaker
    from single

    union all

    select
        question_id,
        4 as part,
        1 as place,
        'direction' as kind,
        case
            when answer_numeric < 0 then 'It decreased.'
            else 'It increased.'
        end as text,
        true as is_dealbreaker
    from generated
    where category = 'N'

),

listed as (

    select
        question_id,
        kind,
        text,
        'correctness' as operator,
        1.0 as weight,
        is_dealbreaker,
        row_number() over (
            partition by question_id
            order by part, place
        ) - 1 as criterion_pos
    from derived
    where trim(text) <> ''

),

written as (

    select
        question_id,
        generate_subscripts(
            from_json(criteria, '["JSON"]'), 1
        ) - 1 as criterion_pos,
        unnest(from_json(criteria, '["JSON"]')) as criterion
    from questions
    where criteria is not null

)

select
    question_id,
    criterion_pos,
    kind,
    text,
    operator,
    cast(weight as double) as weight,
    is_dealbreaker
from listed

union all

select
    question_id,
    criterion_pos,
    'written' as kind,
    criterion ->> '$.text' as text,
    criterion ->> '$.operator' as operator,
    cast(criterion ->> '$.weight' as double) as weight,
    cast(criterion ->> '$.is_dealbreaker' as boolean) as is_dealbreaker
from written
