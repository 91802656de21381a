{#- Schemas are the rooms' own names, in every target: `sentences.sentences`, not `main_sentences`. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ (custom_schema_name or target.schema) | trim }}
{%- endmacro %}
