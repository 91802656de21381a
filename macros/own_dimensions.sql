{#- Dimensions of a fact without the qualifier that it is of the operating segments. -#}
{% macro own_dimensions(dimensions) -%}
    list_filter(
        {{ dimensions }},
        lambda one: not (
            ends_with(one.axis, 'ConsolidationItemsAxis')
            and ends_with(one.member, 'OperatingSegmentsMember')
        )
    )
{%- endmacro %}
