with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

py_definitions_found as (

    select * from {{ ref('py_definitions_found') }}

),

prose as (

    select *
    from sentences
    where
        section_name in ('ITEM_6', 'ITEM_7', 'ITEM_8')
        and not (is_toc or is_heading or is_table_text)

),

cues as (

    select
        sentence_id,
        exact_hash,
        max_by(label, (n_cues, label)) as cue_label,
        cast(sum(n_cues) as integer) as n_cues
    from int_sentences_labelled
    where atlas = 'definition'
    group by sentence_id, exact_hash

)

-- A mere pointer to a definition elsewhere is no candidate; a candidate without a term
-- is a sentence with a cue that defines nothing by itself.
select
    prose.sentence_id || coalesce(':' || py_definitions_found.term, '') as candidate_id,
    prose.sentence_id,
    cues.cue_label,
    cues.n_cues,
    prose.cik_int,
    prose.report_year,
    prose.filing_id,
    prose.section_name,
    prose.sentence_pos,
    prose.sentence_text,
    prose.text_hash,
    py_definitions_found.term,
    py_definitions_found.definition_text,
    py_definitions_found.definition_kind,
    py_definitions_found.exclusions,
    coalesce(py_definitions_found.is_standard, false) as is_standard,
    py_definitions_found.term is not null as is_definition
from prose
inner join cues
    on prose.sentence_id = cues.sentence_id
left join py_definitions_found
    on cues.exact_hash = py_definitions_found.text_hash
where not prose.is_navigational
