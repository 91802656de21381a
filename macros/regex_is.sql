{#- True where `text` matches the regex given by name in var `regexes`, case respected. -#}
{% macro regex_is(text, name) -%}
    regexp_matches({{ text }}, {{ sql_literal(var('regexes')[name]) }})
{%- endmacro %}
