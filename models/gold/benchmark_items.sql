with

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

)

-- All that a system under test may know; the context because sets such as FinQA ask of
-- one, and open search leaves it aside.
select
    benchmark,
    benchmark || ':' || question_id as item_id,
    question_id,
    question_text,
    document_id,
    dialogue_id,
    turn
from stg_benchmarks__questions
