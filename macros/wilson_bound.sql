{#- Bound of the 95 % Wilson score interval of a share (E. B. Wilson, 1927): `p` in 0..1 out
    of `n` trials, `side` is 'low' or 'high'. Null where n is 0. -#}
{% macro wilson_bound(p, n, side) -%}
    {%- set z = '1.959963984540054' -%}
    {%- set sign = '-' if side == 'low' else '+' -%}
    {%- set clip = 'greatest(0.0,' if side == 'low' else 'least(1.0,' -%}
    case
        when {{ n }} > 0
            then {{ clip }} round((
                {{ p }} + {{ z }} * {{ z }} / (2 * {{ n }})
                {{ sign }} {{ z }} * sqrt(
                    {{ p }} * (1 - {{ p }}) / {{ n }}
                    + {{ z }} * {{ z }} / (4.0 * {{ n }} * {{ n }})
                )
            ) / (1 + {{ z }} * {{ z }} / {{ n }}), 12))
    end
{%- endmacro %}
