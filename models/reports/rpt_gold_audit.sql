with

gold_audit as (

    select * from {{ ref('gold_audit') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

measures as (

    select
        listed.measure_pos,
        listed.measure,
        listed.title,
        listed.meaning,
        listed.wanted
    from (
        values
        (
            1, 'evidence_coverage', 'Evidence exists',
            'Items whose gold stands in the corpus.', 'high'
        ),
        (
            2, 'flagged_and_excluded', 'Flagged as bad',
            'Questions left out of the gates; counted all the same.', 'low'
        ),
        (
            3, 'answer_leaked', 'Tells its own answer',
            'Questions whose wording holds the answer; by design of yes or no '
            || 'questions about time.', 'low'
        ),
        (
            4, 'alternative_evidence', 'Other sentences tell the same',
            'Questions with evidence that stands in more than one place: finding '
            || 'any of them counts.', 'neither'
        ),
        (
            5, 'repeated_in_other_years', 'Repeated in other years',
            'Items whose sentence stands in another year of the company: a trap for '
            || 'an open search.', 'neither'
        ),
        (
            6, 'paraphrased', 'Paraphrased',
            'Questions worded by a model and not by a template.', 'neither'
        ),
        (
            7, 'neighbour_precision', 'Neighbours that belong together',
            'Labelled pairs of neighbours that a reader finds related: how far the '
            || 'gold of P1 can be believed.', 'high'
        ),
        (
            8, 'largest_company_share', 'Largest company',
            'Share of the items that one company holds.', 'low'
        ),
        (
            9, 'largest_year_share', 'Largest year',
            'Share of the items that one year holds.', 'low'
        )
    ) as listed (measure_pos, measure, title, meaning, wanted)

)

select
    gold_audit.audit_id,
    gold_audit.gold_set,
    coalesce(measures.measure_pos, 99) as measure_pos,
    gold_audit.measure,
    coalesce(measures.title, replace(gold_audit.measure, '_', ' ')) as title,
    measures.meaning,
    coalesce(measures.wanted, 'neither') as wanted,
    gold_audit.slice_name,
    gold_audit.slice_value,
    case
        when gold_audit.slice_name = 'category'
            then coalesce(
                gold_audit.slice_value || ', ' || p3_category_mix.title,
                gold_audit.slice_value
            )
        when gold_audit.slice_name = 'distance'
            then 'distance ' || gold_audit.slice_value
        when gold_audit.slice_name = 'overall' then upper(gold_audit.gold_set)
        else gold_audit.slice_value
    end as label,
    case when gold_audit.share is null then 'not_applicable' else 'measured' end
        as status,
    case
        when gold_audit.share is null then 'No item of this slice is asked for it.'
    end as why,
    gold_audit.share as value,
    gold_audit.ci_low,
    gold_audit.ci_high,
    gold_audit.n,
    gold_audit.n_true
from gold_audit
left join measures
    on gold_audit.measure = measures.measure
left join p3_category_mix
    on
        gold_audit.slice_name = 'category'
        and gold_audit.slice_value = p3_category_mix.category
