{#- Whether a gold set is of a kind: `anchors` (sentences and cells of the filings that
    are searched for again), `cells` (those of them that are cells), `filings` (questions on the filings), `tables` (those of them on figures of tables and
    on lines of revenue, which are asked of rows and cells too), `corpus` (measures of the filings
    themselves, under a name in place of a set's) or `public` (a set that brings its own
    documents: any that is not made here). What is made here is named in this macro and in
    the gold room alone. -#}
{% macro gold_set_is(kind, column) -%}
    {%- set made = {
        'anchors': ['p1', 'p2', 'p1_cells'],
        'cells': ['p1_cells'],
        'filings': ['p3', 'p3_tables', 'p3_revenue_lines'],
        'tables': ['p3_tables', 'p3_revenue_lines'],
        'corpus': ['corpus'],
    } -%}
    {%- if kind == 'public' -%}
        {{ column }} not in ({{ sql_literals(made.values() | sum(start=[]) | unique | list) }})
    {%- elif kind in made -%}
        {{ column }} in ({{ sql_literals(made[kind]) }})
    {%- else -%}
        {{ exceptions.raise_compiler_error("gold_set_is: no kind of gold set '" ~ kind ~ "'") }}
    {%- endif -%}
{%- endmacro %}
