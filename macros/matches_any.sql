{#- True where `text` matches one of the patterns of a group in var `sentence_patterns`:
    one alternation, because twenty separate scans cost twenty times as much. -#}
{% macro matches_any(text, group) -%}
    {%- set patterns = var('sentence_patterns')[group] | map(attribute='pattern') -%}
    {{ regex_matches(text, '(' ~ patterns | join(')|(') ~ ')') }}
{%- endmacro %}
