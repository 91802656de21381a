with

py_questions_read as (

    select * from {{ ref('py_questions_read') }}

)

select
    item_id,
    gold_set,
    question_text,
    cik_ints,
    years,
    kpi_labels,
    risk_topics,
    section_names,
    forms,
    segments,
    scope,
    answer_form,
    is_change,
    topic_text
from py_questions_read
