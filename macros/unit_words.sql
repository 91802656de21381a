{#- What is said of a unit behind a number; nothing for dollars, whose sign stands before. -#}
{% macro unit_words(unit) -%}
    case
        when {{ unit }} is null or {{ unit }} in ('USD', 'year', 'count') then ''
        when {{ unit }} = 'USD_per_share' then ' per share'
        else ' ' || replace({{ unit }}, '_', ' ')
    end
{%- endmacro %}
