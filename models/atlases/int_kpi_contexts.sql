with

int_kpi_statements as (

    select * from {{ ref('int_kpi_statements') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

counted_lists as (

    select * from {{ ref('counted_lists') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

-- Figures that companies also report by segment, told as if of the whole company.
bare_statements as (

    select
        int_kpi_statements.mention_id,
        int_kpi_statements.cik_int,
        int_kpi_statements.section_id,
        int_kpi_statements.sentence_pos
    from int_kpi_statements
    inner join kpi_labels
        on int_kpi_statements.kpi_label = kpi_labels.kpi_label
    where
        int_kpi_statements.subject_scope = 'company'
        and kpi_labels.is_reported_by_segment

),

segment_names as (

    select distinct
        cik_int,
        lower(segment_name) as segment_name
    from (
        select
            cik_int,
            unnest(items) as segment_name,
            generate_subscripts(items, 1) as place
        from counted_lists
        where list_kind = 'segments'
    ) as listed
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

told as (

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
from told
group by mention_id
