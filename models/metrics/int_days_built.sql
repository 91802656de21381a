with

runs as (

    select * from {{ ref('runs') }}

)

select distinct cast(built_at as date) as built_on
from runs
