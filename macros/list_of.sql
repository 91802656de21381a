{#- A list of the given expressions, in order. Engine seam. -#}
{% macro list_of() -%}
    {{ return(adapter.dispatch('list_of', 'finrag')(varargs)) }}
{%- endmacro %}

{% macro default__list_of(values) -%}
    [{{ values | join(', ') }}]
{%- endmacro %}

{% macro spark__list_of(values) -%}
    array({{ values | join(', ') }})
{%- endmacro %}
