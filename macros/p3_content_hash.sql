{#- Hash of what a reviewer judges: the question, its answer and its evidence. `prefix` names
    the table, with its dot. -#}
{% macro p3_content_hash(prefix='') -%}
    md5(concat_ws(
        chr(31),
        {{ prefix }}question_text,
        {{ prefix }}answer_type,
        coalesce({{ prefix }}answer_text, ''),
        coalesce(cast({{ prefix }}answer_numeric as varchar), ''),
        coalesce({{ prefix }}answer_unit, ''),
        array_to_string({{ prefix }}evidence_sentence_ids, ' ')
    ))
{%- endmacro %}
