{#-
    A period as one writes it: as of May 31, 2023; for the year, or three, six or nine months,
    ended then. Null for a period of any other length.
-#}
{% macro period_words(period_start, period_end) -%}
    case
        when {{ period_start }} is null then 'as of '
        when ({{ period_end }}) - ({{ period_start }}) between 349 and 379
            then 'for the year ended '
        when ({{ period_end }}) - ({{ period_start }}) between 76 and 105
            then 'for the three months ended '
        when ({{ period_end }}) - ({{ period_start }}) between 167 and 196
            then 'for the six months ended '
        when ({{ period_end }}) - ({{ period_start }}) between 258 and 287
            then 'for the nine months ended '
    end
    || strftime({{ period_end }}, '%B %-d, %Y')
{%- endmacro %}
