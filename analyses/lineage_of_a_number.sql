{#-
    Where does a figure of metric_summaries come from? Choose its row here, or by its
    summary_id (--vars 'summary_id: ...'). Every item that it is the mean of follows,
    with the value and the passages that it was given for: citations of an answer; for
    measures of a ranking the ranks that count, the anchor taken out as there. A sentence
    has its place in its section (characters, from 0). Ranks stop at the stored depth.
    White space is collapsed in sentences. What the summaries say of the warehouse
    itself (system corpus or gold, shares of failures) is counted in whole tables and
    has no items here.
-#}
{%- set key = {
    'system_id': 'multi_path',
    'gold_set': 'p3',
    'slice_name': 'sound',
    'slice_value': 'all',
    'metric': 'answer_accuracy',
    'k': 0,
    'unit': 'answer',
    'mode': 'finrag',
} -%}
{%- set summary_id = var('summary_id', local_md5(key.values() | join('|'))) -%}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

answers as (

    select * from {{ ref('answers') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

passages as (

    select * from {{ ref('passages') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

sections as (

    select * from {{ ref('sections') }}

),

summary as (

    select
        metric_summaries.*,
        metric_catalogue.asked_of
    from metric_summaries
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
    where metric_summaries.summary_id = {{ sql_literal(summary_id) }}

),

observations as (

    select
        summary.summary_id,
        summary.system_id,
        summary.metric,
        summary.k,
        summary.unit,
        summary.mode,
        summary.asked_of,
        summary.mean as summary_mean,
        summary.n_evaluated,
        metric_values.item_id,
        metric_values.value_status,
        metric_values.value
    from summary
    inner join item_slices
        on
            summary.gold_set = item_slices.gold_set
            and summary.slice_name = item_slices.slice_name
            and summary.slice_value = item_slices.slice_value
    inner join metric_values
        on
            item_slices.item_id = metric_values.item_id
            and summary.system_id = metric_values.system_id
            and summary.metric = metric_values.metric
            and summary.k = metric_values.k
            and summary.unit = metric_values.unit
            and summary.mode = metric_values.mode

),

recomputed as (

    select
        count(value) as n_values,
        {{ exact_mean('value') }} as mean_of_values
    from observations

),

asked as (

    select
        item_id,
        sentence_id as anchor_sentence_id,
        sentence_text as item_text,
        cast(null as varchar) as gold_text
    from anchors

    union all

    select
        items.item_id,
        cast(null as varchar) as anchor_sentence_id,
        items.question_text as item_text,
        item_answers.answer_text as gold_text
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id

),

-- Whether a ranking finds the anchor itself is what the measures of self ask.
ranked as (

    select
        observations.item_id,
        rankings.passage_id,
        observations.k,
        row_number() over (
            partition by observations.item_id, rankings.unit
            order by rankings.rank, rankings.passage_id
        ) as place
    from observations
    inner join asked
        on observations.item_id = asked.item_id
    inner join rankings
        on
            observations.system_id = rankings.system_id
            and observations.item_id = rankings.item_id
            -- A cell is looked for among the rows.
            and (
                observations.unit = 'any'
                or rankings.unit = replace(observations.unit, 'cell', 'row')
            )
    where
        observations.asked_of <> 'answers'
        and (
            observations.metric like 'self%'
            or rankings.passage_id is distinct from asked.anchor_sentence_id
        )

),

traces as (

    select
        item_id,
        'ranking' as found_in,
        place,
        passage_id
    from ranked
    where k = 0 or place <= k

    union all

    select
        observations.item_id,
        'citation' as found_in,
        answer_citations.citation_pos as place,
        coalesce(answer_citations.passage_id, answer_citations.named) as passage_id
    from observations
    inner join answer_citations
        on
            observations.system_id = answer_citations.system_id
            and observations.item_id = answer_citations.item_id
    where observations.asked_of = 'answers'

)

select
    observations.summary_id,
    observations.system_id,
    observations.metric,
    observations.k,
    observations.unit,
    observations.mode,
    observations.summary_mean,
    recomputed.mean_of_values,
    observations.n_evaluated,
    recomputed.n_values,
    observations.item_id,
    observations.value_status,
    observations.value,
    asked.item_text,
    asked.gold_text,
    answers.outcome,
    answers.answer_text,
    traces.found_in,
    traces.place,
    traces.passage_id,
    coalesce(judgments.grade, 0) as grade,
    coalesce(sentences.sentence_text, passages.passage_text) as passage_text,
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
inner join asked
    on observations.item_id = asked.item_id
left join answers
    on
        observations.system_id = answers.system_id
        and observations.item_id = answers.item_id
left join traces
    on observations.item_id = traces.item_id
left join judgments
    on
        traces.item_id = judgments.item_id
        and traces.passage_id = judgments.passage_id
left join passages
    on traces.passage_id = passages.passage_id
left join sentences
    on traces.passage_id = sentences.sentence_id
left join sections
    on sentences.section_id = sections.section_id
order by observations.item_id, traces.place, traces.passage_id
