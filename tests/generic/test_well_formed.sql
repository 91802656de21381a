{#-
    Rows of a table that break a rule, each with all the rules that it breaks: every column
    but the nullable ones has a value, the key is not repeated, and a column of `accepted`
    has one of its values, or none where it is nullable. A column that is named here and
    missing in the table is an error.
-#}
{% test well_formed(model, key, nullable=[], accepted={}) %}

{%- set columns = adapter.get_columns_in_relation(model) | map(attribute='name') | list %}
{%- for column in key + nullable + accepted.keys() | list if columns and column not in columns %}
    {%- do exceptions.raise_compiler_error(model ~ ' has no column ' ~ column) %}
{%- endfor %}
{%- set required = (columns or key) | reject('in', nullable) %}

with

checked as (

    select
        {{ key | join(', ') }},
        concat_ws(
            '; ',
            {%- for column in required %}
            case when {{ column }} is null then '{{ column }} is null' end,
            {%- endfor %}
            {%- for column, values in accepted.items() %}
            case
                when {{ column }} not in ({{ sql_literals(values) }})
                    then '{{ column }} is ' || {{ column }}
            end,
            {%- endfor %}
            case
                when count(*) over (partition by {{ key | join(', ') }}) > 1
                    then 'the key is repeated'
            end
        ) as breaches
    from {{ model }}

)

select *
from checked
where breaches <> ''

{% endtest %}
