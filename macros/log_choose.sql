{#- Natural logarithm of the binomial coefficient n over r; expects 0 <= r <= n. -#}
{% macro log_choose(n, r) -%}
    (lgamma({{ n }} + 1) - lgamma({{ r }} + 1) - lgamma({{ n }} - ({{ r }}) + 1))
{%- endmacro %}
