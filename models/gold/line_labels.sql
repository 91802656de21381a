with

int_line_labels_read as (

    select * from {{ ref('int_line_labels_read') }}

),

int_p3_drawn as (

    select * from {{ ref('int_p3_drawn') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

-- A review may reject a question: its label then counts for nothing.
asked as (

    select
        int_p3_drawn.question_key,
        {{ p3_gold_set('gold_p3.category') }} || ':' || gold_p3.question_id as item_id
    from int_p3_drawn
    inner join gold_p3
        on int_p3_drawn.question_id = gold_p3.question_id

)

select
    int_line_labels_read.line_label_id,
    int_line_labels_read.revenue_line_id,
    int_line_labels_read.filing_id,
    int_line_labels_read.label,
    int_line_labels_read.is_defined,
    int_line_labels_read.kind,
    int_line_labels_read.block_ids,
    int_line_labels_read.reader,
    int_line_labels_read.n_readers,
    int_line_labels_read.is_agreed,
    int_line_labels_read.rejected_for,
    asked.item_id
from int_line_labels_read
left join asked
    on 'K|' || int_line_labels_read.revenue_line_id = asked.question_key
