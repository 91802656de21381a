{#- The four section-length buckets of the P2 study. -#}
{% macro length_bucket(section_length) -%}
    case
        when {{ section_length }} < 10 then '<10'
        when {{ section_length }} < 20 then '10-19'
        when {{ section_length }} < 40 then '20-39'
        else '40+'
    end
{%- endmacro %}
