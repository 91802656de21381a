with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

py_kpi_amounts_bound as (

    select * from {{ ref('py_kpi_amounts_bound') }}

),

py_enumerations_found as (

    select * from {{ ref('py_enumerations_found') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

kpi_patterns as (

    select * from {{ ref('kpi_patterns') }}

),

prose as (

    select *
    from sentences
    where not (is_toc or is_heading or is_table_text)

),

labelled as (

    select
        sentence_id,
        label as kpi_label,
        exact_hash,
        n_cues
    from int_sentences_labelled
    where atlas = 'kpi'

),

-- Figures told as if of the whole company; some of them companies also report by
-- segment.
bare_statements as (

    select
        prose.sentence_id || ':' || py_kpi_amounts_bound.kpi_label as mention_id,
        kpi_labels.is_reported_by_segment,
        prose.cik_int,
        prose.section_id,
        prose.sentence_pos
    from prose
    inner join labelled
        on prose.sentence_id = labelled.sentence_id
    inner join py_kpi_amounts_bound
        on
            labelled.exact_hash = py_kpi_amounts_bound.text_hash
            and labelled.kpi_label = py_kpi_amounts_bound.kpi_label
    inner join kpi_labels
        on py_kpi_amounts_bound.kpi_label = kpi_labels.kpi_label
    where py_kpi_amounts_bound.subject_scope = 'company'

),

segments_listed as (

    select
        prose.cik_int,
        unnest(py_enumerations_found.items) as segment_name
    from prose
    inner join int_sentences_labelled
        on
            prose.sentence_id = int_sentences_labelled.sentence_id
            and int_sentences_labelled.atlas = 'enumeration'
    inner join py_enumerations_found
        on
            int_sentences_labelled.exact_hash = py_enumerations_found.text_hash
            and py_enumerations_found.list_kind = 'segments'

),

segment_names as (

    select distinct
        cik_int,
        lower(segment_name) as segment_name
    from segments_listed
    where length(segment_name) >= 3

),

-- What stands just before: headings and tables included, for that is where a passage
-- about a segment says so.
surroundings as (

    select
        bare_statements.mention_id,
        bare_statements.is_reported_by_segment,
        bare_statements.cik_int,
        lower(sentences.sentence_text) as sentence_text,
        sentences.token_count,
        sentences.is_heading,
        bare_statements.sentence_pos - sentences.sentence_pos as distance,
        (sentences.is_heading or sentences.token_count <= 8) as is_title,
        -- 1 for the title that stands nearest.
        count(*) filter (
            where sentences.is_heading or sentences.token_count <= 8
        ) over (
            partition by bare_statements.mention_id
            order by bare_statements.sentence_pos - sentences.sentence_pos
        ) as title_no
    from bare_statements
    inner join sentences
        on
            bare_statements.section_id = sentences.section_id
            and sentences.sentence_pos
            between bare_statements.sentence_pos - 25 and bare_statements.sentence_pos

),

described as (

    select
        surroundings.mention_id,
        surroundings.distance,
        (
            (
                surroundings.is_reported_by_segment
                and (
                    {{ matches_any('surroundings.sentence_text', 'part_of_company') }}
                    or (
                        (surroundings.is_title or surroundings.distance <= 12)
                        and {{ matches_any('surroundings.sentence_text', 'region') }}
                    )
                    or segment_names.segment_name is not null
                )
            )
            or (
                surroundings.is_title
                and surroundings.title_no <= 3
                and {{ matches_any('surroundings.sentence_text', 'part_title') }}
            )
            or {{ matches_any('surroundings.sentence_text', 'parent_alone') }}
        ) as is_part,
        {{ matches_any('surroundings.sentence_text', 'table_scale') }} as is_scaled,
        -- "2013 compared with 2012" is the title of what is said of 2013.
        case
            when
                surroundings.token_count <= 20
                and {{ matches_any('surroundings.sentence_text', 'years_compared') }}
                then list_max(
                    regexp_extract_all(
                        surroundings.sentence_text, '\b(?:19|20)[0-9]{2}\b'
                    )
                )
        end as compared_year
    from surroundings
    left join segment_names
        on
            surroundings.cik_int = segment_names.cik_int
            -- As a title, or as what the sentence begins with: a product of the same
            -- name in running text says nothing.
            and (
                starts_with(
                    surroundings.sentence_text, segment_names.segment_name || ' '
                )
                or (
                    (surroundings.is_heading or surroundings.token_count <= 8)
                    and contains(
                        surroundings.sentence_text, segment_names.segment_name
                    )
                )
            )

),

contexts as (

    select
        mention_id,
        bool_or(is_part) as is_part_context,
        bool_or(is_scaled) as is_scaled_context,
        cast(
            min_by(compared_year, distance) filter (where compared_year is not null)
            as integer
        ) as compared_year
    from described
    group by mention_id

),

-- A row of a statement that names the figure and begins with its digits, in dollars,
-- thousands or millions.
name_patterns as (

    select
        kpi_label,
        string_agg('(?:' || pattern || ')', '|' order by pattern) as pattern
    from kpi_patterns
    group by kpi_label

),

values_stated as (

    select distinct
        prose.filing_id,
        prose.text_hash,
        labelled.exact_hash,
        labelled.kpi_label,
        kpi_labels.value_kind,
        abs(py_kpi_amounts_bound.value) as size,
        (py_kpi_amounts_bound.value_high - py_kpi_amounts_bound.value_low) / 2
            as half_width
    from prose
    inner join labelled
        on prose.sentence_id = labelled.sentence_id
    inner join py_kpi_amounts_bound
        on
            labelled.exact_hash = py_kpi_amounts_bound.text_hash
            and labelled.kpi_label = py_kpi_amounts_bound.kpi_label
    inner join kpi_labels
        on labelled.kpi_label = kpi_labels.kpi_label
    where
        py_kpi_amounts_bound.subject_scope = 'company'
        and py_kpi_amounts_bound.value is not null

),

-- Once a row, and before rows meet values: there are many pairs of these, and the
-- optimiser would look for the name in each.
named_rows as materialized (

    select
        sentences.filing_id,
        sentences.text_hash,
        labelled.kpi_label,
        regexp_extract(
            replace(lower(sentences.sentence_text), '’', ''''),
            '(?:' || name_patterns.pattern || ')(?:[^a-z0-9]|[(][a-z ]*[)])*'
            || '[0-9][^a-z]*'
        ) as row_text
    from sentences
    inner join labelled
        on sentences.sentence_id = labelled.sentence_id
    inner join name_patterns
        on labelled.kpi_label = name_patterns.kpi_label

),

row_numbers as (

    select
        values_stated.*,
        list_slice(
            regexp_extract_all(
                named_rows.row_text, '[(]?[ $]*[0-9][0-9,]*(?:[.][0-9]+)?[ ]?[)]?'
            ),
            1,
            3
        ) as row_cells
    from values_stated
    inner join named_rows
        on
            values_stated.filing_id = named_rows.filing_id
            and values_stated.kpi_label = named_rows.kpi_label
            and values_stated.text_hash <> named_rows.text_hash
    where named_rows.row_text <> ''

),

cells as (

    select
        *,
        unnest(row_cells) as cell,
        generate_subscripts(row_cells, 1) as cell_no
    from row_numbers

),

scales as (

    select unnest([1.0, 1000.0, 1000000.0]) as scale

),

-- The year before stands beside: behind the first number, before a later one.
neighbouring_cells as (

    select
        *,
        row_cells[case when cell_no = 1 then 2 else cell_no - 1 end] as beside,
        regexp_replace(cell, '[^0-9.]', '', 'g') as digits
    from cells

),

-- Both in brackets or neither: a loss beside a gain is left out.
in_tables as (

    select
        cells.filing_id,
        cells.exact_hash,
        cells.kpi_label,
        min(
            case
                when starts_with(cells.cell, '(') = starts_with(cells.beside, '(')
                    then
                        try_cast(
                            regexp_replace(cells.beside, '[^0-9.]', '', 'g') as double
                        ) * scales.scale
            end
        ) as row_prior
    from neighbouring_cells as cells
    cross join scales
    where
        (cells.value_kind = 'money' or scales.scale = 1)
        -- One or two digits are too common to tell anything.
        and (cells.value_kind <> 'money' or length(cells.digits) >= 3)
        and abs(try_cast(cells.digits as double) * scales.scale - cells.size)
        <= cells.half_width + 1e-9 * cells.size
    group by cells.filing_id, cells.exact_hash, cells.kpi_label

),

-- Every sentence and KPI, read alone.
statements as (

    select
        prose.sentence_id || ':' || labelled.kpi_label as mention_id,
        prose.sentence_id,
        labelled.kpi_label,
        prose.cik_int,
        prose.report_year,
        prose.filing_id,
        prose.section_id,
        prose.section_name,
        prose.sentence_pos,
        prose.sentence_text,
        prose.text_hash,
        prose.token_count,
        prose.is_navigational,
        labelled.n_cues,
        cast({{ regex_count('prose.sentence_text', 'number') }} as integer)
            as n_numbers,
        {{ matches_any('prose.sentence_text', 'causal_connector') }}
            as has_causal_connector,
        {{ is_self_contained('prose.sentence_text', 'prose.token_count') }}
            as is_self_contained,
        py_kpi_amounts_bound.first_number_raw,
        py_kpi_amounts_bound.has_amount_cue,
        py_kpi_amounts_bound.value_raw,
        py_kpi_amounts_bound.value,
        py_kpi_amounts_bound.value_low,
        py_kpi_amounts_bound.value_high,
        py_kpi_amounts_bound.unit,
        py_kpi_amounts_bound.scale,
        py_kpi_amounts_bound.amount_role,
        py_kpi_amounts_bound.period_year,
        py_kpi_amounts_bound.prior_value,
        py_kpi_amounts_bound.prior_low,
        py_kpi_amounts_bound.prior_high,
        py_kpi_amounts_bound.prior_period_year,
        py_kpi_amounts_bound.change_direction,
        py_kpi_amounts_bound.change_value,
        py_kpi_amounts_bound.change_percent,
        py_kpi_amounts_bound.change_period_year,
        py_kpi_amounts_bound.subject_text,
        py_kpi_amounts_bound.subject_scope,
        coalesce(contexts.is_part_context, false) as is_part_context,
        coalesce(contexts.is_scaled_context, false) as is_scaled_context,
        contexts.compared_year,
        in_tables.filing_id is not null as is_in_table,
        in_tables.row_prior,
        py_kpi_amounts_bound.causal_connector,
        py_kpi_amounts_bound.cause_text,
        py_kpi_amounts_bound.is_forward_looking,
        py_kpi_amounts_bound.is_negated_or_conditional,
        py_kpi_amounts_bound.is_quarterly
    from prose
    inner join labelled
        on prose.sentence_id = labelled.sentence_id
    inner join py_kpi_amounts_bound
        on
            labelled.exact_hash = py_kpi_amounts_bound.text_hash
            and labelled.kpi_label = py_kpi_amounts_bound.kpi_label
    left join contexts
        on
            prose.sentence_id || ':' || labelled.kpi_label = contexts.mention_id
    left join in_tables
        on
            prose.filing_id = in_tables.filing_id
            and labelled.exact_hash = in_tables.exact_hash
            and labelled.kpi_label = in_tables.kpi_label

),

directed as (

    select
        *,
        case
            when change_direction is not null then change_direction
            when value > prior_value then 'increase'
            when value < prior_value then 'decrease'
        end as stated_direction,
        coalesce(change_period_year, period_year) as stated_year
    from statements

),

-- "The increase in revenue was driven by …" says no year: the statement of the same
-- figure just before it does.
in_context as (

    select
        *,
        last_value(
            case
                when
                    subject_scope = 'company'
                    and stated_year is not null
                    and not is_quarterly
                    and is_forward_looking is not true
                    and is_negated_or_conditional is not true
                    and not is_part_context
                    then struct_pack(
                        stated_year := stated_year,
                        stated_direction := stated_direction,
                        sentence_id := sentence_id
                    )
            end
            ignore nulls
        ) over (
            partition by section_id, kpi_label
            order by sentence_pos
            range between 5 preceding and 1 preceding
        ) as context
    from directed

),

unpacked as (

    select
        *,
        struct_extract(context, 'stated_year') as context_year,
        struct_extract(context, 'stated_direction') as context_direction,
        struct_extract(context, 'sentence_id') as context_id
    from in_context

),

-- What is said here comes first; the context fills in the year, and the direction of
-- the same year.
settled as (

    select
        *,
        coalesce(stated_year, context_year) as settled_year,
        case
            when stated_direction is not null then stated_direction
            when stated_year is null or stated_year = context_year
                then context_direction
        end as settled_direction,
        coalesce(
            (stated_year is null or stated_year = context_year)
            and stated_direction <> context_direction,
            false
        ) as is_at_odds
    from unpacked

)

select
    mention_id,
    sentence_id,
    kpi_label,
    cik_int,
    report_year,
    filing_id,
    section_name,
    sentence_pos,
    sentence_text,
    text_hash,
    token_count,
    is_navigational,
    n_cues,
    n_numbers,
    has_causal_connector,
    is_self_contained,
    first_number_raw,
    has_amount_cue,
    value_raw,
    value,
    value_low,
    value_high,
    unit,
    scale,
    amount_role,
    period_year,
    prior_value,
    prior_low,
    prior_high,
    prior_period_year,
    settled_direction as change_direction,
    case
        when change_direction is not null or cause_text is not null then settled_year
    end as change_period_year,
    case when stated_year is null then context_id end as context_sentence_id,
    change_value,
    change_percent,
    subject_text,
    subject_scope,
    is_part_context,
    is_in_table,
    row_prior,
    causal_connector,
    cause_text,
    is_forward_looking,
    is_negated_or_conditional,
    is_quarterly,
    (
        subject_scope = 'company'
        and not is_part_context
        and amount_role = 'level'
        and value is not null
        and period_year = report_year
        -- Bare digits below "in thousands" may be thousands or dollars.
        and not (
            is_scaled_context
            and scale = 'units'
            and unit = 'USD'
            and not ends_with(value_raw, ',000')
        )
        and not is_forward_looking
        and not is_negated_or_conditional
        and not is_quarterly
        and not is_navigational
    ) is true as is_company_level,
    (
        subject_scope = 'company'
        and not is_part_context
        and cause_text is not null
        and settled_direction is not null
        and settled_year = report_year
        -- What stands below "2012 compared with 2011" and says no year is of 2012.
        and (
            stated_year is not null
            or coalesce(compared_year, report_year) = report_year
        )
        and not is_at_odds
        and not is_forward_looking
        and not is_negated_or_conditional
        and not is_quarterly
        and not is_navigational
    ) is true as is_company_cause
from settled
