{#- The elements of a list of words that begin with a digit. -#}
{% macro numbers_of(words) -%}
    list_filter({{ words }}, lambda word: word between '0' and ':')
{%- endmacro %}
