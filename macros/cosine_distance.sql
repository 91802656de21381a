{#- 1 - cosine similarity of two unit vectors stored as lists of floats. -#}
{% macro cosine_distance(left, right) -%}
    1.0 - list_inner_product(cast({{ left }} as double[]), cast({{ right }} as double[]))
{%- endmacro %}
