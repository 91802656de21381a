{#-
    What the answers of agents cite, in their order. A passage that no call of the session
    showed, nor an earlier turn of its dialogue, was not in front of it; an entry that names none
    stays, as it was written.
-#}
with

int_agent_answers_read as (

    select *
    from {{ ref('int_agent_answers_read') }}
    where outcome = 'answered'

),

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

shown as (

    select distinct
        system_id,
        item_id,
        unnest(passage_ids) as passage_id
    from agent_steps

),

placed as (

    select
        system_id,
        gold_set,
        item_id,
        unnest(citations) as citation,
        generate_subscripts(citations, 1) - 1 as citation_pos
    from int_agent_answers_read

),

read as (

    select
        *,
        case
            when json_type(citation) = 'OBJECT'
                then json_extract_string(citation, '$.passage_id')
            else json_extract_string(citation, '$')
        end as passage_id,
        json_extract_string(citation, '$.quote') as quote
    from placed

)

select
    read.system_id,
    read.gold_set,
    read.item_id,
    cast(read.citation_pos as integer) as citation_pos,
    coalesce(read.passage_id, cast(read.citation as varchar)) as named,
    shown.passage_id is not null as is_in_context,
    nullif(trim(read.quote), '') as quote
from read
left join shown
    on
        read.system_id = shown.system_id
        and read.item_id = shown.item_id
        and read.passage_id = shown.passage_id
