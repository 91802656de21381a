{#- True where a vector is finite and of length 1 within 1e-3; false for null, NaN, zero. -#}
{% macro is_unit_vector(vector) -%}
    coalesce(
        not isnan({{ cosine_distance(vector, vector) }})
        and abs({{ cosine_distance(vector, vector) }}) < 0.002,
        false
    )
{%- endmacro %}
