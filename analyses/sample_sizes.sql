-- How many items does it take to find a difference of so many points? First what this
-- run's spread says, then shares on which two systems differ on one item in ten, five
-- or three.
-- Read mde_present: the smallest difference that as many items as there are would show.
-- A difference below it is not shown to be absent by a test that finds none.
with

sample_sizes as (

    select * from {{ ref('sample_sizes') }}

)

select
    basis,
    gold_set,
    metric,
    k,
    unit,
    mode,
    difference,
    n_needed,
    n_present,
    mde_present,
    n_present >= n_needed as is_enough
from sample_sizes
order by basis desc, gold_set asc, metric asc, k asc, difference asc
