{#-
    The steps of outside agents, each with the passages whose text it showed: those that the file
    names; else those of a named document whose words stand in the text that the step showed; else
    what a reading was given by its ids. Words are compared by letters and digits alone, of a row
    of a table those of its cells, because every program sets white space and marks in its own
    way. What nobody can resolve stays a chunk's id.
-#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

passages as (

    select * from {{ ref('passages') }}

),

chunks as (

    select * from {{ ref('chunks') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

steps as (

    select
        system_id,
        gold_set,
        source_file,
        source_line,
        {{ unnest_structs('steps') }}
    from int_external_rows_matched
    where
        reason_code is null
        and record_form = 'prediction'

),

texts as (

    select
        system_id,
        gold_set,
        source_file,
        source_line,
        turn_pos,
        call_pos,
        {{ unnest_structs('shown') }}
    from steps

),

-- A page may stand in a corpus once for each question on it, under the question's id.
names as (

    select
        gold_set,
        document,
        {{ set_key('gold_set', 'document') }} as document_id
    from texts
    group by gold_set, document

    union

    select
        gold_set,
        document,
        {{ set_key('gold_set', "regexp_replace(document, '-[0-9]+$', '')") }}
            as document_id
    from texts
    group by gold_set, document

),

units as (

    select
        passages.passage_id,
        passages.document_id,
        {{ letters_of('passages.passage_text') }} as letters
    from passages
    semi join names
        on passages.document_id = names.document_id
    where
        passages.is_rankable
        and passages.unit <> 'row'

    union all

    select
        passages.parent_id as passage_id,
        passages.document_id,
        string_agg(
            {{ letters_of('passages.passage_text') }}, '' order by passages.column_pos
        ) as letters
    from passages
    semi join names
        on passages.document_id = names.document_id
    where passages.unit = 'cell'
    group by passages.parent_id, passages.document_id

),

texts_lettered as (

    select
        *,
        {{ letters_of('text') }} as letters
    from texts

),

found as (

    select
        texts_lettered.system_id,
        texts_lettered.source_file,
        texts_lettered.source_line,
        texts_lettered.turn_pos,
        texts_lettered.call_pos,
        units.passage_id,
        min(
            struct_pack(
                place := texts_lettered.place,
                letter_pos := strpos(texts_lettered.letters, units.letters)
            )
        ) as found_at
    from texts_lettered
    inner join names
        on
            texts_lettered.gold_set = names.gold_set
            and texts_lettered.document = names.document
    inner join units
        on
            names.document_id = units.document_id
            and contains(texts_lettered.letters, units.letters)
    where units.letters <> ''
    group by
        texts_lettered.system_id,
        texts_lettered.source_file,
        texts_lettered.source_line,
        texts_lettered.turn_pos,
        texts_lettered.call_pos,
        units.passage_id

),

shown as (

    select
        system_id,
        source_file,
        source_line,
        turn_pos,
        call_pos,
        list(passage_id order by found_at, passage_id) as passage_ids
    from found
    group by system_id, source_file, source_line, turn_pos, call_pos

),

readings as (

    select
        system_id,
        source_file,
        source_line,
        turn_pos,
        call_pos,
        unnest(range(len(result_ids))) as place,
        case
            when {{ gold_set_is('filings', 'gold_set') }} then unnest(result_ids)
            else {{ set_key('gold_set', 'unnest(result_ids)') }}
        end as result_id
    from steps
    where
        tool_name = 'chunk_read'
        and status = 'ok'

),

passages_read as (

    select
        readings.*,
        cast(0 as bigint) as position,
        passages.passage_id
    from readings
    inner join passages
        on readings.result_id = passages.passage_id
    where passages.is_rankable

    union all

    select
        readings.*,
        cast(sentences.sentence_pos as bigint) as position,
        sentences.sentence_id as passage_id
    from readings
    inner join chunks
        on readings.result_id = chunks.chunk_id
    inner join sentences
        on
            chunks.section_id = sentences.section_id
            and sentences.sentence_pos between chunks.first_sentence_pos
            and chunks.last_sentence_pos

),

first_read as (

    select *
    from passages_read
    qualify
        row_number() over (
            partition by
                system_id, source_file, source_line, turn_pos, call_pos, passage_id
            order by place, position
        ) = 1

),

read_ids as (

    select
        system_id,
        source_file,
        source_line,
        turn_pos,
        call_pos,
        list(passage_id order by place, position, passage_id) as passage_ids
    from first_read
    group by system_id, source_file, source_line, turn_pos, call_pos

),

resolved as (

    select
        steps.* exclude (passage_ids, shown),
        coalesce(
            case
                when {{ gold_set_is('filings', 'steps.gold_set') }}
                    then nullif(steps.passage_ids, [])
                else list_transform(
                    nullif(steps.passage_ids, []),
                    lambda one: {{ set_key('steps.gold_set', 'one') }}
                )
            end,
            shown.passage_ids,
            read_ids.passage_ids,
            []
        ) as passage_ids
    from steps
    left join shown
        on
            steps.system_id = shown.system_id
            and steps.source_file = shown.source_file
            and steps.source_line = shown.source_line
            and steps.turn_pos = shown.turn_pos
            and steps.call_pos = shown.call_pos
    left join read_ids
        on
            steps.system_id = read_ids.system_id
            and steps.source_file = read_ids.source_file
            and steps.source_line = read_ids.source_line
            and steps.turn_pos = read_ids.turn_pos
            and steps.call_pos = read_ids.call_pos

)

select
    system_id,
    source_file,
    source_line,
    list(
        struct_pack(
            turn_pos := turn_pos,
            call_pos := call_pos,
            tool_name := tool_name,
            arguments := arguments,
            status := status,
            stop_reason := stop_reason,
            result_ids := result_ids,
            result_scores := result_scores,
            passage_ids := passage_ids,
            n_new := n_new,
            observation_tokens := observation_tokens,
            context_tokens := context_tokens,
            input_tokens := input_tokens,
            output_tokens := output_tokens,
            price_usd := price_usd,
            latency_ms := latency_ms,
            call_id := call_id,
            is_changed := is_changed,
            failure := failure
        ) order by turn_pos, call_pos
    ) as steps
from resolved
group by system_id, source_file, source_line
