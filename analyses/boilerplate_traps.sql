-- Where does a system find the right words in the wrong place? Anchors by section whose
-- first hit, the anchor taken out, stands in another filing.
-- Read same_text_share: of all anchors, those whose first hit is the very same text in
-- another filing. No ranking by content can tell such sentences apart; only a filter by
-- company and year can. other_filing_share holds them and near copies. Intervals count
-- each filing as one item. Filtered systems have shares of 0 by construction.
with

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

-- Ranks 1 and 2 hold the first hit, whether the anchor found itself or not.
first_hits as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.sentence_id
    from rankings
    inner join registered_systems
        on rankings.system_id = registered_systems.system_id
    inner join anchors
        on rankings.item_id = anchors.item_id
    where
        rankings.rank <= 2
        and not registered_systems.is_null
        and registered_systems.asks <> 'questions'
        and rankings.sentence_id <> anchors.sentence_id
    qualify
        row_number() over (
            partition by rankings.system_id, rankings.item_id
            order by rankings.rank, rankings.sentence_id
        ) = 1

),

placed as (

    select
        first_hits.system_id,
        anchors.gold_set,
        anchors.section_name,
        anchors.filing_id,
        sentences.filing_id <> anchors.filing_id as is_elsewhere,
        sentences.filing_id <> anchors.filing_id
        and sentences.text_hash = anchors.text_hash as is_same_text
    from first_hits
    inner join anchors
        on first_hits.item_id = anchors.item_id
    inner join sentences
        on first_hits.sentence_id = sentences.sentence_id

),

counted as (

    select
        gold_set,
        system_id,
        section_name,
        count(*) as n_anchors,
        count(distinct filing_id) as n_filings,
        count(*) filter (where is_elsewhere) as n_in_other_filing,
        count(*) filter (where is_same_text) as n_same_text,
        count(*) filter (where is_elsewhere) / count(*) as other_filing_share,
        count(*) filter (where is_same_text) / count(*) as same_text_share
    from placed
    group by gold_set, system_id, section_name

)

select
    *,
    {{ wilson_bound('same_text_share', 'n_filings', 'low') }} as ci_low,
    {{ wilson_bound('same_text_share', 'n_filings', 'high') }} as ci_high
from counted
order by same_text_share desc, gold_set asc, system_id asc, section_name asc
