{#-
    Where does a figure of metric_summaries come from? Choose its key here: every question
    that it is the mean of follows, with the value, the answer, the sentences cited and the
    place of each in its section (characters, from 0). White space is collapsed in sentences.
-#}
{%- set system_id = 'multi_path' -%}
{%- set gold_set = 'p3' -%}
{%- set slice_name = 'sound' -%}
{%- set slice_value = 'all' -%}
{%- set metric = 'answer_accuracy' -%}
{%- set k = 0 -%}
{#- Slices of questions, each with what it is the value of. -#}
{%- set slices = {
    'overall': "'all'",
    'sound': "'all'",
    'scope': 'gold_p3.retrieval_scope',
    'sound_scope': 'gold_p3.retrieval_scope',
    'difficulty': 'gold_p3.difficulty',
    'category': 'gold_p3.category',
    'answer_type': 'gold_p3.answer_type',
} -%}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

questions as (

    select * from {{ ref('questions') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

gold_judgments as (

    select * from {{ ref('gold_judgments') }}

),

answers as (

    select * from {{ ref('answers') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

sections as (

    select * from {{ ref('sections') }}

),

summary as (

    select *
    from metric_summaries
    where
        system_id = {{ sql_literal(system_id) }}
        and gold_set = {{ sql_literal(gold_set) }}
        and slice_name = {{ sql_literal(slice_name) }}
        and slice_value = {{ sql_literal(slice_value) }}
        and metric = {{ sql_literal(metric) }}
        and k = {{ k }}

),

excluded as (

    select question_id
    from question_flags
    where is_excluding
    group by question_id

),

observations as (

    select
        summary.summary_id,
        summary.system_id,
        summary.mean as summary_mean,
        summary.n_evaluated,
        metric_values.item_id,
        metric_values.value_status,
        metric_values.value,
        questions.question_text,
        gold_p3.answer_text as gold_text
    from summary
    inner join metric_values
        on
            summary.system_id = metric_values.system_id
            and summary.gold_set = metric_values.gold_set
            and summary.metric = metric_values.metric
            and summary.k = metric_values.k
    inner join questions
        on metric_values.item_id = questions.item_id
    inner join gold_p3
        on questions.question_id = gold_p3.question_id
    left join excluded
        on questions.question_id = excluded.question_id
    where
        {{ slices[slice_name] }} = summary.slice_value
        and (
            excluded.question_id is null
            or summary.slice_name not in ('sound', 'sound_scope')
        )

),

recomputed as (

    select
        count(value) as n_values,
        {{ exact_mean('value') }} as mean_of_values
    from observations

)

select
    observations.summary_id,
    observations.system_id,
    observations.summary_mean,
    recomputed.mean_of_values,
    observations.n_evaluated,
    recomputed.n_values,
    observations.item_id,
    observations.value_status,
    observations.value,
    observations.question_text,
    observations.gold_text,
    answers.outcome,
    answers.answer_text,
    answer_citations.citation_pos,
    answer_citations.sentence_id,
    coalesce(gold_judgments.grade > 0, false) as is_evidence,
    sentences.sentence_text,
    sentences.section_id,
    sentences.char_start,
    sentences.char_end,
    -- Null where the corpus is a ready sentence table: it has no sections.
    {{ folded_text('sentences.sentence_text') }} = {{ folded_text(
        'substr(
            sections.section_text,
            sentences.char_start + 1,
            sentences.char_end - sentences.char_start
        )'
    ) }} as is_text_at_offsets
from observations
cross join recomputed
left join answers
    on
        observations.system_id = answers.system_id
        and observations.item_id = answers.item_id
left join answer_citations
    on
        observations.system_id = answer_citations.system_id
        and observations.item_id = answer_citations.item_id
left join gold_judgments
    on
        answer_citations.item_id = gold_judgments.item_id
        and answer_citations.sentence_id = gold_judgments.sentence_id
left join sentences
    on answer_citations.sentence_id = sentences.sentence_id
left join sections
    on sentences.section_id = sections.section_id
order by observations.item_id, answer_citations.citation_pos
