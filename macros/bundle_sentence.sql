{#- The struct of one sentence inside a trend bundle. -#}
{% macro bundle_sentence() -%}
    {%- set fields = [
        'report_year', 'section_name', 'filing_id', 'sentence_id', 'sentence_text',
    ] -%}
    {%- set named = {} -%}
    {%- for field in fields -%}
        {%- do named.update({field: field}) -%}
    {%- endfor -%}
    {{ struct_of(named) }}
{%- endmacro %}
