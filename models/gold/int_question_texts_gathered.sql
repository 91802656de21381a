with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_question_evidence_joined as (

    select * from {{ ref('int_question_evidence_joined') }}

),

texts as (

    select
        md5(question_text) as text_hash,
        question_text as sentence_text,
        true as is_question
    from gold_p3
    where question_text is not null

    union all

    select
        text_key as text_hash,
        sentence_text,
        false as is_question
    from int_question_evidence_joined
    where is_found

)

-- One column `in_<atlas>` for each set of patterns that looks at the text.
select
    text_hash,
    min(sentence_text) as sentence_text,
    true as in_kpi,
    true as in_risk,
    bool_or(is_question) as in_disclosure,
    bool_or(is_question) as in_question,
    bool_or(is_question) as in_asked_risk,
    bool_or(not is_question) as in_evidence
from texts
group by text_hash
