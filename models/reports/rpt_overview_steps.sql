{#-
    What a reader should know or do before the verdict is repeated to somebody else. A row
    is there only where its reason holds in this run.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

rpt_overview_corpus as (

    select * from {{ ref('rpt_overview_corpus') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

p3_contents as (

    select * from {{ ref('p3_contents') }}

),

answer_diagnosis_flags as (

    select * from {{ ref('answer_diagnosis_flags') }}

),

broken as (

    select
        1 as step_pos,
        'fail' as kind,
        cast(count(*) as varchar) || case
            when count(*) = 1 then ' gate is broken.' else ' gates are broken.'
        end as reason,
        'Read why, below each gate.' as step,
        '/#gates-that-need-attention' as page
    from gate_verdicts
    where
        breach is not null
        and severity <> 'reference'
    having count(*) > 0

),

sample as (

    select
        2 as step_pos,
        'note' as kind,
        'The companies of the sample are fictional ('
        || cast(n_companies as varchar)
        || '): the figures show that the machinery works and say nothing about real '
        || 'filings.' as reason,
        'Build your own filings: set the vars corpus and corpus_path.' as step,
        '/gold' as page
    from rpt_overview_corpus
    where corpus = 'sample'

),

answerers as (

    select
        count(*) filter (where answerer = 'extractive') as n_extractive,
        count(*) filter (where answerer not in ('none', 'extractive')) as n_others
    from registered_systems
    where not is_null

),

extractive as (

    select
        3 as step_pos,
        'caveat' as kind,
        'Right answers are partly circular: the same rules wrote the questions and '
        || 'read the answers.' as reason,
        'Read answers as a measure of retrieval; for more, run a language model.'
            as step,
        '/answers' as page
    from answerers
    where n_extractive > 0 and n_others = 0

),

reviews as (

    select
        4 as step_pos,
        'caveat' as kind,
        'No person has reviewed any of the ' || cast(count(*) as varchar)
        || ' questions.' as reason,
        'Read a sample of them and enter your verdicts as reviews.' as step,
        '/gold' as page
    from p3_contents
    having
        count(*) > 0
        and count(*) filter (where review <> 'not_reviewed') = 0

),

doubts as (

    select
        5 as step_pos,
        'caveat' as kind,
        cast(count(distinct item_id) as varchar) || case
            when count(distinct item_id) = 1 then ' question is'
            else ' questions are'
        end
        || ' in doubt after being answered.' as reason,
        'Read them first: a wrong gold answer costs every system.' as step,
        '/gold' as page
    from answer_diagnosis_flags
    where not is_note
    having count(*) > 0

),

lost as (

    select
        6 as step_pos,
        'note' as kind,
        cast(n_quarantined as varchar) || ' of ' || cast(n_records as varchar)
        || ' records could not be read.' as reason,
        'See what is wrong with them, and the remedy, further down.' as step,
        '/#what-was-read' as page
    from rpt_overview_corpus
    where n_quarantined > 0

),

unheld as (

    select
        7 as step_pos,
        'note' as kind,
        'No baseline is set: nothing tells whether figures moved.' as reason,
        'Keep the figures of a run you trust with finrag baseline.' as step,
        '/runs' as page
    from metric_drifts
    having count(*) = 0

),

listed as (

    select * from broken

    union all

    select * from sample

    union all

    select * from extractive

    union all

    select * from reviews

    union all

    select * from doubts

    union all

    select * from lost

    union all

    select * from unheld

)

select
    runs.run_id,
    listed.step_pos,
    listed.kind,
    listed.reason,
    listed.step,
    listed.page
from listed
cross join runs
