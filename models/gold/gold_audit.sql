with

gold_p1 as (

    select * from {{ ref('gold_p1') }}

),

gold_p2 as (

    select * from {{ ref('gold_p2') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

py_questions_paraphrased as (

    select * from {{ ref('py_questions_paraphrased') }}

),

int_p3_evidence as (

    select * from {{ ref('int_p3_evidence') }}

),

int_p3_alternatives as (

    select * from {{ ref('int_p3_alternatives') }}

),

int_p3_drawn as (

    select * from {{ ref('int_p3_drawn') }}

),

int_p3_figures as (

    select * from {{ ref('int_p3_figures') }}

),

int_p3_levels as (

    select * from {{ ref('int_p3_levels') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

),

p1_neighbour_labels as (

    select * from {{ ref('p1_neighbour_labels') }}

),

p3_items as (

    select
        gold_p3.question_id,
        gold_p3.category,
        gold_p3.answer_type,
        gold_p3.cik_int[1] as cik_int,
        gold_p3.years[1] as report_year,
        {{ list_length('gold_p3.evidence_sentence_ids') }} as n_evidence,
        case
            when
                gold_p3.answer_unit = 'year'
                and gold_p3.answer_numeric between 1 and 9999
                then
                    contains(
                        gold_p3.question_text,
                        cast(cast(gold_p3.answer_numeric as integer) as varchar)
                    )
            else false
        end as holds_its_year,
        py_questions_paraphrased.variant_id is not null as is_variant
    from gold_p3
    left join py_questions_paraphrased
        on
            gold_p3.question_id = py_questions_paraphrased.variant_id
            and py_questions_paraphrased.is_accepted

),

found_evidence as (

    select
        question_id,
        count(*) as n_found
    from int_p3_evidence
    group by question_id

),

alternatives as (

    select distinct question_id
    from int_p3_alternatives

),

-- The same words in another year of the company: only the year in the question tells.
years_apart as (

    select distinct int_p3_evidence.question_id
    from int_p3_evidence
    inner join sentences as described
        on int_p3_evidence.sentence_id = described.sentence_id
    inner join sentences as elsewhere
        on
            described.text_hash = elsewhere.text_hash
            and described.cik_int = elsewhere.cik_int
            and described.report_year <> elsewhere.report_year

),

flags as (

    select
        question_id,
        bool_or(is_excluding) as is_excluded,
        bool_or(reason = 'answer_in_question') as is_leaking
    from question_flags
    group by question_id

),

p3_facts as (

    select
        p3_items.question_id as item_id,
        p3_items.category,
        {{ p3_gold_set('p3_items.category') }} as gold_set,
        case
            when p3_items.answer_type <> 'no_answer'
                then
                    p3_items.n_evidence > 0
                    and coalesce(found_evidence.n_found, 0) = p3_items.n_evidence
        end as has_evidence,
        case
            when p3_items.answer_type <> 'no_answer'
                then alternatives.question_id is not null
        end as has_alternative,
        case
            when p3_items.answer_type <> 'no_answer'
                then years_apart.question_id is not null
        end as repeats_across_years,
        -- A label of a period often holds its year: no fault, but a leak to be counted.
        coalesce(flags.is_leaking, false) or p3_items.holds_its_year as is_leaking,
        coalesce(flags.is_excluded, false) as is_excluded,
        p3_items.is_variant
    from p3_items
    left join found_evidence
        on p3_items.question_id = found_evidence.question_id
    left join alternatives
        on p3_items.question_id = alternatives.question_id
    left join years_apart
        on p3_items.question_id = years_apart.question_id
    left join flags
        on p3_items.question_id = flags.question_id

),

-- Numeric answers that rest on more than one reading of one sentence.
witnessed as (

    select
        gold_p3.category,
        not ends_with(int_p3_figures.notes, 'no second witness.') as is_witnessed
    from gold_p3
    inner join int_p3_drawn
        on gold_p3.question_id = int_p3_drawn.question_id
    inner join int_p3_figures
        on int_p3_drawn.question_key = int_p3_figures.question_key

),

anchor_facts as (

    select
        'p1' as gold_set,
        item_id,
        sentence_id,
        cik_int,
        report_year,
        is_covered
    from gold_p1

    union all

    select
        'p2' as gold_set,
        item_id,
        sentence_id,
        cik_int,
        report_year,
        is_covered
    from gold_p2

),

anchors_apart as (

    select distinct anchor_facts.item_id
    from anchor_facts
    inner join sentences as described
        on anchor_facts.sentence_id = described.sentence_id
    inner join sentences as elsewhere
        on
            described.text_hash = elsewhere.text_hash
            and described.cik_int = elsewhere.cik_int
            and described.report_year <> elsewhere.report_year

),

-- One row per item and measure that is a share of items; null is not asked.
observed as (

    select
        gold_set,
        'evidence_coverage' as measure,
        category,
        has_evidence as is_true
    from p3_facts

    union all

    select
        gold_set,
        'alternative_evidence' as measure,
        category,
        has_alternative as is_true
    from p3_facts

    union all

    select
        gold_set,
        'repeated_in_other_years' as measure,
        category,
        repeats_across_years as is_true
    from p3_facts

    union all

    select
        gold_set,
        'answer_leaked' as measure,
        category,
        is_leaking as is_true
    from p3_facts

    union all

    select
        gold_set,
        'flagged_and_excluded' as measure,
        category,
        is_excluded as is_true
    from p3_facts

    union all

    select
        gold_set,
        'paraphrased' as measure,
        category,
        is_variant as is_true
    from p3_facts

    union all

    select
        'p3' as gold_set,
        'second_witness' as measure,
        category,
        is_witnessed as is_true
    from witnessed

    union all

    -- Levels, not questions: what is contradicted is never asked.
    select
        'p3' as gold_set,
        'levels_contradicted' as measure,
        cast(null as varchar) as category,
        contradicted_by is not null as is_true
    from int_p3_levels

    union all

    select
        gold_set,
        'evidence_coverage' as measure,
        cast(null as varchar) as category,
        is_covered as is_true
    from anchor_facts

    union all

    select
        anchor_facts.gold_set,
        'repeated_in_other_years' as measure,
        cast(null as varchar) as category,
        anchors_apart.item_id is not null as is_true
    from anchor_facts
    left join anchors_apart
        on anchor_facts.item_id = anchors_apart.item_id

),

shares as (

    select
        gold_set,
        measure,
        'overall' as slice_name,
        'all' as slice_value,
        count(is_true) as n,
        count(*) filter (where is_true) as n_true
    from observed
    group by gold_set, measure

    union all

    select
        gold_set,
        measure,
        'category' as slice_name,
        category as slice_value,
        count(is_true) as n,
        count(*) filter (where is_true) as n_true
    from observed
    where category is not null
    group by gold_set, measure, category

),

owners as (

    select
        {{ p3_gold_set('category') }} as gold_set,
        cik_int,
        report_year
    from p3_items

    union all

    select
        gold_set,
        cik_int,
        report_year
    from anchor_facts

),

by_company as (

    select
        gold_set,
        cik_int,
        count(*) as n_items,
        sum(count(*)) over (partition by gold_set) as n_all
    from owners
    group by gold_set, cik_int

),

by_year as (

    select
        gold_set,
        report_year,
        count(*) as n_items,
        sum(count(*)) over (partition by gold_set) as n_all
    from owners
    group by gold_set, report_year

),

concentration as (

    select
        by_company.gold_set,
        'largest_company_share' as measure,
        'company' as slice_name,
        coalesce(
            companies.company_name || ' (CIK ' || companies.cik_int || ')',
            'CIK ' || by_company.cik_int
        ) as slice_value,
        by_company.n_all as n,
        by_company.n_items as n_true
    from by_company
    left join companies
        on by_company.cik_int = companies.cik_int
    qualify
        row_number() over (
            partition by by_company.gold_set
            order by by_company.n_items desc, by_company.cik_int asc
        ) = 1

    union all

    select
        gold_set,
        'largest_year_share' as measure,
        'year' as slice_name,
        cast(report_year as varchar) as slice_value,
        n_all as n,
        n_items as n_true
    from by_year
    qualify
        row_number() over (
            partition by gold_set order by n_items desc, report_year asc
        ) = 1

),

-- Pairs labelled by reading; they belong to the sample corpus and join nothing
-- elsewhere.
labelled as (

    select
        p1_neighbour_labels.distance,
        p1_neighbour_labels.is_related
    from p1_neighbour_labels
    inner join sentences as anchor_sentences
        on p1_neighbour_labels.anchor_sentence_id = anchor_sentences.sentence_id
    inner join sentences as neighbour_sentences
        on p1_neighbour_labels.neighbour_sentence_id = neighbour_sentences.sentence_id

),

neighbours as (

    select
        'p1' as gold_set,
        'neighbour_precision' as measure,
        'overall' as slice_name,
        'all' as slice_value,
        count(*) as n,
        count(*) filter (where is_related) as n_true
    from labelled
    having count(*) > 0

    union all

    select
        'p1' as gold_set,
        'neighbour_precision' as measure,
        'distance' as slice_name,
        cast(distance as varchar) as slice_value,
        count(*) as n,
        count(*) filter (where is_related) as n_true
    from labelled
    group by distance

),

-- Levels of filings whose figures are tagged, by company and measure.
tagged_levels as (

    select
        companies.company_name || ' (CIK ' || companies.cik_int || ')' as company,
        int_p3_levels.kpi_label,
        int_p3_levels.is_tag_agreeing
    from int_p3_levels
    inner join companies
        on int_p3_levels.cik_int = companies.cik_int
    where int_p3_levels.is_tag_agreeing is not null

),

tags_agreeing as (

    select
        'p3' as gold_set,
        'tag_agrees' as measure,
        'overall' as slice_name,
        'all' as slice_value,
        count(*) as n,
        count(*) filter (where is_tag_agreeing) as n_true
    from tagged_levels
    having count(*) > 0

    union all

    select
        'p3' as gold_set,
        'tag_agrees' as measure,
        'company' as slice_name,
        company as slice_value,
        count(*) as n,
        count(*) filter (where is_tag_agreeing) as n_true
    from tagged_levels
    group by company

    union all

    select
        'p3' as gold_set,
        'tag_agrees' as measure,
        'kpi' as slice_name,
        kpi_label as slice_value,
        count(*) as n,
        count(*) filter (where is_tag_agreeing) as n_true
    from tagged_levels
    group by kpi_label

),

measured as (

    select * from tags_agreeing
    union all
    select * from shares
    union all
    select * from concentration
    union all
    select * from neighbours

),

-- Intervals where items are a sample of a kind; the largest share is what it is.
shared as (

    select
        *,
        n_true / nullif(cast(n as double), 0) as share,
        slice_name not in ('company', 'year') as is_sampled
    from measured

)

select
    md5(concat_ws('|', gold_set, measure, slice_name, slice_value)) as audit_id,
    gold_set,
    measure,
    slice_name,
    slice_value,
    cast(n as bigint) as n,
    cast(n_true as bigint) as n_true,
    share,
    case when is_sampled then {{ wilson_bound('share', 'n', 'low') }} end as ci_low,
    case when is_sampled then {{ wilson_bound('share', 'n', 'high') }} end as ci_high
from shared
