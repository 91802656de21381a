{#-
    Items of wrong lists: a gold item that the answer does not name, an item of the
    answer that the gold list does not name. Both lists are JSON arrays; an answer that
    is none is one item. Compared are whole words, whatever the punctuation.
-#}
with

int_answers_diagnosed as (

    select * from {{ ref('int_answers_diagnosed') }}

),

wrong_lists as (

    select
        system_id,
        item_id,
        answer_text,
        gold_text
    from int_answers_diagnosed
    where
        outcome = 'answered'
        and answer_type = 'list'
        and not is_right

),

gold_items as (

    select
        system_id,
        item_id,
        'missed' as fault,
        answer_text as looked_in,
        unnest(
            string_split(replace(trim(gold_text, '[]" '), '", "', '","'), '","')
        ) as list_item
    from wrong_lists

),

answer_items as (

    select
        system_id,
        item_id,
        'extra' as fault,
        gold_text as looked_in,
        unnest(
            string_split(replace(trim(answer_text, '[]" '), '", "', '","'), '","')
        ) as list_item
    from wrong_lists

),

all_items as (

    select * from gold_items

    union all

    select * from answer_items

),

not_found as (

    select *
    from all_items
    where not contains({{ plain_words('looked_in') }}, {{ plain_words('list_item') }})

)

select
    system_id,
    item_id,
    count(*) filter (where fault = 'missed') as n_missed,
    count(*) filter (where fault = 'extra') as n_extra,
    min(list_item) filter (where fault = 'missed') as missed_item,
    min(list_item) filter (where fault = 'extra') as extra_item
from not_found
group by system_id, item_id
