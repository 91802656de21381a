{#-
    Boilerplate: anchors whose rank 1 is not the anchor but an exact copy of its text. The
    strict Self@1 counts them as lost, the tie-aware one as found.
-#}
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

anchors as (

    select * from {{ ref('anchors') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

figured as (

    select
        metric_values.run_id,
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        metric_values.value,
        page_figures.figure_id
    from metric_values
    inner join page_figures
        on
            page_figures.shown_in = 'rpt_retrieval_traps'
            and metric_values.metric = page_figures.metric
            and metric_values.k = page_figures.k
            and metric_values.unit = page_figures.unit
            and metric_values.mode = page_figures.mode

),

-- The anchor is not rank 1 ...
not_itself as (

    select
        run_id,
        system_id,
        gold_set,
        item_id
    from figured
    where
        figure_id = 'itself'
        and value = 0

),

-- ... but its text is.
its_text as (

    select
        system_id,
        item_id
    from figured
    where
        figure_id = 'its_text'
        and value = 1

),

first_ranked as (

    select
        system_id,
        item_id,
        sentence_id
    from rankings
    where rank = 1

),

copies as (

    select
        text_hash,
        count(*) as n_copies
    from sentences
    group by text_hash

),

trapped as (

    select
        not_itself.run_id,
        not_itself.system_id,
        registered_systems.regime,
        not_itself.gold_set,
        not_itself.item_id,
        anchors.company_name,
        anchors.report_year,
        anchors.section_name,
        anchors.sentence_text,
        copies.n_copies,
        first_sentences.company_name as first_company_name,
        first_sentences.report_year as first_report_year,
        first_sentences.section_name as first_section_name,
        row_number() over (
            partition by not_itself.system_id, not_itself.gold_set
            order by copies.n_copies desc, not_itself.item_id asc
        ) as trap_rank
    from not_itself
    inner join its_text
        on
            not_itself.system_id = its_text.system_id
            and not_itself.item_id = its_text.item_id
    inner join registered_systems
        on
            not_itself.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join first_ranked
        on
            not_itself.system_id = first_ranked.system_id
            and not_itself.item_id = first_ranked.item_id
    inner join sentences as first_sentences
        on first_ranked.sentence_id = first_sentences.sentence_id
    inner join anchors
        on not_itself.item_id = anchors.item_id
    inner join copies
        on anchors.text_hash = copies.text_hash

)

select
    run_id,
    system_id,
    regime,
    gold_set,
    cast(trap_rank as integer) as trap_rank,
    item_id,
    company_name,
    report_year,
    section_name,
    sentence_text,
    n_copies,
    first_company_name,
    first_report_year,
    first_section_name
from trapped
where trap_rank <= {{ var('hardest_cases_per_system') | int }}
