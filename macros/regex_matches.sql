{#- True where `text` contains a match of `pattern` (RE2 subset), ignoring case. Engine seam. -#}
{% macro regex_matches(text, pattern) -%}
    {{ return(adapter.dispatch('regex_matches', 'finrag')(text, pattern)) }}
{%- endmacro %}

{% macro default__regex_matches(text, pattern) -%}
    regexp_matches({{ text }}, {{ sql_literal('(?i)' ~ pattern) }})
{%- endmacro %}

{% macro spark__regex_matches(text, pattern) -%}
    rlike({{ text }}, {{ sql_literal('(?i)' ~ pattern) }})
{%- endmacro %}
