{#- The ranking of an outside system, entry by entry and to its end: by score, else in
    the order given; with the reason why an entry is left out. -#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

named as (

    select
        system_id,
        gold_set,
        item_id,
        source_file,
        source_line,
        raw_excerpt,
        {{ unnest_structs('sources') }}
    from int_external_rows_matched
    where
        reason_code is null
        and gold_set = 'p3'

),

entries as (

    select
        *,
        passage_id as sentence_id
    from named

),

first_files as (

    select
        system_id,
        item_id,
        min(source_file) as source_file
    from entries
    group by system_id, item_id

),

placed as (

    select
        entries.*,
        first_files.source_file as first_file,
        sentences.sentence_id is not null as is_in_corpus,
        entries.source_file = first_files.source_file as is_first_file,
        count(entries.score) over (
            partition by entries.system_id, entries.item_id, entries.source_file
        ) as n_scored,
        row_number() over (
            partition by entries.system_id, entries.item_id, entries.sentence_id
            order by entries.source_file, entries.source_line, entries.place
        ) as occurrence
    from entries
    inner join first_files
        on
            entries.system_id = first_files.system_id
            and entries.item_id = first_files.item_id
    left join sentences
        on entries.sentence_id = sentences.sentence_id

),

verdicts as (

    select
        *,
        -- Where no entry has a score, the order is the only word on relevance.
        coalesce(score, cast(1 as double) / (place + 1)) as ranking_score,
        case
            when not is_first_file then 'second_ranking'
            when occurrence > 1 then 'repeated_sentence'
            when not is_in_corpus then 'unknown_sentence'
            when score is null and n_scored > 0 then 'no_score'
        end as reason_code
    from placed

),

ranked as (

    select
        *,
        row_number() over (
            partition by system_id, item_id, reason_code
            order by ranking_score desc, sentence_id asc
        ) as score_rank,
        count(*) over (
            partition by system_id, item_id, reason_code, ranking_score
        ) as n_tied,
        lag(ranking_score) over (
            partition by system_id, item_id, reason_code
            order by place, source_line, sentence_id
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
    sentence_id,
    case
        when reason_code is null then cast(score_rank as integer)
    end as rank,
    ranking_score as score,
    case when reason_code is null then n_tied end as n_tied,
    reason_code is null
    and coalesce(ranking_score > score_before, false) as is_out_of_order,
    reason_code,
    case reason_code
        when 'second_ranking'
            then 'the ranking of ' || item_id || ' is in ' || first_file
        when 'repeated_sentence'
            then 'sentence ' || sentence_id || ' is ranked before'
        when 'unknown_sentence'
            then 'the corpus has no sentence ' || sentence_id
        when 'no_score'
            then
                'sentence ' || sentence_id || ' has no score, others have one'
    end as reason,
    case reason_code
        when 'second_ranking'
            then 'keep the ranking of a question in one file, or make two systems'
        when 'repeated_sentence' then 'list a sentence once; the first one is read'
        when 'unknown_sentence'
            then 'take ids from sentences.sentences of the same corpus'
        when 'no_score' then 'give every entry a score, or none'
    end as remedy,
    raw_excerpt
from ranked
