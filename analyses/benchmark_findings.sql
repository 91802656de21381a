-- What is wrong with the gold of public benchmarks?
-- Read n_found against n_questions; a question may be found twice. May be empty:
-- benchmarks_paths names no set.
with

benchmark_audit as (

    select * from {{ ref('benchmark_audit') }}

),

benchmark_items as (

    select * from {{ ref('benchmark_items') }}

),

sizes as (

    select
        benchmark,
        count(*) as n_questions
    from benchmark_items
    group by benchmark

)

select
    benchmark_audit.benchmark,
    benchmark_audit.reason,
    count(*) as n_found,
    sizes.n_questions,
    min(benchmark_audit.item_id) as first_item_id,
    min_by(benchmark_audit.detail, benchmark_audit.item_id) as first_detail
from benchmark_audit
inner join sizes
    on benchmark_audit.benchmark = sizes.benchmark
group by benchmark_audit.benchmark, benchmark_audit.reason, sizes.n_questions
order by benchmark_audit.benchmark asc, n_found desc, benchmark_audit.reason asc
