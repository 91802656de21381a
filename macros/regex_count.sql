{#- Number of non-overlapping matches of the regex given by name in var `regexes`. Engine seam. -#}
{% macro regex_count(text, name) -%}
    {{ return(adapter.dispatch('regex_count', 'finrag')(text, var('regexes')[name])) }}
{%- endmacro %}

{% macro default__regex_count(text, pattern) -%}
    len(regexp_extract_all({{ text }}, {{ sql_literal(pattern) }}))
{%- endmacro %}

{% macro spark__regex_count(text, pattern) -%}
    size(regexp_extract_all({{ text }}, {{ sql_literal(pattern) }}, 0))
{%- endmacro %}
