with

py_questions_read as (

    select * from {{ ref('py_questions_read') }}

),

items as (

    select * from {{ ref('items') }}

)

select
    py_questions_read.item_id,
    items.gold_set,
    py_questions_read.question_text,
    py_questions_read.cik_ints,
    py_questions_read.years,
    py_questions_read.kpi_labels,
    py_questions_read.risk_topics,
    py_questions_read.section_names,
    py_questions_read.forms,
    py_questions_read.segments,
    py_questions_read.scope,
    py_questions_read.answer_form,
    py_questions_read.is_change,
    py_questions_read.topic_text
from py_questions_read
inner join items
    on py_questions_read.item_id = items.item_id
