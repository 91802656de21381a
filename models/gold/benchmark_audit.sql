{#-
    What is wrong with the gold of a public set, or limits what can be measured on it. A finding
    is a row; a question may have several. Nothing is mended and nothing is left out of a score
    because of it: official scores are over all questions.
-#}
with

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

),

benchmark_judgments as (

    select * from {{ ref('benchmark_judgments') }}

),

py_benchmark_programs_audited as (

    select * from {{ ref('py_benchmark_programs_audited') }}

),

worded as (

    select
        benchmark,
        item_id,
        question_text,
        document_id,
        answers,
        {{ joined_list('answers', ' | ') }} as answer_text,
        {{ list_length('answers') }} as n_answers,
        is_answerable,
        dialogue_id
    from benchmark_gold

),

judged as (

    select
        item_id,
        count(*) as n_judgments,
        count(*) filter (where mapping <> 'mapped') as n_unmapped,
        min(reference || ': ' || mapping) filter (where mapping <> 'mapped')
            as first_unmapped
    from benchmark_judgments
    group by item_id

),

judged_sets as (

    select benchmark
    from benchmark_judgments
    group by benchmark

),

-- Turns of a dialogue ask the same words of different things.
asked_twice as (

    select
        benchmark,
        coalesce(document_id, '') as document_id,
        lower(question_text) as question_key,
        count(distinct answer_text) as n_answers,
        count(*) as n_questions
    from worded
    where dialogue_id is null
    group by benchmark, coalesce(document_id, ''), lower(question_text)

),

found as (

    select
        benchmark,
        benchmark || ':' || question_id as item_id,
        'program_disagrees' as reason,
        concat(
            reason,
            ': the program gives ', official_result,
            ', the set ', executed_answer
        ) as detail
    from py_benchmark_programs_audited
    where not agrees

    union all

    select
        benchmark,
        benchmark || ':' || question_id as item_id,
        'answer_disagrees' as reason,
        concat(
            answer_reason,
            ': the program gives ', official_result,
            ', printed is ', answer
        ) as detail
    from py_benchmark_programs_audited
    where answer_reason is not null

    union all

    select
        benchmark,
        item_id,
        'cross_reference_answer' as reason,
        answer_text as detail
    from worded
    where
        {{ matches_any('answer_text', 'navigational') }}
        and not {{ regex_is('answer_text', 'states_something') }}

    union all

    select
        benchmark,
        item_id,
        'unanswerable' as reason,
        'the set says that nothing answers it' as detail
    from worded
    where not is_answerable

    union all

    select
        benchmark,
        item_id,
        'answer_withheld' as reason,
        'the file holds no answer' as detail
    from worded
    where
        is_answerable
        and n_answers = 0

    union all

    select
        worded.benchmark,
        worded.item_id,
        'evidence_unmapped' as reason,
        judged.n_unmapped || ' of ' || judged.n_judgments || ' places: '
        || judged.first_unmapped as detail
    from worded
    inner join judged
        on worded.item_id = judged.item_id
    where judged.n_unmapped > 0

    union all

    select
        worded.benchmark,
        worded.item_id,
        'no_evidence_named' as reason,
        'other questions of the set name evidence' as detail
    from worded
    inner join judged_sets
        on worded.benchmark = judged_sets.benchmark
    left join judged
        on worded.item_id = judged.item_id
    where
        judged.item_id is null
        and worded.is_answerable

    union all

    select
        worded.benchmark,
        worded.item_id,
        'asked_again_with_another_answer' as reason,
        asked_twice.n_questions || ' questions with these words, '
        || asked_twice.n_answers || ' answers' as detail
    from worded
    inner join asked_twice
        on
            worded.benchmark = asked_twice.benchmark
            and coalesce(worded.document_id, '') = asked_twice.document_id
            and lower(worded.question_text) = asked_twice.question_key
    where
        worded.dialogue_id is null
        and asked_twice.n_answers > 1

)

select
    benchmark,
    item_id,
    reason,
    detail
from found
