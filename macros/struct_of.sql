{#- A struct of named fields, given as a dictionary of name and expression. Engine seam. -#}
{% macro struct_of(fields) -%}
    {{ return(adapter.dispatch('struct_of', 'finrag')(fields)) }}
{%- endmacro %}

{% macro default__struct_of(fields) -%}
    struct_pack(
        {%- for name, value in fields.items() %}
        {{ name }} := {{ value }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

{% macro spark__struct_of(fields) -%}
    named_struct(
        {%- for name, value in fields.items() %}
        '{{ name }}', {{ value }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
