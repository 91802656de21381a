{#- Rows of the CSV files in the dbt var reviews_paths, to be added to those of the seed
    p3_reviews, whose columns they have; nothing where there are no files. -#}
{% macro own_reviews() -%}
    {%- set paths = var('reviews_paths') -%}
    {%- set paths = [paths] if paths is string and paths else paths -%}
    {%- if paths %}
    union all by name

    select *
    from read_csv(
        [{{ sql_literals(paths) }}],
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        comment = '',
        all_varchar = true,
        union_by_name = true
    )
    {%- endif -%}
{%- endmacro %}
