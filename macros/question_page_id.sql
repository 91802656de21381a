{#- Name of a question's page: the first twelve hex digits of the md5 of gold set and item,
    so that a link is safe and short whatever an id of a suite holds. -#}
{% macro question_page_id(gold_set, item_id) -%}
    substr(md5({{ gold_set }} || '|' || {{ item_id }}), 1, 12)
{%- endmacro %}
