{#- Key of a sentence's or section's place: the filing and the item. -#}
{% macro section_key(filing_id, item) -%}
    {{ filing_id }} || '_section_' || {{ item }}
{%- endmacro %}
