{#-
    Which question a record of an outside system answers. In the folder of a public set, by
    the id there. Elsewhere by the id of the item, which a question on the filings may leave
    its prefix from, else by its text, among the questions on the filings before all others.
-#}
with

stg_predictions as (

    select * from {{ ref('stg_predictions') }}

),

py_external_services_asked as (

    select * from {{ ref('py_external_services_asked') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

questions as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

gathered as (

    select * from stg_predictions

    union all by name

    select
        *,
        cast(null as varchar) as gold_set
    from py_external_services_asked

),

-- Of one text asked by several sets, that of the filings is meant.
question_texts as (

    select
        {{ folded_text('question_text') }} as folded_question,
        coalesce(
            min(item_id) filter (where {{ gold_set_is('filings', 'gold_set') }}),
            min(item_id)
        ) as item_id,
        coalesce(
            nullif(count(*) filter (where {{ gold_set_is('filings', 'gold_set') }}), 0),
            count(*)
        ) as n_questions
    from questions
    group by folded_question

),

keyed as (

    select
        gathered.*,
        {{ given_system_id('gathered.system_id', 'own_names.system_id') }}
            as resolved_system_id,
        coalesce(
            set_ids.item_id,
            whole_ids.item_id,
            short_ids.item_id,
            case when question_texts.n_questions = 1 then question_texts.item_id end
        ) as item_id,
        coalesce(question_texts.n_questions, 0) as n_questions_of_text
    from gathered
    left join registered_systems as own_names
        on
            gathered.system_id = own_names.system_id
            and gathered.gold_set is not null
            and own_names.gold_sets is null
    left join questions as set_ids
        on
            gathered.gold_set = set_ids.gold_set
            and gathered.item_key = set_ids.question_id
    left join questions as whole_ids
        on
            gathered.gold_set is null
            and gathered.item_key = whole_ids.item_id
    left join questions as short_ids
        on
            gathered.gold_set is null
            and gathered.item_key = short_ids.question_id
            and {{ gold_set_is('filings', 'short_ids.gold_set') }}
    left join question_texts
        on
            gathered.gold_set is null
            and {{ folded_text('gathered.question_text') }}
            = question_texts.folded_question

),

-- A record that a table gave a blank answer beside its ranking holds none.
held as (

    select
        *,
        coalesce(is_abstained, false)
        or coalesce(
            answer_text, cast(numeric_value as varchar), program, speaker, role, failure
        ) is not null as is_answer
    from keyed

),

-- A ranking in one record and the answer in another are not two answers.
numbered as (

    select
        *,
        row_number() over (
            partition by
                resolved_system_id, item_id, record_form, has_answer, is_answer
            order by source_file, source_line
        ) as occurrence
    from held

),

verdicts as (

    select
        *,
        case
            when record_status = 'quarantined' then reason_code
            when item_id is null and n_questions_of_text > 1 then 'ambiguous_question'
            when item_id is null then 'unknown_question'
            -- In public sets an answer and a verdict on it may lie in two files.
            when record_form = 'prediction' and occurrence > 1 and gold_set is null
                then 'repeated_question'
        end as rejected_as
    from numbered

)

select
    verdicts.resolved_system_id as system_id,
    verdicts.source_file,
    verdicts.source_line,
    verdicts.record_form,
    coalesce(verdicts.gold_set, asked.gold_set) as gold_set,
    verdicts.item_key,
    asked.question_id,
    verdicts.item_id,
    verdicts.has_answer,
    verdicts.is_answer,
    verdicts.answer_text,
    verdicts.is_cut,
    verdicts.answer,
    verdicts.scale,
    verdicts.program,
    verdicts.speaker,
    verdicts.role,
    verdicts.numeric_value,
    verdicts.unit,
    verdicts.is_abstained,
    verdicts.failure,
    -- What a system says of its own answers is no verdict; those of public sets lie in
    -- the sets' folders.
    case when verdicts.gold_set is not null then verdicts.label end as label,
    case when verdicts.gold_set is not null then verdicts.label_by end as label_by,
    case when verdicts.gold_set is not null then verdicts.is_contained end
        as is_contained,
    verdicts.configuration,
    verdicts.citations,
    verdicts.sources,
    verdicts.candidates,
    -- A record without a ranking says nothing of a search, unless it says that it
    -- failed: for a public set where the system ranks there, or where all of it failed.
    verdicts.rejected_as is null
    and (
        verdicts.sources is not null
        or (
            verdicts.failure is not null
            and (
                {{ gold_set_is('filings', 'asked.gold_set') }}
                or bool_or(verdicts.sources is not null) over (of_system_and_set)
                or bool_and(verdicts.failure is not null) over (of_system_and_set)
            )
        )
    ) as is_search,
    verdicts.stages,
    verdicts.steps,
    verdicts.model,
    verdicts.system_version,
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
                coalesce('no question of ' || verdicts.gold_set, 'no question')
                || ' has the id or text '
                || substr(coalesce(verdicts.item_key, verdicts.question_text), 1, 100)
        when 'repeated_question'
            then 'an earlier record answers ' || verdicts.item_id
        else verdicts.reason
    end as reason,
    case verdicts.rejected_as
        when 'ambiguous_question' then 'name the question by its item_id'
        when 'unknown_question'
            then case
                when verdicts.gold_set is not null
                    then
                        'take ids from the files of the set, or add those that hold '
                        || 'the question'
                else
                    'take ids from the door gold.items, or load the questions as '
                    || 'a suite (p3_suite_paths)'
            end
        when 'repeated_question'
            then 'keep one record a question; the first one is read'
        else verdicts.remedy
    end as remedy
from verdicts
left join questions as asked
    on verdicts.item_id = asked.item_id
window
    of_system_and_set as (
        partition by
            verdicts.resolved_system_id,
            coalesce(verdicts.gold_set, asked.gold_set),
            verdicts.rejected_as is null
    )
