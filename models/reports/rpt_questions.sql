with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

answer_diagnoses as (

    select * from {{ ref('answer_diagnoses') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

rpt_question_answers as (

    select * from {{ ref('rpt_question_answers') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

question_reading_checks as (

    select * from {{ ref('question_reading_checks') }}

),

companies as (

    select * from {{ ref('companies') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        grade > 0
        and evidence_kind <> 'operand'

),

documents as (

    select * from {{ ref('documents') }}

),

sound as (

    select item_id
    from item_slices
    where slice_name = 'sound'

),

doubts as (

    select
        question_id,
        array_to_string(list(reason order by reason), ', ') as reasons
    from question_flags
    group by question_id

),

results as (

    select
        page_id,
        array_to_string(
            list(system_id || ': ' || result order by system_id), '; '
        ) as results
    from rpt_question_answers
    where not is_null
    group by page_id

),

failures as (

    select
        gold_set,
        item_id,
        array_to_string(
            list(system_id || ': ' || replace(failure, '_', ' ') order by system_id),
            '; '
        ) as failures
    from answer_failures
    group by gold_set, item_id

),

companies_read as (

    select
        item_id,
        unnest(cik_ints) as cik_int
    from parsed_questions

),

companies_named as (

    select
        companies_read.item_id,
        array_to_string(
            list(companies.company_name order by companies.company_name), ', '
        ) as read_companies
    from companies_read
    inner join companies
        on companies_read.cik_int = companies.cik_int
    group by companies_read.item_id

),

-- Sections are a hint to a search: where those of the gold are among them, all is well.
misread as (

    select
        item_id,
        count(*) as n_misread,
        array_to_string(
            list(
                replace(field, '_', ' ') || ' read as ' || coalesce(read, 'nothing')
                || ', gold has ' || coalesce(expected, 'nothing')
                order by field
            ),
            '; '
        ) as misread
    from question_reading_checks
    where
        not is_exact
        and field <> 'sections'
    group by item_id

),

checked as (

    select item_id
    from question_reading_checks
    group by item_id

),

evidence_named as (

    select
        {{ p3_gold_set('category') }} || ':' || question_id as item_id,
        unnest(evidence_sentence_ids) as sentence_id
    from gold_p3

),

-- A public set lists no sentences: what is judged is its evidence.
evidence_counted as (

    select
        evidence_named.item_id,
        count(*) as n_evidence,
        count(sentences.sentence_id) as n_evidence_found
    from evidence_named
    left join sentences
        on evidence_named.sentence_id = sentences.sentence_id
    group by evidence_named.item_id

    union all

    select
        item_id,
        count(distinct evidence_id) as n_evidence,
        count(distinct evidence_id) filter (where mapping = 'mapped')
            as n_evidence_found
    from judgments
    where {{ gold_set_is('public', 'gold_set') }}
    group by item_id

)

select
    int_questions_shown.page_id,
    int_questions_shown.gold_set,
    int_questions_shown.item_id,
    int_questions_shown.question_id,
    int_questions_shown.question_text,
    int_questions_shown.variant_of,
    int_questions_shown.gold_version,
    int_questions_shown.n_in_set,
    documents.document_name,
    gold_p3.created_by,
    gold_p3.curation_confidence,
    array_to_string(gold_p3.company_name, ', ') as company_name,
    array_to_string(gold_p3.years, ', ') as years,
    item_answers.category,
    coalesce(p3_category_mix.title, item_answers.category) as category_name,
    item_answers.category || coalesce(': ' || p3_category_mix.title, '')
        as category_title,
    item_answers.retrieval_scope as scope,
    item_answers.difficulty,
    item_answers.answer_type,
    nullif(array_to_string(gold_p3.section_hints, ', '), '') as sections,
    item_answers.answer_text as gold_text,
    item_answers.answer_numeric as gold_value,
    item_answers.answer_unit as gold_unit,
    item_answers.tolerance,
    nullif(array_to_string(gold_p3.evidence_spans, ' | '), '') as evidence_spans,
    coalesce(evidence_counted.n_evidence, 0) as n_evidence,
    coalesce(evidence_counted.n_evidence_found, 0) as n_evidence_found,
    gold_p3.notes,
    companies_named.read_companies,
    nullif(array_to_string(parsed_questions.years, ', '), '') as read_years,
    parsed_questions.scope as read_scope,
    parsed_questions.answer_form as read_answer_form,
    nullif(array_to_string(parsed_questions.kpi_labels, ', '), '') as read_kpis,
    nullif(array_to_string(parsed_questions.risk_topics, ', '), '') as read_risks,
    nullif(array_to_string(parsed_questions.section_names, ', '), '')
        as read_sections,
    parsed_questions.is_change as read_is_change,
    parsed_questions.topic_text as read_topic,
    case when checked.item_id is not null then coalesce(misread.n_misread, 0) end
        as n_misread,
    misread.misread,
    answer_diagnoses.n_systems,
    answer_diagnoses.n_right,
    answer_diagnoses.right_share,
    cast(answer_diagnoses.hardness_rank as integer) as hardness_rank,
    results.results,
    failures.failures,
    {{ gold_set_is('filings', 'int_questions_shown.gold_set') }}
    and sound.item_id is null as is_excluded,
    nullif(array_to_string(answer_diagnoses.flags, ', '), '') as answer_flags,
    nullif(concat_ws(
        ', ',
        doubts.reasons,
        nullif(array_to_string(answer_diagnoses.flags, ', '), '')
    ), '') as flags
from int_questions_shown
inner join item_answers
    on int_questions_shown.item_id = item_answers.item_id
left join gold_p3
    on
        {{ gold_set_is('filings', 'int_questions_shown.gold_set') }}
        and int_questions_shown.question_id = gold_p3.question_id
left join documents
    on int_questions_shown.document_id = documents.document_id
left join evidence_counted
    on int_questions_shown.item_id = evidence_counted.item_id
left join p3_category_mix
    on gold_p3.category = p3_category_mix.category
left join parsed_questions
    on int_questions_shown.item_id = parsed_questions.item_id
left join companies_named
    on int_questions_shown.item_id = companies_named.item_id
left join checked
    on int_questions_shown.item_id = checked.item_id
left join misread
    on int_questions_shown.item_id = misread.item_id
left join answer_diagnoses
    on
        int_questions_shown.gold_set = answer_diagnoses.gold_set
        and int_questions_shown.item_id = answer_diagnoses.item_id
left join sound
    on int_questions_shown.item_id = sound.item_id
left join doubts
    on
        {{ gold_set_is('filings', 'int_questions_shown.gold_set') }}
        and int_questions_shown.question_id = doubts.question_id
left join results
    on int_questions_shown.page_id = results.page_id
left join failures
    on
        int_questions_shown.gold_set = failures.gold_set
        and int_questions_shown.item_id = failures.item_id
