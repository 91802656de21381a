{#- A reproducible shuffle key: md5 of the seed and the row's own key, independent of the
    order of rows, of threads and of the engine's random generator. -#}
{% macro seeded_order(key, salt) -%}
    md5({{ sql_literal(var('gold_seed') ~ '|' ~ salt ~ '|') }} || {{ key }})
{%- endmacro %}
