-- Which right answers could not be defended, because their sources are wrong? One row
-- per system and question that is right and cites no evidence, another company or year,
-- or nothing at all.
-- Read n_wrongly_sourced of n_right with its interval (each company counts once), then
-- the rows. A source that is merely not in the gold may still be good: a later filing
-- often states the figure again. May be empty: every right answer cites evidence.
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

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

answer_citations as (

    select
        *,
        named as sentence_id
    from {{ ref('answer_citations') }}
    where gold_set = 'p3'

),

sentences as (

    select * from {{ ref('sentences') }}

),

scored as (

    select
        system_id,
        item_id,
        max(value) filter (where metric = 'answer_accuracy') as accuracy,
        max(value) filter (where metric = 'citation_correctness') as correctness,
        max(value) filter (where metric = 'cites_right_filing') as cites_right_filing
    from metric_values
    where metric in ('answer_accuracy', 'citation_correctness', 'cites_right_filing')
    group by system_id, item_id

),

-- What nothing is disclosed about has no source to be right.
defended as (

    select
        scored.system_id,
        scored.item_id,
        item_slices.cluster_id,
        answers.n_citations,
        case
            when answers.n_citations = 0 then 'cites nothing'
            when scored.cites_right_filing = 0 then 'cites another company or year'
            when scored.correctness = 0 then 'cites no evidence'
        end as fault
    from scored
    inner join answers
        on
            scored.system_id = answers.system_id
            and scored.item_id = answers.item_id
    inner join item_slices
        on
            scored.item_id = item_slices.item_id
            and item_slices.slice_name = 'overall'
    where
        scored.accuracy = 1
        and answers.outcome = 'answered'
        and scored.correctness is not null

),

totals as (

    select
        system_id,
        count(*) as n_right,
        count(distinct cluster_id) as n_companies,
        count(fault) as n_wrongly_sourced,
        count(fault) / count(*) as wrongly_sourced_share
    from defended
    group by system_id

),

cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        sentences.company_name,
        sentences.report_year,
        sentences.section_name,
        sentences.sentence_text
    from answer_citations
    inner join sentences
        on answer_citations.sentence_id = sentences.sentence_id
    where answer_citations.citation_pos = 0

)

select
    defended.system_id,
    totals.n_right,
    totals.n_wrongly_sourced,
    totals.wrongly_sourced_share,
    {{ wilson_bound('totals.wrongly_sourced_share', 'totals.n_companies', 'low') }}
        as ci_low,
    {{ wilson_bound('totals.wrongly_sourced_share', 'totals.n_companies', 'high') }}
        as ci_high,
    defended.item_id,
    defended.fault,
    items.question_text,
    answers.answer_text,
    cited.company_name as cited_company,
    cited.report_year as cited_year,
    cited.section_name as cited_section,
    cited.sentence_text as cited_text
from defended
inner join totals
    on defended.system_id = totals.system_id
inner join items
    on defended.item_id = items.item_id
inner join answers
    on
        defended.system_id = answers.system_id
        and defended.item_id = answers.item_id
left join cited
    on
        defended.system_id = cited.system_id
        and defended.item_id = cited.item_id
where defended.fault is not null
order by defended.system_id, defended.fault, defended.item_id
