{#-
    Every system has a value for every item that it is asked and every metric of a search; what
    was found is joined to that. Of a public set a metric is expected for the kinds of evidence
    that the set names at all, by a system of a file for the kinds that it ranks; in mode
    `official` for the kinds that its qrels name. Without evidence there is nothing to find,
    whoever looks; qrels that name nothing relevant give 0, as trec_eval does.
-#}
with

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

retrieval_outcomes as (

    select * from {{ ref('retrieval_outcomes') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

int_evidence_counted as (

    select * from {{ ref('int_evidence_counted') }}

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

int_scores_measured as (

    select * from {{ ref('int_scores_measured') }}

),

int_self_matches as (

    select * from {{ ref('int_self_matches') }}

),

int_evidence_found as (

    select * from {{ ref('int_evidence_found') }}

),

int_pages_matched as (

    select * from {{ ref('int_pages_matched') }}

),

int_cells_placed as (

    select * from {{ ref('int_cells_placed') }}

),

-- Metrics of one cut-off share what was found there.
cutoffs as (

    select
        mode,
        unit,
        k,
        asked_of,
        case metric when 'operands_retrieved' then 'operand' else 'text' end
            as evidence_kind,
        list(metric order by metric) as metrics,
        list(needs_gold order by metric) as metrics_need_gold
    from metric_catalogue
    group by mode, unit, k, asked_of, evidence_kind

),

set_kinds as (

    select
        'finrag' as mode,
        gold_set,
        unit,
        -- A cell is looked for among the rows.
        case unit when 'cell' then 'row' else unit end as list_unit
    from judgments
    where
        evidence_kind = 'text'
        and {{ gold_set_is('public', 'gold_set') }}
    group by gold_set, unit

    union all

    select
        mode,
        gold_set,
        unit,
        unit as list_unit
    from int_relevance_graded
    where mode = 'official'
    group by mode, gold_set, unit

),

sets_with_evidence as (

    select gold_set
    from set_kinds
    group by gold_set

),

program_items as (

    select item_id
    from judgments
    where evidence_kind = 'operand'
    group by item_id

),

-- The systems of this project have every question of a public set, those of files the
-- questions of the sets that they rank.
public_askings as (

    select
        registered_systems.system_id,
        int_items_graded.gold_set,
        int_items_graded.item_id,
        false as is_of_file
    from registered_systems
    cross join int_items_graded
    where
        {{ gold_set_is('public', 'int_items_graded.gold_set') }}
        and registered_systems.asks in ('questions', 'both')
        and registered_systems.system_kind not in ('external_file', 'external_http')
        and (
            registered_systems.policy is distinct from 'llm'
            or registered_systems.answer_sets = 'all'
        )

    union all

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id,
        true as is_of_file
    from retrieval_outcomes
    inner join registered_systems
        on
            retrieval_outcomes.system_id = registered_systems.system_id
            and registered_systems.system_kind in ('external_file', 'external_http')
    where {{ gold_set_is('public', 'retrieval_outcomes.gold_set') }}
    group by
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id

),

outcomes_of_any as (

    select
        system_id,
        item_id,
        case when bool_or(outcome = 'ranked') then 'ranked' else min(outcome) end
            as outcome
    from retrieval_outcomes
    group by system_id, item_id

),

expected as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id,
        cutoffs.k,
        cutoffs.unit,
        cutoffs.mode,
        cutoffs.evidence_kind,
        cutoffs.metrics,
        cutoffs.metrics_need_gold,
        retrieval_outcomes.outcome
    from retrieval_outcomes
    inner join cutoffs
        on
            retrieval_outcomes.unit = cutoffs.unit
            and (
                cutoffs.asked_of = 'both'
                or cutoffs.asked_of = case
                    when {{ gold_set_is('filings', 'retrieval_outcomes.gold_set') }}
                        then 'questions'
                    else 'anchors'
                end
                -- Rows and cells are ranked for questions on tables alone.
                or (
                    cutoffs.asked_of = 'public'
                    and cutoffs.mode = 'finrag'
                    and retrieval_outcomes.unit <> 'sentence'
                    and {{ gold_set_is(
                        'tables', 'retrieval_outcomes.gold_set'
                    ) }}
                )
            )
    where not {{ gold_set_is('public', 'retrieval_outcomes.gold_set') }}

    union all

    select
        public_askings.system_id,
        public_askings.gold_set,
        public_askings.item_id,
        cutoffs.k,
        cutoffs.unit,
        cutoffs.mode,
        cutoffs.evidence_kind,
        cutoffs.metrics,
        cutoffs.metrics_need_gold,
        coalesce(retrieval_outcomes.outcome, 'not_run') as outcome
    from public_askings
    inner join set_kinds
        on public_askings.gold_set = set_kinds.gold_set
    inner join cutoffs
        on
            cutoffs.asked_of = 'public'
            and set_kinds.mode = cutoffs.mode
            and set_kinds.unit = cutoffs.unit
    left join retrieval_outcomes
        on
            public_askings.system_id = retrieval_outcomes.system_id
            and public_askings.item_id = retrieval_outcomes.item_id
            and set_kinds.list_unit = retrieval_outcomes.unit
    where
        not public_askings.is_of_file
        or retrieval_outcomes.item_id is not null

    union all

    select
        public_askings.system_id,
        public_askings.gold_set,
        public_askings.item_id,
        cutoffs.k,
        cutoffs.unit,
        cutoffs.mode,
        cutoffs.evidence_kind,
        cutoffs.metrics,
        cutoffs.metrics_need_gold,
        coalesce(outcomes_of_any.outcome, 'not_run') as outcome
    from public_askings
    inner join cutoffs
        on
            cutoffs.asked_of = 'public'
            and cutoffs.unit = 'any'
    left join outcomes_of_any
        on
            public_askings.system_id = outcomes_of_any.system_id
            and public_askings.item_id = outcomes_of_any.item_id
    left join program_items
        on public_askings.item_id = program_items.item_id
    left join sets_with_evidence
        on public_askings.gold_set = sets_with_evidence.gold_set
    where
        case cutoffs.evidence_kind
            when 'operand' then program_items.item_id is not null
            else sets_with_evidence.gold_set is not null
        end

    union all

    -- Sentences, rows and cells together, for questions on tables.
    select
        outcomes_of_any.system_id,
        int_items_graded.gold_set,
        outcomes_of_any.item_id,
        cutoffs.k,
        cutoffs.unit,
        cutoffs.mode,
        cutoffs.evidence_kind,
        cutoffs.metrics,
        cutoffs.metrics_need_gold,
        outcomes_of_any.outcome
    from outcomes_of_any
    inner join int_items_graded
        on outcomes_of_any.item_id = int_items_graded.item_id
    inner join cutoffs
        on
            cutoffs.asked_of = 'public'
            and cutoffs.unit = 'any'
            and cutoffs.evidence_kind = 'text'
    where {{ gold_set_is('tables', 'int_items_graded.gold_set') }}

),

by_policy as (

    select
        mode,
        system_id,
        item_id,
        unit,
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
    group by mode, system_id, item_id, unit, k

    union all

    -- Over all kinds of evidence there is no ranking: the place of the first counts.
    select
        mode,
        system_id,
        item_id,
        unit,
        k,
        n_found,
        n_found_best,
        n_found_worst,
        reciprocal_rank as rr,
        reciprocal_rank_best as rr_best,
        reciprocal_rank_worst as rr_worst,
        cast(null as double) as dcg,
        cast(null as double) as dcg_best,
        cast(null as double) as dcg_worst
    from int_evidence_found
    where
        unit = 'any'
        and evidence_kind = 'text'

),

precisions_by_policy as (

    select
        mode,
        system_id,
        item_id,
        unit,
        k,
        max(precision_sum) filter (where tie_policy = 'by_id') as precision_sum,
        max(precision_sum) filter (where tie_policy = 'best') as precision_sum_best,
        max(precision_sum) filter (where tie_policy = 'worst') as precision_sum_worst
    from int_precisions_summed
    group by mode, system_id, item_id, unit, k

),

joined as (

    select
        expected.*,
        -- Of nothing relevant nothing is found: 0 of 1.
        case int_evidence_counted.n_evidence
            when 0 then 1
            else int_evidence_counted.n_evidence
        end as n_evidence,
        case int_evidence_counted.n_evidence
            when 0 then 1.0
            else int_ideals_scored.ideal_dcg
        end as ideal_dcg,
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
        coalesce(int_evidence_found.expected_found, 0) as expected_evidence,
        coalesce(int_pages_matched.n_matched, 0) as n_matched,
        coalesce(int_cells_placed.is_row_right, false) as is_row_right,
        coalesce(int_cells_placed.is_column_right, false) as is_column_right,
        coalesce(int_cells_placed.is_period_right, false) as is_period_right,
        int_scores_measured.score_discrimination,
        int_scores_measured.score_gold_spearman
    from expected
    left join int_evidence_counted
        on
            expected.mode = int_evidence_counted.mode
            and expected.item_id = int_evidence_counted.item_id
            and expected.unit = int_evidence_counted.unit
            and expected.evidence_kind = int_evidence_counted.evidence_kind
    left join by_policy
        on
            expected.mode = by_policy.mode
            and expected.system_id = by_policy.system_id
            and expected.item_id = by_policy.item_id
            and expected.unit = by_policy.unit
            and expected.k = by_policy.k
    left join precisions_by_policy
        on
            expected.mode = precisions_by_policy.mode
            and expected.system_id = precisions_by_policy.system_id
            and expected.item_id = precisions_by_policy.item_id
            and expected.unit = precisions_by_policy.unit
            and expected.k = precisions_by_policy.k
    left join int_ties_expected
        on
            expected.mode = int_ties_expected.mode
            and expected.system_id = int_ties_expected.system_id
            and expected.item_id = int_ties_expected.item_id
            and expected.unit = int_ties_expected.unit
            and expected.k = int_ties_expected.k
    left join int_evidence_found
        on
            expected.mode = int_evidence_found.mode
            and expected.system_id = int_evidence_found.system_id
            and expected.item_id = int_evidence_found.item_id
            and expected.unit = int_evidence_found.unit
            and expected.k = int_evidence_found.k
            and expected.evidence_kind = int_evidence_found.evidence_kind
    left join int_pages_matched
        on
            expected.system_id = int_pages_matched.system_id
            and expected.item_id = int_pages_matched.item_id
            and expected.unit = 'page'
            and expected.k = int_pages_matched.k
    left join int_cells_placed
        on
            expected.system_id = int_cells_placed.system_id
            and expected.item_id = int_cells_placed.item_id
            and expected.unit = 'cell'
    left join int_scores_measured
        on
            expected.system_id = int_scores_measured.system_id
            and expected.item_id = int_scores_measured.item_id
            and expected.unit = int_scores_measured.unit
    left join int_ideals_scored
        on
            expected.mode = int_ideals_scored.mode
            and expected.item_id = int_ideals_scored.item_id
            and expected.unit = int_ideals_scored.unit
            and expected.k = int_ideals_scored.k
    left join int_self_matches
        on
            expected.system_id = int_self_matches.system_id
            and expected.item_id = int_self_matches.item_id

),

-- A row per metric again.
by_metric as (

    select
        *,
        unnest(metrics) as metric,
        unnest(metrics_need_gold) as needs_gold
    from joined

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
            when 'recall' then n_found / n_evidence
            when 'map' then precision_sum / n_evidence
            when 'context_precision'
                then coalesce(precision_sum / nullif(n_found, 0), 0)
            when 'score_discrimination' then score_discrimination
            when 'score_gold_spearman' then score_gold_spearman
            when 'evidence_recall' then evidence_found / n_evidence
            when 'evidence_recall_near' then n_matched / n_evidence
            when 'operands_retrieved' then evidence_found / n_evidence
            when 'evidence_complete'
                then cast(evidence_found = n_evidence as double)
            when 'row_right' then cast(is_row_right as double)
            when 'column_right' then cast(is_column_right as double)
            when 'period_right' then cast(is_period_right as double)
        end as value,
        case metric
            when 'hit' then cast(n_found_best > 0 as double)
            when 'mrr' then rr_best
            when 'ndcg' then dcg_best / ideal_dcg
            when 'precision' then n_found_best / k
            when 'recall' then n_found_best / n_evidence
            when 'map' then precision_sum_best / n_evidence
            when 'evidence_recall' then evidence_found_best / n_evidence
            when 'operands_retrieved' then evidence_found_best / n_evidence
            when 'evidence_complete'
                then cast(evidence_found_best = n_evidence as double)
        end as value_best,
        case metric
            when 'hit' then cast(n_found_worst > 0 as double)
            when 'mrr' then rr_worst
            when 'ndcg' then dcg_worst / ideal_dcg
            when 'precision' then n_found_worst / k
            when 'recall' then n_found_worst / n_evidence
            when 'map' then precision_sum_worst / n_evidence
            when 'evidence_recall' then evidence_found_worst / n_evidence
            when 'operands_retrieved' then evidence_found_worst / n_evidence
            when 'evidence_complete'
                then cast(evidence_found_worst = n_evidence as double)
        end as value_worst,
        case metric
            when 'hit' then expected_hit
            when 'mrr' then expected_rr
            when 'ndcg' then expected_dcg / ideal_dcg
            when 'precision' then expected_found / k
            when 'recall' then expected_found / n_evidence
            when 'evidence_recall' then expected_evidence / n_evidence
        end as value_expected
    from by_metric

),

-- A ranking may leave nothing to score: one result, equal scores, or no scores at all.
with_status as (

    select
        *,
        case
            when needs_gold and n_evidence is null then 'uncovered'
            when outcome <> 'ranked' then outcome
            when starts_with(metric, 'score_') and value is null then 'unscored'
            else 'evaluated'
        end as value_status
    from valued

)

-- What ties in several lists come to on average is not worked out.
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
    case when value_status = 'evaluated' then round(value_best, 12) end as value_best,
    case when value_status = 'evaluated' then round(value_worst, 12) end as value_worst,
    case
        when value_status = 'evaluated' and unit <> 'any'
            then round(value_expected, 12)
    end as value_expected
from with_status
