{#-
    What systems answered, one row a question that they have a row for. An answer and a verdict
    on it that lie in two files of one system become one row; two answers of one system to one
    question are not two chances: the first one counts. Who said a quotation of a call, this
    project answers itself, by the first retrieved turn that holds it.
-#}
with

stg_benchmarks__predictions as (

    select * from {{ ref('stg_benchmarks__predictions') }}

),

py_benchmark_calls_attributed as (

    select * from {{ ref('py_benchmark_calls_attributed') }}

),

items as (

    select *
    from {{ ref('items') }}
    where
        item_kind = 'question'
        and gold_set <> 'p3'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

collected as (

    select
        stg_benchmarks__predictions.benchmark,
        {{ given_system_id(
            'stg_benchmarks__predictions.system_id', 'registered_systems.system_id'
        ) }} as system_id,
        stg_benchmarks__predictions.question_id,
        stg_benchmarks__predictions.answer,
        stg_benchmarks__predictions.scale,
        stg_benchmarks__predictions.program,
        stg_benchmarks__predictions.label,
        stg_benchmarks__predictions.label_by,
        stg_benchmarks__predictions.configuration,
        stg_benchmarks__predictions.speaker,
        stg_benchmarks__predictions.role,
        stg_benchmarks__predictions.is_contained,
        stg_benchmarks__predictions.is_citing,
        stg_benchmarks__predictions.source_file,
        stg_benchmarks__predictions.source_line
    from stg_benchmarks__predictions
    left join registered_systems
        on stg_benchmarks__predictions.system_id = registered_systems.system_id

    union all

    select
        benchmark,
        system_id,
        question_id,
        answer,
        cast(null as varchar) as scale,
        cast(null as varchar) as program,
        cast(null as varchar) as label,
        cast(null as varchar) as label_by,
        cast(null as varchar) as configuration,
        speaker,
        role,
        cast(null as boolean) as is_contained,
        false as is_citing,
        '' as source_file,
        cast(null as bigint) as source_line
    from py_benchmark_calls_attributed

),

-- A program, a speaker or a role is an answer too.
given as (

    select
        *,
        coalesce(answer, program, speaker, role) is not null as is_answer
    from collected

),

first_answers as (

    select *
    from given
    where
        is_answer
        or is_citing
    qualify
        row_number() over (
            partition by benchmark, system_id, question_id
            order by is_answer desc, source_file asc, source_line asc
        ) = 1

),

first_labels as (

    select *
    from given
    where label is not null
    qualify
        row_number() over (
            partition by benchmark, system_id, question_id
            order by source_file, source_line
        ) = 1

),

told as (

    select
        benchmark,
        system_id,
        question_id,
        bool_or(is_contained) as is_contained,
        count(*) filter (where is_answer) as n_answers,
        min(configuration) as configuration
    from given
    group by benchmark, system_id, question_id

)

select
    told.benchmark,
    told.system_id,
    told.benchmark || ':' || told.question_id as item_id,
    told.question_id,
    told.configuration,
    first_answers.answer,
    first_answers.scale,
    first_answers.program,
    first_answers.speaker,
    first_answers.role,
    first_labels.label,
    first_labels.label_by,
    told.is_contained,
    coalesce(first_answers.is_citing, false) as is_citing,
    told.n_answers,
    items.item_id is not null as is_asked,
    first_answers.source_file,
    first_answers.source_line
from told
left join first_answers
    on
        told.benchmark = first_answers.benchmark
        and told.system_id = first_answers.system_id
        and told.question_id = first_answers.question_id
left join first_labels
    on
        told.benchmark = first_labels.benchmark
        and told.system_id = first_labels.system_id
        and told.question_id = first_labels.question_id
left join items
    on
        told.benchmark = items.gold_set
        and told.question_id = items.question_id
