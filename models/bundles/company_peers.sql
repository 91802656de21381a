with

sentences as (

    select * from {{ ref('sentences') }}

),

-- Words of four letters or more with which companies describe their business, once per
-- sentence.
sentence_words as (

    select
        cik_int,
        unnest(
            list_distinct(
                regexp_extract_all(lower(sentence_text), '[a-z]{4,}')
            )
        ) as word
    from sentences
    where
        section_name = 'ITEM_1'
        and not is_toc

),

company_words as (

    select
        cik_int,
        word,
        count(*) as n_sentences
    from sentence_words
    group by cik_int, word

),

company_count as (

    select count(distinct cik_int) as n_companies
    from company_words

),

word_companies as (

    select
        word,
        count(*) as n_companies
    from company_words
    group by word

),

-- A word weighs by how often the company uses it and how few others do (tf-idf); one
-- that only one company uses, or three in ten, tells no kin. Decimals add up alike in
-- any order.
weighed as (

    select
        company_words.cik_int,
        company_words.word,
        cast(
            (1 + ln(company_words.n_sentences))
            * ln(company_count.n_companies / cast(word_companies.n_companies as double))
            as decimal(18, 6)
        ) as weight
    from company_words
    inner join word_companies
        on company_words.word = word_companies.word
    cross join company_count
    where
        word_companies.n_companies >= 2
        and word_companies.n_companies < company_count.n_companies
        and word_companies.n_companies <= greatest(2, 0.3 * company_count.n_companies)

),

telling as (

    select *
    from weighed
    qualify
        row_number() over (
            partition by cik_int order by weight desc, word asc
        ) <= {{ var('peer_words') | int }}

),

lengths as (

    select
        cik_int,
        sqrt(cast(sum(weight * weight) as double)) as length
    from telling
    group by cik_int

),

products as (

    select
        mine.cik_int,
        theirs.cik_int as peer_cik_int,
        cast(sum(mine.weight * theirs.weight) as double) as product
    from telling as mine
    inner join telling as theirs
        on
            mine.word = theirs.word
            and mine.cik_int <> theirs.cik_int
    group by mine.cik_int, theirs.cik_int

),

compared as (

    select
        products.cik_int,
        products.peer_cik_int,
        round(products.product / (own.length * other.length), 4) as similarity
    from products
    inner join lengths as own
        on products.cik_int = own.cik_int
    inner join lengths as other
        on products.peer_cik_int = other.cik_int

)

select
    cik_int,
    peer_cik_int,
    similarity,
    cast(row_number() over (
        partition by cik_int order by similarity desc, peer_cik_int asc
    ) as integer) as rank
from compared
where similarity >= {{ var('min_peer_similarity') }}
