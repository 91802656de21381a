with

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

scorers as (

    select * from {{ ref('scorers') }}

),

parts as (

    select
        *,
        case
            when metric in (
                'answer_accuracy', 'answered', 'no_answer_accuracy', 'false_abstention'
            ) then 'accuracy'
            when metric in ('numeric_exact', 'numeric_within_tolerance') then 'numbers'
            when metric in ('boolean_accuracy', 'list_jaccard', 'list_match')
                then 'yes, no and lists'
            when metric in (
                'citation_coverage', 'citation_correctness', 'citation_recall',
                'citation_filing', 'attribution'
            ) then 'citations'
            when metric in (
                'claims_supported', 'numbers_supported', 'unsupported_numbers',
                'quotes_verified'
            ) then 'fidelity'
            else 'wording'
        end as part
    from metric_catalogue
    where asked_of = 'answers'

)

select
    parts.metric,
    parts.k,
    parts.unit,
    parts.mode,
    parts.part,
    upper(substr(parts.metric, 1, 1)) || replace(substr(parts.metric, 2), '_', ' ')
        as label,
    parts.direction,
    parts.value_kind,
    parts.metric <> 'unsupported_numbers' as is_share,
    parts.is_headline,
    parts.applies_to,
    parts.formula,
    parts.description,
    coalesce(scorers.is_configured, true) as is_configured,
    case
        when scorers.scorer_id is not null then scorers.scorer_id
        when scorers.metric is not null then 'none configured'
        else 'rule: ' || parts.source
    end as scorer
from parts
left join scorers
    on parts.metric = scorers.metric
