with

runs as (

    select * from {{ ref('runs') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

excluded as (

    select distinct question_id
    from question_flags
    where is_excluding

),

categories as (

    select
        category,
        title
    from p3_category_mix
    where category <> 'all'

),

counted as (

    select
        gold_p3.category,
        count(*) as n_questions,
        count(*) filter (where gold_p3.created_by like 'template:%') as n_generated,
        count(*) filter (where gold_p3.created_by like 'paraphrase:%') as n_variants,
        count(distinct gold_p3.cik_int[1]) as n_companies,
        count(*) filter (where excluded.question_id is not null) as n_excluded
    from gold_p3
    left join excluded
        on gold_p3.question_id = excluded.question_id
    group by gold_p3.category

)

-- A category without questions is shown: that it is empty is what a reader must know.
select
    runs.run_id,
    coalesce(counted.category, categories.category, 'none') as category,
    coalesce(categories.title, 'no category given') as title,
    coalesce(counted.n_questions, 0) as n_questions,
    coalesce(counted.n_generated, 0) as n_generated,
    coalesce(counted.n_variants, 0) as n_variants,
    coalesce(counted.n_questions - counted.n_generated - counted.n_variants, 0)
        as n_from_suites,
    coalesce(counted.n_companies, 0) as n_companies,
    coalesce(counted.n_excluded, 0) as n_excluded
from counted
full outer join categories
    on counted.category = categories.category
cross join runs
