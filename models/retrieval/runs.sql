with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

filings as (

    select * from {{ ref('filings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

corpus as (

    select
        count(*) as n_sentences,
        count(distinct text_hash) as n_distinct_texts,
        -- An order-free digest: the sum of the rows' hashes.
        md5(cast(sum(hash(sentence_id, text_hash)) as varchar)) as corpus_hash
    from sentences

),

corpus_filings as (

    select
        count(*) as n_filings,
        count(distinct cik_int) as n_companies
    from filings

),

gold as (

    select
        count(*) as n_anchors,
        md5(coalesce(string_agg(item_id, '|' order by item_id), '')) as anchors_hash
    from anchors

),

settings as (

    select
        md5(coalesce(
            string_agg(system_id || settings_hash, '|' order by system_id), ''
        )) as systems_hash
    from registered_systems

)

select
    md5(
        corpus.corpus_hash || gold.anchors_hash || settings.systems_hash
    ) as run_id,
    {{ sql_literal(var('corpus')) }} as corpus,
    {{ sql_literal(var('encoder')) }} as encoder,
    corpus.corpus_hash,
    gold.anchors_hash,
    settings.systems_hash,
    corpus_filings.n_companies,
    corpus_filings.n_filings,
    corpus.n_sentences,
    corpus.n_distinct_texts,
    gold.n_anchors,
    now() at time zone 'utc' as built_at
from corpus
cross join corpus_filings
cross join gold
cross join settings
