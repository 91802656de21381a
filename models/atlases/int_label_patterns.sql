with

kpi_patterns as (

    select * from {{ ref('kpi_patterns') }}

),

risk_patterns as (

    select * from {{ ref('risk_patterns') }}

),

cue_patterns as (

    select * from {{ ref('cue_patterns') }}

),

disclosure_topics as (

    select * from {{ ref('disclosure_topics') }}

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
    atlas,
    label,
    pattern
from cue_patterns

union all

select
    'disclosure' as atlas,
    topic as label,
    pattern
from disclosure_topics

union all

select
    'told' as atlas,
    topic as label,
    told_pattern as pattern
from disclosure_topics
