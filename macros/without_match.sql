{#- A text without what matches the regex given by name in var `regexes`. Engine seam. -#}
{% macro without_match(text, name) -%}
    {{ return(adapter.dispatch('without_match', 'finrag')(text, var('regexes')[name])) }}
{%- endmacro %}

{% macro default__without_match(text, pattern) -%}
    regexp_replace({{ text }}, {{ sql_literal(pattern) }}, '')
{%- endmacro %}

{% macro spark__without_match(text, pattern) -%}
    regexp_replace({{ text }}, {{ sql_literal(pattern) }}, '')
{%- endmacro %}
