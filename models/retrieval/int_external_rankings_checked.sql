{#-
    Rankings of outside systems, of the filings' questions and of public sets, entry by entry
    and to their end, led to the passage that is ranked: of a public set's cell its row, of a
    page that is named by document and number the page. Questions on tables are ranked by
    sentences, rows and cells, the filings' other questions by sentences alone. An entry that
    leads nowhere keeps its place, so that no system gains by naming what does not exist; one
    with another reason is left out.
-#}
with

int_external_rows_matched as (

    select *
    from {{ ref('int_external_rows_matched') }}
    where reason_code is null

),

passages as (

    select * from {{ ref('passages') }}

),

int_places_named as (

    select * from {{ ref('int_places_named') }}

),

entries as (

    select
        system_id,
        gold_set,
        item_id,
        source_file,
        source_line,
        raw_excerpt,
        -- A run is a list of its file, any other record a list of its own.
        case when record_form <> 'run_line' then source_line else 0 end as list_line,
        {{ unnest_structs('sources') }}
    from int_external_rows_matched

),

named as (

    select
        entries.*,
        coalesce(
            case
                when {{ gold_set_is('filings', 'entries.gold_set') }}
                    then entries.passage_id
                else {{ set_key('entries.gold_set', 'entries.passage_id') }}
            end,
            int_places_named.passage_id,
            entries.document
            || coalesce('#page-' || cast(entries.page as varchar), '')
        ) as named_passage_id,
        int_places_named.document_id is not null as is_of_document
    from entries
    left join int_places_named
        on
            entries.gold_set = int_places_named.corpus_id
            and entries.document = int_places_named.document
            and entries.page = int_places_named.page

),

resolved as (

    select
        named.* exclude (passage_id),
        passages.unit as named_unit,
        case
            when not {{ gold_set_is('filings', 'named.gold_set') }}
                then passages.passage_id is not null
            when {{ gold_set_is('tables', 'named.gold_set') }}
                then coalesce(passages.unit in ('sentence', 'row', 'cell'), false)
            else coalesce(passages.unit = 'sentence', false)
        end as is_known,
        case
            when
                passages.is_rankable or {{ gold_set_is('filings', 'named.gold_set') }}
                then named.named_passage_id
            else coalesce(passages.parent_id, named.named_passage_id)
        end as passage_id,
        -- Of what is not known the kind is seldom known either.
        case
            when {{ gold_set_is('filings', 'named.gold_set') }}
                then
                    case
                        when not {{ gold_set_is('tables', 'named.gold_set') }}
                            then 'sentence'
                        when passages.unit in ('sentence', 'row', 'cell')
                            then passages.unit
                    end
            when passages.is_rankable then passages.unit
            when passages.passage_id is not null then 'row'
            when named.page is not null then 'page'
        end as unit
    from named
    left join passages on named.named_passage_id = passages.passage_id

),

placed as (

    select
        *,
        -- One list of each unit; what is unknown is in no other's list.
        case
            when unit is null
                then min(source_file) over (partition by system_id, item_id)
            else min(source_file) over (partition by system_id, item_id, unit)
        end as first_file,
        case
            when unit is null
                then min(list_line) over (partition by system_id, item_id, source_file)
            else min(list_line) over (
                partition by system_id, item_id, source_file, unit
            )
        end as first_line,
        count(score) over (
            partition by system_id, item_id, source_file, list_line
        ) as n_scored,
        row_number() over (
            partition by system_id, item_id, named_passage_id
            order by source_file, source_line, place
        ) as occurrence
    from resolved

),

verdicts as (

    select
        *,
        case
            when source_file <> first_file or list_line <> first_line
                then 'second_ranking'
            when occurrence > 1 then 'repeated_sentence'
            when score is null and n_scored > 0 then 'no_score'
            when not is_known then 'unknown_sentence'
        end as reason_code,
        coalesce(reason_code = 'unknown_sentence', true) as is_ranked
    from placed

),

ordered as (

    select
        *,
        case
            when {{ gold_set_is('tables', 'gold_set') }} then 'sentence, row or cell'
            when {{ gold_set_is('filings', 'gold_set') }} then 'sentence'
        end as ranked_units,
        lag(score) over (
            partition by
                system_id,
                item_id,
                case when {{ gold_set_is('tables', 'gold_set') }} then unit end,
                is_ranked
            order by place, source_line, passage_id
        ) as score_before
    from verdicts

)

select
    system_id,
    gold_set,
    item_id,
    source_file,
    source_line,
    place,
    unit,
    passage_id,
    -- Known or not, it is a place in a document that was loaded.
    is_of_document,
    score,
    is_ranked,
    is_ranked and coalesce(score > score_before, false) as is_out_of_order,
    reason_code,
    case reason_code
        when 'second_ranking'
            then 'the ranking of ' || item_id || ' is in ' || first_file
        when 'repeated_sentence'
            then
                coalesce(unit, 'passage') || ' ' || named_passage_id
                || ' is ranked before'
        when 'unknown_sentence'
            then
                case
                    when named_unit is null
                        then
                            'the corpus has no ' || coalesce(unit, 'passage') || ' '
                            || passage_id
                    else
                        passage_id || ' is a ' || named_unit || ', and rankings of '
                        || gold_set || ' hold passages of unit ' || ranked_units
                end
        when 'no_score'
            then
                coalesce(unit, 'passage') || ' ' || named_passage_id
                || ' has no score, others have one'
    end as reason,
    case reason_code
        when 'second_ranking'
            then 'keep one ranking of a question, or make two systems'
        when 'repeated_sentence'
            then 'list a passage once; the first one is read'
        when 'unknown_sentence'
            then
                'take ids from sentences.passages of the same corpus'
                || coalesce(', where unit is ' || ranked_units, '')
        when 'no_score' then 'give every entry a score, or none'
    end as remedy,
    raw_excerpt
from ordered
