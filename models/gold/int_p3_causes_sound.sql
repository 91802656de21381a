with

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

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
        count(distinct change_direction) filter (where cause_text is not null)
            as n_directions,
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
where
    kpi_mentions.is_company_cause
    and {{ matches_any('kpi_mentions.cause_text', 'cause_elsewhere') }} is not true
    and kpi_mentions.is_self_contained
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
