{#-
    Whether a gate applies to this run. A rule may excuse a gate only by what it knows is
    not there; a rule nobody knows, or one that cannot tell, excuses nothing.
-#}
with

int_gates_expected as (

    select * from {{ ref('int_gates_expected') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

scorers as (

    select * from {{ ref('scorers') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

revenue_reconciliations as (

    select * from {{ ref('revenue_reconciliations') }}

),

line_systems as (

    select * from {{ ref('line_systems') }}

),

line_labels as (

    select * from {{ ref('line_labels') }}

),

description_coverage as (

    select * from {{ ref('description_coverage') }}

),

returned_passages as (

    select * from {{ ref('returned_passages') }}

),

-- What a system was seen to do with a gold set, however it is configured. Who is asked
-- for answers answers, be it with nothing; who returned no ranking does not rank.
capabilities as (

    select
        metric_summaries.system_id,
        metric_summaries.gold_set,
        bool_or(
            metric_summaries.unit = 'answer' and metric_summaries.n_asked > 0
        ) as has_answers,
        bool_or(
            metric_catalogue.needs_gold
            and metric_summaries.unit <> 'answer'
            and metric_summaries.n_evaluated > 0
        ) as has_rankings,
        bool_or(
            metric_catalogue.capability = 'citation'
            and metric_summaries.n_evaluated > 0
            and metric_summaries.mean > 0
        ) as has_citations,
        bool_or(
            metric_catalogue.measured_by = 'marks' and metric_summaries.n_evaluated > 0
        ) as has_marks
    from metric_summaries
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
    where metric_summaries.slice_name = 'overall'
    group by metric_summaries.system_id, metric_summaries.gold_set

),

dense as (

    select count(*) as n_dense
    from registered_systems
    where system_kind = 'dense'

),

-- Items as text bring no tables, and a filing may have its statements in an exhibit.
spaces as (

    select count(*) > 0 as has_tables
    from table_cells

),

lines as (

    select
        count(*) filter (where verdict <> 'by_reference') > 0 as has_lines,
        count(*) filter (where route in ('facts', 'both')) > 0 as has_tagged_lines
    from revenue_reconciliations

),

labels as (

    select count(item_id) > 0 as has_labels
    from line_labels

),

describing as (

    select
        line_systems.system_id,
        bool_or(description_coverage.coverage_before is not null) as has_before
    from line_systems
    left join description_coverage
        on line_systems.system_id = description_coverage.system_id
    group by line_systems.system_id

),

registered_pairs as (

    select
        system_pairs.pair_id,
        rivals.system_id is not null as is_whole
    from system_pairs
    inner join registered_systems
        on system_pairs.system_a = registered_systems.system_id
    left join registered_systems as rivals
        on system_pairs.system_b = rivals.system_id

),

comparable as (

    select * from metric_drifts
    where is_comparable

),

facts as (

    select
        int_gates_expected.*,
        dense.n_dense > 0 as has_dense,
        spaces.has_tables,
        lines.has_lines,
        lines.has_tagged_lines,
        labels.has_labels,
        describing.system_id is not null as has_describer,
        coalesce(describing.has_before, false) as has_before,
        registered_systems.system_id is not null as has_system,
        coalesce(registered_systems.answerer, 'none') <> 'none' as has_answerer,
        registered_pairs.pair_id is not null as has_pair,
        coalesce(registered_pairs.is_whole, false) as has_rivals,
        coalesce(int_gates_expected.n_questions, 1) > 0 as has_questions,
        coalesce(int_gates_expected.n_with_evidence, 1) > 0 as has_evidence,
        coalesce(int_gates_expected.n_of_type, 1) > 0 as has_type,
        comparable.drift_id is not null as has_baseline,
        case int_gates_expected.capability
            when 'answers' then capabilities.has_answers
            when 'ranks' then capabilities.has_rankings
            when 'cites' then capabilities.has_citations
            when 'times' then system_costs.n_timed > 0
            when 'marked' then capabilities.has_marks
        end as has_capability,
        -- What a system was declared for it owes, though it was never seen to do it.
        case int_gates_expected.capability
            when 'answers'
                then
                    registered_systems.answer_sets in ('public', 'all')
                    and {{ gold_set_is('public', 'int_gates_expected.gold_set') }}
            when 'ranks'
                then
                    registered_systems.answer_sets = 'none'
                    and {{ gold_set_is('filings', 'int_gates_expected.gold_set') }}
        end as is_declared,
        coalesce(scorers.is_configured, false) as has_scorer,
        -- A model may carry the digest of its weights behind its name.
        coalesce(
            scorers.model || '@' like int_gates_expected.scorer || '@%', false
        ) as has_its_scorer,
        coalesce(
            returned_passages.n_recognised = 0
            and {{ needs_passages('metric_catalogue') }},
            false
        ) as is_unrecognised
    from int_gates_expected
    cross join dense
    cross join spaces
    cross join lines
    cross join labels
    left join registered_systems
        on int_gates_expected.system_id = registered_systems.system_id
    left join describing
        on int_gates_expected.system_id = describing.system_id
    left join registered_pairs
        on int_gates_expected.system_id = registered_pairs.pair_id
    left join scorers
        on int_gates_expected.metric = scorers.metric
    left join metric_catalogue
        on
            int_gates_expected.metric = metric_catalogue.metric
            and int_gates_expected.k = metric_catalogue.k
            and int_gates_expected.unit = metric_catalogue.unit
            and int_gates_expected.mode = metric_catalogue.mode
    left join returned_passages
        on
            int_gates_expected.system_id = returned_passages.system_id
            and int_gates_expected.gold_set = returned_passages.gold_set
    left join capabilities
        on
            int_gates_expected.system_id = capabilities.system_id
            and int_gates_expected.gold_set = capabilities.gold_set
    left join system_costs
        on
            int_gates_expected.system_id = system_costs.system_id
            and int_gates_expected.gold_set = system_costs.gold_set
    left join comparable
        on
            int_gates_expected.system_id = comparable.system_id
            and int_gates_expected.gold_set = comparable.gold_set
            and int_gates_expected.slice_name = comparable.slice_name
            and int_gates_expected.slice_value = comparable.slice_value
            and int_gates_expected.metric = comparable.metric
            and int_gates_expected.k = comparable.k
            and int_gates_expected.unit = comparable.unit
            and int_gates_expected.mode = comparable.mode

)

select
    *,
    case applies_when
        when 'always' then true
        when 'dense_registered' then has_dense
        when 'system_registered' then has_system
        when 'pair_registered' then has_pair
        when 'questions_asked' then has_questions
        when 'system_and_questions' then has_system and has_questions
        -- A rival that does not run need not be beaten, nor where no question of the
        -- slice has evidence.
        when 'pair_and_questions' then has_rivals and has_evidence
        -- A suite without a question of the type says nothing about its answers.
        when 'answering_system' then has_system and has_answerer and has_type
        -- Whoever returned passages that nobody recognises may have any capability.
        when 'capability_seen'
            then
                (
                    coalesce(has_capability, false)
                    or coalesce(is_declared, false)
                    or is_unrecognised
                )
                and has_type
        -- Limits set with one model; any other is held against its null.
        when 'scorer_is'
            then
                has_system and has_answerer and has_type
                and has_scorer and has_its_scorer
        when 'scorer_is_not'
            then
                has_system and has_answerer and has_type
                and has_scorer and not has_its_scorer
        when 'baseline_known' then has_baseline
        when 'spaces_loaded' then has_tables
        when 'lines_loaded' then has_tables and has_lines
        -- Filings without tags have one route.
        when 'routes_loaded' then has_tables and has_tagged_lines
        when 'lines_labelled' then has_describer and has_labels
        when 'lines_compared' then has_describer and has_before
        else true
    end as is_applicable
from facts
