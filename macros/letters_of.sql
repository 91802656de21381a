{#- A text as its letters and digits alone, in lower case, for comparisons of words that several
    programs set differently. Null for null. -#}
{% macro letters_of(text) -%}
    regexp_replace(lower({{ text }}), '[^\p{L}\p{N}]+', '', 'g')
{%- endmacro %}
