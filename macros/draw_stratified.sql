{#- Draws `n` rows of a CTE by round robin over strata: first one row of every stratum, then
    a second, and so on; rows inside a stratum and strata inside a round come in seeded
    order. Same seed, same rows; a stratum that is exhausted drops out. Expects the columns
    sentence_id and stratum_id in `cte`. -#}
{% macro draw_stratified(cte, n, salt) -%}
    select ranked.*
    from (
        select
            *,
            row_number() over (
                partition by stratum_id
                order by {{ seeded_order('sentence_id', salt) }}, sentence_id
            ) as round_number
        from {{ cte }}
    ) as ranked
    qualify
        row_number() over (
            order by
                ranked.round_number,
                {{ seeded_order('ranked.stratum_id', salt) }},
                ranked.sentence_id
        ) <= {{ n | int }}
{%- endmacro %}
