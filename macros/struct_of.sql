{#- A struct of named fields, given as a dictionary of name and expression. -#}
{% macro struct_of(fields) -%}
    struct_pack(
        {%- for name, value in fields.items() %}
        {{ name }} := {{ value }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
