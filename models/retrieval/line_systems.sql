with

py_systems_read as (

    select * from {{ ref('py_systems_read') }}

)

select
    system_id,
    system_kind,
    based_on,
    tiers,
    search,
    query,
    encoder,
    depth,
    calibration,
    tier_1_threshold,
    tier_2_threshold,
    near_duplicate_cosine,
    mmr_lambda,
    composer,
    n_texts,
    gate,
    prompt,
    prompt_hash,
    response_format,
    temperature,
    max_output_tokens,
    llm_seed,
    is_null,
    role,
    description,
    settings,
    settings_hash
from py_systems_read
where asks = 'lines'
