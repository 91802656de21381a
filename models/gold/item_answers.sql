{#-
    The right answer of every question. A public set keeps its own words for kinds, scales and
    categories; what else its record holds stands in `original_fields`, and so do the checks
    on an answer that a question of the filings has.
-#}
with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_p3_criteria as (

    select * from {{ ref('int_p3_criteria') }}

),

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

),

checks as (

    select
        question_id,
        cast(
            to_json({
                'criteria': list({
                    'text': text,
                    'operator': operator,
                    'weight': weight,
                    'is_dealbreaker': is_dealbreaker
                } order by criterion_pos)
            }) as varchar
        ) as original_fields
    from int_p3_criteria
    group by question_id

)

select
    {{ p3_gold_set('gold_p3.category') }} || ':' || gold_p3.question_id as item_id,
    {{ p3_gold_set('gold_p3.category') }} as gold_set,
    gold_p3.question_id,
    gold_p3.answer_type,
    gold_p3.answer_text,
    gold_p3.answer_numeric,
    gold_p3.answer_unit,
    gold_p3.tolerance,
    [gold_p3.answer_text] as answers,
    coalesce(gold_p3.answer_type = 'list', false) as is_list,
    (gold_p3.answer_type is distinct from 'no_answer') as is_answerable,
    cast(null as varchar) as scale,
    cast(null as varchar) as program,
    cast(null as varchar) as executed_answer,
    cast(null as varchar) as asks,
    gold_p3.category,
    gold_p3.difficulty,
    gold_p3.retrieval_scope,
    gold_p3.cik_int,
    gold_p3.years,
    gold_p3.section_hints,
    checks.original_fields,
    gold_p3.created_by as source_file,
    cast(null as bigint) as source_line
from gold_p3
left join checks
    on gold_p3.question_id = checks.question_id

union all

select
    benchmark || ':' || question_id as item_id,
    benchmark as gold_set,
    question_id,
    answer_type,
    array_to_string(answers, '; ') as answer_text,
    cast(null as double) as answer_numeric,
    cast(null as varchar) as answer_unit,
    tolerance,
    answers,
    is_list,
    is_answerable,
    scale,
    program,
    executed_answer,
    asks,
    category,
    difficulty,
    cast(null as varchar) as retrieval_scope,
    cast(null as bigint[]) as cik_int,
    cast(null as integer[]) as years,
    cast(null as varchar[]) as section_hints,
    original_fields,
    source_file,
    source_line
from stg_benchmarks__questions
