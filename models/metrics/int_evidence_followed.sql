{#-
    How far the evidence of a question came at a system: into the ranking, the context, the
    citations. What an outside system retrieved is its context; where it told nothing, or
    nothing that is recognised, both counts are null, not zero.
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

int_evidence_placed as (

    select * from {{ ref('int_evidence_placed') }}

),

documents as (

    select *
    from {{ ref('documents') }}
    where corpus_id = 'filings'

),

returned_passages as (

    select *
    from {{ ref('returned_passages') }}
    where n_recognised = 0

),

of_systems as (

    select
        answers.*,
        registered_systems.system_kind,
        registered_systems.regime,
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
        int_evidence_placed.item_id,
        int_evidence_placed.passage_id,
        int_evidence_placed.evidence_id
    from int_evidence_placed
    inner join items
        on int_evidence_placed.item_id = items.item_id
    where
        int_evidence_placed.grade > 0
        and int_evidence_placed.mapping = 'mapped'
        and int_evidence_placed.evidence_kind <> 'operand'

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
    -- What nobody recognises tells nothing of what was found.
    anti join returned_passages
        on
            rankings.system_id = returned_passages.system_id
            and rankings.gold_set = returned_passages.gold_set
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
            where not list_contains(item_answers.cik_int, documents.cik_int)
        ) as other_company_place,
        min(answer_citations.cited_id) filter (
            where not list_contains(item_answers.years, documents.report_year)
        ) as other_year_place,
        count(*) filter (
            where list_contains(item_answers.years, documents.report_year)
        ) as n_cited_in_years
    from answer_citations
    inner join items
        on answer_citations.item_id = items.item_id
    inner join item_answers
        on items.item_id = item_answers.item_id
    left join documents
        on answer_citations.document_id = documents.document_id
    left join evidence
        on
            answer_citations.item_id = evidence.item_id
            and answer_citations.cited_id = evidence.passage_id
    group by answer_citations.system_id, answer_citations.item_id

)

select
    of_systems.system_id,
    of_systems.gold_set,
    of_systems.item_id,
    of_systems.outcome,
    of_systems.failure as error,
    of_systems.answer_text,
    of_systems.numeric_value,
    of_systems.unit,
    of_systems.n_citations,
    of_systems.n_invalid_citations,
    -- Answerers and prompts over one search may share its fault.
    case
        when of_systems.is_external then of_systems.system_id
        else concat_ws('|', of_systems.system_kind, of_systems.regime)
    end as search_kind,
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
            then coalesce(read.n_evidence_in_context, ranked.n_evidence_ranked, 0)
        else coalesce(read.n_evidence_in_context, 0)
    end as n_evidence_in_context,
    coalesce(cited.n_evidence_cited, 0) as n_evidence_cited,
    cited.other_company_place,
    case when cited.n_cited_in_years = 0 then cited.other_year_place end
        as other_year_place
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
