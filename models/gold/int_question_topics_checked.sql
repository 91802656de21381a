with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

disclosure_topics as (

    select * from {{ ref('disclosure_topics') }}

),

disclosures as (

    select * from {{ ref('disclosures') }}

),

int_question_evidence_joined as (

    select * from {{ ref('int_question_evidence_joined') }}

),

py_question_texts_labelled as (

    select * from {{ ref('py_question_texts_labelled') }}

),

py_question_amounts_read as (

    select * from {{ ref('py_question_amounts_read') }}

),

-- A question on tables or lines names a row by its labels, which need not say what its
-- topic is; its evidence is checked against tags and paths, or was chosen by a reader.
asked as (

    select
        gold_p3.question_id,
        gold_p3.answer_type,
        gold_p3.answer_unit,
        labels.atlas,
        labels.label
    from gold_p3
    inner join py_question_texts_labelled as labels
        on md5(gold_p3.question_text) = labels.text_hash
    where
        coalesce(gold_p3.category not in ('K', 'M', 'T'), true)
        or (gold_p3.category = 'T' and gold_p3.answer_type = 'no_answer')

),

ways as (

    select
        question_id,
        bool_or(label = 'asks_figure') as asks_figure,
        bool_or(label = 'asks_share_of') as asks_share_of,
        bool_or(label = 'asks_reason') as asks_reason,
        bool_or(label = 'asks_definition') as asks_definition,
        bool_or(label = 'asks_part') as asks_part
    from asked
    where atlas = 'question'
    group by question_id

),

-- A company's own measure may bear any name: a definition is not looked up by its KPI.
-- General risk is asked for by no word of its own and told by nearly every sentence.
asked_topics as (

    select
        asked.question_id,
        'kpi' as atlas,
        asked.label
    from asked
    left join ways
        on asked.question_id = ways.question_id
    where
        asked.atlas = 'kpi'
        and asked.answer_type is distinct from 'no_answer'
        and ways.asks_definition is not true

    union all

    select
        question_id,
        'risk' as atlas,
        label
    from asked
    where atlas = 'asked_risk' and answer_type is distinct from 'no_answer'

),

described as (

    select
        evidence.question_id,
        evidence.evidence_sentence_id,
        evidence.cik_int,
        labels.atlas,
        labels.label
    from int_question_evidence_joined as evidence
    inner join py_question_texts_labelled as labels
        on evidence.text_key = labels.text_hash

),

with_evidence as (

    select question_id
    from int_question_evidence_joined
    where is_found
    group by question_id

),

asked_companies as (

    select
        question_id,
        unnest(cik_int) as cik_int,
        generate_subscripts(cik_int, 1) as place
    from gold_p3
    where retrieval_scope = 'cross_company'

),

-- One company's answer stands on no other company's evidence.
topics_expected as (

    select
        asked_topics.question_id,
        asked_topics.atlas,
        asked_topics.label,
        asked_companies.cik_int
    from asked_topics
    inner join with_evidence
        on asked_topics.question_id = with_evidence.question_id
    left join asked_companies
        on asked_topics.question_id = asked_companies.question_id

),

expected_and_described as (

    select
        topics_expected.question_id,
        topics_expected.cik_int,
        array_to_string(
            list(distinct topics_expected.label order by topics_expected.label), ', '
        ) as labels
    from topics_expected
    left join described
        on
            topics_expected.question_id = described.question_id
            and topics_expected.atlas = described.atlas
            and topics_expected.label = described.label
            and topics_expected.cik_int is not distinct from case
                when topics_expected.cik_int is not null then described.cik_int
            end
    group by topics_expected.question_id, topics_expected.cik_int
    having count(described.question_id) = 0

),

topics_missed as (

    select
        question_id,
        array_to_string(
            list(labels || coalesce(' of CIK ' || cik_int, '') order by cik_int), '; '
        ) as detail
    from expected_and_described
    group by question_id

),

-- What a figure must look like: by its unit if the answer has one, else by its KPI. A
-- sum below a thousand may be one per share: "diluted EPS rose 8% to $1.28".
figures_asked as (

    select
        asked.question_id,
        case
            when asked.answer_unit like '%per_share' then 'per_share'
            when asked.answer_unit = 'percent' then 'percent'
            when asked.answer_unit is not null then 'money'
            else kpi_labels.value_kind
        end as value_kind
    from asked
    inner join kpi_labels
        on asked.label = kpi_labels.kpi_label
    left join ways
        on asked.question_id = ways.question_id
    where
        asked.atlas = 'kpi'
        and (
            asked.answer_type = 'numeric'
            or (
                asked.answer_type = 'span'
                and ways.asks_figure
                and not ways.asks_reason
            )
        )
        and coalesce(not ways.asks_share_of, true)
        and (
            asked.answer_unit is null
            or asked.answer_unit in ('USD', 'percent')
            or asked.answer_unit like '%per_share'
            or length(asked.answer_unit) = 3
        )

),

