with

sentences as (

    select * from {{ ref('sentences') }}

)

-- Narrow on purpose: the draw sorts every candidate, and text would be sorted along.
select
    sentence_id,
    section_length,
    cik_int || '|' || report_year || '|' || section_id || '|'
    || {{ length_bucket('section_length') }} as stratum_id
from sentences
where
    not is_toc
    and not is_heading
    and not is_navigational
