{#-
    The verdict on a build, from counts of its gates given as names of columns: error
    gates broken, gates passed, error gates waived, error gates with too few items.
    Where no gate was judged the counts are null and the build is unmeasured.
-#}
{% macro build_verdict(n_errors, n_pass, n_errors_waived, n_errors_too_few) -%}
    case
        when {{ n_errors }} > 0 then 'fail'
        when coalesce({{ n_pass }}, 0) = 0 then 'unmeasured'
        when {{ n_errors_waived }} > 0 then 'waived'
        when {{ n_errors_too_few }} > 0 then 'too_few'
        else 'pass'
    end
{%- endmacro %}
