with

sentences as (

    select * from {{ ref('sentences') }}

),

candidates as (

    select
        sentence_id,
        cik_int,
        company_name,
        report_year,
        filing_id,
        section_id,
        section_name,
        section_length,
        {{ length_bucket('section_length') }} as length_bucket,
        sentence_pos,
        sentence_text,
        text_hash,
        cik_int || '|' || report_year || '|' || section_id || '|'
        || {{ length_bucket('section_length') }} as stratum_id
    from sentences
    where
        not is_toc
        and not is_heading
        and not is_navigational

)

select * from candidates
