{#- A text or a number as a JSON text; null stays null. Engine seam. -#}
{% macro as_json(value) -%}
    {{ return(adapter.dispatch('as_json', 'finrag')(value)) }}
{%- endmacro %}

{% macro default__as_json(value) -%}
    cast(to_json({{ value }}) as varchar)
{%- endmacro %}

{% macro spark__as_json(value) -%}
    case
        when {{ value }} is not null
            then regexp_extract(to_json(array({{ value }})), '^.(.*).$', 1)
    end
{%- endmacro %}
