{#-
    Labels of sentences. A text is labelled once for all its places, and counts only where its
    atlas looks: elsewhere it would depend on what other companies write.
-#}
with

sentences as (

    select * from {{ ref('sentences') }}

),

py_texts_labelled as (

    select * from {{ ref('py_texts_labelled') }}

)

select
    sentences.sentence_id,
    py_texts_labelled.atlas,
    py_texts_labelled.label,
    py_texts_labelled.text_hash as exact_hash,
    py_texts_labelled.n_cues
from sentences
inner join py_texts_labelled
    on sentences.sentence_text = py_texts_labelled.sentence_text
where
    case py_texts_labelled.atlas
        when 'disclosure' then true
        when 'kpi'
            then
                sentences.is_table_text
                or not (sentences.is_toc or sentences.is_heading)
        else not (sentences.is_toc or sentences.is_heading or sentences.is_table_text)
    end
