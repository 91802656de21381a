{#-
    What answers cite against the evidence of their question, by one rule for every gold set.
    A place that is cited twice is one source, a place that is in no filing a wrong one.
    An answer without a source has no right source: dropping them must not pay. Where a
    metric needs evidence and the gold names none, there is no value.
-#}
with

answers as (

    select *
    from {{ ref('answers') }}
    where outcome <> 'not_run'

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where measured_by = 'citations'

),

passages as (

    select * from {{ ref('passages') }}

),

filings as (

    select * from {{ ref('filings') }}

),

int_references_cited as (

    select * from {{ ref('int_references_cited') }}

),

int_references_named as (

    select * from {{ ref('int_references_named') }}

),

py_citations_matched as (

    select * from {{ ref('py_citations_matched') }}

),

evidence_counted as (

    select
        item_id,
        count(distinct evidence_id) as n_evidence
    from int_references_named
    group by item_id

),

matched_counted as (

    select
        system_id,
        item_id,
        count(distinct place_id) as n_matched,
        count(distinct evidence_id) as n_evidence_cited
    from py_citations_matched
    group by system_id, item_id

),

cited_counted as (

    select
        int_references_cited.system_id,
        int_references_cited.item_id,
        count(*) as n_cited,
        count(*) filter (
            where
            list_contains(item_answers.cik_int, filings.cik_int)
            and list_contains(item_answers.years, filings.report_year)
        ) as n_right_filing
    from int_references_cited
    inner join item_answers
        on int_references_cited.item_id = item_answers.item_id
    left join passages
        on int_references_cited.passage_id = passages.passage_id
    left join filings
        on passages.document_id = filings.filing_id
    group by int_references_cited.system_id, int_references_cited.item_id

),

counted as (

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        bool_or(answers.is_citing) over (
            partition by answers.gold_set, answers.system_id
        ) as is_of_citing_system,
        case
            when {{ gold_set_is('filings', 'answers.gold_set') }} then 'answers'
            else 'public'
        end as asked_of,
        coalesce(cited_counted.n_cited, 0) as n_cited,
        coalesce(cited_counted.n_right_filing, 0) as n_right_filing,
        coalesce(matched_counted.n_matched, 0) as n_matched,
        coalesce(matched_counted.n_evidence_cited, 0) as n_evidence_cited,
        coalesce(evidence_counted.n_evidence, 0) as n_evidence
    from answers
    left join cited_counted
        on
            answers.system_id = cited_counted.system_id
            and answers.item_id = cited_counted.item_id
    left join matched_counted
        on
            answers.system_id = matched_counted.system_id
            and answers.item_id = matched_counted.item_id
    left join evidence_counted
        on answers.item_id = evidence_counted.item_id

)

select
    counted.system_id,
    counted.gold_set,
    counted.item_id,
    metric_catalogue.metric,
    metric_catalogue.mode,
    counted.is_of_citing_system,
    counted.n_cited,
    counted.n_matched,
    counted.n_evidence,
    case
        when metric_catalogue.needs_gold and counted.n_evidence = 0 then null
        when metric_catalogue.metric = 'citation_coverage'
            then cast(counted.n_cited > 0 as double)
        when metric_catalogue.metric = 'citation_correctness'
            then coalesce(counted.n_matched / nullif(counted.n_cited, 0), 0)
        when metric_catalogue.metric = 'citation_recall'
            then counted.n_evidence_cited / counted.n_evidence
        when metric_catalogue.metric = 'citation_filing'
            then coalesce(counted.n_right_filing / nullif(counted.n_cited, 0), 0)
        when metric_catalogue.metric = 'cites_right_filing'
            then cast(
                counted.n_cited > 0 and counted.n_right_filing = counted.n_cited
                as double
            )
    end as value
from counted
inner join metric_catalogue
    on counted.asked_of = metric_catalogue.asked_of
