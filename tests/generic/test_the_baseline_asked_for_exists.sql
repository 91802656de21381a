{#-
    A row when the dbt var `baseline` names a baseline that nobody made. The default name may
    be missing: there is no baseline at first, and gates on drift then say not_applicable.
-#}
{% test the_baseline_asked_for_exists(model) %}

with

known as (

    select count(*) as n_rows
    from {{ model }}
    where baseline = {{ sql_literal(var('baseline')) }}

)

select {{ sql_literal(var('baseline')) }} as unknown_baseline
from known
where
    n_rows = 0
    and {{ sql_literal(var('baseline')) }} <> 'release'

{% endtest %}
