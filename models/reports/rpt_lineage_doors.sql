{#- The doors of each room: the tables that other rooms may read, from dbt's graph. -#}
{%- set doors = graph.nodes.values()
    | selectattr('resource_type', 'equalto', 'model')
    | selectattr('config.access', 'equalto', 'public')
    | sort(attribute='name') -%}
-- noqa: disable=LT02
with

doors as (
    {% for door in doors %}
    {%- set description = door.description | replace("'", "''") %}
    select
        '{{ door.config.group }}' as room,
        '{{ door.name }}' as door,
        '{{ description }}' as description
    {{ 'union all' if not loop.last }}
    {% endfor %}
)

select
    room,
    door,
    description
from doors
