{#- The elements of a list as one text, in list order. Engine seam. -#}
{% macro joined_list(column, separator) -%}
    {{ return(adapter.dispatch('joined_list', 'finrag')(column, separator)) }}
{%- endmacro %}

{% macro default__joined_list(column, separator) -%}
    array_to_string({{ column }}, {{ sql_literal(separator) }})
{%- endmacro %}

{% macro spark__joined_list(column, separator) -%}
    array_join({{ column }}, {{ sql_literal(separator) }})
{%- endmacro %}
