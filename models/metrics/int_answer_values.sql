{#-
    Every system, real or null, owes a value for every question it was asked and every metric
    that its answer type has; what was measured is joined to that. A null is a text and
    nothing else: it owes what the text alone decides. Why there is no value is told in this
    order: the question failed, there is no gold, the system abstained, there was nothing to
    score or no scorer.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

),

int_answer_spans_held as (

    select * from {{ ref('int_answer_spans_held') }}

),

int_citations_judged as (

    select * from {{ ref('int_citations_judged') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

py_text_pairs_scored as (

    select * from {{ ref('py_text_pairs_scored') }}

),

py_numbers_judged as (

    select * from {{ ref('py_numbers_judged') }}

),

owed as (

    select
        int_answer_pairs.system_id,
        int_answer_pairs.gold_set,
        int_answer_pairs.item_id,
        int_answer_pairs.null_kind,
        int_answer_pairs.answer_type,
        int_answer_pairs.outcome,
        int_answer_pairs.pair_id,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode,
        metric_catalogue.needs_gold,
        int_items_judged.n_relevant,
        int_items_judged.n_evidence,
        metric_catalogue.metric in (
            'answer_accuracy', 'answered', 'no_answer_accuracy', 'false_abstention'
        ) as counts_abstention
    from int_answer_pairs
    inner join int_items_judged
        on int_answer_pairs.item_id = int_items_judged.item_id
    inner join metric_catalogue
        on
            metric_catalogue.asked_of = 'answers'
            and (
                coalesce(metric_catalogue.applies_to, '') = ''
                or contains(
                    ' ' || metric_catalogue.applies_to || ' ',
                    ' ' || int_answer_pairs.answer_type || ' '
                )
            )
            and (
                int_answer_pairs.null_kind is null
                or metric_catalogue.needs_text_only
            )

),

citations_counted as (

    select
        system_id,
        item_id,
        count(*) as n_cited,
        count(*) filter (where is_relevant) as n_relevant,
        count(*) filter (where is_right_company and is_right_year) as n_right_filing,
        count(distinct evidence_id) as n_evidence_cited
    from int_citations_judged
    group by system_id, item_id

),

-- An answer without a source has no right source: dropping them must not pay.
by_citation as (

    select
        owed.system_id,
        owed.item_id,
        owed.metric,
        case owed.metric
            when 'citation_coverage'
                then cast(
                    coalesce(citations_counted.n_cited, 0) > 0 as double
                )
            when 'citation_correctness'
                then coalesce(
                    citations_counted.n_relevant
                    / citations_counted.n_cited,
                    0
                )
            when 'citation_filing'
                then coalesce(
                    citations_counted.n_right_filing
                    / citations_counted.n_cited,
                    0
                )
            when 'citation_recall'
                then
                    coalesce(citations_counted.n_evidence_cited, 0)
                    / nullif(owed.n_evidence, 0)
            when 'attribution'
                then cast(
                    coalesce(
                        citations_counted.n_right_filing
                        = citations_counted.n_cited,
                        false
                    )
                    as double
                )
        end as value,
        cast(null as varchar) as scorer_id
    from owed
    left join citations_counted
        on
            owed.system_id = citations_counted.system_id
            and owed.item_id = citations_counted.item_id
    where
        owed.outcome = 'answered'
        and owed.metric in (
            'citation_coverage',
            'citation_correctness',
            'citation_filing',
            'citation_recall',
            'attribution'
        )

),

-- A question that broke off got no answer: leaving it out would make the share whole.
by_outcome as (

    select
        system_id,
        item_id,
        metric,
        case metric
            when 'answered' then cast(outcome = 'answered' as double)
            else cast(outcome = 'abstained' as double)
        end as value,
        cast(null as varchar) as scorer_id
    from owed
    where
        metric = 'answered'
        or (
            metric in ('no_answer_accuracy', 'false_abstention')
            and outcome in ('answered', 'abstained')
        )

),

-- What is inferred follows from what is cited.
claims_counted as (

    select
        system_id,
        item_id,
        count(*) filter (where claim_kind = 'sentence') as n_sentences,
        count(*) filter (
            where claim_kind = 'sentence' and support <> 'unsupported'
        ) as n_sentences_supported,
        count(*) filter (where claim_kind = 'number') as n_numbers,
        count(*) filter (
            where claim_kind = 'number' and support <> 'unsupported'
        ) as n_numbers_supported,
        count(*) filter (where claim_kind = 'quote') as n_quotes,
        count(*) filter (
            where claim_kind = 'quote' and support <> 'unsupported'
        ) as n_quotes_supported
    from answer_claims
    group by system_id, item_id

),

by_claim as (

    select
        owed.system_id,
        owed.item_id,
        owed.metric,
        case owed.metric
            when 'claims_supported'
                then
                    claims_counted.n_sentences_supported
                    / nullif(claims_counted.n_sentences, 0)
            when 'numbers_supported'
                then
                    claims_counted.n_numbers_supported
                    / nullif(claims_counted.n_numbers, 0)
            when 'unsupported_numbers'
                then cast(
                    claims_counted.n_numbers
                    - claims_counted.n_numbers_supported
                    as double
                )
            when 'quotes_verified'
                then
                    claims_counted.n_quotes_supported
                    / nullif(claims_counted.n_quotes, 0)
        end as value,
        cast(null as varchar) as scorer_id
    from owed
    inner join claims_counted
        on
            owed.system_id = claims_counted.system_id
            and owed.item_id = claims_counted.item_id
    where owed.metric in (
        'claims_supported',
        'numbers_supported',
        'unsupported_numbers',
        'quotes_verified'
    )

),

by_number as (

    select
        owed.system_id,
        owed.item_id,
        owed.metric,
        case owed.metric
            when 'numeric_exact'
                then cast(py_numbers_judged.verdict = 'exact' as double)
            else
                cast(
                    py_numbers_judged.verdict
                    in ('exact', 'within_rounding', 'within_tolerance')
                    as double
                )
        end as value,
        cast(null as varchar) as scorer_id
    from owed
    inner join py_numbers_judged
        on
            owed.system_id = py_numbers_judged.system_id
            and owed.item_id = py_numbers_judged.item_id
    where owed.metric in ('numeric_exact', 'numeric_within_tolerance')

),

-- A yes or no, a list or the gold's words that cannot be found in an answer are not
-- there: an answer that hides them is wrong, not unscored.
by_wording as (

    select
        owed.system_id,
        owed.item_id,
        owed.metric,
        case
            when owed.metric = 'list_match'
                then cast(coalesce(py_text_pairs_scored.value, 0) >= 0.8 as double)
            when
                owed.metric in (
                    'boolean_accuracy', 'list_jaccard', 'contain_match', 'rouge_l'
                )
                then coalesce(py_text_pairs_scored.value, 0)
            else py_text_pairs_scored.value
        end as value,
        py_text_pairs_scored.scorer_id
    from owed
    left join py_text_pairs_scored
        on
            owed.pair_id = py_text_pairs_scored.pair_id
            and case owed.metric
                when 'boolean_accuracy' then 'boolean_match'
                when 'list_match' then 'list_jaccard'
                else owed.metric
            end = py_text_pairs_scored.metric
    where
        owed.outcome = 'answered'
        and owed.metric in (
            'boolean_accuracy',
            'list_jaccard',
            'list_match',
            'contain_match',
            'rouge_l',
            'bert_score',
            'bert_score_rescaled',
            'cosine',
            'bleurt'
        )

),

numbers_right as (

    select
        system_id,
        item_id,
        max(value) filter (where metric = 'numeric_within_tolerance')
            as is_right_number
    from by_number
    group by system_id, item_id

),

words_right as (

    select
        system_id,
        item_id,
        max(value) filter (where metric = 'boolean_accuracy') as is_right_boolean,
        max(value) filter (where metric = 'list_match') as is_right_list,
        max(value) filter (where metric = 'contain_match') as has_gold
    from by_wording
    group by system_id, item_id

),

-- Right by the rule of the answer type.
rights as (

    select
        owed.system_id,
        owed.item_id,
        owed.metric,
        case
            when owed.outcome = 'abstained'
                then cast(owed.answer_type = 'no_answer' as double)
            when owed.answer_type = 'no_answer' then 0
            when owed.answer_type = 'numeric' then numbers_right.is_right_number
            when owed.answer_type = 'boolean' then words_right.is_right_boolean
            when owed.answer_type = 'list' then words_right.is_right_list
            when owed.answer_type = 'span'
                then greatest(
                    words_right.has_gold,
                    cast(
                        coalesce(int_answer_spans_held.has_judged_sentences, false)
                        as double
                    )
                )
        end as value,
        cast(null as varchar) as scorer_id
    from owed
    left join numbers_right
        on
            owed.system_id = numbers_right.system_id
            and owed.item_id = numbers_right.item_id
    left join words_right
        on
            owed.system_id = words_right.system_id
            and owed.item_id = words_right.item_id
    left join int_answer_spans_held
        on
            owed.system_id = int_answer_spans_held.system_id
            and owed.item_id = int_answer_spans_held.item_id
    where
        owed.metric = 'answer_accuracy'
        and owed.outcome in ('answered', 'abstained')

),

measured as (

    select * from by_outcome
    union all
    select * from by_citation
    union all
    select * from by_claim
    union all
    select * from by_number
    union all
    select * from by_wording
    union all
    select * from rights

),

with_status as (

    select
        owed.*,
        measured.value,
        measured.scorer_id,
        case
            when
                owed.outcome in ('failed', 'not_run')
                and owed.metric <> 'answered'
                then owed.outcome
            when owed.needs_gold and owed.n_relevant = 0 then 'uncovered'
            when owed.outcome = 'abstained' and not owed.counts_abstention
                then 'abstained'
            when measured.value is null or isnan(measured.value) then 'unscored'
            else 'evaluated'
        end as value_status
    from owed
    left join measured
        on
            owed.system_id = measured.system_id
            and owed.item_id = measured.item_id
            and owed.metric = measured.metric

)

select
    system_id,
    gold_set,
    item_id,
    null_kind,
    metric,
    k,
    unit,
    mode,
    value_status,
    case when value_status = 'evaluated' then value end as value,
    case when value_status = 'evaluated' then scorer_id end as scorer_id
from with_status
