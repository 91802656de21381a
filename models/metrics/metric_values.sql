with

runs as (

    select * from {{ ref('runs') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

),

int_cutoffs_scored as (

    select * from {{ ref('int_cutoffs_scored') }}

),

int_precisions_summed as (

    select * from {{ ref('int_precisions_summed') }}

),

int_ideals_scored as (

    select * from {{ ref('int_ideals_scored') }}

),

int_ties_expected as (

    select * from {{ ref('int_ties_expected') }}

),

int_self_matches as (

    select * from {{ ref('int_self_matches') }}

),

int_evidence_found as (

    select * from {{ ref('int_evidence_found') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

-- Every system owes a value for every item it was asked and every metric of its kind;
-- results are joined to that.
owed as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode,
        int_items_judged.n_relevant,
        int_items_judged.n_evidence,
        case
            when retrieval_outcomes.outcome <> 'ranked'
                then retrieval_outcomes.outcome
            when metric_catalogue.needs_gold and int_items_judged.n_relevant = 0
                then 'uncovered'
            else 'evaluated'
        end as value_status
    from retrieval_outcomes
    inner join int_items_judged
        on retrieval_outcomes.item_id = int_items_judged.item_id
    inner join metric_catalogue
        on
            metric_catalogue.asked_of = 'both'
            or metric_catalogue.asked_of = case
                when int_items_judged.gold_set = 'p3' then 'questions'
                else 'anchors'
            end

),

by_policy as (

    select
        system_id,
        item_id,
        k,
        max(n_found) filter (where tie_policy = 'by_id') as n_found,
        max(n_found) filter (where tie_policy = 'best') as n_found_best,
        max(n_found) filter (where tie_policy = 'worst') as n_found_worst,
        max(reciprocal_rank) filter (where tie_policy = 'by_id') as rr,
        max(reciprocal_rank) filter (where tie_policy = 'best') as rr_best,
        max(reciprocal_rank) filter (where tie_policy = 'worst') as rr_worst,
        max(dcg) filter (where tie_policy = 'by_id') as dcg,
        max(dcg) filter (where tie_policy = 'best') as dcg_best,
        max(dcg) filter (where tie_policy = 'worst') as dcg_worst
    from int_cutoffs_scored
    group by system_id, item_id, k

),

precisions_by_policy as (

    select
        system_id,
        item_id,
        max(precision_sum) filter (where tie_policy = 'by_id') as precision_sum,
        max(precision_sum) filter (where tie_policy = 'best') as precision_sum_best,
        max(precision_sum) filter (where tie_policy = 'worst') as precision_sum_worst
    from int_precisions_summed
    group by system_id, item_id

),

joined as (

    select
        owed.*,
        int_ideals_scored.ideal_dcg,
        coalesce(int_self_matches.is_self, false) as is_self,
        coalesce(int_self_matches.is_same_text, false) as is_same_text,
        coalesce(by_policy.n_found, 0) as n_found,
        coalesce(by_policy.n_found_best, 0) as n_found_best,
        coalesce(by_policy.n_found_worst, 0) as n_found_worst,
        coalesce(by_policy.rr, 0) as rr,
        coalesce(by_policy.rr_best, 0) as rr_best,
        coalesce(by_policy.rr_worst, 0) as rr_worst,
        coalesce(by_policy.dcg, 0) as dcg,
        coalesce(by_policy.dcg_best, 0) as dcg_best,
        coalesce(by_policy.dcg_worst, 0) as dcg_worst,
        coalesce(precisions_by_policy.precision_sum, 0) as precision_sum,
        coalesce(precisions_by_policy.precision_sum_best, 0) as precision_sum_best,
        coalesce(precisions_by_policy.precision_sum_worst, 0) as precision_sum_worst,
        coalesce(int_ties_expected.expected_hit, 0) as expected_hit,
        coalesce(int_ties_expected.expected_reciprocal_rank, 0) as expected_rr,
        coalesce(int_ties_expected.expected_found, 0) as expected_found,
        coalesce(int_ties_expected.expected_dcg, 0) as expected_dcg,
        coalesce(int_evidence_found.n_found, 0) as evidence_found,
        coalesce(int_evidence_found.n_found_best, 0) as evidence_found_best,
        coalesce(int_evidence_found.n_found_worst, 0) as evidence_found_worst,
        coalesce(int_evidence_found.expected_found, 0) as expected_evidence
    from owed
    left join by_policy
        on
            owed.system_id = by_policy.system_id
            and owed.item_id = by_policy.item_id
            and owed.k = by_policy.k
    left join precisions_by_policy
        on
            owed.system_id = precisions_by_policy.system_id
            and owed.item_id = precisions_by_policy.item_id
    left join int_ties_expected
        on
            owed.system_id = int_ties_expected.system_id
            and owed.item_id = int_ties_expected.item_id
            and owed.k = int_ties_expected.k
    left join int_evidence_found
        on
            owed.system_id = int_evidence_found.system_id
            and owed.item_id = int_evidence_found.item_id
            and owed.k = int_evidence_found.k
    left join int_ideals_scored
        on
            owed.item_id = int_ideals_scored.item_id
            and owed.k = int_ideals_scored.k
    left join int_self_matches
        on
            owed.system_id = int_self_matches.system_id
            and owed.item_id = int_self_matches.item_id

),

valued as (

    select
        *,
        case metric
            when 'self_at_1_strict' then cast(is_self as double)
            when 'self_at_1_tie_aware' then cast(is_same_text as double)
            when 'hit' then cast(n_found > 0 as double)
            when 'mrr' then rr
            when 'ndcg' then dcg / ideal_dcg
            when 'precision' then n_found / k
            when 'recall' then n_found / n_relevant
            when 'map' then precision_sum / n_relevant
            when 'evidence_recall' then evidence_found / n_evidence
            when 'evidence_complete'
                then cast(evidence_found = n_evidence as double)
        end as value,
        case metric
            when 'hit' then cast(n_found_best > 0 as double)
            when 'mrr' then rr_best
            when 'ndcg' then dcg_best / ideal_dcg
            when 'precision' then n_found_best / k
            when 'recall' then n_found_best / n_relevant
            when 'map' then precision_sum_best / n_relevant
            when 'evidence_recall' then evidence_found_best / n_evidence
            when 'evidence_complete'
                then cast(evidence_found_best = n_evidence as double)
        end as value_best,
        case metric
            when 'hit' then cast(n_found_worst > 0 as double)
            when 'mrr' then rr_worst
            when 'ndcg' then dcg_worst / ideal_dcg
            when 'precision' then n_found_worst / k
            when 'recall' then n_found_worst / n_relevant
            when 'map' then precision_sum_worst / n_relevant
            when 'evidence_recall' then evidence_found_worst / n_evidence
            when 'evidence_complete'
                then cast(evidence_found_worst = n_evidence as double)
        end as value_worst,
        case metric
            when 'hit' then expected_hit
            when 'mrr' then expected_rr
            when 'ndcg' then expected_dcg / ideal_dcg
            when 'precision' then expected_found / k
            when 'recall' then expected_found / n_relevant
            when 'evidence_recall' then expected_evidence / n_evidence
        end as value_expected
    from joined

),

-- An answer has no ties.
collected as (

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        case when value_status = 'evaluated' then value end as value,
        case when value_status = 'evaluated' then round(value_best, 12) end
            as value_best,
        case when value_status = 'evaluated' then round(value_worst, 12) end
            as value_worst,
        case when value_status = 'evaluated' then round(value_expected, 12) end
            as value_expected,
        cast(null as varchar) as scorer_id
    from valued

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        cast(null as double) as value_best,
        cast(null as double) as value_worst,
        cast(null as double) as value_expected,
        scorer_id
    from int_answer_values
    where null_kind is null

)

select
    runs.run_id,
    collected.system_id,
    collected.gold_set,
    collected.item_id,
    collected.metric,
    collected.k,
    collected.unit,
    collected.mode,
    collected.value_status,
    collected.value,
    collected.value_best,
    collected.value_worst,
    collected.value_expected,
    collected.scorer_id
from collected
cross join runs
