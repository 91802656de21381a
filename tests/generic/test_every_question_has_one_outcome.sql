{#- Systems for which asked is not answered + abstained + failed + not run. -#}
{% test every_question_has_one_outcome(model) %}

with

questions as (

    select * from {{ ref('items') }} where gold_set = 'p3'

),

asked as (

    select count(*) as n_asked
    from questions

),

told as (

    select
        system_id,
        count(*) filter (where outcome = 'answered') as n_answered,
        count(*) filter (where outcome = 'abstained') as n_abstained,
        count(*) filter (where outcome = 'failed') as n_failed,
        count(*) filter (where outcome = 'not_run') as n_not_run
    from {{ model }}
    group by system_id

)

select
    told.*,
    asked.n_asked
from told
cross join asked
where
    asked.n_asked
    <> told.n_answered + told.n_abstained + told.n_failed + told.n_not_run

{% endtest %}
