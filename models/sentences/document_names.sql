{#-
    What a name of a document means: the loaded document that is called so, whatever the case,
    folder and ending of the name. A name that fits several is not clear and means none.
-#}
with

documents as (

    select * from {{ ref('documents') }}

)

select
    corpus_id,
    name_key,
    case when count(*) = 1 then min(document_id) end as document_id,
    count(*) as n_documents
from documents
group by corpus_id, name_key
