{#- Half a unit of the last digit printed: what rounding may hide. -#}
{% macro half_unit(text, scale) -%}
    0.5 * power(
        10, {{ scale }} - length(regexp_extract({{ text }}, '[0-9]\.([0-9]+)', 1))
    )
{%- endmacro %}
