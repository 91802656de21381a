with

py_scorers_described as (

    select * from {{ ref('py_scorers_described') }}

)

select
    metric,
    scorer_id,
    model,
    layers,
    is_configured,
    baseline,
    version,
    description
from py_scorers_described
