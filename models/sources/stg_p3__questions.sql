with

py_p3_rows_read as (

    select * from {{ ref('py_p3_rows_read') }}

),

loaded as (

    select
        question_id,
        cik_int,
        company_name,
        years,
        question_text,
        answer_type,
        answer_text,
        answer_numeric,
        answer_unit,
        tolerance,
        evidence_sentence_ids,
        evidence_spans,
        retrieval_scope,
        difficulty,
        section_hints,
        notes,
        gold_version,
        created_by,
        created_at,
        curation_confidence,
        category,
        criteria,
        source_file,
        source_line,
        unknown_fields,
        schema_faults
    from py_p3_rows_read
    where record_status = 'read'

)

select * from loaded
