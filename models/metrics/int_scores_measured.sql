{#-
    What the scores of a ranking tell: how far they lie apart, and whether the better grade has
    the higher score. Neither depends on the scale, so scores are divided by the largest.
    Another passage of evidence that was found before has no grade to be right about. Ranks are
    doubled: then the average rank of ties is a whole number and sums are exact.
-#}
with

rankings as (

    select *
    from {{ ref('rankings') }}
    where
        isfinite(score)
        and not {{ gold_set_is('anchors', 'gold_set') }}

),

int_rankings_graded as (

    select *
    from {{ ref('int_rankings_graded') }}
    where mode = 'finrag'

),

scored as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.unit,
        coalesce(int_rankings_graded.grade, 0) as grade,
        coalesce(int_rankings_graded.is_repeat, false) as is_repeat,
        rankings.score / nullif(max(abs(rankings.score)) over (
            partition by rankings.system_id, rankings.item_id, rankings.unit
        ), 0) as score
    from rankings
    left join int_rankings_graded
        on
            rankings.system_id = int_rankings_graded.system_id
            and rankings.item_id = int_rankings_graded.item_id
            and rankings.unit = int_rankings_graded.unit
            and rankings.passage_id = int_rankings_graded.passage_id

),

means as (

    select
        system_id,
        item_id,
        unit,
        count(score) as n_scores,
        {{ exact_mean('score') }} as mean_score,
        count(distinct grade) filter (where not is_repeat) > 1 as has_grades
    from scored
    group by system_id, item_id, unit

),

spreads as (

    select
        scored.system_id,
        scored.item_id,
        scored.unit,
        sqrt({{ exact_mean('pow(scored.score - means.mean_score, 2)') }})
            as standard_deviation
    from scored
    inner join means
        on
            scored.system_id = means.system_id
            and scored.item_id = means.item_id
            and scored.unit = means.unit
    group by scored.system_id, scored.item_id, scored.unit

),

-- Two times the average rank of a tie is its first rank and its last.
doubled_ranks as (

    select
        scored.system_id,
        scored.item_id,
        scored.unit,
        2 * rank() over by_score + count(*) over (
            partition by scored.system_id, scored.item_id, scored.unit, scored.score
        ) - 1 as score_rank,
        2 * rank() over by_grade + count(*) over (
            partition by scored.system_id, scored.item_id, scored.unit, scored.grade
        ) - 1 as grade_rank
    from scored
    inner join means
        on
            scored.system_id = means.system_id
            and scored.item_id = means.item_id
            and scored.unit = means.unit
            and means.has_grades
    where not scored.is_repeat
    window
        by_score as (
            partition by scored.system_id, scored.item_id, scored.unit
            order by scored.score
        ),
        by_grade as (
            partition by scored.system_id, scored.item_id, scored.unit
            order by scored.grade
        )

),

moments as (

    select
        system_id,
        item_id,
        unit,
        cast(
            count(*) * sum(score_rank * grade_rank) - sum(score_rank) * sum(grade_rank)
            as double
        ) as covariance,
        cast(
            count(*) * sum(score_rank * score_rank) - sum(score_rank) * sum(score_rank)
            as double
        ) as score_variance,
        cast(
            count(*) * sum(grade_rank * grade_rank) - sum(grade_rank) * sum(grade_rank)
            as double
        ) as grade_variance
    from doubled_ranks
    group by system_id, item_id, unit

)

select
    means.system_id,
    means.item_id,
    means.unit,
    case
        when means.n_scores > 1 and means.mean_score > 0
            then round(spreads.standard_deviation / means.mean_score, 12)
    end as score_discrimination,
    round(
        moments.covariance
        / nullif(sqrt(moments.score_variance) * sqrt(moments.grade_variance), 0),
        12
    ) as score_gold_spearman
from means
inner join spreads
    on
        means.system_id = spreads.system_id
        and means.item_id = spreads.item_id
        and means.unit = spreads.unit
left join moments
    on
        means.system_id = moments.system_id
        and means.item_id = moments.item_id
        and means.unit = moments.unit
