{#- Which question a record of an outside system answers: by its id, with or without the
    prefix of the gold set, else by its text. -#}
with

stg_external__predictions as (

    select * from {{ ref('stg_external__predictions') }}

),

py_external_services_asked as (

    select * from {{ ref('py_external_services_asked') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gathered as (

    select * from stg_external__predictions
    union all
    select * from py_external_services_asked

),

question_texts as (

    select
        {{ folded_text('question_text') }} as folded_question,
        min(item_id) as item_id,
        count(*) as n_questions
    from items
    group by folded_question

),

keyed as (

    select
        gathered.*,
        coalesce(
            whole_ids.item_id,
            short_ids.item_id,
            case when question_texts.n_questions = 1 then question_texts.item_id end
        ) as item_id,
        coalesce(question_texts.n_questions, 0) as n_questions_of_text
    from gathered
    left join items as whole_ids
        on gathered.item_key = whole_ids.item_id
    left join items as short_ids
        on 'p3:' || gathered.item_key = short_ids.item_id
    left join question_texts
        on {{ folded_text('gathered.question_text') }} = question_texts.folded_question

),

numbered as (

    select
        *,
        row_number() over (
            partition by system_id, item_id, record_form
            order by source_file, source_line
        ) as occurrence
    from keyed

),

verdicts as (

    select
        *,
        case
            when record_status = 'quarantined' then reason_code
            when item_id is null and n_questions_of_text > 1 then 'ambiguous_question'
            when item_id is null then 'unknown_question'
            when record_form = 'prediction' and occurrence > 1
                then 'repeated_question'
        end as rejected_as
    from numbered

)

select
    verdicts.system_id,
    verdicts.source_file,
    verdicts.source_line,
    verdicts.record_form,
    asked.gold_set,
    verdicts.item_id,
    verdicts.has_answer,
    verdicts.answer_text,
    verdicts.is_cut,
    verdicts.numeric_value,
    verdicts.unit,
    verdicts.is_abstained,
    verdicts.failure,
    verdicts.citations,
    verdicts.sources,
    verdicts.candidates,
    verdicts.stages,
    verdicts.model,
    verdicts.n_steps,
    verdicts.input_tokens,
    verdicts.output_tokens,
    verdicts.latency_ms,
    verdicts.cost_usd,
    verdicts.extra,
    verdicts.faults,
    verdicts.raw_excerpt,
    verdicts.rejected_as as reason_code,
    case verdicts.rejected_as
        when 'ambiguous_question'
            then
                cast(verdicts.n_questions_of_text as varchar)
                || ' questions have this text'
        when 'unknown_question'
            then
                'no question has the id or text '
                || substr(coalesce(verdicts.item_key, verdicts.question_text), 1, 100)
        when 'repeated_question'
            then 'an earlier record answers ' || verdicts.item_id
        else verdicts.reason
    end as reason,
    case verdicts.rejected_as
        when 'ambiguous_question' then 'name the question by its item_id'
        when 'unknown_question'
            then
                'take ids from the door gold.questions, or load the questions as '
                || 'a suite (p3_suite_paths)'
        when 'repeated_question'
            then 'keep one record a question; the first one is read'
        else verdicts.remedy
    end as remedy
from verdicts
left join items as asked
    on verdicts.item_id = asked.item_id
