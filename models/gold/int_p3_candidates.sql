{%- set sources = [
    'int_p3_factoids', 'int_p3_causes', 'int_p3_risks', 'int_p3_trends',
    'int_p3_peers', 'int_p3_lists', 'int_p3_attributions', 'int_p3_definitions',
    'int_p3_periods', 'int_p3_absences', 'int_p3_changes',
] -%}
with

gathered as (

    {%- for source in sources %}

    select *
    from {{ ref(source) }}
    {%- if not loop.last %}

    union all
    {%- endif %}
    {%- endfor %}

)

select * from gathered
