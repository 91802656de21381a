{#-
    Rows of a table that break a rule, each with its key and all the rules that it breaks.

    key: columns that tell rows apart: each has a value, and no two rows share them all. A
        table without a key is held to what is named alone, and its rows are shown whole.
    required: columns that have a value, beside those of which a contract says so. Where it
        is left out and there is no contract, that is every column.
    nullable: columns that may be null all the same, parts of the key too.
    unique: further keys, each a column or a list; a row that has nothing there is left out.
    accepted: by column, the values that it may have, beside null.
    relations: by column, the table (`to`) and its column (`field`) that has each of its
        values, beside null; `where` says which rows are looked at.
    facts: by name, what is true of each row. Unknown (null) is not true.
    rows: which rows of the table the whole test is about.

    A column that is named here and missing in the table is an error.
-#}
{% test well_formed(
    model, key=[], required=none, nullable=[], unique=[], accepted={}, relations={},
    facts={}, rows='true'
) %}

{%- set tables = (graph.nodes if execute else {}).values()
    | selectattr('relation_name', 'equalto', model | string) | list %}
{%- set is_promised = tables and tables[0].config.contract.enforced %}
{%- if is_promised %}
    {%- set columns = tables[0].columns.keys() | list %}
{%- else %}
    {%- set columns = adapter.get_columns_in_relation(model) | map(attribute='name') | list %}
{%- endif %}
{%- set keys = [key] if key else [] %}
{%- for part in unique %}
    {%- do keys.append([part] if part is string else part) %}
{%- endfor %}
{%- set named = keys | sum(start=[]) + (required or []) + nullable
    + accepted.keys() | list + relations.keys() | list %}
{%- for column in named if columns and column not in columns %}
    {%- do exceptions.raise_compiler_error(model ~ ' has no column ' ~ column) %}
{%- endfor %}

{%- set valued = key + (required or []) %}
{%- if key and is_promised %}
    {%- for column in tables[0].columns.values() %}
        {%- if 'not_null' in column.constraints | map(attribute='type') %}
            {%- do valued.append(column.name) %}
        {%- endif %}
    {%- endfor %}
{%- elif key and required is none %}
    {%- do valued.extend(columns) %}
{%- endif %}

select *
from (
    select
        {{ key | join(', ') or '*' }},
        concat_ws(
            '; ',
            {%- for column in valued | unique | reject('in', nullable) %}
            case when {{ column }} is null then '{{ column }} is null' end,
            {%- endfor %}
            {%- for part in keys %}
            {%- set whole = part | join(', ') %}
            {%- set whole = 'row(' ~ whole ~ ')' if part | length > 1 else whole %}
            case
                when {{ whole }} in (
                    select {{ whole }}
                    from {{ model }}
                    where
                        ({{ rows }})
                        and not ({{ part | join(' is null and ') }} is null)
                    group by {{ part | join(', ') }}
                    having count(*) > 1
                )
                    then 'repeated: {{ part | join(', ') }}'
            end,
            {%- endfor %}
            {%- for column, values in accepted.items() %}
            case
                when {{ column }} not in ({{ sql_literals(values) }})
                    then {{ value_text(column) }}
            end,
            {%- endfor %}
            {%- for column, relation in relations.items() %}
            case
                when
                    {{ column }} is not null
                    and ({{ relation.where or 'true' }})
                    and {{ column }} not in (
                        select known.{{ relation.field }}
                        from {{ relation.to }} as known
                        where known.{{ relation.field }} is not null
                    )
                    then
                        {{ value_text(column) }}
                        || ', which is not in {{ relation.to.identifier }}'
            end,
            {%- endfor %}
            {%- for fact, expression in facts.items() %}
            case
                when ({{ expression }}) is not true
                    then {{ sql_literal('not so: ' ~ fact | replace('_', ' ')) }}
            end,
            {%- endfor %}
            null
        ) as breaches
    from {{ model }}
    where {{ rows }}
) as checked
where breaches <> ''

{% endtest %}
