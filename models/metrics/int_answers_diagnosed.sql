{#-
    What became of every question at every system, with the verdict on it. Right is
    what answer_verdicts says; is_right is null where that could not be told. A
    public set has words of its own for types of answers: of these it counts whether
    anything answers, whether a speaker is asked for, and whether a figure was asked for
    that is wrong.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

answer_citations as (

    select
        *,
        coalesce(passage_id, named) as cited_id
    from {{ ref('answer_citations') }}

),

contexts as (

    select * from {{ ref('contexts') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

filings as (

    select * from {{ ref('filings') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

of_systems as (

    select
        answers.system_id,
        answers.item_id,
        answers.outcome,
        registered_systems.system_kind in ('external_file', 'external_http')
            as is_external
    from answers
    inner join registered_systems
        on
            answers.system_id = registered_systems.system_id
            and not registered_systems.is_null

),

evidence as (

    select
        judgments.item_id,
        judgments.passage_id,
        judgments.evidence_id
    from judgments
    inner join items
        on judgments.item_id = items.item_id
    where
        judgments.grade > 0
        and judgments.mapping = 'mapped'
        and judgments.evidence_kind <> 'operand'

),

evidence_counted as (

    select
        item_id,
        count(distinct evidence_id) as n_evidence
    from evidence
    group by item_id

),

ranked as (

    select
        rankings.system_id,
        rankings.item_id,
        count(distinct evidence.evidence_id) as n_evidence_ranked
    from rankings
    inner join items
        on rankings.item_id = items.item_id
    left join evidence
        on
            rankings.item_id = evidence.item_id
            and rankings.passage_id = evidence.passage_id
    group by rankings.system_id, rankings.item_id

),

read as (

    select
        contexts.system_id,
        contexts.item_id,
        count(distinct evidence.evidence_id) as n_evidence_in_context
    from contexts
    left join evidence
        on
            contexts.item_id = evidence.item_id
            and contexts.passage_id = evidence.passage_id
    group by contexts.system_id, contexts.item_id

),

-- The next year's filing tells of the year asked about as well: for years it counts
-- whether any cited filing is of one asked about; for companies, whether any is not.
cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        count(distinct evidence.evidence_id) as n_evidence_cited,
        min(answer_citations.cited_id) filter (
            where not list_contains(item_answers.cik_int, filings.cik_int)
        ) as other_company_sentence_id,
        min(answer_citations.cited_id) filter (
            where not list_contains(item_answers.years, filings.report_year)
        ) as other_year_sentence_id,
        count(*) filter (
            where list_contains(item_answers.years, filings.report_year)
        ) as n_cited_in_years
    from answer_citations
    inner join items
        on answer_citations.item_id = items.item_id
    inner join item_answers
        on items.item_id = item_answers.item_id
    left join filings
        on answer_citations.document_id = filings.filing_id
    left join evidence
        on
            answer_citations.item_id = evidence.item_id
            and answer_citations.cited_id = evidence.passage_id
    group by answer_citations.system_id, answer_citations.item_id

),

-- How far the evidence of a question came: into the ranking, the context, the
-- citations. What an outside system retrieved is its context; where it told nothing,
-- both counts are null, not zero.
evidenced as (

    select
        of_systems.system_id,
        of_systems.item_id,
        coalesce(evidence_counted.n_evidence, 0) as n_evidence,
        case
            when not of_systems.is_external then coalesce(ranked.n_evidence_ranked, 0)
            else ranked.n_evidence_ranked
        end as n_evidence_ranked,
        -- A system that answers without a context has read its ranking: it names the
        -- speaker of a turn that it found.
        case
            when of_systems.is_external then ranked.n_evidence_ranked
            when of_systems.outcome = 'answered'
                then coalesce(
                    read.n_evidence_in_context, ranked.n_evidence_ranked, 0
                )
            else coalesce(read.n_evidence_in_context, 0)
        end as n_evidence_in_context,
        coalesce(cited.n_evidence_cited, 0) as n_evidence_cited,
        cited.other_company_sentence_id,
        case when cited.n_cited_in_years = 0 then cited.other_year_sentence_id end
            as other_year_sentence_id
    from of_systems
    left join evidence_counted
        on of_systems.item_id = evidence_counted.item_id
    left join ranked
        on
            of_systems.system_id = ranked.system_id
            and of_systems.item_id = ranked.item_id
    left join read
        on
            of_systems.system_id = read.system_id
            and of_systems.item_id = read.item_id
    left join cited
        on
            of_systems.system_id = cited.system_id
            and of_systems.item_id = cited.item_id

),

claims as (

    select
        system_id,
        item_id,
        array_to_string(
            list(claim_text order by claim_pos) filter (
                where claim_kind = 'number' and support = 'unsupported'
            ),
            ', '
        ) as unsupported_numbers
    from answer_claims
    group by system_id, item_id

),

off_questions as (

    select
        system_id,
        item_id
    from metric_values
    where
        metric = 'off_question'
        and mode = 'finrag'
        and value = 1
    group by system_id, item_id

),

wordings as (

    select
        system_id,
        item_id,
        max(value) filter (where metric = 'claims_copied') as copied_share,
        max(value) filter (where metric = 'cosine') as cosine
    from metric_values
    where
        metric in ('claims_copied', 'cosine')
        and mode = 'finrag'
    group by system_id, item_id

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    answers.outcome,
    answers.failure as error,
    answers.answer_text,
    answers.numeric_value,
    answers.unit,
    answers.n_citations,
    answers.n_invalid_citations,
    -- Answerers and prompts over one search may share its fault.
    case
        when registered_systems.system_kind in ('external_file', 'external_http')
            then registered_systems.system_id
        else concat_ws(
            '|', registered_systems.system_kind, registered_systems.regime
        )
    end as search_kind,
    case
        when {{ gold_set_is('filings', 'item_answers.gold_set') }}
            then item_answers.answer_type
        when item_answers.answer_type = 'speaker' then 'speaker'
        when not item_answers.is_answerable then 'no_answer'
        when
            numeric_verdicts.verdict
            not in ('exact', 'within_rounding', 'within_tolerance')
            then 'numeric'
    end as answer_type,
    item_answers.answer_text as gold_text,
    answer_verdicts.is_right,
    numeric_verdicts.verdict,
    numeric_verdicts.reason as verdict_reason,
    claims.unsupported_numbers,
    off_questions.item_id is not null as is_off_question,
    wordings.copied_share,
    wordings.cosine,
    evidenced.n_evidence,
    evidenced.n_evidence_ranked,
    evidenced.n_evidence_in_context,
    evidenced.n_evidence_cited,
    evidenced.other_company_sentence_id,
    evidenced.other_year_sentence_id
from answers
inner join registered_systems
    on answers.system_id = registered_systems.system_id
inner join item_answers
    on answers.item_id = item_answers.item_id
inner join evidenced
    on
        answers.system_id = evidenced.system_id
        and answers.item_id = evidenced.item_id
left join answer_verdicts
    on
        answers.system_id = answer_verdicts.system_id
        and answers.item_id = answer_verdicts.item_id
left join numeric_verdicts
    on
        answers.system_id = numeric_verdicts.system_id
        and answers.item_id = numeric_verdicts.item_id
left join claims
    on
        answers.system_id = claims.system_id
        and answers.item_id = claims.item_id
left join off_questions
    on
        answers.system_id = off_questions.system_id
        and answers.item_id = off_questions.item_id
left join wordings
    on
        answers.system_id = wordings.system_id
        and answers.item_id = wordings.item_id
