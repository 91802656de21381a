{#- Replaces the placeholders {name} of a template by SQL expressions; null leaves a gap that
    the tests find, never a null question. -#}
{% macro fill_template(template, slots) -%}
    {%- set ns = namespace(expression=template) -%}
    {%- for name, value in slots.items() -%}
        {%- set ns.expression -%}
            replace({{ ns.expression }}, '{{ '{' ~ name ~ '}' }}', coalesce({{ value }}, '{{ '{' ~ name ~ '}' }}'))
        {%- endset -%}
    {%- endfor -%}
    {{ ns.expression }}
{%- endmacro %}
