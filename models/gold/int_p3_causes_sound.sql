with

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

kpi_mentions as (

    select *
    from {{ ref('kpi_mentions') }}
    where {{ of_asked_filings() }}

),

int_p3_levels as (

    select * from {{ ref('int_p3_levels') }}

),

-- Where both levels are known, they tell which way the figure moved: the prior one as
-- the filing states it, in words or in a table, else as the filing before did.
moves as (

    select
        later.cik_int,
        later.report_year,
        later.kpi_label,
        case sign(later.value - coalesce(later.prior_value, earlier.value))
            when 1 then 'increase'
            when -1 then 'decrease'
        end as direction
    from int_p3_levels as later
    left join int_p3_levels as earlier
        on
            later.cik_int = earlier.cik_int
            and later.kpi_label = earlier.kpi_label
            and later.noun_phrase is not distinct from earlier.noun_phrase
            and later.report_year = earlier.report_year + 1

),

-- A filing that tells several stories of one figure for the year speaks of several
-- things under one name; its causes are not asked for.
stated as (

    select
        filing_id,
        kpi_label,
        max(abs(value_high)) filter (where unit not in ('percent', 'percentage_points'))
            as largest,
        coalesce(
            bool_or(value > 0 and unit not in ('percent', 'percentage_points'))
            and bool_or(value < 0 and unit not in ('percent', 'percentage_points')),
            false
        ) as has_both_signs,
        count(distinct change_direction) filter (
            where cause_text is not null or (value is not null and not is_part_context)
        ) as n_directions,
        count(distinct round(change_percent)) as n_percents,
        count(distinct cause_text) filter (where is_company_cause) as n_causes
    from kpi_mentions
    where
        subject_scope = 'company'
        and coalesce(change_period_year, period_year) = report_year
        and not is_quarterly
    group by filing_id, kpi_label

)

select kpi_mentions.*
from kpi_mentions
inner join stated
    on
        kpi_mentions.filing_id = stated.filing_id
        and kpi_mentions.kpi_label = stated.kpi_label
left join moves
    on
        kpi_mentions.cik_int = moves.cik_int
        and kpi_mentions.report_year = moves.report_year
        and kpi_mentions.kpi_label = moves.kpi_label
where
    kpi_mentions.is_company_cause
    and coalesce(moves.direction, kpi_mentions.change_direction)
    = kpi_mentions.change_direction
    and {{ matches_any('kpi_mentions.sentence_text', 'cause_shared') }} is not true
    and {{ matches_any('kpi_mentions.cause_text', 'cause_elsewhere') }} is not true
    and kpi_mentions.is_self_contained
    and not (
        kpi_mentions.kpi_label = 'other_income'
        and contains(lower(kpi_mentions.subject_text), 'other expense')
    ) is true
    and (
        kpi_mentions.kpi_label <> 'eps'
        or contains(lower(kpi_mentions.sentence_text), 'diluted')
    )
    and stated.n_directions = 1
    and stated.n_percents <= 1
    and stated.n_causes <= 1
    and not stated.has_both_signs
    and (
        kpi_mentions.value is null
        or kpi_mentions.unit in ('percent', 'percentage_points')
        or abs(kpi_mentions.value_high) >= 0.99 * stated.largest
    )
