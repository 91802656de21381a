{#-
    Answers that hold all words, in their order, of a sentence judged relevant, for
    every piece of evidence of the question: such a sentence is as right as the one that
    the gold was taken from, and one of three years is not the whole answer.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

gold_judgments as (

    select * from {{ ref('gold_judgments') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

spans as (

    select
        system_id,
        item_id,
        {{ plain_words('answer_text') }} as answer_words
    from int_answer_pairs
    where
        answer_type = 'span'
        and pair_id is not null

),

judged as (

    select
        gold_judgments.item_id,
        gold_judgments.stands_for_sentence_id,
        {{ plain_words('sentences.sentence_text') }} as sentence_words
    from gold_judgments
    inner join sentences
        on gold_judgments.sentence_id = sentences.sentence_id
    where
        gold_judgments.gold_set = 'p3'
        and gold_judgments.grade > 0

)

select
    spans.system_id,
    spans.item_id,
    count(distinct judged.stands_for_sentence_id) filter (
        where contains(spans.answer_words, judged.sentence_words)
    ) = count(distinct judged.stands_for_sentence_id) as has_judged_sentences
from spans
inner join judged
    on
        spans.item_id = judged.item_id
        and length(trim(judged.sentence_words)) > 0
group by spans.system_id, spans.item_id
