with

runs as (

    select * from {{ ref('runs') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

told as (

    select
        coalesce(retrieval_scope, 'not given') as scope,
        {{ list_length('evidence_sentence_ids') }} as n_evidence
    from gold_p3

)

select
    runs.run_id,
    told.scope,
    cast(told.n_evidence as integer) as n_evidence,
    case
        when told.n_evidence = 0 then 'none'
        else cast(told.n_evidence as varchar)
    end as label,
    count(*) as n_questions
from told
cross join runs
group by runs.run_id, told.scope, told.n_evidence
