{#-
    What a system said of a question, one row of both. An answer and a verdict on it that lie in
    two files become one row; two answers are not two chances: the first one counts. What it
    cites is led to what was loaded. Its context is what it says that it retrieved; where it says
    nothing, any passage of the corpus stands.
-#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

int_external_rankings_checked as (

    select * from {{ ref('int_external_rankings_checked') }}

),

int_external_steps_resolved as (

    select * from {{ ref('int_external_steps_resolved') }}

),

int_places_named as (

    select * from {{ ref('int_places_named') }}

),

sections as (

    select * from {{ ref('sections') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

-- A table or a section of a filing may be cited; no search returns one.
passages as (

    select
        passage_id,
        document_id,
        page,
        parent_id,
        is_rankable
    from {{ ref('passages') }}
    where unit <> 'chunk'

    union all

    select
        section_id as passage_id,
        filing_id as document_id,
        cast(null as integer) as page,
        cast(null as varchar) as parent_id,
        false as is_rankable
    from sections

),

matched as (

    select *
    from int_external_rows_matched
    where
        record_form = 'prediction'
        and reason_code is null

),

-- An answer goes before a blank one. Of records without an answer one that says what
-- the answer rests on goes first.
first_records as (

    select *
    from matched
    qualify
        row_number() over (
            partition by system_id, item_id
            order by
                coalesce(is_answer, false) desc,
                coalesce(has_answer, false) desc,
                (citations is not null) or coalesce(has_answer, false) desc,
                source_file asc,
                source_line asc
        ) = 1

),

first_labels as (

    select *
    from matched
    where label is not null
    qualify
        row_number() over (
            partition by system_id, item_id
            order by source_file, source_line
        ) = 1

),

gathered as (

    select
        system_id,
        item_id,
        bool_or(is_contained) as is_contained,
        count(*) filter (where has_answer) as n_answers,
        min(configuration) as configuration
    from matched
    group by system_id, item_id

),

-- Whole rankings: a passage beyond the depth was retrieved, and may be cited.
retrieved as (

    select
        system_id,
        item_id,
        list(passage_id order by place_in_order) as retrieved_ids
    from (
        select
            *,
            row_number() over (
                order by score desc nulls last, place asc, passage_id desc
            ) as place_in_order
        from int_external_rankings_checked
        where reason_code is null
    ) as in_order
    group by system_id, item_id

),

-- Whoever retrieved a row, or the sentence that it is, has its cells; whoever retrieved
-- a cell has its row.
row_places as (

    select
        cell_id as passage_id,
        [row_id, sentence_id] as found_ids
    from table_cells

    union all

    select
        row_id as passage_id,
        list_append(list(cell_id), min(sentence_id)) as found_ids
    from table_cells
    group by row_id

    union all

    select
        sentence_id as passage_id,
        list_concat(list(cell_id), list(row_id)) as found_ids
    from table_cells
    where sentence_id is not null
    group by sentence_id

),

cited as (

    select
        system_id,
        gold_set,
        item_id,
        {{ unnest_structs('citations') }}
    from first_records

),

resolved as (

    select
        cited.system_id,
        cited.item_id,
        cited.citation_pos,
        coalesce(passages.passage_id, int_places_named.passage_id) as passage_id,
        coalesce(passages.document_id, int_places_named.document_id) as document_id,
        cited.document,
        coalesce(passages.page, cited.page) as page,
        passages.parent_id,
        row_places.found_ids,
        coalesce(passages.is_rankable, true) as is_rankable,
        coalesce(cited.passage_id, cited.document) as named,
        passages.passage_id is not null
        or int_places_named.passage_id is not null
        or (cited.page is null and int_places_named.document_id is not null)
            as is_known,
        cited.quote
    from cited
    left join passages
        on
            case
                when {{ gold_set_is('filings', 'cited.gold_set') }}
                    then cited.passage_id
                else {{ set_key('cited.gold_set', 'cited.passage_id') }}
            end = passages.passage_id
    left join row_places
        on passages.passage_id = row_places.passage_id
    left join int_places_named
        on
            cited.gold_set = int_places_named.corpus_id
            and cited.document = int_places_named.document
            and cited.page is not distinct from int_places_named.page

),

listed as (

    select
        resolved.system_id,
        resolved.item_id,
        list(
            struct_pack(
                citation_pos := resolved.citation_pos,
                passage_id := resolved.passage_id,
                document_id := resolved.document_id,
                document := resolved.document,
                page := resolved.page,
                named := resolved.named,
                is_known := resolved.is_known,
                is_in_context := resolved.is_known
                and (
                    retrieved.retrieved_ids is null
                    or list_contains(retrieved.retrieved_ids, resolved.passage_id)
                    or coalesce(
                        list_has_any(retrieved.retrieved_ids, resolved.found_ids), false
                    )
                    or coalesce(
                        list_contains(retrieved.retrieved_ids, resolved.parent_id),
                        not resolved.is_rankable
                    )
                ),
                quote := resolved.quote
            ) order by resolved.citation_pos
        ) as citations
    from resolved
    left join retrieved
        on
            resolved.system_id = retrieved.system_id
            and resolved.item_id = retrieved.item_id
    group by resolved.system_id, resolved.item_id

)

select
    first_records.system_id,
    first_records.gold_set,
    first_records.item_id,
    first_records.has_answer,
    first_records.answer_text,
    first_records.is_cut,
    first_records.answer,
    first_records.scale,
    first_records.program,
    first_records.speaker,
    first_records.role,
    first_records.numeric_value,
    first_records.unit,
    coalesce(first_records.is_abstained, false) as is_abstained,
    first_records.failure,
    first_labels.label,
    first_labels.label_by,
    gathered.is_contained,
    gathered.configuration,
    gathered.n_answers,
    case
        when first_records.citations is not null then coalesce(listed.citations, [])
    end as citations,
    retrieved.retrieved_ids,
    first_records.candidates,
    first_records.stages,
    int_external_steps_resolved.steps,
    first_records.model,
    first_records.system_version,
    first_records.n_steps,
    first_records.input_tokens,
    first_records.output_tokens,
    first_records.latency_ms,
    first_records.cost_usd,
    first_records.extra,
    first_records.source_file,
    first_records.source_line
from first_records
inner join gathered
    on
        first_records.system_id = gathered.system_id
        and first_records.item_id = gathered.item_id
left join first_labels
    on
        first_records.system_id = first_labels.system_id
        and first_records.item_id = first_labels.item_id
left join retrieved
    on
        first_records.system_id = retrieved.system_id
        and first_records.item_id = retrieved.item_id
left join listed
    on
        first_records.system_id = listed.system_id
        and first_records.item_id = listed.item_id
left join int_external_steps_resolved
    on
        first_records.system_id = int_external_steps_resolved.system_id
        and first_records.source_file = int_external_steps_resolved.source_file
        and first_records.source_line = int_external_steps_resolved.source_line
