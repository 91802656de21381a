{#- Whether a gold set is of a kind: `anchors` (sentences of the filings that are searched
    for again), `filings` (questions on the filings) or `public` (a set that brings its own
    documents). The sets made of the filings are named here and in the gold room alone. -#}
{% macro gold_set_is(kind, column) -%}
    {%- set made = {'anchors': ['p1', 'p2'], 'filings': ['p3']} -%}
    {%- if kind == 'public' -%}
        {{ column }} not in ({{ sql_literals(made['anchors'] + made['filings']) }})
    {%- elif kind in made -%}
        {{ column }} in ({{ sql_literals(made[kind]) }})
    {%- else -%}
        {{ exceptions.raise_compiler_error("gold_set_is: no kind of gold set '" ~ kind ~ "'") }}
    {%- endif -%}
{%- endmacro %}
