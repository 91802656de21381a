{#-
    Questions of what a line of revenue consists of: for lines that a reader found defined the
    sentences of the blocks that the reader named, for lines defined nowhere no answer.
-#}
with

int_line_labels_read as (

    select *
    from {{ ref('int_line_labels_read') }}
    where rejected_for is null

),

revenue_lines as (

    select * from {{ ref('revenue_lines') }}

),

filings as (

    select * from {{ ref('filings') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

-- Two lines of one label are told apart by their segments.
namesakes as (

    select
        reconciliation_id,
        {{ folded_text('label') }} as name
    from revenue_lines
    where role = 'leaf'
    group by reconciliation_id, {{ folded_text('label') }}
    having count(*) > 1

),

lines as (

    select
        int_line_labels_read.revenue_line_id,
        int_line_labels_read.filing_id,
        int_line_labels_read.label,
        int_line_labels_read.is_defined,
        int_line_labels_read.block_ids,
        int_line_labels_read.reader,
        int_line_labels_read.n_readers,
        revenue_lines.cik_int,
        revenue_lines.reconciliation_id,
        filings.report_year,
        filings.form,
        '“' || int_line_labels_read.label || '”'
        || case
            when namesakes.name is not null
                then ' in “' || revenue_lines.segment_label || '”'
            else ''
        end as line_name,
        {{ plain_words('int_line_labels_read.label') }} as words
    from int_line_labels_read
    inner join revenue_lines
        on int_line_labels_read.revenue_line_id = revenue_lines.revenue_line_id
    inner join filings
        on int_line_labels_read.filing_id = filings.filing_id
    left join namesakes
        on
            revenue_lines.reconciliation_id = namesakes.reconciliation_id
            and {{ folded_text('revenue_lines.label') }} = namesakes.name

),

named_blocks as (

    select
        revenue_line_id,
        unnest(block_ids) as block_id
    from lines
    where is_defined

),

block_sentences as (

    select
        lines.revenue_line_id,
        lines.reconciliation_id,
        lines.words,
        blocks.block_id,
        blocks.block_pos,
        sentences.sentence_id,
        sentences.section_name,
        sentences.sentence_pos,
        sentences.sentence_text,
        {{ plain_words('sentences.sentence_text') }} as sentence_words,
        contains({{ plain_words('sentences.sentence_text') }}, lines.words) as is_named
    from named_blocks
    inner join lines
        on named_blocks.revenue_line_id = lines.revenue_line_id
    inner join blocks
        on named_blocks.block_id = blocks.block_id
    inner join sentences
        on
            blocks.section_id = sentences.section_id
            and blocks.char_start < sentences.char_end
            and blocks.char_end > sentences.char_start

),

siblings as (

    select
        block_sentences.revenue_line_id,
        block_sentences.sentence_id
    from block_sentences
    inner join revenue_lines
        on
            block_sentences.reconciliation_id = revenue_lines.reconciliation_id
            and block_sentences.revenue_line_id <> revenue_lines.revenue_line_id
    where
        revenue_lines.role = 'leaf'
        and contains(
            block_sentences.sentence_words, {{ plain_words('revenue_lines.label') }}
        )
    group by block_sentences.revenue_line_id, block_sentences.sentence_id

),

-- A block may speak of other lines before and behind this one: what defines it begins
-- where it is named, and what names another line alone is of that line.
marked as (

    select
        block_sentences.*,
        block_sentences.is_named or siblings.sentence_id is null as is_of_line,
        coalesce(
            min(
                case when block_sentences.is_named then block_sentences.sentence_pos end
            )
                over (
                    partition by
                        block_sentences.revenue_line_id,
                        block_sentences.block_id
                ),
            0
        ) as first_pos
    from block_sentences
    left join siblings
        on
            block_sentences.revenue_line_id = siblings.revenue_line_id
            and block_sentences.sentence_id = siblings.sentence_id

),

-- Where nothing is left of all blocks they stand whole: the reader named them.
kept as (

    select *
    from marked
    qualify
        (is_of_line and sentence_pos >= first_pos)
        or not bool_or(is_of_line and sentence_pos >= first_pos)
            over (partition by revenue_line_id)

),

-- A sentence that two blocks share is said once.
told as (

    select
        revenue_line_id,
        sentence_id,
        any_value(sentence_text) as sentence_text,
        any_value(section_name) as section_name,
        min((block_pos, sentence_pos)) as place
    from kept
    group by revenue_line_id, sentence_id

),

definitions as (

    select
        revenue_line_id,
        string_agg(sentence_text, ' ' order by place, sentence_id) as answer_text,
        list(sentence_id order by place, sentence_id) as sentence_ids,
        list(sentence_text order by place, sentence_id) as spans,
        list_sort(list(distinct section_name)) as section_hints
    from told
    group by revenue_line_id

),

worded as (

    select
        lines.*,
        definitions.answer_text,
        coalesce(definitions.sentence_ids, []) as sentence_ids,
        coalesce(definitions.spans, []) as spans,
        coalesce(definitions.section_hints, []) as section_hints
    from lines
    left join definitions
        on lines.revenue_line_id = definitions.revenue_line_id
    -- A definition outside the items is no evidence that a search could find.
    where not lines.is_defined or definitions.revenue_line_id is not null

)

select
    'K|' || revenue_line_id as question_key,
    'K' as category,
    'line_definition' as question_form,
    lower(line_name) as balance_topic,
    [cik_int] as cik_ints,
    [report_year] as report_years,
    line_name as slot_topic,
    cast(null as varchar) as slot_detail,
    form as slot_direction,
    cast(null as integer) as slot_count,
    case when is_defined then 'span' else 'no_answer' end as answer_type,
    coalesce(answer_text, 'Not disclosed.') as answer_text,
    cast(null as double) as answer_numeric,
    cast(null as varchar) as answer_unit,
    cast(null as double) as tolerance,
    sentence_ids as evidence_sentence_ids,
    spans as evidence_spans,
    cast([] as varchar[]) as evidence_cell_ids,
    'local' as retrieval_scope,
    'medium' as difficulty,
    section_hints,
    case
        when not is_defined then 'Defined nowhere in the filing'
        when {{ list_length('block_ids') }} = 1 then 'The block that defines the line'
        else 'The blocks that define the line'
    end
    || case
        when n_readers > 1 then ', as ' || n_readers || ' readers found.'
        when reader = 'truth' then ', as the filing was generated.'
        when reader = 'person' then ', as a person found.'
        else ', as a model found that read the filing.'
    end as notes,
    case
        when reader = 'truth' then 1.0
        when n_readers > 1 then 0.95
        when reader = 'person' then 0.9
        else 0.85
    end as curation_confidence,
    'revenue_lines' as origin
from worded
