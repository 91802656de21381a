{#- Metrics of public sets under the names, ways of counting and kinds they had. -#}
with

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

public as (

    select
        metric,
        k,
        mode,
        case when unit not in ('any', 'answer') then unit end as space,
        case
            when metric = 'operands_retrieved' then 'operands'
            when unit <> 'answer' then 'retrieval'
            when starts_with(metric, 'citation_') then 'citations'
            else 'answers'
        end as family
    from metric_catalogue
    where asked_of = 'public'

)

select
    case
        when metric = 'evidence_recall' then 'recall_' || space
        when metric = 'evidence_recall_near' then 'recall_page_near'
        when metric = 'ndcg' then 'ndcg_' || space
        when metric = 'hit' then 'hybrid_hit'
        when metric = 'mrr' then 'best_reciprocal_rank'
        else metric
    end as metric,
    case when mode = 'finrag' then 'retrieval' else mode end as mode,
    k,
    family,
    space
from public
