{#- Jaccard similarity of two sets given as lists: shared elements over all elements; 0 where
    both are empty. -#}
{% macro jaccard(a, b) -%}
    coalesce(
        len(list_intersect({{ a }}, {{ b }}))
        / nullif(len(list_distinct(list_concat({{ a }}, {{ b }}))), 0),
        0
    )
{%- endmacro %}
