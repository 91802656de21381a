with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

py_causes_found as (

    select * from {{ ref('py_causes_found') }}

),

prose as (

    select *
    from sentences
    where
        section_name in ('ITEM_1A', 'ITEM_7')
        and not (is_toc or is_heading or is_table_text)

)

select
    prose.sentence_id || ':' || int_sentences_labelled.label as candidate_id,
    prose.sentence_id,
    int_sentences_labelled.label as topic,
    int_sentences_labelled.n_cues,
    prose.cik_int,
    prose.report_year,
    prose.filing_id,
    prose.section_name,
    prose.sentence_pos,
    prose.sentence_text,
    prose.text_hash,
    prose.is_navigational,
    {{ is_self_contained('prose.sentence_text', 'prose.token_count') }}
        as is_self_contained,
    {{ matches_any('prose.sentence_text', 'causal_connector') }}
        as has_causal_connector,
    coalesce(py_causes_found.is_explicit_attribution, false)
        as is_explicit_attribution,
    coalesce(py_causes_found.is_certain, false) as is_certain,
    coalesce(py_causes_found.is_hypothetical, false) as is_hypothetical,
    coalesce(py_causes_found.is_offset, false) as is_offset,
    py_causes_found.effect_text,
    py_causes_found.effect_direction,
    py_causes_found.cause_text,
    py_causes_found.connector
from prose
inner join int_sentences_labelled
    on
        prose.sentence_id = int_sentences_labelled.sentence_id
        and int_sentences_labelled.atlas = 'verification'
left join py_causes_found
    on
        int_sentences_labelled.exact_hash = py_causes_found.text_hash
        and int_sentences_labelled.label = py_causes_found.topic
