with

int_benchmark_retrieval_values as (

    select * from {{ ref('int_benchmark_retrieval_values') }}

),

int_benchmark_operand_values as (

    select * from {{ ref('int_benchmark_operand_values') }}

),

int_benchmark_answer_values as (

    select * from {{ ref('int_benchmark_answer_values') }}

)

select
    system_id,
    gold_set,
    item_id,
    metric,
    'retrieval' as mode,
    k,
    value_status,
    value
from int_benchmark_retrieval_values

union all

select
    system_id,
    gold_set,
    item_id,
    metric,
    'retrieval' as mode,
    k,
    value_status,
    value
from int_benchmark_operand_values

union all

select
    system_id,
    gold_set,
    item_id,
    metric,
    mode,
    k,
    value_status,
    value
from int_benchmark_answer_values
