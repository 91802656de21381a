{#-
    Which filing asks the questions of its period, where a company filed a report more than
    once: the newest that is there in full. The others stay searchable. Of one fiscal year one
    annual report is asked about, so that a question that names the year alone is of it.
-#}
with

filings as (

    select * from {{ ref('filings') }}

),

sections as (

    select * from {{ ref('sections') }}

),

-- An id says form and quarter, and the accession number of a second filing of these.
named as (

    select
        filing_id,
        cik_int,
        report_year,
        form,
        fiscal_year_end,
        ends_with(form, '/A') as is_amended,
        starts_with(form, '10-KT') as is_transition,
        regexp_extract(filing_id, '[0-9]{10}-([0-9]{2}-[0-9]{6})_', 1) as filed_no,
        split_part(filing_id, '_', 2) as form_key
    from filings

),

-- An amendment is of the period of the report that it amends, whatever its variant.
periods as (

    select
        *,
        regexp_replace(
            case
                when is_amended
                    then
                        regexp_replace(
                            form_key, 'A(-[0-9]{10}-[0-9]{2}-[0-9]{6})?$', ''
                        )
                else form_key
            end,
            '^10-K(405|SB40|SB)',
            '10-K'
        ) as period_key
    from named

),

-- The items from which most questions are drawn, of quarterly reports too.
main_items as (

    select
        periods.cik_int,
        periods.report_year,
        periods.period_key,
        periods.filing_id,
        sections.section_name,
        sections.section_length,
        sections.section_name not in ('ITEM_1', 'ITEM_I-1', 'ITEM_I-2') as is_annual
    from periods
    inner join sections
        on periods.filing_id = sections.filing_id
    where
        sections.section_length > 0
        and sections.section_name in (
            'ITEM_1', 'ITEM_1A', 'ITEM_6', 'ITEM_7', 'ITEM_8', 'ITEM_I-1', 'ITEM_I-2'
        )

),

longest as (

    select
        cik_int,
        report_year,
        period_key,
        section_name,
        max(section_length) as section_length
    from main_items
    group by cik_int, report_year, period_key, section_name

),

-- Each main item of a full filing is half as long as in any other, or longer.
partial_filings as (

    select periods.filing_id
    from periods
    inner join longest
        on
            periods.cik_int = longest.cik_int
            and periods.report_year = longest.report_year
            and periods.period_key = longest.period_key
    left join main_items
        on
            periods.filing_id = main_items.filing_id
            and longest.section_name = main_items.section_name
    group by periods.filing_id
    having
        bool_or(2 * coalesce(main_items.section_length, 0) < longest.section_length)

),

annual_filings as (

    select filing_id
    from main_items
    group by filing_id
    having bool_or(is_annual)

),

ordered as (

    select
        periods.*,
        annual_filings.filing_id is not null as is_annual,
        row_number() over (
            partition by periods.cik_int, periods.report_year, periods.period_key
            order by periods.is_amended, periods.filed_no, periods.filing_id
        ) as place,
        first_value(periods.filing_id) over (
            partition by periods.cik_int, periods.report_year, periods.period_key
            order by
                partial_filings.filing_id is null desc,
                periods.is_amended desc,
                periods.filed_no desc,
                periods.filing_id desc
        ) as asking_filing_id
    from periods
    left join partial_filings
        on periods.filing_id = partial_filings.filing_id
    left join annual_filings
        on periods.filing_id = annual_filings.filing_id

),

asking as (

    select
        filing_id,
        place,
        case
            when is_annual
                then
                    first_value(filing_id) over (
                        partition by cik_int, report_year, is_annual
                        order by
                            starts_with(form, '10-K') desc,
                            is_transition asc,
                            fiscal_year_end desc nulls last,
                            filed_no desc,
                            filing_id desc
                    )
            else filing_id
        end as year_filing_id
    from ordered
    where filing_id = asking_filing_id

)

select
    ordered.filing_id,
    ordered.cik_int,
    ordered.report_year,
    ordered.asking_filing_id,
    asking.year_filing_id,
    ordered.filing_id = ordered.asking_filing_id as is_asked,
    ordered.filing_id = asking.year_filing_id as is_of_year,
    -- Filed later than what is asked about, a part may restate it.
    ordered.asking_filing_id = asking.year_filing_id
    and ordered.place > asking.place as is_restating,
    -- A question that names no form is of the plain report.
    case when ordered.is_amended or ordered.is_transition then ordered.form end
        as form_named
from ordered
inner join asking
    on ordered.asking_filing_id = asking.filing_id
