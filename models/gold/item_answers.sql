{#-
    The right answer of every question. A public set keeps its own words for kinds, scales and
    categories; what else its record holds stands in `original_fields`.
-#}
with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

)

select
    'p3:' || question_id as item_id,
    'p3' as gold_set,
    question_id,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    [answer_text] as answers,
    coalesce(answer_type = 'list', false) as is_list,
    (answer_type is distinct from 'no_answer') as is_answerable,
    cast(null as varchar) as scale,
    cast(null as varchar) as program,
    cast(null as varchar) as executed_answer,
    cast(null as varchar) as asks,
    category,
    difficulty,
    retrieval_scope,
    cik_int,
    years,
    section_hints,
    cast(null as varchar) as original_fields,
    created_by as source_file,
    cast(null as bigint) as source_line
from gold_p3

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
