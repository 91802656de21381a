{#- A collapsed text in lower case, so that two spellings of a question compare equal. Null
    for null. -#}
{% macro folded_text(text) -%}
    lower({{ collapsed_text(text) }})
{%- endmacro %}
