{#- A number with its unit in plain print: -$417,200, $0.52 per share, 4.4 percent, 1,200
    people. Nine decimals at most, none that is zero. -#}
{% macro amount_text(value, unit) -%}
    case when {{ value }} < 0 then '-' else '' end
    || case when {{ unit }} in ('USD', 'USD_per_share') then '$' else '' end
    || format('{:,}', cast(trunc(round(abs({{ value }}), 9)) as hugeint))
    || rtrim(rtrim(
        substr(format('{:.9f}', round(abs({{ value }}), 9) % 1), 2), '0'
    ), '.')
    || {{ unit_words(unit) }}
{%- endmacro %}
