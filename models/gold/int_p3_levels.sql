with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

-- Another filing of a year can contradict what is asked about only if it is newer.
kpi_mentions as (

    select *
    from {{ ref('kpi_mentions') }}
    where {{ of_asked_filings('(is_of_year or is_restating)') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

facts as (

    select * from {{ ref('facts') }}

),

filings as (

    select *
    from {{ ref('filings') }}
    where {{ of_asked_filings() }}

),

kpi_concepts as (

    select * from {{ ref('kpi_concepts') }}

),

-- Every figure that a sentence gives for the whole company, under the name that the
-- sentence has for it: interest expense and net interest expense do not witness each
-- other.
stated as (

    select
        kpi_mentions.*,
        {{ figure_name(
            'kpi_mentions.kpi_label',
            'kpi_labels.noun_phrase',
            'kpi_mentions.subject_text'
        ) }} as noun_phrase,
        kpi_labels.value_kind,
        -- A sentence near talk of segments may speak of one: it can confirm, and
        -- contradicts only what nothing confirms.
        kpi_mentions.is_part_context is true
        and kpi_labels.is_reported_by_segment is true as is_doubtful
    from kpi_mentions
    inner join kpi_labels
        on kpi_mentions.kpi_label = kpi_labels.kpi_label
    where
        (kpi_mentions.is_company_level or kpi_mentions.subject_scope = 'company')
        and kpi_mentions.is_quarterly is not true
        and kpi_mentions.is_forward_looking is not true
        and kpi_mentions.is_negated_or_conditional is not true
        and case kpi_labels.value_kind
            when 'money' then kpi_mentions.unit = 'USD'
            when 'per_share' then kpi_mentions.unit = 'USD_per_share'
            else kpi_mentions.unit = 'percent'
        end
        -- The question asks for income: "other expense rose" answers it upside down.
        and not (
            kpi_mentions.kpi_label = 'other_income'
            and contains(lower(kpi_mentions.subject_text), 'other expense')
        ) is true
        -- The question says diluted; basic earnings per share are another figure.
        and (
            kpi_mentions.kpi_label <> 'eps'
            or contains(lower(kpi_mentions.sentence_text), 'diluted')
        )

),

levels as (

    select *
    from stated
    where
        is_company_level
        and {{ of_asked_filings() }}

),

-- Statements of one figure must agree: their rounding intervals share a point. Where
-- they do not, one of them speaks of something narrower, and no question is asked.
agreed as (

    select
        cik_int,
        report_year,
        kpi_label,
        count(*) as n_statements,
        max(value_low) <= min(value_high) as is_agreed
    from levels
    group by cik_int, report_year, kpi_label

),

-- The most precise statement is the evidence.
best as (

    select levels.*
    from levels
    qualify
        row_number() over (
            partition by levels.cik_int, levels.report_year, levels.kpi_label
            order by
                levels.value_high - levels.value_low asc,
                levels.is_self_contained desc,
                levels.sentence_id asc
        ) = 1

),

-- The same figure of the same year in other words: in this filing and in the next, as
-- the year's figure or as the prior year's.
other_statements as (

    select
        best.sentence_id as level_id,
        best.kpi_label,
        case
            when best.report_year = stated.report_year then 'another sentence'
            else 'the next filing'
        end as witness,
        stated.is_doubtful,
        best.value_low <= stated.value_high and best.value_high >= stated.value_low
            as is_agreeing
    from best
    inner join stated
        on
            best.cik_int = stated.cik_int
            and best.kpi_label = stated.kpi_label
            and best.noun_phrase is not distinct from stated.noun_phrase
            and best.report_year = stated.period_year
            and stated.report_year between best.report_year and best.report_year + 1
            and best.sentence_id <> stated.sentence_id
            and stated.value_low is not null
    -- Its own words again in filings of the same year are no witness.
    where
        best.report_year <> stated.report_year
        or best.text_hash <> stated.text_hash

    union all

    select
        best.sentence_id as level_id,
        best.kpi_label,
        'the next filing' as witness,
        later.is_doubtful,
        best.value_low <= later.prior_high and best.value_high >= later.prior_low
            as is_agreeing
    from best
    inner join stated as later
        on
            best.cik_int = later.cik_int
            and best.kpi_label = later.kpi_label
            and best.noun_phrase is not distinct from later.noun_phrase
            and best.report_year = later.prior_period_year
            and best.report_year = later.report_year - 1
            and later.prior_low is not null

),

-- Level less prior level is the change, and the change over the prior level its
-- percentage; each within the rounding of all three.
changes as (

    select
        best.sentence_id as level_id,
        best.kpi_label,
        'its change' as witness,
        false as is_doubtful,
        coalesce(
            abs(abs(best.value - best.prior_value) - best.change_value)
            <= greatest(
                2 * (best.value_high - best.value_low)
                + 2 * (best.prior_high - best.prior_low),
                0.02 * best.change_value
            ),
            abs(
                100 * abs(best.value - best.prior_value) / best.prior_value
                - best.change_percent
            ) <= 1 + 200 * (
                best.value_high - best.value_low + best.prior_high - best.prior_low
            ) / best.prior_value
        ) as is_agreeing
    from best
    where
        best.value_kind = 'money'
        and (
            (best.change_value is not null and best.prior_value is not null)
            or (
                best.change_percent is not null
                and best.value > 0
                and best.prior_value > 0
            )
        )

),

-- Rows confirm only; a row of a part would contradict wrongly.
table_rows as (

    select
        sentence_id as level_id,
        kpi_label,
        'a table' as witness,
        false as is_doubtful,
        true as is_agreeing
    from best
    where is_in_table

),

-- What the filer tagged for the whole company and year. Several concepts may be meant,
-- and one that agrees is enough; where none does, the sentence may mean a narrower
-- figure.
tagged as (

    select
        filings.cik_int,
        filings.report_year,
        kpi_concepts.kpi_label,
        facts.value
    from facts
    inner join kpi_concepts
        on facts.concept = kpi_concepts.concept
    inner join filings
        on facts.filing_id = filings.filing_id
    where
        facts.value is not null
        and len(facts.dimensions) = 0
        and abs(facts.period_end - filings.fiscal_year_end) <= 7
        and facts.period_end - facts.period_start between 349 and 379

),

tags as (

    select
        best.sentence_id as level_id,
        best.kpi_label,
        'a tagged fact' as witness,
        true as is_doubtful,
        -- Print states a loss or an outflow without its sign.
        bool_or(
            abs(tagged.value) between least(abs(best.value_low), abs(best.value_high))
            and greatest(abs(best.value_low), abs(best.value_high))
        ) as is_agreeing
    from best
    inner join tagged
        on
            best.cik_int = tagged.cik_int
            and best.report_year = tagged.report_year
            and best.kpi_label = tagged.kpi_label
    group by best.sentence_id, best.kpi_label

),

witnesses as (

    select * from other_statements
    union all
    select * from changes
    union all
    select * from table_rows
    union all
    select * from tags

),

weighed as (

    select
        level_id,
        kpi_label,
        coalesce(
            list(distinct witness order by witness) filter (where is_agreeing), []
        ) as witnesses,
        min(witness) filter (where not is_agreeing and not is_doubtful)
            as contradiction,
        min(witness) filter (where not is_agreeing) as doubtful_contradiction
    from witnesses
    group by level_id, kpi_label

)

-- Contradicted levels stay here, with the reason: gold_audit counts them.
select
    best.cik_int,
    best.report_year,
    best.kpi_label,
    best.noun_phrase,
    best.value_kind,
    best.sentence_id,
    best.section_name,
    best.value,
    best.value_raw,
    best.unit,
    (best.value_high - best.value_low) / 2 as half_width,
    best.change_value,
    best.change_direction,
    coalesce(
        best.prior_value,
        case when best.value < 0 then -best.row_prior else best.row_prior end
    ) as prior_value,
    agreed.n_statements,
    coalesce(weighed.witnesses, []) as witnesses,
    tags.is_agreeing as is_tag_agreeing,
    case
        when not agreed.is_agreed then 'another sentence'
        when weighed.contradiction is not null then weighed.contradiction
        when {{ list_length('weighed.witnesses') }} = 0
            then weighed.doubtful_contradiction
    end as contradicted_by
from best
inner join agreed
    on
        best.cik_int = agreed.cik_int
        and best.report_year = agreed.report_year
        and best.kpi_label = agreed.kpi_label
left join weighed
    on
        best.sentence_id = weighed.level_id
        and best.kpi_label = weighed.kpi_label
left join tags
    on
        best.sentence_id = tags.level_id
        and best.kpi_label = tags.kpi_label
