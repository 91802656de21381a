{#-
    Key of a block of a document, or of the table that it is: kind is b or t. Null where there is
    no block.
-#}
{% macro block_key(filing_id, part_pos, block_pos, kind='b') -%}
    {{ part_key(filing_id, part_pos) }} || '_{{ kind }}' || {{ block_pos }}
{%- endmacro %}
