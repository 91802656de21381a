with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

int_question_numbers_matched as (

    select * from {{ ref('int_question_numbers_matched') }}

),

py_question_amounts_read as (

    select * from {{ ref('py_question_amounts_read') }}

),

py_question_texts_labelled as (

    select * from {{ ref('py_question_texts_labelled') }}

),

worded as (

    select
        question_id,
        category,
        answer_type,
        answer_text,
        answer_numeric,
        answer_unit,
        tolerance,
        md5(question_text) as text_hash,
        {{ plain_words('question_text') }} as question_words,
        {{ plain_words('answer_text') }} as answer_words
    from gold_p3

),

money_asked as (

    select labels.text_hash
    from py_question_texts_labelled as labels
    inner join kpi_labels
        on
            labels.label = kpi_labels.kpi_label
            and kpi_labels.value_kind in ('money', 'per_share')
    where labels.atlas = 'kpi'
    group by labels.text_hash

),

-- Two words may well be a name that the question must say.
phrases_given as (

    select
        question_id,
        trim(answer_words) as detail
    from worded
    where
        answer_type is distinct from 'no_answer'
        and category is distinct from 'I'
        and len(string_split(trim(answer_words), ' ')) >= 3
        and contains(question_words, answer_words)

),

numbers_given as (

    select
        worded.question_id,
        min(amounts.raw) as detail
    from worded
    inner join py_question_amounts_read as amounts
        on
            worded.text_hash = amounts.text_hash
            and amounts.kind = 'amount'
    where
        worded.answer_type = 'numeric'
        and worded.category is distinct from 'I'
        and isfinite(worded.answer_numeric)
        and abs(abs(amounts.value) - abs(worded.answer_numeric))
        <= 1e-9 * abs(worded.answer_numeric) + case
            when isfinite(worded.tolerance) and worded.tolerance > 0
                then worded.tolerance
            else 0.0
        end
    group by worded.question_id

),

given as (

    select * from phrases_given
    union all
    select * from numbers_given

),

repeated as (

    select
        question_id,
        first_value(question_id) over same_words as first_id,
        count(*) over (partition by question_words) as n_alike
    from worded
    where trim(question_words) <> ''
    window same_words as (partition by question_words order by question_id)

)

select
    question_id,
    case
        when misread_as is not null then 'number_not_an_amount'
        else 'number_not_in_evidence'
    end as reason,
    case
        when misread_as is not null then answer || ' is a ' || misread_as
        else cast(answer as varchar)
    end as detail
from int_question_numbers_matched
where not is_in_evidence

union all

select
    worded.question_id,
    'money_without_unit' as reason,
    cast(worded.answer_numeric as varchar) as detail
from worded
inner join money_asked
    on worded.text_hash = money_asked.text_hash
where
    worded.answer_type = 'numeric'
    and worded.answer_unit is null
    and worded.category is distinct from 'I'

union all

select
    question_id,
    'answer_in_question' as reason,
    min(detail) as detail
from given
group by question_id

union all

-- "For the same reasons as ..." sends the reader on.
select
    question_id,
    'answer_elsewhere' as reason,
    substr(answer_text, 1, 80) as detail
from worded
where
    answer_type in ('span', 'list')
    and (
        {{ regex_matches(
            'answer_text', '(same|aforementioned) (reason|factor|item)s?'
        ) }}
        or {{ regex_matches(
            'answer_text',
            '(reason|factor|item)s? (discussed|described|noted|mentioned|listed) '
            ~ '(above|below|elsewhere|previously)'
        ) }}
    )

union all

select
    question_id,
    'duplicate_question' as reason,
    'as ' || first_id as detail
from repeated
where
    n_alike > 1
    and question_id <> first_id
