with

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),

-- What three companies say in the same words tells nothing of any of them.
boilerplate as (

    select text_hash
    from risk_mentions
    group by text_hash
    having count(distinct cik_int) >= 3

),

-- The sentence that says most about a topic in a filing's risk factors.
best as (

    select risk_mentions.*
    from risk_mentions
    left join boilerplate
        on risk_mentions.text_hash = boilerplate.text_hash
    where
        risk_mentions.is_telling
        -- More cues of its topic than of all others together.
        and 2 * risk_mentions.topic_cue_count
        > risk_mentions.risk_cue_count - risk_mentions.hazard_cue_count
        and boilerplate.text_hash is null
        -- Competition for staff is no risk of the market.
        and not (
            risk_mentions.risk_topic = 'market_competition'
            and {{ matches_any('risk_mentions.sentence_text', 'staff') }}
        )
    qualify
        row_number() over (
            partition by risk_mentions.filing_id, risk_mentions.risk_topic
            order by
                risk_mentions.n_topics asc,
                risk_mentions.topic_cue_count desc,
                risk_mentions.hazard_cue_count desc,
                risk_mentions.sentence_id asc
        ) = 1

)

select * from best
