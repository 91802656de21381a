with

sentences as (

    select * from {{ ref('sentences') }}

),

py_texts_labelled as (

    select * from {{ ref('py_texts_labelled') }}

),

py_kpi_amounts_bound as (

    select * from {{ ref('py_kpi_amounts_bound') }}

),

prose as (

    select *
    from sentences
    where not (is_toc or is_heading or is_table_text)

)

select
    prose.sentence_id || ':' || py_texts_labelled.label as mention_id,
    prose.sentence_id,
    py_texts_labelled.label as kpi_label,
    prose.cik_int,
    prose.report_year,
    prose.filing_id,
    prose.section_id,
    prose.section_name,
    prose.sentence_pos,
    prose.sentence_text,
    prose.text_hash,
    prose.token_count,
    prose.is_navigational,
    py_texts_labelled.n_cues,
    cast({{ regex_count('prose.sentence_text', 'number') }} as integer) as n_numbers,
    {{ matches_any('prose.sentence_text', 'causal_connector') }}
        as has_causal_connector,
    {{ is_self_contained('prose.sentence_text', 'prose.token_count') }}
        as is_self_contained,
    py_kpi_amounts_bound.first_number_raw,
    py_kpi_amounts_bound.has_amount_cue,
    py_kpi_amounts_bound.value_raw,
    py_kpi_amounts_bound.value,
    py_kpi_amounts_bound.value_low,
    py_kpi_amounts_bound.value_high,
    py_kpi_amounts_bound.unit,
    py_kpi_amounts_bound.scale,
    py_kpi_amounts_bound.amount_role,
    py_kpi_amounts_bound.period_year,
    py_kpi_amounts_bound.prior_value,
    py_kpi_amounts_bound.prior_low,
    py_kpi_amounts_bound.prior_high,
    py_kpi_amounts_bound.prior_period_year,
    py_kpi_amounts_bound.change_direction,
    py_kpi_amounts_bound.change_value,
    py_kpi_amounts_bound.change_percent,
    py_kpi_amounts_bound.change_period_year,
    py_kpi_amounts_bound.subject_text,
    py_kpi_amounts_bound.subject_scope,
    py_kpi_amounts_bound.causal_connector,
    py_kpi_amounts_bound.cause_text,
    py_kpi_amounts_bound.is_forward_looking,
    py_kpi_amounts_bound.is_negated_or_conditional,
    py_kpi_amounts_bound.is_quarterly
from prose
inner join py_texts_labelled
    on
        prose.text_hash = py_texts_labelled.text_hash
        and py_texts_labelled.atlas = 'kpi'
inner join py_kpi_amounts_bound
    on
        py_texts_labelled.text_hash = py_kpi_amounts_bound.text_hash
        and py_texts_labelled.label = py_kpi_amounts_bound.kpi_label
