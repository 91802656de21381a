with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

int_external_rankings_checked as (

    select * from {{ ref('int_external_rankings_checked') }}

),

-- Whole rankings: a sentence beyond the depth was retrieved, and may be cited.
retrieved as (

    select
        system_id,
        item_id,
        {{ ordered_list('sentence_id', 'rank') }} as retrieved_ids
    from int_external_rankings_checked
    where reason_code is null
    group by system_id, item_id

)

select
    matched.system_id,
    matched.gold_set,
    matched.item_id,
    matched.has_answer,
    matched.answer_text,
    matched.is_cut,
    matched.numeric_value,
    matched.unit,
    coalesce(matched.is_abstained, false) as is_abstained,
    matched.failure,
    matched.citations,
    retrieved.retrieved_ids,
    matched.candidates,
    matched.stages,
    matched.model,
    matched.n_steps,
    matched.input_tokens,
    matched.output_tokens,
    matched.latency_ms,
    matched.cost_usd,
    matched.extra,
    matched.source_file,
    matched.source_line
from int_external_rows_matched as matched
left join retrieved
    on
        matched.system_id = retrieved.system_id
        and matched.item_id = retrieved.item_id
where
    matched.record_form = 'prediction'
    and matched.reason_code is null
