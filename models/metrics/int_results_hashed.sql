{#-
    One hash for what came out. Nine digits, since the last bits of a mean say nothing; a
    figure that is not there is written as such, or two of them would look like one.
-#}
with

int_results_measured as (

    select * from {{ ref('int_results_measured') }}

)

select
    run_id,
    count(*) as n_figures,
    md5(coalesce(
        string_agg(
            concat_ws(
                '|',
                summary_id,
                coalesce(scorer_id, '-'),
                cast(n_asked as varchar),
                cast(n_evaluated as varchar),
                cast(n_uncovered as varchar),
                cast(n_abstained as varchar),
                cast(n_failed as varchar),
                cast(n_not_run as varchar),
                cast(n_unscored as varchar),
                coalesce(cast(round(mean, 9) as varchar), '-'),
                coalesce(cast(round(ci_low, 9) as varchar), '-'),
                coalesce(cast(round(ci_high, 9) as varchar), '-')
            ),
            '|' order by summary_id
        ), ''
    )) as results_hash
from int_results_measured
group by run_id
