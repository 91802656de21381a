{#-
    A condition: nothing with this key is in the history yet. True where there is no history,
    so that a first build records as well. Rows of a history are added, never touched.
-#}
{% macro not_yet_in_history(key, value) -%}
    {%- if is_incremental() -%}
        not exists (
            select 1
            from {{ this }} as history
            where history.{{ key }} = {{ value }}
        )
    {%- else -%}
        true
    {%- endif -%}
{%- endmacro %}
