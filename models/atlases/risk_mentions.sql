with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

risk_topics as (

    select * from {{ ref('risk_topics') }}

),

prose as (

    select *
    from sentences
    where
        section_name = 'ITEM_1A'
        and not (is_toc or is_heading or is_table_text)

),

labelled as (

    select
        sentence_id,
        label,
        n_cues
    from int_sentences_labelled
    where atlas = 'risk'

),

-- One topic a sentence: the one with most cues, a tie by the stated priority; the words
-- of risk in general decide only where no topic has a cue.
topics as (

    select
        labelled.sentence_id,
        labelled.label as risk_topic,
        labelled.n_cues as topic_cue_count,
        cast(sum(labelled.n_cues) over (
            partition by labelled.sentence_id
        ) as integer) as all_cue_count,
        cast(count(*) filter (where labelled.label <> 'general_risk') over (
            partition by labelled.sentence_id
        ) as integer) as n_topics,
        coalesce(max(labelled.n_cues) filter (
            where labelled.label = 'general_risk'
        ) over (partition by labelled.sentence_id), 0) as hazard_cue_count
    from labelled
    inner join risk_topics
        on labelled.label = risk_topics.risk_topic
    qualify
        row_number() over (
            partition by labelled.sentence_id
            order by
                labelled.label = 'general_risk' asc,
                labelled.n_cues desc,
                risk_topics.priority asc
        ) = 1

),

described as (

    select
        prose.sentence_id,
        topics.risk_topic,
        prose.cik_int,
        prose.report_year,
        prose.filing_id,
        prose.section_name,
        prose.sentence_pos,
        prose.sentence_text,
        prose.text_hash,
        prose.token_count,
        prose.is_navigational,
        topics.topic_cue_count,
        topics.hazard_cue_count,
        topics.all_cue_count as risk_cue_count,
        topics.n_topics,
        -- Others nearby whose topic it is: a passage about it, not a word in passing.
        cast(count(*) over (
            partition by prose.section_id, topics.risk_topic
            order by prose.sentence_pos
            range between 3 preceding and 3 following
        ) - 1 as integer) as n_topic_neighbours,
        topics.all_cue_count >= 3 as is_dense,
        cast({{ regex_count('prose.sentence_text', 'number') }} as integer)
            as n_numbers,
        {{ matches_any('prose.sentence_text', 'causal_connector') }}
            as has_causal_connector,
        {{ is_self_contained('prose.sentence_text', 'prose.token_count') }}
            as is_self_contained,
        (
            topics.risk_topic <> 'general_risk'
            and topics.topic_cue_count >= 2
            and topics.hazard_cue_count >= 1
            and topics.all_cue_count >= 3
            and prose.token_count between 15 and 75
            and not prose.is_navigational
            and {{ is_self_contained('prose.sentence_text', 'prose.token_count') }}
        ) as is_telling
    from prose
    inner join topics
        on prose.sentence_id = topics.sentence_id

)

-- What the others nearby are about too, a sentence need say less of: one cue and a
-- hazard among three neighbours, or two cues beside one.
select
    *,
    is_telling
    or (
        risk_topic <> 'general_risk'
        and token_count >= 10
        and not is_navigational
        and (
            (topic_cue_count >= 2 and n_topic_neighbours >= 1)
            or (
                topic_cue_count = 1
                and hazard_cue_count >= 1
                and n_topic_neighbours >= 3
            )
        )
    ) as is_on_topic
from described
