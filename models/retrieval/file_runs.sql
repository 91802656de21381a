with

int_external_rows_matched as (

    select *
    from {{ ref('int_external_rows_matched') }}
    where
        {{ gold_set_is('public', 'gold_set') }}
        and (is_search or sources is not null)

),

int_external_rankings_checked as (

    select * from {{ ref('int_external_rankings_checked') }}

),

runs as (

    select
        system_id,
        gold_set,
        coalesce(question_id, item_key) as question_id,
        item_id,
        cast(coalesce(sum({{ list_length('sources') }}), 0) as bigint) as n_places,
        min(source_file) as source_file
    from int_external_rows_matched
    group by
        system_id,
        gold_set,
        coalesce(question_id, item_key),
        item_id

),

unknown as (

    select
        system_id,
        item_id,
        count(*) as n_unknown,
        min(passage_id) as unknown_example
    from int_external_rankings_checked
    where reason_code = 'unknown_sentence'
    group by system_id, item_id

)

select
    runs.system_id,
    runs.gold_set,
    runs.question_id,
    runs.item_id,
    runs.item_id is not null as is_asked,
    runs.n_places,
    coalesce(unknown.n_unknown, 0) as n_unknown,
    unknown.unknown_example,
    runs.source_file
from runs
left join unknown
    on
        runs.system_id = unknown.system_id
        and runs.item_id = unknown.item_id
