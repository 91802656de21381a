{#- Key over all corpora of what a public set names by an id of its own; an id that is written
    with the set in front already stays as it is. -#}
{% macro set_key(corpus, id) -%}
    case
        when starts_with({{ id }}, {{ corpus }} || ':') then {{ id }}
        else {{ corpus }} || ':' || {{ id }}
    end
{%- endmacro %}
