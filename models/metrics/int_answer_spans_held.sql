{#-
    Answers that hold all words, in their order, of a sentence judged relevant, for
    every piece of evidence of the question: such a sentence is as right as the one that
    the gold was taken from, and one of three years is not the whole answer.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

spans as (

    select
        system_id,
        item_id,
        answer_type,
        {{ plain_words('answer_text') }} as answer_words
    from int_answer_pairs
    where
        answer_type in ('span', 'list')
        and pair_id is not null

),

judged as (

    select
        judgments.item_id,
        judgments.evidence_id,
        judgments.is_topic,
        {{ plain_words('sentences.sentence_text') }} as sentence_words
    from judgments
    inner join sentences
        on judgments.passage_id = sentences.sentence_id
    where
        {{ gold_set_is('filings', 'judgments.gold_set') }}
        and judgments.grade > 0

)

select
    spans.system_id,
    spans.item_id,
    count(distinct judged.evidence_id) filter (
        where contains(spans.answer_words, judged.sentence_words)
    ) = count(distinct judged.evidence_id) as has_judged_sentences,
    bool_and(judged.is_topic) as is_topic
from spans
inner join judged
    on
        spans.item_id = judged.item_id
        and length(trim(judged.sentence_words)) > 0
group by spans.system_id, spans.item_id, spans.answer_type
-- What a list lacks, no sentence makes up for, unless a topic is all that is asked for.
having
    spans.answer_type = 'span'
    or bool_and(judged.is_topic)
