{#- True where `text` matches the regex given by name in var `regexes`, case respected. Engine seam. -#}
{% macro regex_is(text, name) -%}
    {{ return(adapter.dispatch('regex_is', 'finrag')(text, var('regexes')[name])) }}
{%- endmacro %}

{% macro default__regex_is(text, pattern) -%}
    regexp_matches({{ text }}, {{ sql_literal(pattern) }})
{%- endmacro %}

{% macro spark__regex_is(text, pattern) -%}
    rlike({{ text }}, {{ sql_literal(pattern) }})
{%- endmacro %}
