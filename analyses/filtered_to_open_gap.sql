-- What is knowing company, year and item worth? Paired differences of Hit@5 by section.
-- Read mean_difference with its interval: what the filter adds for the same anchors. A
-- large gap says that the index cannot tell filings apart, not that it reads badly.
with

comparisons as (

    select * from {{ ref('comparisons') }}

)

select
    pair_id,
    gold_set,
    slice_value as section_name,
    n_items,
    mean_a as filtered,
    mean_b as whole_corpus,
    mean_difference,
    ci_low,
    ci_high
from comparisons
where
    purpose = 'regime_gap'
    and slice_name = 'section'
    and metric = 'hit'
    and k = 5
order by pair_id, gold_set, section_name
