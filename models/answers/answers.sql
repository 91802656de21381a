with

int_answers_expected as (

    select * from {{ ref('int_answers_expected') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select * from {{ ref('items') }}

),

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_agent_answers_read as (

    select * from {{ ref('int_agent_answers_read') }}

),

int_agent_citations_read as (

    select * from {{ ref('int_agent_citations_read') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

py_speakers_attributed as (

    select * from {{ ref('py_speakers_attributed') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

contexts as (

    select * from {{ ref('contexts') }}

),

contexts_counted as (

    select
        system_id,
        item_id,
        count(*) as n_context
    from contexts
    group by system_id, item_id

),

citations_counted as (

    select
        system_id,
        item_id,
        count(*) as n_citations,
        count(*) filter (where not is_in_context) as n_invalid_citations
    from int_agent_citations_read
    group by system_id, item_id

),

answered_here as (

    select
        py_questions_answered.* exclude (citations, calls),
        items.gold_set,
        len(py_questions_answered.citations) as n_citations,
        len(list_filter(
            py_questions_answered.citations,
            lambda one: not struct_extract(one, 'is_in_context')
        )) as n_invalid_citations
    from py_questions_answered
    inner join items
        on py_questions_answered.item_id = items.item_id

    union all by name

    select
        int_agent_answers_read.* exclude (citations),
        coalesce(citations_counted.n_citations, 0) as n_citations,
        coalesce(citations_counted.n_invalid_citations, 0) as n_invalid_citations
    from int_agent_answers_read
    left join citations_counted
        on
            int_agent_answers_read.system_id = citations_counted.system_id
            and int_agent_answers_read.item_id = citations_counted.item_id

),

outcomes as (

    select
        *,
        -- As files of public sets have it; a figure without a unit has its table's.
        case
            when {{ gold_set_is('filings', 'gold_set') }} then null
            when answer_form = 'list' and json_valid(answer_text) then answer_text
            when numeric_value is null or unit is not null
                then cast(to_json(answer_text) as varchar)
            else cast(to_json(numeric_value) as varchar)
        end as answer,
        true as is_citing
    from answered_here

    union all by name

    select
        int_external_answers_checked.* exclude (answer_text, answer),
        -- A system may answer by its figure alone.
        coalesce(
            int_external_answers_checked.answer_text,
            -- Claims are read from words. What has no unit may be a year; no amount has
            -- thirty digits.
            case
                when
                    int_external_answers_checked.unit <> 'year'
                    and abs(int_external_answers_checked.numeric_value) < 1e30
                    then
                        {{ amount_text(
                            'int_external_answers_checked.numeric_value',
                            'int_external_answers_checked.unit'
                        ) }}
            end,
            regexp_replace(
                cast(int_external_answers_checked.numeric_value as varchar),
                '\.0$',
                ''
            )
        ) as answer_text,
        coalesce(
            int_external_answers_checked.answer,
            case
                when
                    {{ gold_set_is(
                        'public', 'int_external_answers_checked.gold_set'
                    ) }}
                    and int_external_answers_checked.answer_text is null
                    then
                        cast(
                            to_json(int_external_answers_checked.numeric_value)
                            as varchar
                        )
            end
        ) as answer,
        parsed_questions.answer_form
    from int_external_answers_checked
    left join parsed_questions
        on int_external_answers_checked.item_id = parsed_questions.item_id
    where int_external_answers_checked.outcome <> 'not_run'

    union all by name

    -- Who said a quotation of a call, by the first retrieved turn that holds it.
    select
        system_id,
        benchmark || ':' || question_id as item_id,
        benchmark as gold_set,
        case when speaker is null then 'abstained' else 'answered' end as outcome,
        speaker as answer_text,
        answer,
        speaker,
        role,
        case when speaker is null then 0 else 1 end as n_answers
    from py_speakers_attributed

),

-- The baseline that says who spoke gives more answers than are expected of it.
answered as (

    select
        coalesce(int_answers_expected.system_id, outcomes.system_id) as system_id,
        coalesce(int_answers_expected.gold_set, outcomes.gold_set) as gold_set,
        coalesce(int_answers_expected.item_id, outcomes.item_id) as item_id,
        outcomes.* exclude (system_id, gold_set, item_id),
        int_answers_expected.retrieval_outcome,
        int_answers_expected.retrieval_failure
    from int_answers_expected
    full join outcomes
        on
            int_answers_expected.system_id = outcomes.system_id
            and int_answers_expected.item_id = outcomes.item_id

)

-- A question whose retrieval failed was asked and failed; nothing is left out.
select
    answered.system_id,
    answered.gold_set,
    answered.item_id,
    case
        when answered.outcome is not null then answered.outcome
        when answered.retrieval_outcome = 'failed' then 'failed'
        else 'not_run'
    end as outcome,
    case
        when answered.outcome is not null then answered.failure
        when answered.retrieval_outcome = 'failed'
            then 'retrieval: ' || answered.retrieval_failure
    end as failure,
    answered.answer_text,
    answered.answer_form,
    answered.numeric_value,
    answered.unit,
    answered.answer,
    answered.scale,
    answered.program,
    answered.speaker,
    answered.role,
    answered.label,
    answered.label_by,
    answered.is_contained,
    answered.configuration,
    coalesce(answered.n_answers, cast(answered.outcome = 'answered' as bigint), 0)
        as n_answers,
    answered.support,
    coalesce(contexts_counted.n_context, 0) as n_context,
    coalesce(answered.is_citing, false) as is_citing,
    coalesce(answered.n_citations, 0) as n_citations,
    coalesce(answered.n_invalid_citations, 0) as n_invalid_citations,
    registered_systems.prompt_hash,
    answered.latency_ms,
    answered.source_file,
    answered.source_line
from answered
left join registered_systems
    on answered.system_id = registered_systems.system_id
left join contexts_counted
    on
        answered.system_id = contexts_counted.system_id
        and answered.item_id = contexts_counted.item_id
