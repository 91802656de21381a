with

kpi_patterns as (

    select * from {{ ref('kpi_patterns') }}

),

risk_patterns as (

    select * from {{ ref('risk_patterns') }}

),

disclosure_topics as (

    select * from {{ ref('disclosure_topics') }}

),

question_cues as (

    select * from {{ ref('question_cues') }}

)

select
    'kpi' as atlas,
    kpi_label as label,
    pattern
from kpi_patterns

union all

select
    'risk' as atlas,
    risk_topic as label,
    pattern
from risk_patterns

union all

select
    'disclosure' as atlas,
    topic as label,
    pattern
from disclosure_topics

union all

select
    atlas,
    label,
    pattern
from question_cues
where atlas <> 'answer'
