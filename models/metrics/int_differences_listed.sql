with

int_differences_paired as (

    select * from {{ ref('int_differences_paired') }}

),

int_pairs_registered as (

    select * from {{ ref('int_pairs_registered') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

int_clusters_numbered as (

    select * from {{ ref('int_clusters_numbered') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

listed as (

    select
        int_differences_paired.asked_for,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        int_differences_paired.pair_id,
        int_differences_paired.metric,
        int_differences_paired.k,
        int_differences_paired.unit,
        int_differences_paired.mode,
        list(
            struct_pack(
                cluster_number := int_clusters_numbered.cluster_number,
                difference := int_differences_paired.difference
            )
            order by int_differences_paired.item_id
        ) as differences
    from int_differences_paired
    inner join item_slices
        on int_differences_paired.item_id = item_slices.item_id
    inner join int_clusters_numbered
        on item_slices.cluster_id = int_clusters_numbered.cluster_id
    where
        case int_differences_paired.asked_for
            -- A company's questions are one cluster: nothing could be tested there.
            when 'pairs'
                then
                    not {{ gold_set_is('filings', 'item_slices.gold_set') }}
                    or item_slices.slice_name <> 'company'
            else
                item_slices.slice_name
                = {{ headline_slice('item_slices.gold_set') }}
        end
    group by
        int_differences_paired.asked_for,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        int_differences_paired.pair_id,
        int_differences_paired.metric,
        int_differences_paired.k,
        int_differences_paired.unit,
        int_differences_paired.mode

),

-- Asked before any result was seen: headline metrics over all sound questions or all
-- anchors.
described as (

    select
        listed.*,
        metric_catalogue.direction,
        metric_catalogue.value_kind = 'share' as is_share,
        coalesce(int_pairs_registered.margin, metric_catalogue.margin) as margin,
        metric_catalogue.is_headline
        and listed.slice_name
        = {{ headline_slice('listed.gold_set') }}
            as is_confirmatory
    from listed
    inner join metric_catalogue
        on
            listed.metric = metric_catalogue.metric
            and listed.k = metric_catalogue.k
            and listed.unit = metric_catalogue.unit
            and listed.mode = metric_catalogue.mode
    left join int_pairs_registered
        on
            listed.asked_for = 'pairs'
            and listed.pair_id = int_pairs_registered.pair_id
            and listed.metric = int_pairs_registered.margin_metric
            and listed.k = int_pairs_registered.margin_k

)

-- Holm's correction runs over a family: all metrics of a pair, or pairs of a matrix.
select
    *,
    concat_ws(
        '|',
        asked_for,
        gold_set,
        slice_name,
        slice_value,
        case asked_for
            when 'pairs' then pair_id
            else concat_ws('|', metric || '@' || k, unit, mode)
        end
    ) as family,
    case
        when asked_for = 'pairs' and not is_confirmatory
            then concat_ws('|', gold_set, pair_id)
    end as explored_in
from described
