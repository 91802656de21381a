{#- The windows decide the gold of an anchor without changing the anchor. -#}
{%- set gold_settings = [
    var('p1_window'), var('p2_window_min'), var('p2_window_max'), var('p2_min_usable')
] | join('|') -%}
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

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

-- Runs differ by their questions on filings; a public set has a digest of its own.
parsed_questions as (

    select *
    from {{ ref('parsed_questions') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

vector_indexes as (

    select * from {{ ref('vector_indexes') }}

),

int_texts_distinct as (

    select * from {{ ref('int_texts_distinct') }}

),

-- Section by section, so that no string grows with the corpus' sentences.
section_digests as (

    select
        section_id,
        count(*) as n_sentences,
        md5(string_agg(text_hash, '|' order by sentence_pos)) as section_digest
    from sentences
    group by section_id

),

corpus as (

    select
        cast(coalesce(sum(n_sentences), 0) as bigint) as n_sentences,
        md5(coalesce(
            string_agg(section_id || section_digest, '|' order by section_id), ''
        )) as corpus_hash
    from section_digests

),

texts as (

    select count(*) as n_distinct_texts
    from int_texts_distinct

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
        md5(
            coalesce(string_agg(item_id, '|' order by item_id), '')
            || {{ sql_literal(gold_settings) }}
        ) as anchors_hash
    from anchors

),

asked as (

    select
        count(*) as n_questions,
        md5(coalesce(
            string_agg(item_id || md5(question_text), '|' order by item_id), ''
        )) as questions_hash
    from items

),

-- Names, filings and patterns decide what is read, and so what is searched.
read as (

    select
        md5(coalesce(string_agg(
            concat_ws(
                '|',
                item_id,
                cast(cik_ints as varchar),
                cast(years as varchar),
                cast(section_names as varchar),
                cast(forms as varchar),
                cast(segments as varchar),
                scope,
                answer_form,
                topic_text
            ),
            '|' order by item_id
        ), '')) as readings_hash
    from parsed_questions

),

settings as (

    -- The encoder's name does not tell its weights; its identity does.
    select
        md5(coalesce(
            string_agg(
                registered_systems.system_id || registered_systems.settings_hash
                || coalesce(vector_indexes.encoder_id, ''),
                '|' order by registered_systems.system_id
            ), ''
        )) as systems_hash
    from registered_systems
    left join vector_indexes
        on registered_systems.system_id = vector_indexes.system_id

)

select
    md5(
        corpus.corpus_hash || gold.anchors_hash || asked.questions_hash
        || read.readings_hash || settings.systems_hash
    ) as run_id,
    {{ sql_literal(var('corpus')) }} as corpus,
    {{ sql_literal(var('encoder')) }} as encoder,
    corpus.corpus_hash,
    gold.anchors_hash,
    asked.questions_hash,
    read.readings_hash,
    settings.systems_hash,
    corpus_filings.n_companies,
    corpus_filings.n_filings,
    corpus.n_sentences,
    texts.n_distinct_texts,
    gold.n_anchors,
    asked.n_questions,
    now() at time zone 'utc' as built_at
from corpus
cross join texts
cross join corpus_filings
cross join gold
cross join asked
cross join read
cross join settings
