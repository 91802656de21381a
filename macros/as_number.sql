{#- A text as a double; null where it is none. -#}
{% macro as_number(text) -%}
    try_cast({{ text }} as double)
{%- endmacro %}
