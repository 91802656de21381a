with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

risk_mentions as (

    select *
    from {{ ref('risk_mentions') }}
    where {{ of_asked_filings() }}

),

risk_patterns as (

    select * from {{ ref('risk_patterns') }}

),

topic_patterns as (

    select
        risk_topic,
        string_agg('(?:' || pattern || ')', '|' order by pattern) as pattern
    from risk_patterns
    where risk_topic <> 'general_risk'
    group by risk_topic

),

-- What three companies say in the same words tells nothing of any of them.
boilerplate as (

    select text_hash
    from risk_mentions
    group by text_hash
    having count(distinct cik_int) >= 3

),

telling as (

    select
        risk_mentions.*,
        replace(lower(risk_mentions.sentence_text), '’', '''') as lower_text
    from risk_mentions
    left join boilerplate
        on risk_mentions.text_hash = boilerplate.text_hash
    where
        risk_mentions.is_telling
        -- More cues of its topic than of all others together.
        and 2 * risk_mentions.topic_cue_count
        > risk_mentions.risk_cue_count - risk_mentions.hazard_cue_count
        and boilerplate.text_hash is null
        -- A passage about the topic; "these factors" are named outside the sentence.
        and risk_mentions.n_topic_neighbours >= 1
        and {{ matches_any('risk_mentions.sentence_text', 'names_outside') }}
        is not true
        -- Competition for staff is no risk of the market.
        and not (
            risk_mentions.risk_topic = 'market_competition'
            and {{ matches_any('risk_mentions.sentence_text', 'staff') }}
        )

),

-- Where the first cue of each topic stands.
places as (

    select
        telling.sentence_id,
        telling.risk_topic,
        topic_patterns.risk_topic as named_topic,
        length(telling.lower_text) as text_length,
        strpos(
            telling.lower_text,
            nullif(regexp_extract(telling.lower_text, topic_patterns.pattern), '')
        ) as place
    from telling
    cross join topic_patterns

),

-- What a sentence is about stands first in it, and in its first half.
about as (

    select sentence_id
    from places
    group by sentence_id, risk_topic, text_length
    having
        coalesce(
            min_by(named_topic, (place, named_topic)) filter (where place is not null),
            risk_topic
        ) = risk_topic
        and coalesce(min(place) > text_length / 2, false) is false

)

-- The sentence that says most about a topic in a filing's risk factors.
select telling.* exclude (lower_text)
from telling
inner join about
    on telling.sentence_id = about.sentence_id
qualify
    row_number() over (
        partition by telling.filing_id, telling.risk_topic
        order by
            telling.n_topics asc,
            telling.topic_cue_count desc,
            telling.hazard_cue_count desc,
            telling.sentence_id asc
    ) = 1
