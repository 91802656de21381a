{#- The rooms as dbt's graph has them, in the order in which data flows. -#}
-- noqa: disable=LT02
with

rooms as (
    {% for room in graph.groups.values() %}
    {%- set models = graph.nodes.values()
        | selectattr('resource_type', 'equalto', 'model')
        | selectattr('config.group', 'equalto', room.name) | list %}
    {%- set doors = models | selectattr('config.access', 'equalto', 'public') | list %}
    select
        {{ loop.index }} as room_pos,
        '{{ room.name }}' as room,
        '{{ room.description | replace("'", "''") }}' as description,
        {{ models | length }} as n_tables,
        {{ doors | length }} as n_doors
    {{ 'union all' if not loop.last }}
    {% endfor %}
)

select
    room_pos,
    room,
    description,
    n_tables,
    n_doors
from rooms
