{#- Mean of doubles, independent of the order of rows; null where there is no value. -#}
{% macro exact_mean(value) -%}
    {{ exact_sum(value) }} / nullif(count({{ value }}), 0)
{%- endmacro %}
