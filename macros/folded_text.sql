{#- A text in lower case with one space for any run of white space and none around it, so that
    two spellings of a question compare equal. Null for null. -#}
{% macro folded_text(text) -%}
    lower(trim(regexp_replace({{ text }}, '[\s\p{Z}]+', ' ', 'g')))
{%- endmacro %}
