{#- The elements of a list of words that begin with a digit. Engine seam. -#}
{% macro numbers_of(words) -%}
    {{ return(adapter.dispatch('numbers_of', 'finrag')(words)) }}
{%- endmacro %}

{% macro default__numbers_of(words) -%}
    list_filter({{ words }}, lambda word: word between '0' and ':')
{%- endmacro %}

{% macro spark__numbers_of(words) -%}
    filter({{ words }}, word -> word between '0' and ':')
{%- endmacro %}
