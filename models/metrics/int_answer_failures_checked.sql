{#-
    Every kind of failure that fits an answer; answer_failures takes the first by rank.
    Kinds that exclude each other share a select. Every wrong answer fits at least one.
-#}
with

int_answers_diagnosed as (

    select * from {{ ref('int_answers_diagnosed') }}

),

described as (

    select
        *,
        concat_ws(
            '',
            n_evidence,
            ' of evidence: ',
            coalesce(cast(n_evidence_ranked as varchar), 'unknown'),
            ' ranked, ',
            coalesce(cast(n_evidence_in_context as varchar), 'unknown'),
            ' read, ',
            n_evidence_cited,
            ' cited'
        ) as evidence_described
    from int_answers_diagnosed

),

wrong_answers as (

    select *
    from described
    where
        outcome = 'answered'
        and not is_right

),

right_answers as (

    select *
    from described
    where
        outcome = 'answered'
        and is_right

),

broken_off as (

    select
        system_id,
        item_id,
        outcome as failure,
        coalesce(error, 'no outcome') as detail
    from described
    where outcome in ('not_run', 'failed')

),

abstentions as (

    select
        system_id,
        item_id,
        case
            when n_evidence = 0 or n_evidence_in_context is null
                then 'false_abstention'
            when n_evidence_ranked < n_evidence
                then 'false_abstention_no_evidence_retrieved'
            when n_evidence_in_context < n_evidence
                then 'false_abstention_evidence_cut'
            else 'false_abstention_evidence_in_context'
        end as failure,
        evidence_described as detail
    from described
    where
        outcome = 'abstained'
        and not is_right

),

not_judged as (

    select
        system_id,
        item_id,
        'not_judged' as failure,
        'answer type ' || coalesce(answer_type, 'unknown') as detail
    from described
    where
        outcome in ('answered', 'abstained')
        and is_right is null

),

unanswerable as (

    select
        system_id,
        item_id,
        'answered_unanswerable' as failure,
        n_citations || ' citations' as detail
    from wrong_answers
    where answer_type = 'no_answer'

),

without_evidence as (

    select
        system_id,
        item_id,
        case
            when n_evidence_ranked < n_evidence then 'evidence_not_retrieved'
            else 'evidence_cut_from_context'
        end as failure,
        evidence_described as detail
    from wrong_answers
    where n_evidence_in_context < n_evidence

),

other_companies as (

    select
        system_id,
        item_id,
        'wrong_company' as failure,
        other_company_place as detail
    from wrong_answers
    where other_company_place is not null

),

other_years as (

    select
        system_id,
        item_id,
        'wrong_year' as failure,
        other_year_place as detail
    from wrong_answers
    where other_year_place is not null

),

numbers as (

    select
        system_id,
        item_id,
        case
            when verdict in ('sign', 'scale', 'unit', 'currency', 'period')
                then 'wrong_' || verdict
            when verdict = 'missing' or (verdict is null and numeric_value is null)
                then 'no_number'
            else 'wrong_value'
        end as failure,
        coalesce(verdict_reason, concat_ws(' ', numeric_value, unit)) as detail
    from wrong_answers
    where answer_type = 'numeric'

),

booleans as (

    select
        system_id,
        item_id,
        case
            when
                {{ plain_words('answer_text') }} like ' yes %'
                or {{ plain_words('answer_text') }} like ' no %'
                then 'wrong_boolean'
            else 'no_boolean'
        end as failure,
        evidence_described as detail
    from wrong_answers
    where answer_type = 'boolean'

),

-- Of wrong lists a gold item that the answer does not name, and an item of the answer
-- that the gold list does not name. Both are JSON arrays; an answer that is none is one
-- item. Compared are whole words, whatever the punctuation.
list_items as (

    select
        system_id,
        item_id,
        'missed' as fault,
        answer_text as looked_in,
        unnest(
            string_split(replace(trim(gold_text, '[]" '), '", "', '","'), '","')
        ) as list_item
    from wrong_answers
    where answer_type = 'list'

    union all

    select
        system_id,
        item_id,
        'extra' as fault,
        gold_text as looked_in,
        unnest(
            string_split(replace(trim(answer_text, '[]" '), '", "', '","'), '","')
        ) as list_item
    from wrong_answers
    where answer_type = 'list'

),

lists_compared as (

    select
        system_id,
        item_id,
        count(*) filter (where fault = 'missed') as n_missed,
        count(*) filter (where fault = 'extra') as n_extra,
        min(list_item) filter (where fault = 'missed') as missed_item,
        min(list_item) filter (where fault = 'extra') as extra_item
    from list_items
    where not contains({{ plain_words('looked_in') }}, {{ plain_words('list_item') }})
    group by system_id, item_id

),

list_answers as (

    select
        wrong_answers.system_id,
        wrong_answers.item_id,
        case
            when lists_compared.n_missed > 0 then 'missed_list_items'
            when lists_compared.n_extra > 0 then 'extra_list_items'
            else 'other_wording'
        end as failure,
        case
            when lists_compared.item_id is null then 'every item is named'
            else concat_ws(
                '',
                lists_compared.n_missed,
                ' missed, ',
                lists_compared.n_extra,
                ' extra; first: ',
                coalesce(
                    lists_compared.missed_item,
                    lists_compared.extra_item
                )
            )
        end as detail
    from wrong_answers
    left join lists_compared
        on
            wrong_answers.system_id = lists_compared.system_id
            and wrong_answers.item_id = lists_compared.item_id
    where wrong_answers.answer_type = 'list'

),

-- True, and beside the point: as the metric of that name has it.
off_questions as (

    select
        system_id,
        item_id,
        'off_question' as failure,
        n_citations || ' citations support it; ' || evidence_described as detail
    from wrong_answers
    where is_off_question

),

-- Most words of the gold answer, and another meaning.
words_shared as (

    select
        system_id,
        item_id,
        cosine,
        {{ long_words_of(word_set('gold_text')) }} as gold_words,
        list_intersect(
            {{ long_words_of(word_set('gold_text')) }},
            {{ long_words_of(word_set('answer_text')) }}
        ) as shared_words
    from wrong_answers
    where
        answer_type in ('span', 'list')
        and cosine < 0.60

),

fragments as (

    select
        system_id,
        item_id,
        'fragmented' as failure,
        concat(
            len(shared_words), ' of ', len(gold_words), ' words of the gold, cosine ',
            format('{:.2f}', cosine)
        ) as detail
    from words_shared
    where len(shared_words) >= 0.6 * nullif(len(gold_words), 0)

),

-- To quote is right where a list, a figure or a yes is asked for.
copies as (

    select
        system_id,
        item_id,
        'copied' as failure,
        'every sentence is copied word for word from what it cites' as detail
    from wrong_answers
    where
        answer_type = 'span'
        and copied_share = 1
        and n_evidence > 0
        and n_evidence_cited = n_evidence

),

other_answers as (

    select
        system_id,
        item_id,
        case
            when n_evidence_cited < n_evidence then 'other_passage'
            else 'other_wording'
        end as failure,
        evidence_described as detail
    from wrong_answers
    where
        coalesce(answer_type, 'span')
        not in ('no_answer', 'numeric', 'boolean', 'list')

),

ungrounded as (

    select
        system_id,
        item_id,
        'unsupported_numbers' as failure,
        unsupported_numbers as detail
    from right_answers
    where
        unsupported_numbers is not null
        and n_citations > 0

),

misattributed as (

    select
        system_id,
        item_id,
        'cites_other_company' as failure,
        other_company_place as detail
    from right_answers
    where other_company_place is not null

),

falsely_cited as (

    select
        system_id,
        item_id,
        'invalid_citations' as failure,
        n_invalid_citations || ' of ' || n_citations || ' citations' as detail
    from right_answers
    where n_invalid_citations > 0

),

uncited as (

    select
        system_id,
        item_id,
        'uncited' as failure,
        'no citation' as detail
    from right_answers
    where
        n_citations = 0
        -- Who names a speaker has named the source.
        and answer_type is distinct from 'speaker'

)

select * from broken_off
union all
select * from abstentions
union all
select * from not_judged
union all
select * from unanswerable
union all
select * from without_evidence
union all
select * from other_companies
union all
select * from other_years
union all
select * from numbers
union all
select * from booleans
union all
select * from list_answers
union all
select * from off_questions
union all
select * from fragments
union all
select * from copies
union all
select * from other_answers
union all
select * from ungrounded
union all
select * from misattributed
union all
select * from falsely_cited
union all
select * from uncited
