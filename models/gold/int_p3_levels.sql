with

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

levels as (

    select
        kpi_mentions.*,
        kpi_labels.noun_phrase,
        kpi_labels.value_kind
    from kpi_mentions
    inner join kpi_labels
        on kpi_mentions.kpi_label = kpi_labels.kpi_label
    where
        kpi_mentions.is_company_level
        and case kpi_labels.value_kind
            when 'money' then kpi_mentions.unit = 'USD'
            when 'per_share' then kpi_mentions.unit = 'USD_per_share'
            else kpi_mentions.unit = 'percent'
        end
        -- The question says diluted; basic earnings per share are another figure.
        and (
            kpi_mentions.kpi_label <> 'eps'
            or contains(lower(kpi_mentions.sentence_text), 'diluted')
        )

),

-- Statements of one figure must agree: their rounding intervals share a point. Where
-- they do not, one of them speaks of something narrower, and no question is asked.
agreed as (

    select
        cik_int,
        report_year,
        kpi_label,
        count(*) as n_statements
    from levels
    group by cik_int, report_year, kpi_label
    having max(value_low) <= min(value_high)

),

-- A later filing that states another figure for the year has restated it.
restated as (

    select distinct
        levels.cik_int,
        levels.report_year,
        levels.kpi_label
    from levels
    inner join levels as later
        on
            levels.cik_int = later.cik_int
            and levels.kpi_label = later.kpi_label
            and levels.report_year = later.prior_period_year
            and levels.report_year = later.report_year - 1
    where
        later.prior_low > levels.value_high
        or later.prior_high < levels.value_low

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

)

select
    best.cik_int,
    best.report_year,
    best.kpi_label,
    {{ figure_name('best.kpi_label', 'best.noun_phrase', 'best.subject_text') }}
        as noun_phrase,
    best.value_kind,
    best.sentence_id,
    best.section_name,
    best.value,
    best.value_raw,
    best.unit,
    (best.value_high - best.value_low) / 2 as half_width,
    best.change_value,
    best.change_direction,
    agreed.n_statements
from best
inner join agreed
    on
        best.cik_int = agreed.cik_int
        and best.report_year = agreed.report_year
        and best.kpi_label = agreed.kpi_label
left join restated
    on
        best.cik_int = restated.cik_int
        and best.report_year = restated.report_year
        and best.kpi_label = restated.kpi_label
where restated.cik_int is null
