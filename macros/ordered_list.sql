{#- Aggregates `value` into a list ordered by `order_by`. Engine seam: Spark ignores the
    order of collect_list, so it sorts pairs instead. -#}
{% macro ordered_list(value, order_by) -%}
    {{ return(adapter.dispatch('ordered_list', 'finrag')(value, order_by)) }}
{%- endmacro %}

{% macro default__ordered_list(value, order_by) -%}
    list({{ value }} order by {{ order_by }})
{%- endmacro %}

{% macro spark__ordered_list(value, order_by) -%}
    transform(array_sort(collect_list(struct({{ order_by }} as k, {{ value }} as v))), x -> x.v)
{%- endmacro %}
