with

int_places_ranked as (

    select * from {{ ref('int_places_ranked') }}

)

select
    system_id,
    gold_set,
    question_id,
    item_id,
    item_id is not null as is_asked,
    count(*) filter (where place_status != 'nothing_found') as n_places,
    count(*) filter (where place_status = 'unknown_passage') as n_unknown,
    min(case when place_status = 'unknown_passage' then passage_id end)
        as unknown_example,
    min(source_file) as source_file
from int_places_ranked
group by system_id, gold_set, question_id, item_id
