{#- A text or a number as a JSON text; null stays null. -#}
{% macro as_json(value) -%}
    cast(to_json({{ value }}) as varchar)
{%- endmacro %}
