with

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

scorers as (

    select * from {{ ref('scorers') }}

),

of_answers as (

    select *
    from metric_catalogue
    where asked_of in ('answers', 'summaries')

)

select
    of_answers.metric,
    of_answers.k,
    of_answers.unit,
    of_answers.mode,
    of_answers.part,
    of_answers.label,
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
