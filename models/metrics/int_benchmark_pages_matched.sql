{#-
    Page against page with one page of grace on either side: from rank 1 down, a
    ranked page takes the nearest page of evidence that none before it took, the lower
    number of two equally near. No page of evidence is taken twice, and no ranked page
    takes two.
-#}
{%- set depth = 10 -%}
with recursive

int_benchmark_evidence_ranked as (

    select * from {{ ref('int_benchmark_evidence_ranked') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_rankings as (

    select * from {{ ref('benchmark_rankings') }}

),

pages_ranked as (

    select
        benchmark_rankings.system_id,
        benchmark_rankings.item_id,
        benchmark_rankings.rank,
        benchmark_passages.document_id,
        benchmark_passages.page
    from benchmark_rankings
    inner join benchmark_passages
        on
            benchmark_rankings.benchmark = benchmark_passages.benchmark
            and benchmark_rankings.passage_id = benchmark_passages.passage_id
    where
        benchmark_rankings.space = 'page'
        and benchmark_rankings.rank <= {{ depth }}

),

evidence as (

    select
        int_benchmark_evidence_ranked.system_id,
        int_benchmark_evidence_ranked.benchmark,
        int_benchmark_evidence_ranked.item_id,
        int_benchmark_evidence_ranked.passage_id,
        benchmark_passages.document_id,
        benchmark_passages.page
    from int_benchmark_evidence_ranked
    inner join benchmark_passages
        on
            int_benchmark_evidence_ranked.benchmark = benchmark_passages.benchmark
            and int_benchmark_evidence_ranked.passage_id
            = benchmark_passages.passage_id
    where int_benchmark_evidence_ranked.space = 'page'

),

-- One round a rank; the pages of evidence go through all of them.
matched as (

    select
        system_id,
        benchmark,
        item_id,
        passage_id,
        document_id,
        page,
        0 as round,
        cast(null as integer) as rank
    from evidence

    union all

    select
        system_id,
        benchmark,
        item_id,
        passage_id,
        document_id,
        page,
        round,
        case
            when rank is not null then rank
            when distance <= 1 and turn = 1 then round
        end as rank
    from (
        select
            matched.system_id,
            matched.benchmark,
            matched.item_id,
            matched.passage_id,
            matched.document_id,
            matched.page,
            matched.round + 1 as round,
            matched.rank,
            abs(matched.page - pages_ranked.page) as distance,
            row_number() over (
                partition by matched.system_id, matched.item_id
                order by
                    case
                        when matched.rank is null
                            then abs(matched.page - pages_ranked.page)
                    end nulls last,
                    matched.page,
                    matched.passage_id
            ) as turn
        from matched
        left join pages_ranked
            on
                matched.system_id = pages_ranked.system_id
                and matched.item_id = pages_ranked.item_id
                and matched.document_id = pages_ranked.document_id
                and matched.round + 1 = pages_ranked.rank
        where matched.round < {{ depth }}
    ) as stepped

)

select
    system_id,
    benchmark,
    item_id,
    passage_id,
    rank
from matched
where round = {{ depth }}
