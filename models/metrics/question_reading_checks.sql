{#- What was read from a question beside what its gold says, field by field. Everything
    is a label of a field, so that one comparison serves lists and single values. -#}
with

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),

asked as (

    select
        {{ p3_gold_set('category') }} || ':' || question_id as item_id,
        category,
        cik_int,
        years,
        retrieval_scope,
        answer_type,
        section_hints,
        evidence_sentence_ids
    from gold_p3

),

evidence as (

    select
        item_id,
        unnest(evidence_sentence_ids) as sentence_id
    from asked

),

gold_companies as (

    select
        item_id,
        'companies' as field,
        unnest(cik_int) as label
    from asked

),

gold_years as (

    select
        item_id,
        'years' as field,
        unnest(years) as label
    from asked

),

gold_sections as (

    select
        item_id,
        'sections' as field,
        unnest(section_hints) as label
    from asked

),

read_companies as (

    select
        item_id,
        'companies' as field,
        unnest(cik_ints) as label
    from parsed_questions

),

read_years as (

    select
        item_id,
        'years' as field,
        unnest(years) as label
    from parsed_questions

),

read_sections as (

    select
        item_id,
        'sections' as field,
        unnest(section_names) as label
    from parsed_questions

),

read_kpis as (

    select
        item_id,
        'kpi' as field,
        unnest(kpi_labels) as label
    from parsed_questions

),

read_risks as (

    select
        item_id,
        'risk' as field,
        unnest(risk_topics) as label
    from parsed_questions

),

-- Hints of a suite in words ("Risk Factors") cannot be compared.
section_keys as (

    select * from gold_sections
    where left(label, 5) = 'ITEM_'

),

expected as (

    select
        item_id,
        field,
        cast(label as varchar) as label
    from gold_companies

    union all

    select
        item_id,
        field,
        cast(label as varchar) as label
    from gold_years

    union all

    select
        item_id,
        field,
        label
    from section_keys

    union all

    select
        item_id,
        'section_cover' as field,
        label
    from section_keys

    union all

    select
        item_id,
        'scope' as field,
        retrieval_scope as label
    from asked
    where retrieval_scope is not null

    union all

    select
        item_id,
        'answer_form' as field,
        answer_type as label
    from asked
    where answer_type <> 'no_answer'

    union all

    -- Only category N asks for the size of a change.
    select
        item_id,
        'is_change' as field,
        case when category = 'N' then 'true' else 'false' end as label
    from asked
    where category is not null

    union all

    select
        evidence.item_id,
        'kpi' as field,
        kpi_mentions.kpi_label as label
    from evidence
    inner join kpi_mentions
        on evidence.sentence_id = kpi_mentions.sentence_id

    union all

    select
        evidence.item_id,
        'risk' as field,
        risk_mentions.risk_topic as label
    from evidence
    inner join risk_mentions
        on evidence.sentence_id = risk_mentions.sentence_id

),

found as (

    select
        item_id,
        field,
        cast(label as varchar) as label
    from read_companies

    union all

    select
        item_id,
        field,
        cast(label as varchar) as label
    from read_years

    union all

    select
        item_id,
        field,
        label
    from read_sections

    union all

    select
        item_id,
        'section_cover' as field,
        label
    from read_sections

    union all

    select
        item_id,
        'scope' as field,
        scope as label
    from parsed_questions

    union all

    select
        item_id,
        'answer_form' as field,
        answer_form as label
    from parsed_questions

    union all

    select
        item_id,
        'is_change' as field,
        case when is_change then 'true' else 'false' end as label
    from parsed_questions

    union all

    select
        item_id,
        field,
        label
    from read_kpis

    union all

    select
        item_id,
        field,
        label
    from read_risks

),

sides as (

    select
        item_id,
        field,
        label,
        1 as is_expected,
        0 as is_read
    from expected

    union all

    select
        item_id,
        field,
        label,
        0 as is_expected,
        1 as is_read
    from found

),

labels as (

    select
        item_id,
        field,
        label,
        max(is_expected) as is_expected,
        max(is_read) as is_read
    from sides
    where label is not null
    group by item_id, field, label

),

expected_lists as (

    select
        item_id,
        field,
        array_to_string(list(label order by label), ', ') as expected
    from labels
    where is_expected = 1
    group by item_id, field

),

read_lists as (

    select
        item_id,
        field,
        array_to_string(list(label order by label), ', ') as labels_read
    from labels
    where is_read = 1
    group by item_id, field

),

differences as (

    select
        item_id,
        field,
        sum(is_expected * (1 - is_read)) as n_missed,
        sum(is_read * (1 - is_expected)) as n_added
    from labels
    group by item_id, field

)

select
    asked.item_id,
    asked.category,
    expected_lists.field,
    expected_lists.expected,
    coalesce(read_lists.labels_read, '') as read,
    case
        -- No hint shuts nothing out.
        when expected_lists.field = 'section_cover'
            then differences.n_missed = 0 or read_lists.labels_read is null
        -- Evidence may speak of more than was asked for.
        when expected_lists.field in ('kpi', 'risk')
            then differences.n_added = 0 and read_lists.labels_read is not null
        else differences.n_missed = 0 and differences.n_added = 0
    end as is_exact
from asked
inner join expected_lists
    on asked.item_id = expected_lists.item_id
inner join differences
    on
        expected_lists.item_id = differences.item_id
        and expected_lists.field = differences.field
left join read_lists
    on
        expected_lists.item_id = read_lists.item_id
        and expected_lists.field = read_lists.field
where
    expected_lists.field not in ('kpi', 'risk')
    or read_lists.labels_read is not null
    -- Where nothing was read, only a question that must have had a topic is a miss.
    or (expected_lists.field = 'kpi' and asked.category in ('A', 'B', 'N'))
    or (expected_lists.field = 'risk' and asked.category = 'C')
