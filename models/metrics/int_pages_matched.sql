{#-
    The most pages of evidence that the first k ranked pages can be matched with, one page
    of grace on either side and each page once. Going up the pages of evidence and taking
    the lowest ranked page that is near and left gives most: what it leaves lies higher,
    where later pages of evidence can still use it. What is left is then every ranked page
    above the last one taken.
-#}
with recursive

judgments as (

    select * from {{ ref('judgments') }}

),

passages as (

    select * from {{ ref('passages') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select k
    from metric_catalogue
    where metric = 'evidence_recall_near'

),

pages_ranked as (

    select
        rankings.system_id,
        rankings.item_id,
        passages.document_id,
        passages.page,
        min(rankings.rank) as rank
    from rankings
    inner join passages
        on rankings.passage_id = passages.passage_id
    where rankings.unit = 'page'
    group by
        rankings.system_id,
        rankings.item_id,
        passages.document_id,
        passages.page

),

searched as (

    select
        system_id,
        item_id
    from pages_ranked
    group by system_id, item_id

),

evidence as (

    select
        searched.system_id,
        judgments.item_id,
        passages.document_id,
        passages.page,
        row_number() over (
            partition by
                searched.system_id, judgments.item_id, passages.document_id
            order by passages.page, judgments.evidence_id
        ) as turn
    from judgments
    inner join searched
        on judgments.item_id = searched.item_id
    inner join passages
        on judgments.evidence_id = passages.passage_id
    where
        judgments.unit = 'page'
        and judgments.grade > 0
        and judgments.mapping = 'mapped'

),

near as (

    select
        evidence.system_id,
        evidence.item_id,
        evidence.document_id,
        evidence.turn,
        cutoffs.k,
        max(pages_ranked.page) filter (
            where pages_ranked.page = evidence.page - 1
        ) as page_before,
        max(pages_ranked.page) filter (
            where pages_ranked.page = evidence.page
        ) as page_itself,
        max(pages_ranked.page) filter (
            where pages_ranked.page = evidence.page + 1
        ) as page_after
    from evidence
    cross join cutoffs
    left join pages_ranked
        on
            evidence.system_id = pages_ranked.system_id
            and evidence.item_id = pages_ranked.item_id
            and evidence.document_id = pages_ranked.document_id
            and abs(evidence.page - pages_ranked.page) <= 1
            and cutoffs.k >= pages_ranked.rank
    group by
        evidence.system_id,
        evidence.item_id,
        evidence.document_id,
        evidence.turn,
        cutoffs.k

),

-- Pages count from 0 or 1, so that every page lies above the last one taken before any.
matched as (

    select
        system_id,
        item_id,
        document_id,
        k,
        turn,
        coalesce(page_before, page_itself, page_after, -1) as last_page,
        coalesce(page_before, page_itself, page_after) is not null as is_matched
    from near
    where turn = 1

    union all

    select
        system_id,
        item_id,
        document_id,
        k,
        turn,
        coalesce(taken_page, last_page) as last_page,
        taken_page is not null as is_matched
    from (
        select
            near.*,
            matched.last_page,
            case
                when near.page_before > matched.last_page then near.page_before
                when near.page_itself > matched.last_page then near.page_itself
                when near.page_after > matched.last_page then near.page_after
            end as taken_page
        from matched
        inner join near
            on
                matched.system_id = near.system_id
                and matched.item_id = near.item_id
                and matched.document_id = near.document_id
                and matched.k = near.k
                and matched.turn + 1 = near.turn
    ) as stepped

)

select
    system_id,
    item_id,
    k,
    count(*) as n_pages,
    count(*) filter (where is_matched) as n_matched
from matched
group by system_id, item_id, k
