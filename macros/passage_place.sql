{#- Where a passage of a public set stands, as a reader would look for it: the name
    of its document, its page, the place of the row, text or turn, and who speaks.
    Null for none. -#}
{% macro passage_place(documents, passages) -%}
    {{ documents }}.document_name
    || coalesce(', page ' || {{ passages }}.page, '')
    || case
        when {{ passages }}.unit = 'page' then ''
        else ', ' || {{ passages }}.unit || coalesce(' ' || {{ passages }}.position, '')
    end
    || coalesce(', ' || {{ passages }}.speaker, '')
{%- endmacro %}
