{#- The elements of a list of words that have three letters or more. Engine seam. -#}
{% macro long_words_of(words) -%}
    {{ return(adapter.dispatch('long_words_of', 'finrag')(words)) }}
{%- endmacro %}

{% macro default__long_words_of(words) -%}
    list_filter({{ words }}, lambda word: length(word) >= 3 and word >= 'a')
{%- endmacro %}

{% macro spark__long_words_of(words) -%}
    filter({{ words }}, word -> length(word) >= 3 and word >= 'a')
{%- endmacro %}
