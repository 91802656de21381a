with

runs as (

    select * from {{ ref('runs') }}

),

p3_contents as (

    select * from {{ ref('p3_contents') }}

)

-- Rejected questions are counted here; they are asked no more.
select
    runs.run_id,
    p3_contents.origin,
    p3_contents.review,
    count(*) as n_questions
from p3_contents
cross join runs
group by runs.run_id, p3_contents.origin, p3_contents.review
