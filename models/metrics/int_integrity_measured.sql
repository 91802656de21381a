{#- Shares that say whether the warehouse itself can be trusted, before any system. -#}
with

source_files as (

    select * from {{ ref('source_files') }}

),

quarantine as (

    select * from {{ ref('quarantine') }}

),

embeddings as (

    select * from {{ ref('embeddings') }}

),

vector_indexes as (

    select * from {{ ref('vector_indexes') }}

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

p3_contents as (

    select * from {{ ref('p3_contents') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

int_fields_missed as (

    select * from {{ ref('int_fields_missed') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

int_items_excluded as (

    select * from {{ ref('int_items_excluded') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

gold_audit as (

    select * from {{ ref('gold_audit') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

int_answers_counted as (

    select * from {{ ref('int_answers_counted') }}

),

int_lines_measured as (

    select
        system_id,
        'corpus' as gold_set,
        metric,
        n_true,
        n_asked
    from {{ ref('int_lines_measured') }}

),

int_chunks_measured as (

    select
        system_id,
        'corpus' as gold_set,
        metric,
        n_true,
        n_asked
    from {{ ref('int_chunks_measured') }}

),

question_counts as (

    select count(*) as n_questions
    from items

),

suite_rows as (

    select coalesce(sum(n_quarantined), 0) as n_quarantined
    from source_files
    where record_kind = 'p3_question'

),

records_lost as (

    select
        'corpus' as system_id,
        'corpus' as gold_set,
        'records_lost' as metric,
        cast(coalesce(sum(n_quarantined), 0) as double) as n_true,
        cast(coalesce(sum(n_records), 0) as bigint) as n_asked
    from source_files
    where record_kind in ('filing', 'sentence')

),

-- A question that cannot be read is no loss of the corpus, but of the suite.
questions_lost as (

    select
        'gold' as system_id,
        'p3' as gold_set,
        'questions_lost' as metric,
        cast(suite_rows.n_quarantined as double) as n_true,
        cast(suite_rows.n_quarantined + question_counts.n_questions as bigint)
            as n_asked
    from suite_rows
    cross join question_counts

),

questions_audited as (

    select
        'gold' as system_id,
        gold_set,
        measure as metric,
        cast(n_true as double) as n_true,
        n as n_asked
    from gold_audit
    where
        {{ gold_set_is('filings', 'gold_set') }}
        and slice_name = 'overall'
        and measure in ('evidence_coverage', 'flagged_and_excluded', 'answer_leaked')

),

-- A rejected question is gone: who rejects what a system gets wrong is seen.
questions_left_out as (

    select
        'gold' as system_id,
        'p3' as gold_set,
        'questions_left_out' as metric,
        cast(
            count_if(
                p3_contents.review = 'rejected'
                or int_items_excluded.item_id is not null
            ) as double
        ) as n_true,
        count(*) as n_asked
    from p3_contents
    left join items
        on p3_contents.question_id = items.question_id
    left join int_items_excluded
        on items.item_id = int_items_excluded.item_id

),

-- A file that breaks off is one quarantined row, whatever was in the rest of it.
files_broken as (

    select
        'corpus' as system_id,
        'corpus' as gold_set,
        'files_broken' as metric,
        cast(count(distinct quarantine.source_file) as double) as n_true,
        count(distinct source_files.source_file) as n_asked
    from source_files
    left join quarantine
        on
            source_files.record_kind = quarantine.record_kind
            and source_files.source_file = quarantine.source_file
            and quarantine.reason_code in (
                'truncated_file', 'unreadable_file', 'empty_file', 'wrong_columns'
            )
    where source_files.record_kind in ('filing', 'sentence')

),

vectors_unit as (

    select
        'corpus' as system_id,
        'corpus' as gold_set,
        'vectors_of_unit_length' as metric,
        cast(
            count(*) filter (where {{ is_unit_vector('vector') }}) as double
        ) as n_true,
        count(*) as n_asked
    from embeddings

),

index_coverage as (

    select
        system_id,
        'corpus' as gold_set,
        'index_coverage' as metric,
        cast(n_vectors as double) as n_true,
        n_texts as n_asked
    from vector_indexes

),

index_recall as (

    select
        system_id,
        'corpus' as gold_set,
        'index_recall_at_10' as metric,
        coalesce(recall_at_10, 0.0) * n_recall_queries as n_true,
        n_recall_queries as n_asked
    from vector_indexes

),

-- A search by vectors always finds something: nothing found is a failure as well.
queries_failed as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        'queries_failed' as metric,
        cast(
            count(*) filter (
                where
                retrieval_outcomes.outcome <> 'ranked'
                or (
                    retrieval_outcomes.n_ranked = 0
                    and registered_systems.system_kind in (
                        'dense', 'hybrid', 'multi_path', 'naive_rag'
                    )
                )
            ) as double
        ) as n_true,
        count(*) as n_asked
    from retrieval_outcomes
    inner join registered_systems
        on retrieval_outcomes.system_id = registered_systems.system_id
    group by retrieval_outcomes.system_id, retrieval_outcomes.gold_set
    -- An outside system that returned no ranking at all answers and does not search.
    having
        bool_or(
            retrieval_outcomes.outcome <> 'not_run'
            or registered_systems.system_kind
            not in ('external_file', 'external_http')
        )

),

-- A filtered system must return sentences of the anchor's company, year and item only.
filter_violations as (

    select
        rankings.system_id,
        rankings.gold_set,
        'filter_violations' as metric,
        cast(
            count(*) filter (
                where sentences.section_id is distinct from anchors.section_id
            ) as double
        ) as n_true,
        count(*) as n_asked
    from rankings
    inner join registered_systems
        on
            rankings.system_id = registered_systems.system_id
            and registered_systems.regime = 'filtered'
    inner join anchors
        on rankings.item_id = anchors.item_id
    left join sentences
        on rankings.sentence_id = sentences.sentence_id
    group by rankings.system_id, rankings.gold_set

),

companies_read as (

    select
        item_id,
        unnest(cik_ints) as cik_int
    from parsed_questions

),

years_read as (

    select
        item_id,
        unnest(years) as report_year
    from parsed_questions

),

-- The open path of a search along several paths leaves its filter on purpose, as does
-- an agent that finds nothing.
filtered as (

    select
        system_id,
        coalesce(filter_fields, 'company+year') as filter_fields
    from registered_systems
    where
        regime = 'filtered'
        and system_kind not in ('multi_path', 'agent')

),

-- For a question: of the companies and the years that were read from it, where the
-- system filters by them, and of the sections, forms and segments that it is narrowed
-- to. One with no company or year to filter by was searched openly, and its results say
-- so.
question_filter_violations as (

    select
        rankings.system_id,
        rankings.gold_set,
        'filter_violations' as metric,
        cast(
            count(*) filter (
                where
                int_fields_missed.sentence_id is not null
                or (
                    '+' || coalesce(rankings.found_by, '') || '+'
                    not like '%+open+%'
                    and (
                        sentences.sentence_id is null
                        or (
                            contains(filtered.filter_fields, 'company')
                            and {{ list_length('parsed_questions.cik_ints') }} > 0
                            and companies_read.cik_int is null
                        )
                        -- The corpus may lack the year: then other filings are
                        -- searched.
                        or (
                            '+' || coalesce(rankings.found_by, '') || '+'
                            not like '%+company+%'
                            and contains(filtered.filter_fields, 'year')
                            and {{ list_length('parsed_questions.years') }} > 0
                            and years_read.report_year is null
                        )
                    )
                )
            ) as double
        ) as n_true,
        count(*) as n_asked
    from rankings
    inner join filtered
        on rankings.system_id = filtered.system_id
    inner join parsed_questions
        on rankings.item_id = parsed_questions.item_id
    left join sentences
        on rankings.sentence_id = sentences.sentence_id
    left join companies_read
        on
            rankings.item_id = companies_read.item_id
            and sentences.cik_int = companies_read.cik_int
    left join years_read
        on
            rankings.item_id = years_read.item_id
            and sentences.report_year = years_read.report_year
    left join int_fields_missed
        on
            rankings.system_id = int_fields_missed.system_id
            and rankings.item_id = int_fields_missed.item_id
            and rankings.sentence_id = int_fields_missed.sentence_id
    group by rankings.system_id, rankings.gold_set

),

coverage as (

    select
        'gold' as system_id,
        gold_set,
        'coverage' as metric,
        cast(count(*) filter (where n_relevant > 0) as double) as n_true,
        count(*) as n_asked
    from int_items_graded
    where {{ gold_set_is('anchors', 'gold_set') }}
    group by gold_set

),

-- Questions about what is not disclosed have no evidence and are answerable by nothing
-- that a search could find.
questions_with_evidence as (

    select
        'gold' as system_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        'questions_with_evidence' as metric,
        cast(
            count(*) filter (where int_items_graded.n_evidence > 0) as double
        ) as n_true,
        count(*) as n_asked
    from int_items_graded
    inner join item_slices
        on int_items_graded.item_id = item_slices.item_id
    where
        not {{ gold_set_is('anchors', 'int_items_graded.gold_set') }}
        and item_slices.slice_name in ('overall', 'sound', 'scope', 'sound_scope')
    group by
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value

),

coverage_by_bucket as (

    select
        'gold' as system_id,
        gold_set,
        length_bucket,
        'coverage' as metric,
        cast(count(*) filter (where n_relevant > 0) as double) as n_true,
        count(*) as n_asked
    from int_items_graded
    where {{ gold_set_is('anchors', 'gold_set') }}
    group by gold_set, length_bucket

),

collected as (

    select * from records_lost
    union all
    select * from files_broken
    union all
    select * from questions_lost
    union all
    select * from questions_audited
    union all
    select * from questions_left_out
    union all
    select * from vectors_unit
    union all
    select * from index_coverage
    union all
    select * from index_recall
    union all
    select * from queries_failed
    union all
    select * from filter_violations
    union all
    select * from question_filter_violations
    union all
    select * from coverage
    union all
    select * from int_lines_measured
    union all
    select * from int_chunks_measured

)

select
    system_id,
    gold_set,
    'overall' as slice_name,
    'all' as slice_value,
    metric,
    n_true,
    n_asked
from collected

union all

select
    system_id,
    gold_set,
    'length_bucket' as slice_name,
    length_bucket as slice_value,
    metric,
    n_true,
    n_asked
from coverage_by_bucket

union all

select
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    n_true,
    n_asked
from questions_with_evidence

union all

select
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    n_true,
    n_asked
from int_answers_counted
