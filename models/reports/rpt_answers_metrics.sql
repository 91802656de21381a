with

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

scorers as (

    select * from {{ ref('scorers') }}

),

page_figures as (

    select *
    from {{ ref('page_figures') }}
    where shown_in = 'rpt_answers_metrics'

),

of_answers as (

    select *
    from metric_catalogue
    where
        asked_of in ('answers', 'any', 'summaries', 'judge')
        or (
            asked_of = 'public'
            and unit = 'answer'
        )

)

select
    concat_ws('|', of_answers.metric, of_answers.k, of_answers.unit, of_answers.mode)
        as metric_id,
    of_answers.metric,
    of_answers.k,
    of_answers.unit,
    of_answers.mode,
    of_answers.part,
    -- An official and a strict reading of one metric stand side by side.
    of_answers.label
    || case when of_answers.mode = 'finrag' then '' else ', ' || of_answers.mode end
        as label,
    page_figures.figure_pos as shown_pos,
    page_figures.figure_id as shown_as,
    of_answers.direction,
    of_answers.value_kind,
    of_answers.value_unit <> 'count' as is_share,
    of_answers.is_headline,
    of_answers.applies_to,
    of_answers.formula,
    of_answers.description,
    coalesce(scorers.is_configured, true) as is_configured,
    case
        when scorers.scorer_id is not null then scorers.scorer_id
        when scorers.metric is not null then 'none configured'
        else 'rule: ' || of_answers.source
    end as scorer
from of_answers
left join scorers
    on of_answers.metric = scorers.metric
left join page_figures
    on
        of_answers.metric = page_figures.metric
        and of_answers.k = page_figures.k
        and of_answers.unit = page_figures.unit
        and of_answers.mode = page_figures.mode
