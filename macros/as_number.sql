{#- A text as a double; null where it is none. Engine seam. -#}
{% macro as_number(text) -%}
    {{ return(adapter.dispatch('as_number', 'finrag')(text)) }}
{%- endmacro %}

{% macro default__as_number(text) -%}
    try_cast({{ text }} as double)
{%- endmacro %}

{% macro spark__as_number(text) -%}
    try_cast({{ text }} as double)
{%- endmacro %}
