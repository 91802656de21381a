{#-
    Gives rows that were recorded before `unit`, `mode` and `n_not_run` were columns their
    values. A metric at a cut-off was of one unit then: the one that ranks sentences or that of
    answers; measures of the warehouse itself are of no kind. What was not run was counted
    with what failed.
-#}
{% macro fill_recorded_measures() -%}
    update {{ this }}
    set
        unit = coalesce(
            (
                select catalogue.unit
                from {{ ref('metric_catalogue') }} as catalogue
                where
                    catalogue.metric = {{ this.identifier }}.metric
                    and catalogue.k = {{ this.identifier }}.k
                    and catalogue.unit in ('sentence', 'answer')
                    and catalogue.mode = 'finrag'
            ),
            'any'
        ),
        mode = 'finrag',
        n_not_run = 0
    where unit is null
{%- endmacro %}
