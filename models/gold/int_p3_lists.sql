with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

counted_lists as (

    select *
    from {{ ref('counted_lists') }}
    where {{ of_asked_filings() }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

count_words as (

    select * from {{ ref('count_words') }}

),

current_lists as (

    select
        *,
        array_to_string(
            list_sort(string_split(lower(array_to_string(items, '|')), '|')), '|'
        ) as items_key
    from counted_lists
    where is_current

),

-- Two different lists of one kind in a filing: no telling which is meant.
undisputed as (

    select
        filing_id,
        list_kind
    from current_lists
    group by filing_id, list_kind
    having count(distinct items_key) = 1

),

-- Every number that the filing puts before the word, with a list or without: "our five
-- operating segments are two reportable segments" leaves open which are meant.
segment_counts as (

    select
        filing_id,
        unnest(
            regexp_extract_all(
                lower(sentence_text),
                {{ sql_literal(var('regexes')['counted_segments']) }},
                1
            )
        ) as counted
    from sentences
    where
        contains(lower(sentence_text), 'segments')
        and not is_toc

),

other_counts as (

    select distinct
        current_lists.filing_id,
        current_lists.list_kind
    from current_lists
    inner join segment_counts
        on current_lists.filing_id = segment_counts.filing_id
    inner join count_words
        on
            segment_counts.counted
            in (count_words.count_word, cast(count_words.count_value as varchar))
    where
        current_lists.list_kind = 'segments'
        and count_words.count_value <> current_lists.n_items

),

gathered as (

    select
        current_lists.cik_int,
        current_lists.report_year,
        current_lists.list_kind,
        min(current_lists.n_items) as n_items,
        min_by(current_lists.items, current_lists.sentence_id) as items,
        min_by(current_lists.lead_text, current_lists.sentence_id) as lead_text,
        list_slice(
            list(current_lists.sentence_id order by current_lists.sentence_id), 1, 3
        ) as evidence_sentence_ids,
        list(
            distinct current_lists.section_name order by current_lists.section_name
        ) as section_hints
    from current_lists
    inner join undisputed
        on
            current_lists.filing_id = undisputed.filing_id
            and current_lists.list_kind = undisputed.list_kind
    left join other_counts
        on
            current_lists.filing_id = other_counts.filing_id
            and current_lists.list_kind = other_counts.list_kind
    where other_counts.filing_id is null
    group by
        current_lists.cik_int,
        current_lists.report_year,
        current_lists.list_kind

),

worded as (

    select
        'F|' || cik_int || '|' || report_year || '|' || list_kind as question_key,
        'F' as category,
        list_kind as question_form,
        list_kind as balance_topic,
        [cik_int] as cik_ints,
        [report_year] as report_years,
        cast(null as varchar) as slot_topic,
        'segments' as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(n_items as integer) as slot_count,
        'list' as answer_type,
        cast(to_json(items) as varchar) as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        evidence_sentence_ids,
        items as evidence_spans,
        'local' as retrieval_scope,
        'medium' as difficulty,
        section_hints,
        'The sentence states the number of items, and the list has as many.' as notes,
        0.9 as curation_confidence
    from gathered
    where list_kind in ('segments', 'growth_drivers')

)

select
    question_key,
    category,
    question_form,
    balance_topic,
    cik_ints,
    report_years,
    slot_topic,
    slot_detail,
    slot_direction,
    slot_count,
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
    curation_confidence
from worded
