{#-
    Gates, shipped and of the user's own, that name a metric, a system or pair, or a gold
    set that nobody knows; the name is shown. A public set is known by its kind of file, or
    because it is loaded.
-#}
{% test every_gate_names_what_exists(model, part) %}

with

metrics as (

    select
        metric,
        k,
        unit,
        mode
    from {{ ref('metric_catalogue') }}
    union all
    select
        metric,
        k,
        unit,
        mode
    from {{ ref('gate_measures') }}

),

systems as (

    select system_id
    from {{ ref('systems') }}
    union
    select system_id
    from {{ ref('registered_systems') }}
    union all
    select 'corpus' as system_id
    union all
    select 'gold' as system_id
    union all
    select 'candidate' as system_id
    union all
    select 'any' as system_id

),

gates as (

    select * from {{ model }}

)

{% if part == 'metric' %}
select
    gates.gate_id,
    concat_ws(' ', gates.metric, 'at', gates.k, 'of', gates.unit, gates.mode)
        as unknown_name
from gates
left join metrics
    on
        gates.metric = metrics.metric
        and gates.k = metrics.k
        and gates.unit = metrics.unit
        and gates.mode = metrics.mode
where metrics.metric is null
{% elif part == 'system' %}
select
    gates.gate_id,
    gates.system_id as unknown_name
from gates
left join systems
    on gates.system_id = systems.system_id
left join {{ ref('system_pairs') }} as pairs
    on gates.system_id = pairs.pair_id
where
    case gates.measured_in
        when 'comparisons' then pairs.pair_id is null
        else systems.system_id is null
    end
{% elif part == 'gold_set' %}
select
    gates.gate_id,
    gates.gold_set as unknown_name
from gates
left join {{ ref('benchmark_files') }} as files
    on gates.gold_set = files.benchmark
left join {{ ref('items') }} as items
    on gates.gold_set = items.gold_set
where
    {{ gold_set_is('public', 'gates.gold_set') }}
    and files.benchmark is null
    and items.gold_set is null
{% endif %}

{% endtest %}
