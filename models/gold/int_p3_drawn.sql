with

candidates as (

    select * from {{ ref('int_p3_figures') }}

    union all
    select * from {{ ref('int_p3_causes') }}

    union all
    select * from {{ ref('int_p3_risks') }}

    union all
    select * from {{ ref('int_p3_trends') }}

    union all
    select * from {{ ref('int_p3_peers') }}

    union all
    select * from {{ ref('int_p3_lists') }}

    union all
    select * from {{ ref('int_p3_attributions') }}

    union all
    select * from {{ ref('int_p3_definitions') }}

    union all
    select * from {{ ref('int_p3_periods') }}

    union all
    select * from {{ ref('int_p3_absences') }}

    -- Cells, facts and where a question comes from, of those on tables and lines alone.
    union all by name
    select * from {{ ref('int_p3_figures_tabled') }}

    union all by name
    select * from {{ ref('int_p3_facts_stated') }}

    union all by name
    select * from {{ ref('int_p3_lines_grouped') }}

    union all by name
    select * from {{ ref('int_p3_lines_defined') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

allowed as (

    select
        candidates.*,
        candidates.cik_ints[1] as lead_cik,
        candidates.report_years[1] as lead_year,
        p3_category_mix.max_questions,
        p3_category_mix.max_per_company,
        p3_category_mix.max_per_company_year,
        p3_category_mix.max_per_company_topic,
        p3_category_mix.max_per_topic,
        {{ seeded_order('candidates.question_key', 'p3') }} as draw_key
    from candidates
    inner join p3_category_mix
        on candidates.category = p3_category_mix.category
    where p3_category_mix.is_enabled

),

-- Caps one after the other: per topic, per year, per company, then for the category.
within_topic as (

    select *
    from allowed
    qualify
        row_number() over (
            partition by category, lead_cik, balance_topic
            order by draw_key, question_key
        ) <= max_per_company_topic

),

within_year as (

    select *
    from within_topic
    qualify
        row_number() over (
            partition by category, lead_cik, lead_year
            order by draw_key, question_key
        ) <= max_per_company_year

),

-- A question about four companies counts for each of them.
company_rounds as (

    select
        question_key,
        max(company_round) as worst_round,
        min(company_round) as company_round
    from (
        select
            question_key,
            row_number() over (
                partition by category, cik_int
                order by draw_key, question_key
            ) as company_round
        from (
            select
                question_key,
                category,
                draw_key,
                unnest(cik_ints) as cik_int
            from within_year
        ) as exploded
    ) as ranked
    group by question_key

),

within_company as (

    select
        within_year.*,
        company_rounds.company_round
    from within_year
    inner join company_rounds
        on within_year.question_key = company_rounds.question_key
    where company_rounds.worst_round <= within_year.max_per_company

),

within_all_topics as (

    select *
    from within_company
    qualify
        row_number() over (
            partition by category, balance_topic
            order by company_round, draw_key, question_key
        ) <= coalesce(max_per_topic, 1000000000)

),

-- Round robin over companies, so that a smaller set is still spread.
within_category as (

    select
        *,
        row_number() over (
            partition by category
            order by company_round, draw_key, question_key
        ) as category_round
    from within_all_topics
    qualify category_round <= coalesce(max_questions, 1000000000)

),

-- No set grows with the corpus: round robin over strata of category and answer type.
rounds_of_strata as (

    select
        *,
        row_number() over (
            partition by category, answer_type
            order by company_round, draw_key, question_key
        ) as stratum_round
    from within_category

),

within_set as (

    select *
    from rounds_of_strata
    qualify
        row_number() over (
            partition by {{ p3_gold_set('category') }}
            order by stratum_round, draw_key, question_key
        ) <= {{ var('p3_question_limit') | int }}

),

-- The row "all" of the mix caps the suite: round robin over categories.
total_cap as (

    select max(max_questions) as max_all
    from p3_category_mix
    where category = 'all'

),

within_total as (

    select within_set.*
    from within_set
    cross join total_cap
    qualify
        row_number() over (
            order by
                within_set.category_round,
                within_set.draw_key,
                within_set.question_key
        ) <= coalesce(max(total_cap.max_all) over (), 1000000000)

),

filings_drawn as (

    select
        question_key,
        cik_int,
        unnest(report_years) as report_year
    from (
        select
            question_key,
            unnest(cik_ints) as cik_int,
            report_years
        from within_total
        -- Questions on tables and lines name a form in any case.
        where category not in ('K', 'M', 'T')
    ) as exploded

),

-- Amended and transition reports among those that a question rests on.
forms_named as (

    select
        filings_drawn.question_key,
        list(
            struct_pack(
                filing_id := int_filings_asked.filing_id,
                form := int_filings_asked.form_named,
                cik_int := int_filings_asked.cik_int,
                report_year := int_filings_asked.report_year
            )
            order by int_filings_asked.filing_id
        ) as forms_named
    from filings_drawn
    inner join int_filings_asked
        on
            filings_drawn.cik_int = int_filings_asked.cik_int
            and filings_drawn.report_year = int_filings_asked.report_year
            and int_filings_asked.is_of_year
            and int_filings_asked.form_named is not null
    group by filings_drawn.question_key

)

select
    within_total.*,
    forms_named.forms_named,
    -- No category in the id: a system sees ids, and J would tell it that there is no
    -- answer. The plain report of a year goes without saying.
    'P3G-' || substr(
        md5(
            concat_ws(
                '|',
                within_total.question_key,
                array_to_string(
                    list_transform(
                        forms_named.forms_named,
                        lambda one: struct_extract(one, 'filing_id')
                    ),
                    '|'
                )
            )
        ),
        1,
        12
    ) as question_id
from within_total
left join forms_named
    on within_total.question_key = forms_named.question_key
