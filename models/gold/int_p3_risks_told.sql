with

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),


-- The sentence that says most about a topic in a filing's risk factors.
best as (

    select *
    from risk_mentions
    where is_telling
    qualify
        row_number() over (
            partition by filing_id, risk_topic
            order by topic_cue_count desc, hazard_cue_count desc, sentence_id
        ) = 1

)

select * from best
