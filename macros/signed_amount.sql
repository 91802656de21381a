{#- An amount as printed, with a minus where its value is negative and the print says so only
    by words or brackets. -#}
{% macro signed_amount(value, raw) -%}
    case
        when {{ value }} < 0
            then
                '-' || replace(replace(replace(replace(
                    {{ raw }}, '(', ''), ')', ''), '-', ''), '$ ', '$'
                )
        else replace({{ raw }}, '$ ', '$')
    end
{%- endmacro %}
