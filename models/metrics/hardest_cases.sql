with

runs as (

    select * from {{ ref('runs') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

rankings as (

    select *
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

py_rankings_scored as (

    select *
    from {{ ref('py_rankings_scored') }}
    where
        unit = 'sentence'
        and mode = 'finrag'

),

asked as (

    select
        item_id,
        company_name,
        report_year,
        section_name,
        length_bucket,
        cast(null as varchar) as scope,
        sentence_text as item_text
    from anchors

    union all

    select
        items.item_id,
        array_to_string(gold_p3.company_name, ', ') as company_name,
        case
            when {{ list_length('gold_p3.years') }} = 1
                then gold_p3.years[1]
        end as report_year,
        gold_p3.section_hints[1] as section_name,
        cast(null as varchar) as length_bucket,
        gold_p3.retrieval_scope as scope,
        items.question_text as item_text
    from items
    inner join gold_p3
        on items.question_id = gold_p3.question_id

),

nearest_gold as (

    select
        item_id,
        min_by(passage_id, (distance, passage_id)) as gold_sentence_id
    from judgments
    where
        grade > 0
        and evidence_kind <> 'operand'
    group by item_id

),

-- The first that is not the anchor itself.
top_ranked as (

    select
        rankings.system_id,
        rankings.item_id,
        min_by(rankings.passage_id, rankings.rank) as top_sentence_id,
        min_by(rankings.score, rankings.rank) as top_score
    from rankings
    left join anchors
        on rankings.item_id = anchors.item_id
    where
        rankings.rank <= 2
        and rankings.passage_id is distinct from anchors.sentence_id
    group by rankings.system_id, rankings.item_id

),

-- No gold in the ranking is the hardest; then the later the first gold, the harder.
ordered as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id,
        nearest_gold.gold_sentence_id,
        py_rankings_scored.first_rank as first_gold_rank,
        row_number() over (
            partition by retrieval_outcomes.system_id, retrieval_outcomes.gold_set
            order by
                py_rankings_scored.first_rank desc nulls first,
                {{ seeded_order('retrieval_outcomes.item_id', 'hardest') }},
                retrieval_outcomes.item_id
        ) as hardness_rank
    from retrieval_outcomes
    inner join registered_systems
        on
            retrieval_outcomes.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join nearest_gold
        on retrieval_outcomes.item_id = nearest_gold.item_id
    left join py_rankings_scored
        on
            retrieval_outcomes.system_id = py_rankings_scored.system_id
            and retrieval_outcomes.item_id = py_rankings_scored.item_id
    where
        retrieval_outcomes.outcome = 'ranked'
        and retrieval_outcomes.unit = 'sentence'

)

select
    runs.run_id,
    ordered.system_id,
    ordered.gold_set,
    cast(ordered.hardness_rank as integer) as hardness_rank,
    ordered.item_id,
    cast(ordered.first_gold_rank as integer) as first_gold_rank,
    asked.company_name,
    asked.report_year,
    asked.section_name,
    asked.length_bucket,
    asked.scope,
    asked.item_text,
    ordered.gold_sentence_id,
    gold_sentences.sentence_text as gold_text,
    top_ranked.top_sentence_id,
    top_sentences.sentence_text as top_text,
    top_ranked.top_score
from ordered
cross join runs
inner join asked
    on ordered.item_id = asked.item_id
inner join sentences as gold_sentences
    on ordered.gold_sentence_id = gold_sentences.sentence_id
left join top_ranked
    on
        ordered.system_id = top_ranked.system_id
        and ordered.item_id = top_ranked.item_id
left join sentences as top_sentences
    on top_ranked.top_sentence_id = top_sentences.sentence_id
where ordered.hardness_rank <= {{ var('hardest_cases_per_system') | int }}
