{#- Sum of `expression` for the integer `name` from `start` to `stop` - 1; 0 for an empty
    range. Engine seam: lambdas and ranges are spelled differently elsewhere. -#}
{% macro sum_over_range(name, start, stop, expression) -%}
    {{ return(adapter.dispatch('sum_over_range', 'finrag')(name, start, stop, expression)) }}
{%- endmacro %}

{% macro default__sum_over_range(name, start, stop, expression) -%}
    coalesce(list_sum(list_transform(
        range({{ start }}, {{ stop }}), lambda {{ name }} : {{ expression }}
    )), 0.0)
{%- endmacro %}

{% macro spark__sum_over_range(name, start, stop, expression) -%}
    case
        when {{ stop }} <= {{ start }} then 0.0D
        else aggregate(
            transform(sequence({{ start }}, {{ stop }} - 1), {{ name }} -> {{ expression }}),
            0.0D,
            (a, b) -> a + b
        )
    end
{%- endmacro %}
