{#-
    A filtered search looks in the filings of the companies and years that were read from a
    question, or in the companies' other filings, or everywhere; of these where section, form
    and segment fit, one after the other. A field that the question does not name, or that
    nothing there fits, is passed over. Worked out here from the readings alone, without the
    search.
-#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

sections as (

    select * from {{ ref('sections') }}

),

filings as (

    select * from {{ ref('filings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

-- The paths of a search along several paths go by company and year alone.
narrowing as (

    select
        system_id,
        '+' || filter_fields || '+' as fields
    from registered_systems
    where
        regime = 'filtered'
        and system_kind <> 'multi_path'
        and (
            contains(filter_fields, 'section')
            or contains(filter_fields, 'form')
            or contains(filter_fields, 'segment')
        )

),

searches as (

    select
        rankings.system_id,
        rankings.item_id
    from rankings
    inner join narrowing
        on rankings.system_id = narrowing.system_id
    group by rankings.system_id, rankings.item_id

),

asked as (

    select
        searches.system_id,
        searches.item_id,
        case
            when contains(narrowing.fields, '+company+')
                then parsed_questions.cik_ints
        end as cik_ints,
        case
            when contains(narrowing.fields, '+year+') then parsed_questions.years
        end as years,
        case
            when contains(narrowing.fields, '+section+')
                then parsed_questions.section_names
        end as section_names,
        case
            when contains(narrowing.fields, '+form+') then parsed_questions.forms
        end as forms,
        case
            when contains(narrowing.fields, '+segment+')
                then parsed_questions.segments
        end as segments
    from searches
    inner join narrowing
        on searches.system_id = narrowing.system_id
    inner join parsed_questions
        on searches.item_id = parsed_questions.item_id

),

forms_asked as (

    select
        system_id,
        item_id,
        unnest(forms) as form
    from asked

),

segments_asked as (

    select
        system_id,
        item_id,
        unnest(segments) as segment
    from asked

),

placed as (

    select
        asked.system_id,
        asked.item_id,
        asked.section_names,
        sections.section_id,
        sections.section_name,
        filings.form,
        case
            when {{ list_length('asked.cik_ints') }} > 0
                then list_contains(asked.cik_ints, sections.cik_int)
            else true
        end as is_of_company,
        case
            when {{ list_length('asked.years') }} > 0
                then list_contains(asked.years, sections.report_year)
            else true
        end as is_of_year
    from asked
    cross join sections
    inner join filings
        on sections.filing_id = filings.filing_id

),

searched as (

    select
        *,
        case
            when is_of_company and is_of_year then 1
            when is_of_company then 2
            else 3
        end as distance
    from placed
    qualify distance = min(distance) over (partition by system_id, item_id)

),

in_sections as (

    select
        *,
        coalesce(list_contains(section_names, section_name), false)
            as has_section
    from searched
    qualify
        has_section
        = coalesce(bool_or(has_section) over (partition by system_id, item_id), false)

),

with_forms as (

    select
        in_sections.system_id,
        in_sections.item_id,
        in_sections.section_id,
        in_sections.has_section,
        -- An amended or a transitional report is one of its form.
        count(forms_asked.form) > 0 as has_form
    from in_sections
    left join forms_asked
        on
            in_sections.system_id = forms_asked.system_id
            and in_sections.item_id = forms_asked.item_id
            and starts_with(in_sections.form, forms_asked.form)
    group by
        in_sections.system_id,
        in_sections.item_id,
        in_sections.section_id,
        in_sections.has_section

),

in_forms as (

    select *
    from with_forms
    qualify has_form = bool_or(has_form) over (partition by system_id, item_id)

),

in_segments as (

    select
        in_forms.system_id,
        in_forms.item_id
    from in_forms
    inner join segments_asked
        on
            in_forms.system_id = segments_asked.system_id
            and in_forms.item_id = segments_asked.item_id
    inner join sentences
        on
            in_forms.section_id = sentences.section_id
            and contains(
                lower(sentences.sentence_text), lower(segments_asked.segment)
            )
    group by in_forms.system_id, in_forms.item_id

),

narrowed as (

    select
        in_forms.system_id,
        in_forms.item_id,
        bool_or(in_forms.has_section) as is_by_section,
        bool_or(in_forms.has_form) as is_by_form,
        bool_or(in_segments.item_id is not null) as is_by_segment
    from in_forms
    left join in_segments
        on
            in_forms.system_id = in_segments.system_id
            and in_forms.item_id = in_segments.item_id
    group by in_forms.system_id, in_forms.item_id

),

compared as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.sentence_id,
        narrowed.is_by_section,
        narrowed.is_by_form,
        narrowed.is_by_segment,
        list_contains(asked.section_names, sentences.section_name)
            as has_section,
        count(forms_asked.form) > 0 as has_form,
        count(segments_asked.segment) > 0 as has_segment
    from rankings
    inner join narrowed
        on
            rankings.system_id = narrowed.system_id
            and rankings.item_id = narrowed.item_id
    inner join asked
        on
            rankings.system_id = asked.system_id
            and rankings.item_id = asked.item_id
    inner join sentences
        on rankings.sentence_id = sentences.sentence_id
    left join forms_asked
        on
            rankings.system_id = forms_asked.system_id
            and rankings.item_id = forms_asked.item_id
            and starts_with(sentences.form, forms_asked.form)
    left join segments_asked
        on
            rankings.system_id = segments_asked.system_id
            and rankings.item_id = segments_asked.item_id
            and contains(
                lower(sentences.sentence_text), lower(segments_asked.segment)
            )
    group by
        rankings.system_id,
        rankings.item_id,
        rankings.sentence_id,
        narrowed.is_by_section,
        narrowed.is_by_form,
        narrowed.is_by_segment,
        has_section

)

select
    system_id,
    item_id,
    sentence_id
from compared
where
    (is_by_section and not coalesce(has_section, false))
    or (is_by_form and not has_form)
    or (is_by_segment and not has_segment)
