{#- The name of a figure in a question: that of the catalogue, but narrower where the sentence
    is: net sales and other income, since total revenue and the net figure may be more or
    less; what is left for common shares; interest and capital expenditures net of what they
    bring in. -#}
{% macro figure_name(kpi_label, noun_phrase, subject_text) -%}
    case
        when {{ kpi_label }} = 'revenue' and contains(lower({{ subject_text }}), 'sales')
            then 'net sales'
        when
            {{ kpi_label }} = 'other_income'
            and not contains(lower({{ subject_text }}), 'net')
            then 'other income'
        when
            {{ kpi_label }} = 'net_income'
            and {{ regex_is(subject_text, 'to_common_shares') }}
            then 'net income attributable to common stockholders'
        when
            {{ kpi_label }} in ('interest_expense', 'capex')
            and {{ regex_is(subject_text, 'net_of_something') }}
            then 'net ' || {{ noun_phrase }}
        else {{ noun_phrase }}
    end
{%- endmacro %}
