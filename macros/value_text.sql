{#- Text that says what stands in a column, cut short: system_id is 'bm25'. -#}
{% macro value_text(column) -%}
    concat('{{ column }} is ''', left(cast({{ column }} as varchar), 80), '''')
{%- endmacro %}
