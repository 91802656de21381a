{#- The distinct words and numbers of a text in lower case, sorted. -#}
{% macro word_set(text) -%}
    list_sort(list_distinct(regexp_extract_all(
        lower({{ text }}), {{ sql_literal(var('regexes')['word_or_number']) }}
    )))
{%- endmacro %}
