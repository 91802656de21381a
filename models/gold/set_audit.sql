{#-
    What is wrong with the gold of a public set, or limits what can be measured on it. A finding
    is a row; a question may have several. Nothing is mended and nothing is left out of a score
    because of it: official scores are over all questions.
-#}
with

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

int_judgments_mapped as (

    select * from {{ ref('int_judgments_mapped') }}

),

py_programs_audited as (

    select * from {{ ref('py_programs_audited') }}

),

worded as (

    select
        items.gold_set,
        items.item_id,
        items.question_text,
        items.document_id,
        item_answers.answers,
        array_to_string(item_answers.answers, ' | ') as answer_text,
        {{ list_length('item_answers.answers') }} as n_answers,
        item_answers.is_answerable,
        items.dialogue_id
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id
    where {{ gold_set_is('public', 'items.gold_set') }}

),

judgments_counted as (

    select
        item_id,
        count(*) as n_judgments,
        count(*) filter (where mapping <> 'mapped') as n_unmapped,
        min(reference || ': ' || mapping) filter (where mapping <> 'mapped')
            as first_unmapped
    from int_judgments_mapped
    group by item_id

),

sets_with_judgments as (

    select gold_set
    from int_judgments_mapped
    group by gold_set

),

-- Turns of a dialogue ask the same words of different things.
asked_twice as (

    select
        gold_set,
        coalesce(document_id, '') as document_id,
        lower(question_text) as question_key,
        count(distinct answer_text) as n_answers,
        count(*) as n_questions
    from worded
    where dialogue_id is null
    group by gold_set, coalesce(document_id, ''), lower(question_text)

),

found as (

    select
        benchmark as gold_set,
        benchmark || ':' || question_id as item_id,
        'program_disagrees' as reason,
        concat(
            reason,
            ': the program gives ', official_result,
            ', the set ', executed_answer
        ) as detail
    from py_programs_audited
    where not agrees

    union all

    select
        benchmark as gold_set,
        benchmark || ':' || question_id as item_id,
        'answer_disagrees' as reason,
        concat(
            answer_reason,
            ': the program gives ', official_result,
            ', printed is ', answer
        ) as detail
    from py_programs_audited
    where answer_reason is not null

    union all

    select
        gold_set,
        item_id,
        'cross_reference_answer' as reason,
        answer_text as detail
    from worded
    where
        {{ matches_any('answer_text', 'navigational') }}
        and not {{ regex_is('answer_text', 'states_something') }}

    union all

    select
        gold_set,
        item_id,
        'unanswerable' as reason,
        'the set says that nothing answers it' as detail
    from worded
    where not is_answerable

    union all

    select
        gold_set,
        item_id,
        'answer_withheld' as reason,
        'the file holds no answer' as detail
    from worded
    where
        is_answerable
        and n_answers = 0

    union all

    select
        worded.gold_set,
        worded.item_id,
        'evidence_unmapped' as reason,
        judgments_counted.n_unmapped || ' of ' || judgments_counted.n_judgments
        || ' places: '
        || judgments_counted.first_unmapped as detail
    from worded
    inner join judgments_counted
        on worded.item_id = judgments_counted.item_id
    where judgments_counted.n_unmapped > 0

    union all

    select
        worded.gold_set,
        worded.item_id,
        'no_evidence_named' as reason,
        'other questions of the set name evidence' as detail
    from worded
    inner join sets_with_judgments
        on worded.gold_set = sets_with_judgments.gold_set
    left join judgments_counted
        on worded.item_id = judgments_counted.item_id
    where
        judgments_counted.item_id is null
        and worded.is_answerable

    union all

    select
        worded.gold_set,
        worded.item_id,
        'asked_again_with_another_answer' as reason,
        asked_twice.n_questions || ' questions with these words, '
        || asked_twice.n_answers || ' answers' as detail
    from worded
    inner join asked_twice
        on
            worded.gold_set = asked_twice.gold_set
            and coalesce(worded.document_id, '') = asked_twice.document_id
            and lower(worded.question_text) = asked_twice.question_key
    where
        worded.dialogue_id is null
        and asked_twice.n_answers > 1

)

select
    gold_set,
    item_id,
    reason,
    detail
from found