amounts as (

    select
        evidence.question_id,
        evidence.is_table_text,
        amounts_read.unit,
        abs(amounts_read.value) as value,
        amounts_read.is_per_share
    from int_question_evidence_joined as evidence
    inner join py_question_amounts_read as amounts_read
        on
            evidence.text_key = amounts_read.text_hash
            and amounts_read.kind = 'amount'

),

figures_missed as (

    select
        figures_asked.question_id,
        min(figures_asked.value_kind) as detail
    from figures_asked
    inner join with_evidence
        on figures_asked.question_id = with_evidence.question_id
    left join amounts
        on
            figures_asked.question_id = amounts.question_id
            and case
                when figures_asked.value_kind = 'percent'
                    then
                        amounts.unit in (
                            'percent', 'percentage_points', 'basis_points', 'ratio'
                        )
                when figures_asked.value_kind = 'per_share'
                    then
                        amounts.is_per_share
                        or amounts.unit like '%per_share'
                        or (length(amounts.unit) = 3 and amounts.value < 1000)
                else
                    length(amounts.unit) = 3
                    or (
                        coalesce(amounts.unit, 'count') = 'count'
                        and amounts.is_table_text
                    )
            end
    group by figures_asked.question_id
    having count(amounts.question_id) = 0

),

parts_described as (

    select
        question_id,
        evidence_sentence_id
    from described
    where atlas = 'evidence' and label = 'part'

),

narrower as (

    select
        asked_topics.question_id,
        array_to_string(
            list(
                distinct described.evidence_sentence_id
                order by described.evidence_sentence_id
            ),
            ', '
        ) as detail
    from asked_topics
    inner join described
        on
            asked_topics.question_id = described.question_id
            and asked_topics.atlas = described.atlas
            and asked_topics.label = described.label
    left join parts_described
        on
            described.question_id = parts_described.question_id
            and described.evidence_sentence_id = parts_described.evidence_sentence_id
    left join ways
        on asked_topics.question_id = ways.question_id
    where
        asked_topics.atlas = 'kpi'
        and ways.asks_part is not true
    group by asked_topics.question_id
    having count(parts_described.question_id) = count(*)

),

-- The topic's own name in the question is sure; a word of it somewhere is not.
topics_denied as (

    select
        gold_p3.question_id,
        gold_p3.cik_int,
        gold_p3.years,
        disclosure_topics.topic,
        contains(
            {{ plain_words('gold_p3.question_text') }},
            {{ plain_words('disclosure_topics.noun_phrase') }}
        ) as is_named
    from gold_p3
    inner join disclosure_topics
        on
            gold_p3.answer_type = 'no_answer'
            and gold_p3.category is distinct from 'K'
            and (
                contains(
                    {{ plain_words('gold_p3.question_text') }},
                    {{ plain_words('disclosure_topics.noun_phrase') }}
                )
                or exists (
                    select 1
                    from asked
                    where
                        asked.question_id = gold_p3.question_id
                        and asked.atlas = 'disclosure'
                        and asked.label = disclosure_topics.topic
                )
            )
    qualify
        is_named
        or not bool_or(is_named) over (partition by gold_p3.question_id)

),

denied_companies as (

    select
        question_id,
        unnest(cik_int) as cik_int,
        generate_subscripts(cik_int, 1) as place
    from gold_p3
    where answer_type = 'no_answer'

),

denied_years as (

    select
        question_id,
        unnest(years) as report_year,
        generate_subscripts(years, 1) as place
    from gold_p3
    where answer_type = 'no_answer'

),

disclosed as (

    select
        topics_denied.question_id,
        topics_denied.is_named,
        min(topics_denied.topic || ' in ' || disclosures.first_sentence_id) as detail
    from topics_denied
    inner join denied_companies
        on topics_denied.question_id = denied_companies.question_id
    inner join denied_years
        on topics_denied.question_id = denied_years.question_id
    inner join disclosures
        on
            topics_denied.topic = disclosures.topic
            and denied_companies.cik_int = disclosures.cik_int
            and denied_years.report_year = disclosures.report_year
    group by topics_denied.question_id, topics_denied.is_named

)

select
    question_id,
    'topic_not_in_evidence' as reason,
    detail
from topics_missed

union all

select
    question_id,
    'figure_asked_none_given' as reason,
    detail
from figures_missed

union all

select
    question_id,
    'evidence_narrower' as reason,
    detail
from narrower

union all

select
    question_id,
    case when is_named then 'answer_exists' else 'topic_mentioned' end as reason,
    detail
from disclosed
