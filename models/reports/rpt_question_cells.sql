{#-
    Cells to mark on the page of a question about tables: those that hold its gold, and those that
    a system ranked first or cited. What names a row marks the first cell of that row.
-#}
with

int_questions_shown as (

    select *
    from {{ ref('int_questions_shown') }}
    where {{ gold_set_is('tables', 'gold_set') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        unit = 'cell'
        and grade > 0
        and mapping = 'mapped'
        and {{ gold_set_is('tables', 'gold_set') }}

),

rankings as (

    select *
    from {{ ref('rankings') }}
    where
        rank = 1
        and unit in ('cell', 'row')
        and {{ gold_set_is('tables', 'gold_set') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

rpt_question_citations as (

    select * from {{ ref('rpt_question_citations') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

-- A row is a sentence of its section as well.
places as (

    select
        cell_id as passage_id,
        'cell' as kind,
        cell_id
    from table_cells

    union all

    select
        row_id as passage_id,
        'row' as kind,
        arg_min(cell_id, col_pos) as cell_id
    from table_cells
    group by row_id

    union all

    select
        sentence_id as passage_id,
        'row' as kind,
        arg_min(cell_id, (row_pos, col_pos)) as cell_id
    from table_cells
    where sentence_id is not null
    group by sentence_id

),

named as (

    select
        int_questions_shown.page_id,
        rankings.system_id,
        rankings.passage_id,
        ' ranked first by ' as how
    from rankings
    inner join registered_systems
        on
            rankings.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join int_questions_shown
        on rankings.item_id = int_questions_shown.item_id

    union all

    select
        rpt_question_citations.page_id,
        rpt_question_citations.system_id,
        rpt_question_citations.passage_id,
        ' cited by ' as how
    from rpt_question_citations
    inner join int_questions_shown
        on rpt_question_citations.page_id = int_questions_shown.page_id

),

named_by as (

    select
        named.page_id,
        places.cell_id,
        places.kind || named.how as words,
        string_agg(distinct named.system_id, ', ' order by named.system_id) as systems
    from named
    inner join places
        on named.passage_id = places.passage_id
    group by named.page_id, places.cell_id, places.kind, named.how

),

marked as (

    select
        page_id,
        cell_id,
        false as is_evidence,
        false as is_gold,
        words || systems as mark
    from named_by

    union all

    select
        int_questions_shown.page_id,
        judgments.passage_id as cell_id,
        judgments.passage_id = judgments.evidence_id as is_evidence,
        true as is_gold,
        cast(null as varchar) as mark
    from judgments
    inner join int_questions_shown
        on judgments.item_id = int_questions_shown.item_id

)

select
    marked.page_id,
    table_cells.table_id,
    table_cells.row_id,
    marked.cell_id,
    bool_or(marked.is_evidence) as is_evidence,
    bool_or(marked.is_gold) as is_gold,
    string_agg(marked.mark, '; ' order by marked.mark) as marks
from marked
inner join table_cells
    on marked.cell_id = table_cells.cell_id
group by marked.page_id, table_cells.table_id, table_cells.row_id, marked.cell_id
-- A table that was only ranked first is one of very many.
qualify
    bool_or(
        bool_or(marked.is_gold) or bool_or(contains(marked.mark, ' cited '))
    ) over (partition by marked.page_id, table_cells.table_id)
