{#- Which room reads which, and how often: each reference of a table of one room to a
    table of another, from dbt's graph. -#}
{%- set models = graph.nodes.values()
    | selectattr('resource_type', 'equalto', 'model')
    | sort(attribute='name') -%}
-- noqa: disable=LT02
with

reading as (
    {% for model in models %}
    {%- for parent in model.depends_on.nodes if parent.startswith('model.') %}
    {%- if graph.nodes[parent].config.group != model.config.group %}
    select
        '{{ graph.nodes[parent].config.group }}' as from_room,
        '{{ model.config.group }}' as to_room,
        '{{ graph.nodes[parent].name }}' as door
    union all
    {%- endif %}
    {%- endfor %}
    {%- endfor %}
    select
        null as from_room,
        null as to_room,
        null as door
)

select
    from_room,
    to_room,
    count(*) as n_references,
    string_agg(distinct door, ', ' order by door) as doors_text
from reading
where from_room is not null
group by from_room, to_room
