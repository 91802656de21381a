{#- Number of non-overlapping matches of the regex given by name in var `regexes`. -#}
{% macro regex_count(text, name) -%}
    len(regexp_extract_all({{ text }}, {{ sql_literal(var('regexes')[name]) }}))
{%- endmacro %}
