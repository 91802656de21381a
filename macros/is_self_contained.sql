{#- True where a sentence can be understood alone: begins with a capital, ends as a sentence,
    is of readable length, points at nothing before it ("these", "such"), carries no list
    marks and no remains of a heading. -#}
{% macro is_self_contained(text, token_count) -%}
    (
        {{ token_count }} between 6 and 90
        and {{ regex_is(text, 'whole_sentence') }}
        and not {{ matches_any(text, 'dangling') }}
    )
{%- endmacro %}
