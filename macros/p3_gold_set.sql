{#- The gold set of a question in the columns of gold_p3: questions on tables are a set apart,
    and so are those on lines of revenue. -#}
{% macro p3_gold_set(category) -%}
    case
        when {{ category }} = 'T' then 'p3_tables'
        when {{ category }} in ('K', 'M') then 'p3_revenue_lines'
        else 'p3'
    end
{%- endmacro %}
