{#- A text as its words: lower case, one space between, nothing but letters and digits, a
    space at both ends so that a whole phrase can be looked for. Null for null. Engine seam. -#}
{% macro plain_words(text) -%}
    {{ return(adapter.dispatch('plain_words', 'finrag')(text)) }}
{%- endmacro %}

{% macro default__plain_words(text) -%}
    ' ' || trim(regexp_replace(lower({{ text }}), '[^\p{L}\p{N}]+', ' ', 'g')) || ' '
{%- endmacro %}

{% macro spark__plain_words(text) -%}
    concat(' ', trim(regexp_replace(lower({{ text }}), '[^\\p{L}\\p{N}]+', ' ')), ' ')
{%- endmacro %}
