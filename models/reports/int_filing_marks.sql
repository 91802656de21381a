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
        answers.item_id,
        answers.system_id
    from answers
    inner join registered_systems
        on answers.system_id = registered_systems.system_id

),

citing as (

    select answer_citations.*
    from answer_citations
    inner join asked
        on
            answer_citations.item_id = asked.item_id
            and answer_citations.system_id = asked.system_id

),

-- A cell and its row are two pieces of evidence in one sentence.
evidence as (

    select
        judgments.item_id,
        int_passages_placed.sentence_id,
        asked.system_id,
        bool_or(citing.passage_id is not null) as is_found
    from judgments
    inner join int_passages_placed
        on judgments.evidence_id = int_passages_placed.passage_id
    left join asked
        on judgments.item_id = asked.item_id
    left join citing
        on
            asked.item_id = citing.item_id
            and asked.system_id = citing.system_id
            and judgments.passage_id = citing.passage_id
    group by judgments.item_id, int_passages_placed.sentence_id, asked.system_id

),

cited as (

    select
        citing.item_id,
        int_passages_placed.sentence_id,
        citing.system_id,
        bool_or(judgments.item_id is not null) as is_gold
    from citing
    inner join int_passages_placed
        on citing.passage_id = int_passages_placed.passage_id
    left join judgments
        on
            citing.item_id = judgments.item_id
            and citing.passage_id = judgments.passage_id
    group by citing.item_id, int_passages_placed.sentence_id, citing.system_id

)

select
    int_questions_shown.page_id,
    coalesce(evidence.sentence_id, cited.sentence_id) as sentence_id,
    coalesce(evidence.system_id, cited.system_id) as system_id,
    evidence.item_id is not null as is_evidence,
    evidence.item_id is not null or cited.is_gold as is_gold,
    cited.item_id is not null as is_cited,
    coalesce(evidence.is_found, false) as is_found
from evidence
full outer join cited
    on
        evidence.item_id = cited.item_id
        and evidence.sentence_id = cited.sentence_id
        and evidence.system_id = cited.system_id
inner join int_questions_shown
    on coalesce(evidence.item_id, cited.item_id) = int_questions_shown.item_id
