with

anchors as (

    select * from {{ ref('anchors') }}

),

int_anchor_neighbours as (

    select * from {{ ref('int_anchor_neighbours') }}

),

window_sizes as (

    select cast(generate_series as integer) as window_size
    from generate_series(
        {{ var('p2_window_min') | int }}, {{ var('p2_window_max') | int }}
    )

),

usable_by_window as (

    select
        anchors.item_id,
        anchors.section_length,
        anchors.sentence_pos,
        window_sizes.window_size,
        count(int_anchor_neighbours.sentence_id) as n_usable
    from anchors
    cross join window_sizes
    left join int_anchor_neighbours
        on
            anchors.item_id = int_anchor_neighbours.item_id
            and window_sizes.window_size >= int_anchor_neighbours.distance
            and int_anchor_neighbours.is_usable
    where anchors.gold_set = 'p2'
    group by
        anchors.item_id,
        anchors.section_length,
        anchors.sentence_pos,
        window_sizes.window_size

),

-- The first window that is rich enough wins; if none is, the widest stands.
first_sufficient as (

    select *
    from usable_by_window
    qualify
        row_number() over (
            partition by item_id
            order by
                n_usable >= {{ var('p2_min_usable') | int }} desc,
                case
                    when n_usable >= {{ var('p2_min_usable') | int }} then window_size
                    else -window_size
                end
        ) = 1

)

select
    item_id,
    window_size,
    n_usable,
    n_usable > 0 as is_covered,
    (
        sentence_pos < window_size
        or sentence_pos + window_size > section_length - 1
    ) as is_clipped
from first_sufficient
