{#- The distinct words and numbers of a text in lower case, sorted. Engine seam. -#}
{% macro word_set(text) -%}
    {{ return(adapter.dispatch('word_set', 'finrag')(text)) }}
{%- endmacro %}

{% macro default__word_set(text) -%}
    list_sort(list_distinct(regexp_extract_all(
        lower({{ text }}), {{ sql_literal(var('regexes')['word_or_number']) }}
    )))
{%- endmacro %}

{% macro spark__word_set(text) -%}
    array_sort(array_distinct(regexp_extract_all(
        lower({{ text }}), {{ sql_literal(var('regexes')['word_or_number']) }}, 0
    )))
{%- endmacro %}
