with

sentences as (

    select * from {{ ref('sentences') }}

),

py_kpi_amounts_bound as (

    select * from {{ ref('py_kpi_amounts_bound') }}

),

py_enumerations_found as (

    select * from {{ ref('py_enumerations_found') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

prose as (

    select *
    from sentences
    where not (is_toc or is_heading or is_table_text)

),

-- Figures that companies also report by segment, told as if of the whole company.
bare_statements as (

    select
        prose.sentence_id || ':' || py_kpi_amounts_bound.kpi_label as mention_id,
        prose.cik_int,
        prose.section_id,
        prose.sentence_pos
    from prose
    inner join py_kpi_amounts_bound
        on prose.text_hash = py_kpi_amounts_bound.text_hash
    inner join kpi_labels
        on py_kpi_amounts_bound.kpi_label = kpi_labels.kpi_label
    where
        py_kpi_amounts_bound.subject_scope = 'company'
        and kpi_labels.is_reported_by_segment

),

segments_listed as (

    select
        prose.cik_int,
        unnest(py_enumerations_found.items) as segment_name
    from prose
    inner join py_enumerations_found
        on
            prose.text_hash = py_enumerations_found.text_hash
            and py_enumerations_found.list_kind = 'segments'

),

segment_names as (

    select distinct
        cik_int,
        lower(segment_name) as segment_name
    from segments_listed
    where length(segment_name) >= 3

),

-- What stands just before: headings and tables included, for that is where a passage
-- about a segment says so.
surroundings as (

    select
        bare_statements.mention_id,
        bare_statements.cik_int,
        lower(sentences.sentence_text) as sentence_text,
        sentences.token_count,
        sentences.is_heading,
        bare_statements.sentence_pos - sentences.sentence_pos as distance
    from bare_statements
    inner join sentences
        on
            bare_statements.section_id = sentences.section_id
            and sentences.sentence_pos
            between bare_statements.sentence_pos - 25 and bare_statements.sentence_pos

),

described as (

    select
        surroundings.mention_id,
        (
            {{ matches_any('surroundings.sentence_text', 'part_of_company') }}
            or (
                (
                    surroundings.is_heading
                    or surroundings.token_count <= 8
                    or surroundings.distance <= 12
                )
                and {{ matches_any('surroundings.sentence_text', 'region') }}
            )
            or segment_names.segment_name is not null
        ) as is_part
    from surroundings
    left join segment_names
        on
            surroundings.cik_int = segment_names.cik_int
            -- As a title, or as what the sentence begins with: a product of the same
            -- name in running text says nothing.
            and (
                starts_with(
                    surroundings.sentence_text, segment_names.segment_name || ' '
                )
                or (
                    (surroundings.is_heading or surroundings.token_count <= 8)
                    and contains(
                        surroundings.sentence_text, segment_names.segment_name
                    )
                )
            )

)

select
    mention_id,
    bool_or(is_part) as is_part_context
from described
group by mention_id
