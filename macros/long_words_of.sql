{#- The elements of a list of words that have three letters or more. -#}
{% macro long_words_of(words) -%}
    list_filter({{ words }}, lambda word: length(word) >= 3 and word >= 'a')
{%- endmacro %}
