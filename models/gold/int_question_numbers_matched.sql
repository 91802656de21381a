with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_question_evidence_joined as (

    select * from {{ ref('int_question_evidence_joined') }}

),

py_question_amounts_read as (

    select * from {{ ref('py_question_amounts_read') }}

),

py_question_texts_labelled as (

    select * from {{ ref('py_question_texts_labelled') }}

),

questions_of_period as (

    select text_hash
    from py_question_texts_labelled
    where atlas = 'question' and label = 'asks_period'

),

other_signs as (

    select text_hash
    from py_question_texts_labelled
    where atlas = 'evidence' and label = 'other_sign'

),

-- The slack covers what is lost between decimal and binary.
numeric_answers as (

    select
        gold_p3.question_id,
        abs(gold_p3.answer_numeric) as answer,
        gold_p3.answer_unit,
        case
            when isfinite(gold_p3.tolerance) and gold_p3.tolerance > 0
                -- A tolerance wider than a tenth of the answer would accept anything.
                then least(gold_p3.tolerance, 0.1 * abs(gold_p3.answer_numeric))
            else 0.0
        end + 1e-9 * abs(gold_p3.answer_numeric) as slack,
        coalesce(gold_p3.category = 'I', false)
        or (
            questions_of_period.text_hash is not null
            and gold_p3.answer_unit is null
            and gold_p3.answer_numeric between 1900 and 2100
        ) as is_period,
        coalesce(gold_p3.category = 'N', false)
        or coalesce(gold_p3.retrieval_scope = 'cross_year', false) as is_difference
    from gold_p3
    left join questions_of_period
        on md5(gold_p3.question_text) = questions_of_period.text_hash
    where
        gold_p3.answer_type = 'numeric'
        and isfinite(gold_p3.answer_numeric)
        -- What figures of tables come to was worked out from their cells.
        and coalesce(gold_p3.category not in ('M', 'T'), true)

),

-- Tables state their scale in a heading.
scales as (

    select 1.0 as factor
    union all
    select 1e3 as factor
    union all
    select 1e6 as factor

),

stated as (

    select
        numeric_answers.question_id,
        numeric_answers.answer,
        numeric_answers.answer_unit,
        numeric_answers.slack,
        numeric_answers.is_period,
        numeric_answers.is_difference,
        evidence.evidence_sentence_id,
        evidence.place,
        evidence.is_table_text
        or coalesce(
            {{ regex_matches(
                'evidence.sentence_text', 'in (thousands|millions)'
            ) }},
            false
        ) as has_scale_elsewhere,
        other_signs.text_hash is not null as has_other_sign,
        amounts.amount_pos,
        amounts.reading,
        amounts.raw,
        abs(amounts.value) as value,
        amounts.kind,
        amounts.unit,
        amounts.scale
    from numeric_answers
    inner join int_question_evidence_joined as evidence
        on numeric_answers.question_id = evidence.question_id
    inner join py_question_amounts_read as amounts
        on evidence.text_key = amounts.text_hash
    left join other_signs
        on evidence.text_key = other_signs.text_hash

),

single as (

    select stated.question_id
    from stated
    inner join scales
        on
            scales.factor = 1.0
            or (stated.has_scale_elsewhere and stated.scale = 'units')
    where
        (stated.kind = 'amount' or stated.is_period)
        -- 6 percent is no 6 dollars.
        and (
            stated.is_period
            or stated.answer_unit is null
            or stated.unit is null
            or stated.unit in ('count', 'ratio')
            or stated.unit = stated.answer_unit
            or (
                stated.unit not in ('percent', 'percentage_points')
                and stated.answer_unit not in (
                    'percent', 'percentage_points', 'USD', 'EUR', 'GBP', 'JPY', 'CNY'
                )
            )
        )
        and abs(stated.value * scales.factor - stated.answer)
        <= stated.slack
    group by stated.question_id

),

-- A change is the difference of two amounts, or their sum where an income becomes a
-- loss.
pairs as (

    select one.question_id
    from stated as one
    inner join stated as other
        on
            one.question_id = other.question_id
            and one.unit is not distinct from other.unit
            and (
                one.place < other.place
                or (one.place = other.place and one.amount_pos < other.amount_pos)
            )
    inner join scales
        on
            scales.factor = 1.0
            or (
                one.has_scale_elsewhere
                and other.has_scale_elsewhere
                and one.scale = 'units'
                and other.scale = 'units'
            )
    where
        one.is_difference
        and (
            one.answer_unit is null
            or one.unit is null
            or one.unit in ('count', 'ratio')
            or one.unit = one.answer_unit
            or one.answer_unit not in ('USD', 'EUR', 'GBP', 'JPY', 'CNY')
        )
        and one.kind = 'amount'
        and other.kind = 'amount'
        and (
            abs(abs(one.value - other.value) * scales.factor - one.answer) <= one.slack
            or (
                (one.has_other_sign or other.has_other_sign)
                and abs((one.value + other.value) * scales.factor - one.answer)
                <= one.slack
            )
        )
    group by one.question_id

),

-- The same digits that are no amount: where a careless reader took the number from.
misread as (

    select
        question_id,
        min_by(kind || ' "' || raw || '"', (place, amount_pos)) as detail
    from stated
    where
        kind <> 'amount'
        and abs(value - answer) <= slack
    group by question_id

),

with_evidence as (

    select question_id
    from int_question_evidence_joined
    where is_found
    group by question_id

)

select
    numeric_answers.question_id,
    numeric_answers.answer,
    coalesce(single.question_id, pairs.question_id) is not null as is_in_evidence,
    misread.detail as misread_as
from numeric_answers
inner join with_evidence
    on numeric_answers.question_id = with_evidence.question_id
left join single
    on numeric_answers.question_id = single.question_id
left join pairs
    on numeric_answers.question_id = pairs.question_id
left join misread
    on numeric_answers.question_id = misread.question_id
