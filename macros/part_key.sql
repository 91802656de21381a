{#- Key of a document of a filing: the filing and its place in the submission, from 0. -#}
{% macro part_key(filing_id, part_pos) -%}
    {{ filing_id }} || '_d' || {{ part_pos }}
{%- endmacro %}
