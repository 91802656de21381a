with

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

answerers as (

    select
        answers.system_id,
        answers.gold_set
    from answers
    inner join registered_systems
        on
            answers.system_id = registered_systems.system_id
            and not registered_systems.is_null
    group by answers.system_id, answers.gold_set

)

select
    {{ question_page_id('rankings.gold_set', 'rankings.item_id') }} as page_id,
    rankings.system_id,
    rankings.rank,
    coalesce(judgments.grade > 0, false) as is_gold,
    rankings.sentence_id,
    sentences.company_name || ', ' || sentences.report_year || ', '
    || sentences.section_name as place,
    -- Enough to recognise it: the passages above hold the evidence and what was cited.
    case
        when length(sentences.sentence_text) > 90
            then substr(sentences.sentence_text, 1, 90) || ' …'
        else sentences.sentence_text
    end as excerpt
from rankings
inner join items
    on
        rankings.gold_set = items.gold_set
        and rankings.item_id = items.item_id
inner join answerers
    on
        rankings.system_id = answerers.system_id
        and rankings.gold_set = answerers.gold_set
left join sentences
    on rankings.sentence_id = sentences.sentence_id
left join judgments
    on
        rankings.gold_set = judgments.gold_set
        and rankings.item_id = judgments.item_id
        and rankings.sentence_id = judgments.passage_id
where rankings.rank <= 10
order by page_id, rankings.system_id, rankings.rank
