with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

named as (

    select
        question_id,
        unnest(evidence_sentence_ids) as evidence_sentence_id,
        generate_subscripts(evidence_sentence_ids, 1) as place
    from gold_p3

),

-- An id named twice is one piece of evidence; the suite reader lists the repetition.
cited as (

    select
        question_id,
        evidence_sentence_id,
        min(place) as place
    from named
    where evidence_sentence_id is not null
    group by question_id, evidence_sentence_id

),

found as (

    select sentences.*
    from sentences
    where sentences.sentence_id in (select cited.evidence_sentence_id from cited)

),

-- One text in filings of several companies is nobody's own.
shared_texts as (

    select
        text_hash,
        count(distinct cik_int) as n_companies
    from sentences
    where text_hash in (select found.text_hash from found)
    group by text_hash

)

select
    cited.question_id,
    cited.evidence_sentence_id,
    cited.place,
    found.sentence_id is not null as is_found,
    found.cik_int,
    found.report_year,
    found.section_name,
    found.sentence_text,
    md5(found.sentence_text) as text_key,
    coalesce(found.is_toc or found.is_heading, false) as is_heading,
    coalesce(found.is_table_text, false) as is_table_text,
    coalesce(found.is_navigational, false) as is_navigational,
    coalesce(shared_texts.n_companies, 0) as n_companies
from cited
left join found
    on cited.evidence_sentence_id = found.sentence_id
left join shared_texts
    on found.text_hash = shared_texts.text_hash
