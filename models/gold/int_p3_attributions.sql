with

verification_pairs as (

    select * from {{ ref('verification_pairs') }}

),

int_p3_causes_sound as (

    select * from {{ ref('int_p3_causes_sound') }}

),

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

kpi_mentions as (

    select *
    from {{ ref('kpi_mentions') }}
    where {{ of_asked_filings() }}

),

verification_candidates as (

    select * from {{ ref('verification_candidates') }}

),

verification_topics as (

    select * from {{ ref('verification_topics') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

discussed as (

    select *
    from kpi_mentions
    where
        section_name = 'ITEM_7'
        and not is_navigational

),

-- Explicit: the sentence explains the company's own figure, and the cue stands in the
-- cause.
stated as (

    select
        sound.cik_int,
        sound.report_year,
        sound.filing_id,
        sound.kpi_label,
        verification_candidates.topic,
        min_by(
            sound.sentence_id, (sound.token_count, sound.sentence_id)
        ) as sentence_id
    from int_p3_causes_sound as sound
    inner join verification_candidates
        on
            sound.sentence_id = verification_candidates.sentence_id
            and verification_candidates.is_explicit_attribution
            and verification_candidates.is_certain
            and verification_candidates.effect_text is not null
    where sound.section_name = 'ITEM_7'
    group by
        sound.cik_int,
        sound.report_year,
        sound.filing_id,
        sound.kpi_label,
        verification_candidates.topic

),

-- Anything that might be read as an attribution: a cause or a verb beside the cue, in
-- the sentence of the figure or within three sentences of one.
arguable as (

    select distinct
        discussed.filing_id,
        discussed.kpi_label,
        verification_candidates.topic
    from discussed
    inner join verification_candidates
        on
            discussed.filing_id = verification_candidates.filing_id
            and discussed.section_name = verification_candidates.section_name
            and abs(discussed.sentence_pos - verification_candidates.sentence_pos) <= 3
    where
        discussed.sentence_id = verification_candidates.sentence_id
        or verification_candidates.has_causal_connector
        or verification_candidates.is_explicit_attribution
        or verification_candidates.is_offset
        or not verification_candidates.is_certain

),

-- A cause that goes on elsewhere ("due to the following:") might name anything.
unfinished as (

    select distinct
        filing_id,
        kpi_label
    from discussed
    where
        has_causal_connector
        and not is_self_contained

),

mentioned as (

    select
        filing_id,
        topic,
        min_by(sentence_id, (is_hypothetical, -n_cues, sentence_id)) as sentence_id
    from verification_candidates
    where
        section_name = 'ITEM_7'
        and is_self_contained
        and not is_navigational
        and not is_explicit_attribution
    group by filing_id, topic

),

changed as (

    select
        cik_int,
        report_year,
        filing_id,
        kpi_label,
        min_by(
            sentence_id, (not is_company_cause, token_count, sentence_id)
        ) as sentence_id
    from discussed
    where
        is_self_contained
        and (kpi_label <> 'eps' or contains(lower(sentence_text), 'diluted'))
        and (is_company_cause or (is_company_level and prior_value is not null))
    group by cik_int, report_year, filing_id, kpi_label

),

-- A true negative: the topic is spoken of, the figure changed, and nothing ties the
-- two.
unstated as (

    select
        changed.cik_int,
        changed.report_year,
        changed.filing_id,
        changed.kpi_label,
        mentioned.topic,
        changed.sentence_id as kpi_sentence_id,
        mentioned.sentence_id as topic_sentence_id
    from changed
    inner join mentioned
        on changed.filing_id = mentioned.filing_id
    inner join verification_pairs
        on
            changed.kpi_label = verification_pairs.kpi_label
            and mentioned.topic = verification_pairs.topic
    left join unfinished
        on
            changed.filing_id = unfinished.filing_id
            and changed.kpi_label = unfinished.kpi_label
    left join arguable
        on
            changed.filing_id = arguable.filing_id
            and changed.kpi_label = arguable.kpi_label
            and mentioned.topic = arguable.topic
    where
        arguable.filing_id is null
        and unfinished.filing_id is null
        and mentioned.sentence_id <> changed.sentence_id
    -- Unstated causes are many and stated ones few: one of a filing is enough.
    qualify
        row_number() over (
            partition by changed.filing_id
            order by
                {{ seeded_order(
                    "changed.filing_id || changed.kpi_label || mentioned.topic",
                    'unstated'
                ) }},
                changed.kpi_label,
                mentioned.topic
        ) = 1

),

-- As many noes as yeses, or ten: who always says no must not look good.
balance as (

    select greatest(count(*), 10) as max_unstated
    from stated

),

unstated_drawn as (

    select unstated.*
    from unstated
    cross join balance
    qualify
        row_number() over (
            order by
                {{ seeded_order('unstated.filing_id', 'balance') }},
                unstated.filing_id
        ) <= max(balance.max_unstated) over ()

),

answered as (

    select
        cik_int,
        report_year,
        kpi_label,
        topic,
        true as is_yes,
        [sentence_id] as evidence_sentence_ids,
        sentence_id as described_sentence_id
    from stated

    union all

    select
        cik_int,
        report_year,
        kpi_label,
        topic,
        false as is_yes,
        [topic_sentence_id, kpi_sentence_id] as evidence_sentence_ids,
        topic_sentence_id as described_sentence_id
    from unstated_drawn

),

described as (

    select distinct
        sentence_id,
        sentence_text
    from verification_candidates

),

worded as (

    select
        'G|' || answered.cik_int || '|' || answered.report_year || '|'
        || answered.kpi_label || '|' || answered.topic as question_key,
        'G' as category,
        'attribution' as question_form,
        case when answered.is_yes then 'yes' else 'no' end as balance_topic,
        [answered.cik_int] as cik_ints,
        [answered.report_year] as report_years,
        kpi_labels.noun_phrase as slot_topic,
        verification_topics.noun_phrase as slot_detail,
        cast(null as varchar) as slot_direction,
        cast(null as integer) as slot_count,
        'boolean' as answer_type,
        case
            when answered.is_yes then 'Yes. ' || described.sentence_text
            else
                'No. Its MD&A speaks of ' || verification_topics.noun_phrase
                || ' but does not explicitly attribute the change in '
                || kpi_labels.noun_phrase || ' to this.'
        end as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        answered.evidence_sentence_ids,
        [described.sentence_text] as evidence_spans,
        'local' as retrieval_scope,
        'hard' as difficulty,
        ['ITEM_7'] as section_hints,
        case
            when answered.is_yes then 'The cue stands in the cause clause.'
            else 'Mentioned, not attributed: no cause beside the figure names it.'
        end as notes,
        case when answered.is_yes then 0.85 else 0.75 end as curation_confidence
    from answered
    inner join described
        on answered.described_sentence_id = described.sentence_id
    inner join verification_topics
        on answered.topic = verification_topics.topic
    inner join kpi_labels
        on answered.kpi_label = kpi_labels.kpi_label

)

select
    question_key,
    category,
    question_form,
    balance_topic,
    cik_ints,
    report_years,
    slot_topic,
    slot_detail,
    slot_direction,
    slot_count,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    evidence_sentence_ids,
    evidence_spans,
    retrieval_scope,
    difficulty,
    section_hints,
    notes,
    curation_confidence
from worded
