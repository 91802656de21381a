with

runs as (

    select * from {{ ref('runs') }}

),

anchors_p1 as (

    select * from {{ ref('gold_p1') }}

),

anchors_p2 as (

    select * from {{ ref('gold_p2') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

p3_baseline as (

    select * from {{ ref('p3_baseline') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

sets as (

    select
        listed.gold_set,
        listed.title,
        listed.meaning
    from (
        values
        (
            'p1', 'P1, neighbours',
            'A sentence of a section of 40 or more; its gold are the sentences within '
            || 'three positions. Does the index work at all?'
        ),
        (
            'p2', 'P2, adaptive window',
            'The window grows until two usable neighbours are in it, in sections of '
            || 'every length. What breaks in small sections?'
        ),
        (
            'p3', 'P3, questions of an analyst',
            'Questions with answer and evidence, derived from the filings or written '
            || 'by people. Is the evidence found, and what is answered?'
        ),
        (
            'p3_tables', 'P3, table questions',
            'Figures of tables, their changes, sums and shares, each equal to what the '
            || 'filer tagged. Is the row found, and the right column read?'
        ),
        (
            'p3_revenue_lines', 'P3, questions on revenue lines',
            'What a line of revenue consists of, as a reader found it in the filing, '
            || 'and what lines come to that facts and table confirm.'
        )
    ) as listed (gold_set, title, meaning)

),

items as (

    select
        'p1' as gold_set,
        item_id,
        n_gold > 0 as has_gold
    from anchors_p1

    union all

    select
        'p2' as gold_set,
        item_id,
        n_gold > 0 as has_gold
    from anchors_p2

    union all

    select
        {{ p3_gold_set('category') }} as gold_set,
        question_id as item_id,
        {{ list_length('evidence_sentence_ids') }} > 0 as has_gold
    from gold_p3

),

counted as (

    select
        gold_set,
        count(*) as n_items,
        count(*) filter (where has_gold) as n_with_gold
    from items
    group by gold_set

),

-- A question may be about several companies, or about none by name.
described_of as (

    select
        'p1' as gold_set,
        cik_int as company
    from anchors_p1

    union all

    select
        'p2' as gold_set,
        cik_int as company
    from anchors_p2

    union all

    select
        {{ p3_gold_set('category') }} as gold_set,
        unnest(cik_int) as company
    from gold_p3

),

companies as (

    select
        gold_set,
        count(distinct company) as n_companies
    from described_of
    group by gold_set

),

frozen as (

    select
        'p3' as gold_set,
        count(*) as n_frozen
    from p3_baseline

),

judged as (

    select
        gold_set,
        count(*) as n_judgments
    from judgments
    group by gold_set

)

select
    runs.run_id,
    sets.gold_set,
    sets.title,
    sets.meaning,
    coalesce(counted.n_items, 0) as n_items,
    coalesce(counted.n_with_gold, 0) as n_with_gold,
    coalesce(companies.n_companies, 0) as n_companies,
    coalesce(judged.n_judgments, 0) as n_judgments,
    case
        when metric_summaries.mean is not null then 'measured'
        when coalesce(counted.n_items, 0) = 0 then 'not_applicable'
        else 'unmeasured'
    end as status,
    case
        when metric_summaries.mean is not null then null
        when coalesce(counted.n_items, 0) = 0 then 'This build has no such gold set.'
        else 'This build did not measure it.'
    end as why,
    page_figures.meaning as coverage_meaning,
    metric_summaries.mean as coverage,
    metric_summaries.ci_low,
    metric_summaries.ci_high,
    metric_summaries.n_evaluated as n,
    frozen.n_frozen
from sets
cross join runs
left join counted
    on sets.gold_set = counted.gold_set
left join companies
    on sets.gold_set = companies.gold_set
left join judged
    on sets.gold_set = judged.gold_set
left join frozen
    on sets.gold_set = frozen.gold_set
inner join page_figures
    on
        sets.gold_set = page_figures.gold_set
        and page_figures.shown_in = 'rpt_gold_sets'
left join metric_summaries
    on
        page_figures.gold_set = metric_summaries.gold_set
        and page_figures.metric = metric_summaries.metric
        and page_figures.k = metric_summaries.k
        and page_figures.unit = metric_summaries.unit
        and page_figures.mode = metric_summaries.mode
        and metric_summaries.system_id = 'gold'
        and metric_summaries.slice_name = 'overall'
