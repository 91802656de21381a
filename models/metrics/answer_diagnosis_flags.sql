{#-
    Questions that the answers throw doubt on. One system that is wrong says little about a
    question; here systems that search in different ways agree, or an answer passes that
    should not.
-#}
with

answer_diagnosis_reasons as (

    select * from {{ ref('answer_diagnosis_reasons') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

int_evidence_followed as (

    select * from {{ ref('int_evidence_followed') }}

),

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

py_text_pairs_scored as (

    select *
    from {{ ref('py_text_pairs_scored') }}
    where metric in ('rouge_l', 'bert_score')

),

question_cues as (

    select *
    from {{ ref('question_cues') }}
    where
        atlas = 'answer'
        and label = 'meta_commentary'

),

diagnosed as (

    select
        int_evidence_followed.*,
        answer_verdicts.is_right
    from int_evidence_followed
    left join answer_verdicts
        on
            int_evidence_followed.system_id = answer_verdicts.system_id
            and int_evidence_followed.item_id = answer_verdicts.item_id

),

-- Half of all guesses at yes or no are right; that tells nothing of the question.
passing_nulls as (

    select
        int_answer_values.item_id,
        int_answer_values.null_kind,
        int_answer_pairs.answer_text
    from int_answer_values
    inner join int_answer_pairs
        on
            int_answer_values.system_id = int_answer_pairs.system_id
            and int_answer_values.item_id = int_answer_pairs.item_id
    where
        int_answer_values.null_kind is not null
        and int_answer_values.metric = 'answer_accuracy'
        and int_answer_values.value > 0
        and int_answer_pairs.answer_type is distinct from 'boolean'
    qualify
        row_number() over (
            partition by int_answer_values.item_id
            order by int_answer_values.null_kind
        ) = 1

),

-- Near in meaning without words in common: mostly right in other words. But where both
-- speak about the filing, there was nothing to answer.
nearly_alike as (

    select pair_id
    from py_text_pairs_scored
    group by pair_id
    having
        max(value) filter (where metric = 'rouge_l') < 0.05
        and max(value) filter (where metric = 'bert_score') > 0.75

),

commenting as (

    select
        int_answer_pairs.item_id,
        int_answer_pairs.system_id,
        int_answer_pairs.answer_text
    from int_answer_pairs
    inner join nearly_alike
        on int_answer_pairs.pair_id = nearly_alike.pair_id
    cross join question_cues
    where int_answer_pairs.null_kind is null
    group by
        int_answer_pairs.item_id,
        int_answer_pairs.system_id,
        int_answer_pairs.answer_text,
        int_answer_pairs.gold_text
    having
        bool_or(regexp_matches(
            lower(int_answer_pairs.answer_text), question_cues.pattern
        ))
        and bool_or(regexp_matches(
            lower(int_answer_pairs.gold_text), question_cues.pattern
        ))

),

wrong_answers as (

    select
        *,
        -- Two spellings of a number or of a text are the same answer.
        case
            when numeric_value is not null
                then concat_ws(' ', round(numeric_value, 4), unit)
            else {{ plain_words('answer_text') }}
        end as answer_key
    from diagnosed
    where
        outcome = 'answered'
        and not is_right
        -- A file may hold what people said of an answer, and no answer.
        and answer_text is not null

),

agreeing as (

    select
        item_id,
        answer_key,
        count(distinct search_kind) as n_searches,
        array_to_string(list(system_id order by system_id), ', ') as systems,
        min(answer_text) as answer_text
    from wrong_answers
    group by item_id, answer_key

),

of_answers as (

    select
        item_id,
        count(*) filter (where is_right) as n_right,
        count(*) filter (where not is_right) as n_wrong,
        count(*) filter (where is_right is null) as n_unknown,
        count(*) filter (
            where
            not is_right
            and outcome = 'answered'
            and n_evidence > 0
            and n_evidence_in_context = n_evidence
        ) as n_wrong_with_evidence,
        min(system_id) filter (
            where
            is_right
            and outcome = 'answered'
            and n_evidence > 0
            and n_evidence_in_context = 0
        ) as right_without_evidence_system_id
    from diagnosed
    group by item_id

),

found as (

    select
        item_id,
        'systems_agree_on_another_answer' as reason,
        systems || ': ' || answer_text as detail
    from agreeing
    where n_searches > 1
    qualify
        row_number() over (
            partition by item_id
            order by n_searches desc, answer_key asc
        ) = 1

    union all

    select
        item_id,
        'right_without_evidence' as reason,
        right_without_evidence_system_id as detail
    from of_answers
    where right_without_evidence_system_id is not null

    union all

    select
        item_id,
        'null_answer_passes' as reason,
        null_kind || ': ' || answer_text as detail
    from passing_nulls

    union all

    -- What one system answers must not take a question out of the gates of all.
    select
        item_id,
        'meta_commentary' as reason,
        min_by(system_id || ': ' || answer_text, system_id) as detail
    from commenting
    group by item_id
    having count(distinct system_id) > 1

    union all

    select
        item_id,
        'nobody_right_with_evidence' as reason,
        n_wrong_with_evidence || ' systems had all evidence' as detail
    from of_answers
    where
        n_right = 0
        and n_wrong_with_evidence > 1

    union all

    select
        item_id,
        'everybody_right' as reason,
        n_right || ' systems' as detail
    from of_answers
    where
        n_right > 1
        and n_wrong = 0
        and n_unknown = 0

)

select
    found.item_id,
    found.reason,
    found.detail,
    answer_diagnosis_reasons.remedy,
    answer_diagnosis_reasons.is_note,
    answer_diagnosis_reasons.is_excluding
from found
left join answer_diagnosis_reasons
    on found.reason = answer_diagnosis_reasons.reason
