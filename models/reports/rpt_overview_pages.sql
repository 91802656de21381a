{#- The pages of the site; one with nothing to show is left out of the navigation. -#}
with

runs as (

    select * from {{ ref('runs') }}

),

rpt_retrieval_scores as (

    select * from {{ ref('rpt_retrieval_scores') }}

),

rpt_answers_figures as (

    select * from {{ ref('rpt_answers_figures') }}

),

rpt_questions as (

    select * from {{ ref('rpt_questions') }}

),

rpt_compare_pairs as (

    select * from {{ ref('rpt_compare_pairs') }}

),

rpt_agents_systems as (

    select *
    from {{ ref('rpt_agents_systems') }}
    where is_agent

),

rpt_gold_sets as (

    select * from {{ ref('rpt_gold_sets') }}

),

rpt_cost_systems as (

    select * from {{ ref('rpt_cost_systems') }}

),

rpt_filings as (

    select * from {{ ref('rpt_filings') }}

),

rpt_revenue_lines_rows as (

    select * from {{ ref('rpt_revenue_lines_rows') }}

),

pages as (

    select
        1 as page_pos,
        '/retrieval' as page,
        'Retrieval' as title,
        count(*) > 0 as is_shown,
        'No ranking was scored.' as why_hidden
    from rpt_retrieval_scores

    union all

    select
        2 as page_pos,
        '/answers' as page,
        'Answers' as title,
        count(*) > 0 as is_shown,
        'No answer was scored.' as why_hidden
    from rpt_answers_figures

    union all

    select
        3 as page_pos,
        '/questions' as page,
        'Questions' as title,
        count(*) > 0 as is_shown,
        'This build asks no questions.' as why_hidden
    from rpt_questions

    union all

    select
        4 as page_pos,
        '/compare' as page,
        'Compare' as title,
        count(*) > 0 as is_shown,
        'No two systems were asked the same items.' as why_hidden
    from rpt_compare_pairs

    union all

    select
        5 as page_pos,
        '/agents' as page,
        'Agents' as title,
        count(*) > 0 as is_shown,
        'No agent was asked.' as why_hidden
    from rpt_agents_systems

    union all

    select
        6 as page_pos,
        '/runs' as page,
        'Runs and drift' as title,
        true as is_shown,
        null as why_hidden

    union all

    select
        7 as page_pos,
        '/gold' as page,
        'Gold quality' as title,
        count(*) > 0 as is_shown,
        'There is no gold set.' as why_hidden
    from rpt_gold_sets

    union all

    select
        8 as page_pos,
        '/cost' as page,
        'Cost and latency' as title,
        count(*) > 0 as is_shown,
        'No system was asked anything.' as why_hidden
    from rpt_cost_systems

    union all

    select
        9 as page_pos,
        '/filings' as page,
        'Filings' as title,
        count(*) > 0 as is_shown,
        'No filing was read.' as why_hidden
    from rpt_filings

    union all

    select
        10 as page_pos,
        '/revenue-lines' as page,
        'Revenue lines' as title,
        count(*) > 0 as is_shown,
        'No filing has a table of revenue by line.' as why_hidden
    from rpt_revenue_lines_rows

    union all

    select
        11 as page_pos,
        '/lineage' as page,
        'Lineage' as title,
        true as is_shown,
        null as why_hidden

)

select
    runs.run_id,
    pages.page_pos,
    pages.page,
    pages.title,
    pages.is_shown,
    case when not pages.is_shown then pages.why_hidden end as why_not
from pages
cross join runs
