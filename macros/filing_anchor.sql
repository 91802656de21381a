{#- Anchor of a section on its filing's page, or of a sentence by its place in the section:
    item-1a, item-1a-12. Nothing of a section's name but letters and digits stays. -#}
{% macro filing_anchor(section_name, sentence_pos=none) -%}
    trim(regexp_replace(lower({{ section_name }}), '[^a-z0-9]+', '-', 'g'), '-')
    {%- if sentence_pos is not none %} || '-' || {{ sentence_pos }}{% endif %}
{%- endmacro %}
