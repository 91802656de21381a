{#- A metric as a page names it: Hit@5, NDCG@10, Evidence recall@10, Answer accuracy. -#}
{% macro metric_label(metric, k) -%}
    case
        when {{ metric }} in ('mrr', 'ndcg', 'map') then upper({{ metric }})
        when {{ metric }} = 'self_at_1_strict' then 'Self@1 strict'
        when {{ metric }} = 'self_at_1_tie_aware' then 'Self@1 tie-aware'
        else
            upper(substr({{ metric }}, 1, 1))
            || replace(substr({{ metric }}, 2), '_', ' ')
    end
    || case
        when {{ k }} > 0 and not starts_with({{ metric }}, 'self_at_1')
            then '@' || cast({{ k }} as varchar)
        else ''
    end
{%- endmacro %}
