{#- A text split at a separator into a list; null for null. -#}
{% macro split_list(text, separator) -%}
    string_split({{ text }}, {{ sql_literal(separator) }})
{%- endmacro %}
