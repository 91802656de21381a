{#-
    The values of one row of a unit test as SQL, each cast to the type of its column, in place of
    dbt's own macro of this name, which calls five macros for every value.

    A name that the relation does not have is an error.
-#}
{% macro format_row(row, column_name_to_data_types) -%}
    {%- set formatted = {} -%}
    {%- for given, value in row.items() -%}
        {%- set name = given | lower -%}
        {%- if name not in column_name_to_data_types -%}
            {%- do exceptions.raise_compiler_error(
                "unit test of '" ~ model.name ~ "': it has no column '" ~ name ~ "'; its columns are "
                ~ column_name_to_data_types | join(", ") ~ "."
            ) -%}
        {%- endif -%}
        {%- if value is string -%}
            {%- set literal = "'" ~ value | replace("'", "''") ~ "'" -%}
        {%- else -%}
            {%- set literal = "null" if value is none else value -%}
        {%- endif -%}
        {%- do formatted.update({name: "cast(" ~ literal ~ " as " ~ column_name_to_data_types[name] ~ ")"}) -%}
    {%- endfor -%}
    {{ return(formatted) }}
{%- endmacro %}
