{#- A text as its words: lower case, one space between, nothing but letters and digits, a
    space at both ends so that a whole phrase can be looked for. Null for null. -#}
{% macro plain_words(text) -%}
    ' ' || trim(regexp_replace(lower({{ text }}), '[^\p{L}\p{N}]+', ' ', 'g')) || ' '
{%- endmacro %}
