{#- A text with one space for any run of white space and none around it. Null for null. -#}
{% macro collapsed_text(text) -%}
    trim(regexp_replace({{ text }}, '[\s\p{Z}]+', ' ', 'g'))
{%- endmacro %}
