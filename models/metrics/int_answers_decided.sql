{#-
    The first metric of the seed deciding_metrics that has a value for an answer. Declining has
    no value in some of them, and is then not right.
-#}
{{ config(materialized = 'view') }}

with

int_answer_values as (

    select *
    from {{ ref('int_answer_values') }}
    where
        null_kind is null
        and value_status in ('evaluated', 'abstained')

),

deciding_metrics as (

    select * from {{ ref('deciding_metrics') }}

)

select
    int_answer_values.system_id,
    int_answer_values.item_id,
    int_answer_values.metric,
    int_answer_values.k,
    int_answer_values.unit,
    int_answer_values.mode,
    deciding_metrics.shows_wrong,
    coalesce(
        int_answer_values.value_status = 'evaluated' and int_answer_values.value > 0,
        false
    ) as is_right
from int_answer_values
inner join deciding_metrics
    on
        int_answer_values.metric = deciding_metrics.metric
        and int_answer_values.k = deciding_metrics.k
        and int_answer_values.unit = deciding_metrics.unit
        and int_answer_values.mode = deciding_metrics.mode
qualify
    row_number() over (
        partition by int_answer_values.system_id, int_answer_values.item_id
        order by deciding_metrics.place
    ) = 1
