{#- Anchors that `finrag freeze anchors` stored, from the file that the dbt var
    frozen_anchors_path names; none where it names no file. -#}
{% macro own_frozen_anchors() -%}
    {%- if var('frozen_anchors_path') -%}
    select
        sentence_id,
        sentence_text,
        cast(n_sentences as bigint) as n_sentences
    from read_csv(
        {{ sql_literal(var('frozen_anchors_path')) }},
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        comment = '',
        all_varchar = true
    )
    {%- else -%}
    select
        cast(null as varchar) as sentence_id,
        cast(null as varchar) as sentence_text,
        cast(null as bigint) as n_sentences
    where false
    {%- endif -%}
{%- endmacro %}
