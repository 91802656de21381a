{#-
    Whether a concept is one of revenue: true, false where it is of costs, results or balances,
    null where its name says neither, as of a gain or of interest income.
-#}
{% macro is_revenue_concept(concept) -%}
    case
        when
            regexp_matches(
                replace({{ concept }}, 'AssessedTax', ''),
                {{ sql_literal(var('regexes')['other_concept']) }}
            )
            then false
        when regexp_matches({{ concept }}, '(?i)revenue|sales') then true
    end
{%- endmacro %}
