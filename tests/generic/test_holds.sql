{#- Rows for which a statement does not hold; unknown (null) counts as not holding. -#}
{% test holds(model, expression) %}

select *
from {{ model }}
where ({{ expression }}) is not true

{% endtest %}
