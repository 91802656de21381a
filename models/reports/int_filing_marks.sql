{#-
    What questions have to do with the sentences of the filings: evidence, once for each system
    that was asked, and sentences that a system cited. A system missed the evidence if it cited
    neither that sentence nor another passage that is judged to hold it.
-#}
with

int_questions_shown as (

    select *
    from {{ ref('int_questions_shown') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

int_passages_placed as (

    select * from {{ ref('int_passages_placed') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where outcome <> 'not_run'

),

answer_citations as (

    select *
    from {{ ref('answer_citations') }}
    where passage_id is not null

),

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where not is_null

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'

),

asked as (

    select
        int_questions_shown.page_id,
        answers.system_id
    from int_questions_shown
    inner join answers
        on int_questions_shown.item_id = answers.item_id
    inner join registered_systems
        on answers.system_id = registered_systems.system_id

),

judged as (

    select
        int_questions_shown.page_id,
        judgments.evidence_id,
        judgments.passage_id
    from judgments
    inner join int_questions_shown
        on judgments.item_id = int_questions_shown.item_id
    group by
        int_questions_shown.page_id, judgments.evidence_id, judgments.passage_id

),

citing as (

    select
        int_questions_shown.page_id,
        answer_citations.system_id,
        answer_citations.passage_id
    from answer_citations
    inner join int_questions_shown
        on answer_citations.item_id = int_questions_shown.item_id
    inner join registered_systems
        on answer_citations.system_id = registered_systems.system_id
    group by
        int_questions_shown.page_id,
        answer_citations.system_id,
        answer_citations.passage_id

),

found as (

    select
        judged.page_id,
        judged.evidence_id,
        citing.system_id
    from judged
    inner join citing
        on
            judged.page_id = citing.page_id
            and judged.passage_id = citing.passage_id
    group by judged.page_id, judged.evidence_id, citing.system_id

),

-- A cell and its row are two pieces of evidence in one sentence.
evidence as (

    select
        judged.page_id,
        judged.evidence_id,
        int_passages_placed.sentence_id
    from judged
    inner join int_passages_placed
        on judged.evidence_id = int_passages_placed.passage_id
    group by judged.page_id, judged.evidence_id, int_passages_placed.sentence_id

),

evidence_sought as (

    select
        evidence.page_id,
        evidence.sentence_id,
        asked.system_id,
        bool_or(found.system_id is not null) as is_found
    from evidence
    left join asked
        on evidence.page_id = asked.page_id
    left join found
        on
            evidence.page_id = found.page_id
            and evidence.evidence_id = found.evidence_id
            and asked.system_id = found.system_id
    group by evidence.page_id, evidence.sentence_id, asked.system_id

),

cited as (

    select
        citing.page_id,
        citing.system_id,
        int_passages_placed.sentence_id,
        bool_or(judged.page_id is not null) as is_gold
    from citing
    inner join int_passages_placed
        on citing.passage_id = int_passages_placed.passage_id
    left join judged
        on
            citing.page_id = judged.page_id
            and citing.passage_id = judged.passage_id
    group by citing.page_id, citing.system_id, int_passages_placed.sentence_id

)

select
    coalesce(evidence_sought.page_id, cited.page_id) as page_id,
    coalesce(evidence_sought.sentence_id, cited.sentence_id) as sentence_id,
    coalesce(evidence_sought.system_id, cited.system_id) as system_id,
    evidence_sought.page_id is not null as is_evidence,
    evidence_sought.page_id is not null or cited.is_gold as is_gold,
    cited.page_id is not null as is_cited,
    coalesce(evidence_sought.is_found, false) as is_found
from evidence_sought
full outer join cited
    on
        evidence_sought.page_id = cited.page_id
        and evidence_sought.sentence_id = cited.sentence_id
        and evidence_sought.system_id = cited.system_id
