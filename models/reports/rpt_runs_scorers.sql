with

scorers as (

    select * from {{ ref('scorers') }}

)

select
    metric,
    case when is_configured then 'measured' else 'unmeasured' end as status,
    case
        when not is_configured
            then 'No scoring model is configured: nothing was measured by it.'
    end as why,
    model,
    version,
    scorer_id,
    description
from scorers
