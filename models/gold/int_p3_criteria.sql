{#-
    Checks on an answer, one by one. A suite writes its own; a generated question has them from
    what it is made of: companies and years, which an answer names or cites, and what is asked
    for. What is asked for decides: without it there is no credit, unless it has several parts.
    Whether an answer speaks of the topic of a broad question no rule decides. A paraphrase has
    the checks of its question.
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

p3_templates as (

    select * from {{ ref('p3_templates') }}

),

questions as (

    select
        gold_p3.*,
        originals.created_by as written_by,
        stg_p3__questions.question_id is null as is_generated,
        stg_p3__questions.criteria
    from gold_p3
    left join py_questions_paraphrased
        on
            gold_p3.question_id = py_questions_paraphrased.variant_id
            and py_questions_paraphrased.is_accepted
    inner join gold_p3 as originals
        on
            coalesce(py_questions_paraphrased.question_id, gold_p3.question_id)
            = originals.question_id
    left join stg_p3__questions
        on originals.question_id = stg_p3__questions.question_id

),

generated as (

    select
        questions.*,
        p3_templates.question_form
    from questions
    inner join p3_templates
        on questions.written_by = 'template:' || p3_templates.template_id
    where
        questions.is_generated
        and questions.answer_type <> 'no_answer'

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
    where question_form not in ('period', 'period_end')

),

-- "2021: lower prices; 2022: a loan" and ["Ore: lower prices", "Tin: a loan"].
several as (

    select
        question_id,
        case
            when question_form in ('trend', 'peer_cause') then 'cause'
            else 'item'
        end as kind,
        case
            when answer_type = 'list' then from_json(answer_text, '["VARCHAR"]')
            else string_split(answer_text, '; ')
        end as parts
    from generated
    where question_form in ('trend', 'peer_cause', 'segments', 'growth_drivers')

),

parts as (

    select
        question_id,
        kind,
        unnest(parts) as text,
        generate_subscripts(parts, 1) as place
    from several

),

single as (

    select
        question_id,
        case
            when question_form in ('level', 'change') then 'figure'
            when question_form = 'attribution' then 'yes or no'
            when question_form = 'period' then 'year'
            when question_form = 'period_end' then 'date'
            when question_form = 'cause' then 'cause'
            when question_form in ('definition', 'definition_exclusions')
                then 'definition'
            else 'topic'
        end as kind,
        case
            when question_form = 'change'
                then
                    case when answer_numeric < 0 then 'Down by ' else 'Up by ' end
                    || {{ amount_text('abs(answer_numeric)', 'answer_unit') }}
            when question_form = 'attribution'
                then
                    case
                        when answer_text ilike 'yes%' then 'Yes.'
                        else 'No.'
                    end
            when question_form = 'period'
                then cast(cast(answer_numeric as integer) as varchar)
            when question_form in ('risk', 'risk_trend', 'peer_risk')
                then 'It speaks of the topic that is asked about.'
            else answer_text
        end as text
    from generated
    where
        question_form not in ('trend', 'peer_cause', 'segments', 'growth_drivers')

),

derived as (

    select
        asked.question_id,
        1 as part,
        asked.place,
        'company' as kind,
        '“' || companies.display_name || '”' as text,
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
    from parts

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
    where question_form = 'change'

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
