with

int_kpi_statements as (

    select * from {{ ref('int_kpi_statements') }}

),

int_kpi_contexts as (

    select * from {{ ref('int_kpi_contexts') }}

),

directed as (

    select
        int_kpi_statements.*,
        coalesce(int_kpi_contexts.is_part_context, false) as is_part_context,
        case
            when change_direction is not null then change_direction
            when value > prior_value then 'increase'
            when value < prior_value then 'decrease'
        end as stated_direction,
        coalesce(change_period_year, period_year) as stated_year
    from int_kpi_statements
    left join int_kpi_contexts
        on int_kpi_statements.mention_id = int_kpi_contexts.mention_id

),

-- "The increase in revenue was driven by …" says no year: the statement of the same
-- figure just before it does.
in_context as (

    select
        *,
        last_value(
            case
                when
                    subject_scope = 'company'
                    and stated_year is not null
                    and not is_quarterly
                    and is_forward_looking is not true
                    and is_negated_or_conditional is not true
                    and not is_part_context
                    then struct_pack(
                        stated_year := stated_year,
                        stated_direction := stated_direction,
                        sentence_id := sentence_id
                    )
            end
            ignore nulls
        ) over (
            partition by section_id, kpi_label
            order by sentence_pos
            range between 5 preceding and 1 preceding
        ) as context
    from directed

),

unpacked as (

    select
        *,
        struct_extract(context, 'stated_year') as context_year,
        struct_extract(context, 'stated_direction') as context_direction,
        struct_extract(context, 'sentence_id') as context_id
    from in_context

),

-- What is said here comes first; the context fills in the year, and the direction of
-- the same year.
settled as (

    select
        *,
        coalesce(stated_year, context_year) as settled_year,
        case
            when stated_direction is not null then stated_direction
            when stated_year is null or stated_year = context_year
                then context_direction
        end as settled_direction,
        coalesce(
            (stated_year is null or stated_year = context_year)
            and stated_direction <> context_direction,
            false
        ) as is_at_odds
    from unpacked

)

select
    mention_id,
    sentence_id,
    kpi_label,
    cik_int,
    report_year,
    filing_id,
    section_name,
    sentence_pos,
    sentence_text,
    text_hash,
    token_count,
    is_navigational,
    n_cues,
    n_numbers,
    has_causal_connector,
    is_self_contained,
    first_number_raw,
    has_amount_cue,
    value_raw,
    value,
    value_low,
    value_high,
    unit,
    scale,
    amount_role,
    period_year,
    prior_value,
    prior_low,
    prior_high,
    prior_period_year,
    settled_direction as change_direction,
    case
        when change_direction is not null or cause_text is not null then settled_year
    end as change_period_year,
    case when stated_year is null then context_id end as context_sentence_id,
    change_value,
    change_percent,
    subject_text,
    subject_scope,
    is_part_context,
    causal_connector,
    cause_text,
    is_forward_looking,
    is_negated_or_conditional,
    is_quarterly,
    (
        subject_scope = 'company'
        and not is_part_context
        and amount_role = 'level'
        and value is not null
        and period_year = report_year
        and not is_forward_looking
        and not is_negated_or_conditional
        and not is_quarterly
        and not is_navigational
    ) is true as is_company_level,
    (
        subject_scope = 'company'
        and not is_part_context
        and cause_text is not null
        and settled_direction is not null
        and settled_year = report_year
        and not is_at_odds
        and not is_forward_looking
        and not is_negated_or_conditional
        and not is_quarterly
        and not is_navigational
    ) is true as is_company_cause
from settled
