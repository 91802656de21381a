{#- True where `text` contains a match of `pattern` (RE2 subset), ignoring case. -#}
{% macro regex_matches(text, pattern) -%}
    regexp_matches({{ text }}, {{ sql_literal('(?i)' ~ pattern) }})
{%- endmacro %}
