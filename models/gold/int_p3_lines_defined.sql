{#-
    Questions of what a line of revenue consists of: for lines that a reader found defined the
    sentences of the blocks that the reader named, from the defining one on until another
    line's and four at most; for lines defined nowhere no answer.
-#}
with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

int_line_labels_read as (

    select *
    from {{ ref('int_line_labels_read') }}
    where
        rejected_for is null
        and {{ of_asked_filings('is_asked') }}

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
        revenue_lines.footnote_marks,
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
        lines.footnote_marks,
        blocks.block_id,
        blocks.block_pos,
        sentences.sentence_id,
        sentences.section_name,
        sentences.sentence_pos,
        sentences.sentence_text,
        {{ plain_words('sentences.sentence_text') }} as sentence_words,
        -- What it speaks of stands first, after a mark and an article.
        regexp_replace(
            {{ plain_words('sentences.sentence_text') }},
            '^ ([0-9]{1,2} |[a-z] )?((the|our) )?',
            ' '
        ) as head_words,
        nullif(
            trim(
                regexp_extract(
                    lower(sentences.sentence_text),
                    '^\s*(\*+|[\(\[]?([0-9]{1,2}|[a-z])[\)\]])'
                ),
                '()[] '
            ),
            ''
        ) as mark
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

-- Sentences that begin with another line, by its longest name, or with its mark.
siblings as (

    select
        block_sentences.revenue_line_id,
        block_sentences.sentence_id,
        max(length({{ plain_words('revenue_lines.label') }})) filter (
            where
            revenue_lines.role = 'leaf'
            and starts_with(
                block_sentences.head_words, {{ plain_words('revenue_lines.label') }}
            )
        ) as n_chars,
        bool_or(
            list_contains(revenue_lines.footnote_marks, block_sentences.mark)
        ) as is_marked
    from block_sentences
    inner join revenue_lines
        on
            block_sentences.reconciliation_id = revenue_lines.reconciliation_id
            and block_sentences.revenue_line_id <> revenue_lines.revenue_line_id
    group by block_sentences.revenue_line_id, block_sentences.sentence_id

),

begun as (

    select
        block_sentences.*,
        contains(block_sentences.sentence_words, block_sentences.words) as is_named,
        coalesce(
            list_contains(block_sentences.footnote_marks, block_sentences.mark), false
        )
        or (
            starts_with(block_sentences.head_words, block_sentences.words)
            and length(block_sentences.words) >= coalesce(siblings.n_chars, 0)
        ) as is_of_line,
        siblings.n_chars is not null or coalesce(siblings.is_marked, false)
            as is_of_sibling,
        string_split(trim(block_sentences.words), ' ') as parts
    from block_sentences
    left join siblings
        on
            block_sentences.revenue_line_id = siblings.revenue_line_id
            and block_sentences.sentence_id = siblings.sentence_id

),

-- A sentence begins with the line, or names it or a part of it, or is another line's.
ranked as (

    select
        *,
        is_of_sibling and not is_of_line as is_of_other,
        case
            when is_of_line then 4.0
            when is_named and not is_of_sibling then 3.0
            when is_named then 2.0
            when is_of_sibling then 0.0
            else
                1.0
                + {{ list_length("list_filter(
                    parts, lambda part: contains(sentence_words, ' ' || part || ' ')
                )") }}
                / {{ list_length('parts') }}
        end as rank
    from begun

),

-- Another line's sentence that names this one is of both, unless this one has its own.
bounded as (

    select
        *,
        is_of_other
        and (
            not is_named
            or max(rank) over (partition by revenue_line_id, block_id) = 4.0
        ) as is_bound
    from ranked

),

-- Where nothing is left of all blocks they stand whole: the reader named them.
stretched as (

    select
        *,
        case
            when bool_or(not is_bound) over (partition by revenue_line_id)
                then
                    count_if(is_bound)
                        over (
                            partition by revenue_line_id, block_id
                            order by sentence_pos, sentence_id
                            rows between unbounded preceding and current row
                        )
            else 0
        end as stretch
    from bounded
    qualify
        not is_bound
        or not bool_or(not is_bound) over (partition by revenue_line_id)

),

-- A block may speak of other lines before and behind this one: of what stands between
-- them it is the best, from where the line is named.
stretches as (

    select
        revenue_line_id,
        block_id,
        block_pos,
        stretch,
        max(rank) as best,
        case
            when
                max(rank) >= 3.0
                or max_by(sentence_pos, (rank, -sentence_pos)) - min(sentence_pos) > 3
                then max_by(sentence_pos, (rank, -sentence_pos))
            else min(sentence_pos)
        end as first_pos
    from stretched
    group by revenue_line_id, block_id, block_pos, stretch
    qualify
        row_number() over (
            partition by revenue_line_id, block_id
            order by max(rank) desc, stretch asc
        ) = 1

),

kept as (

    select
        stretched.*,
        stretches.best
    from stretched
    inner join stretches
        on
            stretched.revenue_line_id = stretches.revenue_line_id
            and stretched.block_id = stretches.block_id
            and stretched.stretch = stretches.stretch
    where
        stretched.sentence_pos between stretches.first_pos and stretches.first_pos + 3

),

-- Named blocks without another between them have one run.
runs as (

    select
        revenue_line_id,
        block_id,
        block_pos,
        best,
        ends_with(trim(max_by(sentence_text, sentence_pos)), ':') as is_opened,
        block_pos
        - row_number() over (partition by revenue_line_id order by block_pos, block_id)
            as run
    from kept
    group by revenue_line_id, block_id, block_pos, best

),

bests as (

    select *
    from runs
    qualify
        row_number() over (
            partition by revenue_line_id
            order by best desc, block_pos asc, block_id asc
        ) = 1

),

-- What ends in a colon is continued by the items behind it.
answering as (

    select
        runs.revenue_line_id,
        runs.block_id
    from runs
    inner join bests
        on runs.revenue_line_id = bests.revenue_line_id
    where
        runs.block_id = bests.block_id
        or (
            bests.is_opened
            and runs.run = bests.run
            and runs.block_pos > bests.block_pos
        )

),

-- A sentence that two blocks share is said once.
told as (

    select
        kept.revenue_line_id,
        kept.sentence_id,
        bool_or(answering.block_id is not null) as is_answer,
        any_value(kept.sentence_text) as sentence_text,
        any_value(kept.section_name) as section_name,
        min((kept.block_pos, kept.sentence_pos)) as place
    from kept
    left join answering
        on
            kept.revenue_line_id = answering.revenue_line_id
            and kept.block_id = answering.block_id
    group by kept.revenue_line_id, kept.sentence_id

),

-- The best block answers; all of them are evidence.
definitions as (

    select
        revenue_line_id,
        string_agg(sentence_text, ' ' order by place, sentence_id)
        filter (where is_answer) as answer_text,
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
