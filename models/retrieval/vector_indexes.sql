with

py_indexes_built as (

    select * from {{ ref('py_indexes_built') }}

)

select
    system_id,
    index_id,
    index_type,
    encoder_id,
    dimension,
    n_texts,
    n_vectors,
    n_unusable,
    recall_at_10,
    n_recall_queries
from py_indexes_built
