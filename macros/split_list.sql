{#- A text split at a separator into a list; null for null. Engine seam. -#}
{% macro split_list(text, separator) -%}
    {{ return(adapter.dispatch('split_list', 'finrag')(text, separator)) }}
{%- endmacro %}

{% macro default__split_list(text, separator) -%}
    string_split({{ text }}, {{ sql_literal(separator) }})
{%- endmacro %}

{% macro spark__split_list(text, separator) -%}
    split({{ text }}, concat('\\Q', {{ sql_literal(separator) }}, '\\E'))
{%- endmacro %}
