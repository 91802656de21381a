{#- 1 - cosine similarity of two unit vectors stored as lists of floats. Engine seam. -#}
{% macro cosine_distance(left, right) -%}
    {{ return(adapter.dispatch('cosine_distance', 'finrag')(left, right)) }}
{%- endmacro %}

{% macro default__cosine_distance(left, right) -%}
    1.0 - list_inner_product(cast({{ left }} as double[]), cast({{ right }} as double[]))
{%- endmacro %}

{% macro spark__cosine_distance(left, right) -%}
    1.0 - aggregate(zip_with({{ left }}, {{ right }}, (x, y) -> x * y), 0.0D, (a, b) -> a + b)
{%- endmacro %}
