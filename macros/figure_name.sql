{#- The name of a figure in a question: that of the catalogue, but net sales and other income
    as the sentence has them, since total revenue and the net figure may be more or less. -#}
{% macro figure_name(kpi_label, noun_phrase, subject_text) -%}
    case
        when {{ kpi_label }} = 'revenue' and contains(lower({{ subject_text }}), 'sales')
            then 'net sales'
        when
            {{ kpi_label }} = 'other_income'
            and not contains(lower({{ subject_text }}), 'net')
            then 'other income'
        else {{ noun_phrase }}
    end
{%- endmacro %}
