{#-
    What was measured of answers, joined to what is expected. A value counts unless the
    system declined, or the question failed, and the metric does not count that. Why there
    is no value is told in this order: the question failed, the gold leaves nothing to
    measure, the system abstained, there was nothing to score or no scorer.
-#}
with

int_values_expected as (

    select * from {{ ref('int_values_expected') }}

),

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

int_answer_spans_held as (

    select * from {{ ref('int_answer_spans_held') }}

),

int_citations_scored as (

    select * from {{ ref('int_citations_scored') }}

),

int_answers_marked as (

    select * from {{ ref('int_answers_marked') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

companies as (

    select * from {{ ref('companies') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

py_public_answers_scored as (

    select
        *,
        benchmark || ':' || question_id as item_id
    from {{ ref('py_public_answers_scored') }}

),

py_text_pairs_scored as (

    select * from {{ ref('py_text_pairs_scored') }}

),

py_numbers_compared as (

    select * from {{ ref('py_numbers_compared') }}

),

-- A question of a public set that was not run was not measured: files may answer one
-- part of a set.
by_outcome as (

    select
        system_id,
        item_id,
        metric,
        mode,
        cast(
            outcome = case metric when 'answered' then 'answered' else 'abstained' end
            as double
        ) as value,
        cast(null as varchar) as scorer_id
    from int_values_expected
    where
        measured_by = 'outcome'
        and (
            outcome <> 'not_run'
            or {{ gold_set_is('filings', 'gold_set') }}
        )

),

by_evaluator as (

    select
        py_public_answers_scored.system_id,
        py_public_answers_scored.item_id,
        py_public_answers_scored.metric,
        py_public_answers_scored.mode,
        py_public_answers_scored.value,
        cast(null as varchar) as scorer_id
    from py_public_answers_scored
    inner join int_values_expected
        on
            py_public_answers_scored.system_id = int_values_expected.system_id
            and py_public_answers_scored.item_id = int_values_expected.item_id
            and py_public_answers_scored.metric = int_values_expected.metric
            and py_public_answers_scored.mode = int_values_expected.mode
    where int_values_expected.measured_by = 'evaluator'

),

by_citation as (

    select
        system_id,
        item_id,
        metric,
        mode,
        value,
        cast(null as varchar) as scorer_id
    from int_citations_scored

),

-- What is inferred follows from what is cited.
claims_counted as (

    select
        system_id,
        item_id,
        count(*) filter (where claim_kind = 'sentence') as n_sentences,
        count(*) filter (
            where claim_kind = 'sentence' and support in ('supported', 'inferred')
        ) as n_sentences_supported,
        count(*) filter (
            where claim_kind = 'sentence' and support = 'unsupported'
        ) as n_sentences_unsupported,
        count(*) filter (where claim_kind = 'sentence' and is_verbatim)
            as n_sentences_copied,
        count_if(
            claim_kind = 'sentence'
            and support in ('supported', 'inferred')
            and len(string_split_regex(trim(claim_text), '\s+'))
            >= {{ var('min_topic_words') }}
        ) as n_sentences_told,
        count(*) filter (where claim_kind = 'number') as n_numbers,
        count(*) filter (
            where claim_kind = 'number' and support <> 'unsupported'
        ) as n_numbers_supported,
        bool_and(support in ('supported', 'inferred')) as is_supported,
        count(*) filter (where claim_kind = 'quote') as n_quotes,
        count(*) filter (
            where claim_kind = 'quote' and support <> 'unsupported'
        ) as n_quotes_supported
    from answer_claims
    group by system_id, item_id

),

by_claim as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        case int_values_expected.metric
            when 'claims_supported'
                then
                    claims_counted.n_sentences_supported
                    / nullif(claims_counted.n_sentences, 0)
            when 'claims_unsupported'
                then
                    claims_counted.n_sentences_unsupported
                    / nullif(claims_counted.n_sentences, 0)
            when 'claims_copied'
                then
                    claims_counted.n_sentences_copied
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
    from int_values_expected
    inner join claims_counted
        on
            int_values_expected.system_id = claims_counted.system_id
            and int_values_expected.item_id = claims_counted.item_id
    where int_values_expected.measured_by = 'claims'

),

by_number as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        case int_values_expected.metric
            when 'numeric_exact'
                then cast(py_numbers_compared.verdict = 'exact' as double)
            else
                cast(
                    py_numbers_compared.verdict
                    in ('exact', 'within_rounding', 'within_tolerance')
                    as double
                )
        end as value,
        cast(null as varchar) as scorer_id
    from int_values_expected
    inner join py_numbers_compared
        on
            int_values_expected.system_id = py_numbers_compared.system_id
            and int_values_expected.item_id = py_numbers_compared.item_id
    where
        int_values_expected.measured_by = 'numbers'
        and py_numbers_compared.verdict is not null

),

-- A yes or no, a list or the gold's words that cannot be found in an answer are not
-- there: an answer that hides them is wrong, not unscored. Where the gold has no words
-- there is nothing to find.
by_wording as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        case
            when coalesce(trim(int_answer_pairs.gold_text), '') = '' then null
            when int_values_expected.metric = 'list_match'
                then cast(coalesce(py_text_pairs_scored.value, 0) >= 0.8 as double)
            when
                int_values_expected.metric in (
                    'boolean_accuracy', 'list_jaccard', 'contain_match', 'rouge_l'
                )
                then coalesce(py_text_pairs_scored.value, 0)
            else py_text_pairs_scored.value
        end as value,
        py_text_pairs_scored.scorer_id
    from int_values_expected
    inner join int_answer_pairs
        on
            int_values_expected.system_id = int_answer_pairs.system_id
            and int_values_expected.item_id = int_answer_pairs.item_id
    left join py_text_pairs_scored
        on
            int_answer_pairs.pair_id = py_text_pairs_scored.pair_id
            and case int_values_expected.metric
                when 'boolean_accuracy' then 'boolean_match'
                when 'list_match' then 'list_jaccard'
                else int_values_expected.metric
            end = py_text_pairs_scored.metric
    where int_values_expected.measured_by = 'words'

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

sources_right as (

    select
        system_id,
        item_id,
        max(value) filter (where metric = 'citation_coverage') as has_citations,
        max(value) filter (where metric = 'citation_recall') as evidence_share
    from by_citation
    where mode = 'finrag'
    group by system_id, item_id

),

-- A broad question is answered by a topic: each company and year that it asks about has
-- a sentence on it, in the answer or cited, and what is cited is shown to say all that
-- the answer says, of which one sentence is long enough to tell something.
topics_right as (

    select
        int_answer_spans_held.system_id,
        int_answer_spans_held.item_id,
        int_answer_spans_held.has_judged_sentences
        or (
            coalesce(sources_right.evidence_share = 1, false)
            and coalesce(
                claims_counted.n_sentences_supported = claims_counted.n_sentences,
                false
            )
            and coalesce(claims_counted.n_sentences_told > 0, false)
        ) as is_right_topic
    from int_answer_spans_held
    left join sources_right
        on
            int_answer_spans_held.system_id = sources_right.system_id
            and int_answer_spans_held.item_id = sources_right.item_id
    left join claims_counted
        on
            int_answer_spans_held.system_id = claims_counted.system_id
            and int_answer_spans_held.item_id = claims_counted.item_id
    where int_answer_spans_held.is_topic

),

company_names as (

    select
        cik_int,
        lower(unnest(list_concat(
            [display_name, company_name, ticker],
            coalesce(aliases, cast([] as varchar[]))
        ))) as name
    from companies

),

-- A right figure or sentence that the words give to another company is no answer.
other_companies_named as (

    select distinct
        answer_claims.system_id,
        answer_claims.item_id
    from answer_claims
    inner join company_names
        on lower(answer_claims.claim_text) = company_names.name
    inner join item_answers
        on answer_claims.item_id = item_answers.item_id
    where
        answer_claims.claim_kind = 'entity'
        and answer_claims.support = 'unsupported'
        and not list_contains(item_answers.cik_int, company_names.cik_int)

),

-- Right by the rule of the answer type.
by_type as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        case
            when int_values_expected.outcome = 'abstained'
                then cast(int_values_expected.answer_type = 'no_answer' as double)
            when int_values_expected.answer_type = 'no_answer' then 0
            when other_companies_named.item_id is not null then 0
            when int_values_expected.answer_type = 'numeric'
                then numbers_right.is_right_number
            when int_values_expected.answer_type = 'boolean'
                then words_right.is_right_boolean
            when int_values_expected.answer_type = 'list'
                then greatest(
                    words_right.is_right_list,
                    case when topics_right.is_right_topic then 1 end
                )
            when int_values_expected.answer_type = 'span'
                then greatest(
                    words_right.has_gold,
                    case when int_answer_spans_held.has_judged_sentences then 1 end,
                    case when topics_right.is_right_topic then 1 end
                )
        end as value,
        cast(null as varchar) as scorer_id
    from int_values_expected
    left join numbers_right
        on
            int_values_expected.system_id = numbers_right.system_id
            and int_values_expected.item_id = numbers_right.item_id
    left join words_right
        on
            int_values_expected.system_id = words_right.system_id
            and int_values_expected.item_id = words_right.item_id
    left join int_answer_spans_held
        on
            int_values_expected.system_id = int_answer_spans_held.system_id
            and int_values_expected.item_id = int_answer_spans_held.item_id
    left join topics_right
        on
            int_values_expected.system_id = topics_right.system_id
            and int_values_expected.item_id = topics_right.item_id
    left join other_companies_named
        on
            int_values_expected.system_id = other_companies_named.system_id
            and int_values_expected.item_id = other_companies_named.item_id
    where int_values_expected.measured_by = 'type_rule'

),

-- Wrong, though all that it says stands in what it cites: that is not what was asked.
by_question as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        cast(
            by_type.value = 0
            and coalesce(claims_counted.is_supported, false)
            and coalesce(sources_right.has_citations = 1, false)
            and coalesce(sources_right.evidence_share = 0, false)
            as double
        ) as value,
        cast(null as varchar) as scorer_id
    from int_values_expected
    inner join by_type
        on
            int_values_expected.system_id = by_type.system_id
            and int_values_expected.item_id = by_type.item_id
    left join claims_counted
        on
            int_values_expected.system_id = claims_counted.system_id
            and int_values_expected.item_id = claims_counted.item_id
    left join sources_right
        on
            int_values_expected.system_id = sources_right.system_id
            and int_values_expected.item_id = sources_right.item_id
    where
        int_values_expected.measured_by = 'question'
        and by_type.value is not null

),

-- One hallucination that somebody saw is enough, whoever marked it.
by_mark as (

    select
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode,
        cast(bool_or(int_answers_marked.mark = 'hallucination') as double) as value,
        cast(null as varchar) as scorer_id
    from int_values_expected
    inner join int_answers_marked
        on
            int_values_expected.system_id = int_answers_marked.system_id
            and int_values_expected.item_id = int_answers_marked.item_id
    where
        int_values_expected.measured_by = 'marks'
        and int_answers_marked.mark not in ('right', 'wrong')
    group by
        int_values_expected.system_id,
        int_values_expected.item_id,
        int_values_expected.metric,
        int_values_expected.mode

),

measured as (

    select * from by_outcome
    union all
    select * from by_mark
    union all
    select * from by_evaluator
    union all
    select * from by_citation
    union all
    select * from by_claim
    union all
    select * from by_number
    union all
    select * from by_wording
    union all
    select * from by_type
    union all
    select * from by_question

),

-- A public evaluator gives silence 0, and mode official keeps what it gives; elsewhere
-- who declines is told from who is wrong.
counted as (

    select
        int_values_expected.*,
        measured.scorer_id,
        measured.item_id is not null as is_measured,
        case
            when isnan(measured.value) then null
            when
                int_values_expected.outcome = 'abstained'
                and not int_values_expected.counts_abstention
                then null
            when
                int_values_expected.outcome in ('failed', 'not_run')
                and not int_values_expected.counts_failure
                then null
            else measured.value
        end as value
    from int_values_expected
    left join measured
        on
            int_values_expected.system_id = measured.system_id
            and int_values_expected.item_id = measured.item_id
            and int_values_expected.metric = measured.metric
            and int_values_expected.mode = measured.mode

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
    case
        when value is not null then 'evaluated'
        when outcome = 'not_run' and not is_answer_expected then 'uncovered'
        when outcome in ('failed', 'not_run') and not counts_failure then outcome
        when is_uncovered then 'uncovered'
        when outcome = 'abstained' then 'abstained'
        when outcome in ('failed', 'not_run') and not is_measured then outcome
        else 'unscored'
    end as value_status,
    value,
    case when value is not null then scorer_id end as scorer_id
from counted
