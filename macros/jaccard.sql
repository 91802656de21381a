{#- Jaccard similarity of two sets given as lists: shared elements over all elements; 0 where
    both are empty. Engine seam. -#}
{% macro jaccard(a, b) -%}
    {{ return(adapter.dispatch('jaccard', 'finrag')(a, b)) }}
{%- endmacro %}

{% macro default__jaccard(a, b) -%}
    coalesce(
        len(list_intersect({{ a }}, {{ b }}))
        / nullif(len(list_distinct(list_concat({{ a }}, {{ b }}))), 0),
        0
    )
{%- endmacro %}

{% macro spark__jaccard(a, b) -%}
    coalesce(
        size(array_intersect({{ a }}, {{ b }}))
        / nullif(size(array_union({{ a }}, {{ b }})), 0),
        0
    )
{%- endmacro %}
