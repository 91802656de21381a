{#-
    Items of all gold sets side by side. Items resemble each other inside a cluster, which
    is what the bootstrap resamples: the filing of an anchor; the company, or the exact set
    of companies, of a question, for questions of a company share its filings; the document
    of a question of a public set. Two sets that share a company are two clusters all the
    same: over many companies nearly every question across companies is a cluster of its own.
-#}
with

anchors as (

    select * from {{ ref('anchors') }}

),

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

-- As trec_eval: a grade of zero or less is not relevant.
judgments_counted as (

    select
        item_id,
        count(distinct passage_id) as n_relevant,
        count(distinct evidence_id) as n_evidence
    from judgments
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'
    group by item_id

),

questions_excluded as (

    select question_id
    from question_flags
    where is_excluding
    group by question_id

),

asked as (

    select
        item_id,
        gold_set,
        'anchors' as set_kind,
        coalesce(cell_id, sentence_id) as sentence_id,
        text_hash,
        filing_id as cluster_id,
        cik_int,
        [cik_int] as cik_ints,
        report_year,
        section_name,
        length_bucket,
        cast(null as varchar) as scope,
        cast(null as varchar) as difficulty,
        cast(null as varchar) as category,
        cast(null as varchar) as answer_type,
        cast(null as varchar) as source_file,
        cast(null as varchar) as original_fields,
        false as is_excluded,
        frozen_among is not null as is_frozen
    from anchors

    union all

    select
        items.item_id,
        items.gold_set,
        case
            when {{ gold_set_is('tables', 'items.gold_set') }} then 'tables'
            else 'filings'
        end as set_kind,
        cast(null as varchar) as sentence_id,
        cast(null as varchar) as text_hash,
        coalesce(
            array_to_string(list_sort(gold_p3.cik_int), '+'), 'no company'
        ) as cluster_id,
        -- A question over several companies, or years, is of none of them.
        case
            when {{ list_length('gold_p3.cik_int') }} = 1
                then gold_p3.cik_int[1]
        end as cik_int,
        list_sort(gold_p3.cik_int) as cik_ints,
        case
            when {{ list_length('gold_p3.years') }} = 1
                then gold_p3.years[1]
        end as report_year,
        gold_p3.section_hints[1] as section_name,
        cast(null as varchar) as length_bucket,
        gold_p3.retrieval_scope as scope,
        gold_p3.difficulty,
        gold_p3.category,
        gold_p3.answer_type,
        cast(null as varchar) as source_file,
        cast(null as varchar) as original_fields,
        questions_excluded.question_id is not null as is_excluded,
        false as is_frozen
    from items
    inner join gold_p3
        on items.question_id = gold_p3.question_id
    left join questions_excluded
        on items.question_id = questions_excluded.question_id
    where {{ gold_set_is('filings', 'items.gold_set') }}

    union all

    select
        items.item_id,
        items.gold_set,
        'public' as set_kind,
        cast(null as varchar) as sentence_id,
        cast(null as varchar) as text_hash,
        coalesce(items.document_id, items.item_id) as cluster_id,
        cast(null as bigint) as cik_int,
        cast(null as bigint[]) as cik_ints,
        cast(null as integer) as report_year,
        cast(null as varchar) as section_name,
        cast(null as varchar) as length_bucket,
        cast(null as varchar) as scope,
        item_answers.difficulty,
        item_answers.category,
        item_answers.answer_type,
        item_answers.source_file,
        item_answers.original_fields,
        false as is_excluded,
        false as is_frozen
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id
    where {{ gold_set_is('public', 'items.gold_set') }}

)

select
    asked.*,
    coalesce(judgments_counted.n_relevant, 0) as n_relevant,
    coalesce(judgments_counted.n_evidence, 0) as n_evidence
from asked
left join judgments_counted
    on asked.item_id = judgments_counted.item_id
