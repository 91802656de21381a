with

py_public_answers_scored as (

    select * from {{ ref('py_public_answers_scored') }}

),

int_citations_scored as (

    select * from {{ ref('int_citations_scored') }}

)

select
    benchmark as gold_set,
    system_id,
    benchmark || ':' || question_id as item_id,
    metric,
    mode,
    configuration,
    value,
    verdict,
    detail
from py_public_answers_scored

union all

select
    gold_set,
    system_id,
    item_id,
    metric,
    mode,
    cast(null as varchar) as configuration,
    value,
    case
        when n_evidence = 0 then 'gold_missing'
        when n_cited = 0 then 'no_citation'
        when n_matched = 0 then 'none_right'
        else 'some_right'
    end as verdict,
    case
        when n_evidence > 0
            then concat(
                n_matched, ' of ', n_cited, ' cited places agree with ', n_evidence,
                ' of the set.'
            )
    end as detail
from int_citations_scored
where
    mode = 'strict'
    and is_of_citing_system
