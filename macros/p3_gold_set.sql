{#- The gold set of a question in the columns of gold_p3: table questions are a set apart. -#}
{% macro p3_gold_set(category) -%}
    case when {{ category }} = 'T' then 'p3_tables' else 'p3' end
{%- endmacro %}
