{#- The ranking of an outside system, entry by entry: by score, else in the order
    given; with the reason why an entry is left out. -#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

entries as (

    select
        system_id,
        gold_set,
        item_id,
        source_file,
        source_line,
        raw_excerpt,
        {{ unnest_structs('sources') }}
    from int_external_rows_matched
    where reason_code is null

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
    ranked.system_id,
    ranked.gold_set,
    ranked.item_id,
    ranked.source_file,
    ranked.source_line,
    ranked.place,
    ranked.sentence_id,
    case
        when ranked.reason_code is null then cast(ranked.score_rank as integer)
    end as rank,
    ranked.ranking_score as score,
    case when ranked.reason_code is null then ranked.n_tied end as n_tied,
    ranked.reason_code is null
    and coalesce(ranked.ranking_score > ranked.score_before, false) as is_out_of_order,
    ranked.reason_code,
    case ranked.reason_code
        when 'second_ranking'
            then 'the ranking of ' || ranked.item_id || ' is in ' || ranked.first_file
        when 'repeated_sentence'
            then 'sentence ' || ranked.sentence_id || ' is ranked before'
        when 'unknown_sentence'
            then 'the corpus has no sentence ' || ranked.sentence_id
        when 'no_score'
            then
                'sentence ' || ranked.sentence_id || ' has no score, others have one'
    end as reason,
    case ranked.reason_code
        when 'second_ranking'
            then 'keep the ranking of a question in one file, or make two systems'
        when 'repeated_sentence' then 'list a sentence once; the first one is read'
        when 'unknown_sentence'
            then 'take ids from sentences.sentences of the same corpus'
        when 'no_score' then 'give every entry a score, or none'
    end as remedy,
    ranked.raw_excerpt
from ranked
inner join registered_systems
    on ranked.system_id = registered_systems.system_id
where
    ranked.reason_code is not null
    or ranked.score_rank <= registered_systems.depth
