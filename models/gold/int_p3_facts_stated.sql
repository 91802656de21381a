{%- set goes_on = sql_literal(var('regexes')['concept_goes_on']) -%}
{#-
    Questions on what the filer tagged: a fact that a sentence states, one that a sentence and
    a table both state, and a figure that peers tag and this filing neither tags nor names.
-#}
with

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

),

facts as (

    select * from {{ ref('facts') }}

),

fact_audits as (

    select * from {{ ref('fact_audits') }}

),

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

filings as (

    select *
    from {{ ref('filings') }}
    where {{ of_asked_filings('is_asked') }}

),

int_p3_filings_whole as (

    select * from {{ ref('int_p3_filings_whole') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

stated as (

    select
        facts.fact_id,
        facts.filing_id,
        facts.concept,
        facts.value,
        facts.value_text,
        facts.cell_id,
        facts.sentence_id,
        facts.period_start,
        facts.period_end,
        fact_audits.verdict,
        filings.cik_int,
        filings.report_year,
        filings.form,
        case facts.unit when 'USD/shares' then 'USD_per_share' else facts.unit end
            as unit,
        {{ period_words('facts.period_start', 'facts.period_end') }} as period_text,
        {{ half_unit('facts.value_text', 'facts.scale') }} as half_width,
        len(facts.dimensions) = 0 as is_whole
    from facts
    inner join fact_audits
        on facts.fact_id = fact_audits.fact_id
    inner join filings
        on facts.filing_id = filings.filing_id
    where
        facts.source = 'ixbrl'
        and fact_audits.verdict <> 'not_numeric'
        and starts_with(facts.concept, 'us-gaap:')

),

-- What a concept is worth in a period for the whole company, if the filing has one
-- value.
agreed as (

    select
        filing_id,
        concept,
        period_text,
        unit
    from stated
    where is_whole and value is not null
    group by filing_id, concept, period_text, unit
    having max(value) - min(value) <= 2 * max(half_width)

),

text_facts as (

    select stated.*
    from stated
    inner join agreed
        on
            stated.filing_id = agreed.filing_id
            and stated.concept = agreed.concept
            and stated.period_text = agreed.period_text
            and stated.unit = agreed.unit
    where
        stated.is_whole
        and stated.cell_id is null
        and stated.sentence_id is not null
        and stated.verdict = 'agrees'
        and stated.value > 0
        and stated.half_width <= 0.05 * stated.value
        and stated.unit in ('USD', 'USD_per_share')
    qualify
        row_number() over (
            partition by stated.filing_id, stated.concept, stated.period_text
            order by stated.half_width, stated.fact_id
        ) = 1

),

tabled as (

    select *
    from int_p3_cells
    where rejected_for is null and not has_dimensions
    qualify
        row_number() over (
            partition by filing_id, concept, period_text order by table_id, cell_id
        ) = 1

),

-- Under which label most companies print a concept, and which print it at all.
concept_labels as (

    select
        concept,
        label,
        lower(label) as name,
        list(distinct cik_int) as cik_ints,
        bool_or(period_start is not null and unit = 'USD') as is_flow
    from int_p3_cells
    where
        concept is not null
        and not has_dimensions
        and rejected_for is null
    group by concept, label

),

labels as (

    select
        concept,
        max_by(label, (len(cik_ints), label)) as label,
        max_by(cik_ints, (len(cik_ints), label)) as cik_ints_alike,
        list(distinct name) as names,
        list_distinct(flatten(list(cik_ints))) as cik_ints,
        bool_or(is_flow) as is_flow
    from concept_labels
    group by concept

),

filing_labels as (

    select
        filing_id,
        concept
    from int_p3_cells
    where
        concept is not null
        and not has_dimensions
        and rejected_for is null
    group by filing_id, concept

),

-- How the company itself labels a concept, in any of its filings.
own_labels as (

    select
        cik_int,
        concept,
        max_by(label, (report_year, label)) as label
    from int_p3_cells
    where
        concept is not null
        and not has_dimensions
        and rejected_for is null
    group by cik_int, concept

),

-- Figures of tables by whose bare label a reader would find another value.
contradicted as (

    select text_facts.fact_id
    from text_facts
    inner join own_labels
        on
            text_facts.cik_int = own_labels.cik_int
            and text_facts.concept = own_labels.concept
    inner join int_p3_cells
        on
            text_facts.filing_id = int_p3_cells.filing_id
            and lower(own_labels.label) = lower(int_p3_cells.label)
            and text_facts.unit = int_p3_cells.unit
            and text_facts.period_end = int_p3_cells.period_end
    where
        (
            text_facts.period_start is null
            or int_p3_cells.period_start is null
            or text_facts.period_start = int_p3_cells.period_start
        )
        and abs(text_facts.value - int_p3_cells.value)
        > text_facts.half_width + int_p3_cells.half_width
    group by text_facts.fact_id

),

forms as (

    select
        filing_id,
        min(form_text) as form_text
    from int_p3_cells
    group by filing_id

),

in_text as (

    select
        case
            when tabled.cell_id is null then 'fact_in_text' else 'text_and_table'
        end as question_form,
        text_facts.filing_id,
        text_facts.cik_int,
        text_facts.report_year,
        coalesce(forms.form_text, text_facts.form) as form_text,
        text_facts.concept,
        text_facts.period_text as slot_detail,
        coalesce(tabled.figure_name, '“' || own_labels.label || '”') as slot_topic,
        'numeric' as answer_type,
        {{ amount_text('coalesce(tabled.value, text_facts.value)', 'text_facts.unit') }}
            as answer_text,
        -- The table is the more precise of both.
        coalesce(tabled.value, text_facts.value) as answer_numeric,
        text_facts.unit as answer_unit,
        greatest(text_facts.half_width, coalesce(tabled.half_width, 0)) as tolerance,
        list_filter(
            [text_facts.sentence_id, tabled.sentence_id], lambda one: one is not null
        ) as evidence_sentence_ids,
        list_filter(
            [text_facts.value_text, tabled.cell_text], lambda one: one is not null
        ) as evidence_spans,
        list_filter([tabled.cell_id], lambda one: one is not null)
            as evidence_cell_ids,
        [text_facts.fact_id] as evidence_fact_ids,
        'medium' as difficulty,
        'Tagged in the text; the number read there is the tag''s.' as notes,
        0.95 as curation_confidence
    from text_facts
    -- What the company labels nowhere has no name that a reader would know.
    inner join own_labels
        on
            text_facts.cik_int = own_labels.cik_int
            and text_facts.concept = own_labels.concept
    left join forms
        on text_facts.filing_id = forms.filing_id
    left join tabled
        on
            text_facts.filing_id = tabled.filing_id
            and text_facts.concept = tabled.concept
            and text_facts.period_text = tabled.period_text
            and abs(text_facts.value - tabled.value)
            <= text_facts.half_width + tabled.half_width
            and text_facts.sentence_id <> tabled.sentence_id
    left join contradicted
        on text_facts.fact_id = contradicted.fact_id
    left join filing_labels
        on
            text_facts.filing_id = filing_labels.filing_id
            and text_facts.concept = filing_labels.concept
    left join sentences
        on text_facts.sentence_id = sentences.sentence_id
    where
        tabled.cell_id is not null
        or (
            contradicted.fact_id is null
            -- A label of another filing names nothing that this one words otherwise.
            and (
                filing_labels.filing_id is not null
                or contains(
                    lower(sentences.sentence_text), lower(own_labels.label)
                )
            )
        )

),

-- Annual filings that tag anything at all.
tagging_filings as (

    select
        filings.filing_id,
        filings.cik_int,
        filings.report_year,
        filings.form,
        filings.fiscal_year_end
    from filings
    inner join int_p3_filings_whole
        on filings.filing_id = int_p3_filings_whole.filing_id
    where
        starts_with(filings.form, '10-K')
        and filings.fiscal_year_end is not null
        and filings.filing_id in (select stated.filing_id from stated)

),

-- A few a filing, drawn by seed: each is looked for in every sentence.
not_tagged as (

    select
        tagging_filings.*,
        labels.concept,
        labels.label,
        labels.names,
        {{ others_counted('labels.cik_ints', 'tagging_filings.cik_int') }}
            as n_companies
    from tagging_filings
    cross join labels
    left join stated
        on
            tagging_filings.filing_id = stated.filing_id
            and labels.concept = stated.concept
    where
        stated.fact_id is null
        and {{ others_counted('labels.cik_ints', 'tagging_filings.cik_int') }} >= 3
        and {{ others_counted('labels.cik_ints_alike', 'tagging_filings.cik_int') }}
        >= 2
        and labels.is_flow
    qualify
        row_number() over (
            partition by tagging_filings.filing_id
            order by
                {{ seeded_order(
                    "tagging_filings.filing_id || '|' || labels.concept", 'absent'
                ) }},
                labels.concept
        ) <= 12

),

named_somewhere as (

    select
        not_tagged.filing_id,
        not_tagged.concept
    from (
        select
            filing_id,
            concept,
            unnest(names) as name
        from not_tagged
    ) as not_tagged
    inner join sentences
        on
            not_tagged.filing_id = sentences.filing_id
            and contains(lower(sentences.sentence_text), not_tagged.name)
    group by not_tagged.filing_id, not_tagged.concept

),

-- "Net income available to common shareholders" is net income where nobody else has a
-- share of it: a concept that goes on from a tagged one says hardly more.
continued as (

    select
        not_tagged.filing_id,
        not_tagged.concept
    from not_tagged
    inner join stated
        on
            not_tagged.filing_id = stated.filing_id
            and (
                regexp_matches(
                    replace(not_tagged.concept, stated.concept, ''), {{ goes_on }}
                )
                or regexp_matches(
                    replace(stated.concept, not_tagged.concept, ''), {{ goes_on }}
                )
            )
    group by not_tagged.filing_id, not_tagged.concept

),

absent as (

    select
        'figure_absent' as question_form,
        not_tagged.filing_id,
        not_tagged.cik_int,
        not_tagged.report_year,
        not_tagged.form as form_text,
        not_tagged.concept,
        {{ period_words(
            'not_tagged.fiscal_year_end - 364', 'not_tagged.fiscal_year_end'
        ) }} as slot_detail,
        '“' || not_tagged.label || '”' as slot_topic,
        'no_answer' as answer_type,
        'Not disclosed.' as answer_text,
        cast(null as double) as answer_numeric,
        cast(null as varchar) as answer_unit,
        cast(null as double) as tolerance,
        cast([] as varchar[]) as evidence_sentence_ids,
        cast([] as varchar[]) as evidence_spans,
        cast([] as varchar[]) as evidence_cell_ids,
        cast([] as varchar[]) as evidence_fact_ids,
        'easy' as difficulty,
        'Neither tagged nor named; ' || not_tagged.n_companies
        || ' other companies report it.' as notes,
        0.85 as curation_confidence
    from not_tagged
    anti join named_somewhere
        on
            not_tagged.filing_id = named_somewhere.filing_id
            and not_tagged.concept = named_somewhere.concept
    anti join continued
        on
            not_tagged.filing_id = continued.filing_id
            and not_tagged.concept = continued.concept

),

unioned as (

    select * from in_text
    union all
    select * from absent

)

select
    'T|' || question_form || '|' || filing_id || '|' || concept || '|' || slot_detail
        as question_key,
    'T' as category,
    -- What is absent is asked for in the words of what is there.
    case question_form when 'figure_absent' then 'lookup' else question_form end
        as question_form,
    question_form as balance_topic,
    [cik_int] as cik_ints,
    [report_year] as report_years,
    slot_topic,
    slot_detail,
    form_text as slot_direction,
    cast(null as integer) as slot_count,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    evidence_sentence_ids,
    evidence_spans,
    evidence_cell_ids,
    evidence_fact_ids,
    'local' as retrieval_scope,
    difficulty,
    cast([] as varchar[]) as section_hints,
    notes,
    curation_confidence,
    'facts' as origin
from unioned
