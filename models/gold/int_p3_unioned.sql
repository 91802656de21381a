{%- set first_year = 'int_p3_drawn.report_years[1]' -%}
{%- set last_year = 'int_p3_drawn.report_years[-1]' -%}
with

int_p3_drawn as (

    select * from {{ ref('int_p3_drawn') }}

),

stg_p3__questions as (

    select * from {{ ref('stg_p3__questions') }}

),

companies as (

    select * from {{ ref('companies') }}

),

p3_templates as (

    select * from {{ ref('p3_templates') }}

),

kpi_labels as (

    select * from {{ ref('kpi_labels') }}

),

count_words as (

    select * from {{ ref('count_words') }}

),

named as (

    select
        drawn_companies.question_key,
        list(companies.company_name order by drawn_companies.place)
            as company_names,
        list(companies.display_name order by drawn_companies.place)
            as display_names,
        min_by(companies.possessive_name, drawn_companies.place) as possessive_name
    from (
        select
            question_key,
            unnest(cik_ints) as cik_int,
            generate_subscripts(cik_ints, 1) as place
        from int_p3_drawn
    ) as drawn_companies
    inner join companies
        on drawn_companies.cik_int = companies.cik_int
    group by drawn_companies.question_key

),

-- One phrasing of several, chosen by seed from the question's own key.
phrased as (

    select
        int_p3_drawn.question_key,
        p3_templates.template_id,
        p3_templates.written_on,
        p3_templates.question_template
    from int_p3_drawn
    inner join p3_templates
        on
            int_p3_drawn.category = p3_templates.category
            and int_p3_drawn.question_form = p3_templates.question_form
    qualify
        row_number() over (
            partition by int_p3_drawn.question_key
            order by
                {{ seeded_order(
                    "int_p3_drawn.question_key || '|' || p3_templates.template_id",
                    'template'
                ) }},
                p3_templates.template_id
        ) = 1

),

-- A question of another filing than the plain report names its form.
named_forms as (

    select
        exploded.question_key,
        list(
            'the ' || struct_extract(exploded.form_named, 'form') || ' of '
            || companies.display_name || ' for fiscal '
            || struct_extract(exploded.form_named, 'report_year')
            order by struct_extract(exploded.form_named, 'filing_id')
        ) as forms_text
    from (
        select
            question_key,
            unnest(forms_named) as form_named
        from int_p3_drawn
    ) as exploded
    inner join companies
        on struct_extract(exploded.form_named, 'cik_int') = companies.cik_int
    group by exploded.question_key

),

forms_said as (

    select
        phrased.question_key,
        phrased.template_id,
        phrased.written_on,
        case
            when named_forms.question_key is null then phrased.question_template
            -- Of one filing: in place of the plain form, if the phrase has it.
            when
                int_p3_drawn.retrieval_scope = 'local'
                and contains(phrased.question_template, '10-K')
                then
                    replace(
                        phrased.question_template,
                        '10-K',
                        int_p3_drawn.forms_named[1].form
                    )
            when int_p3_drawn.retrieval_scope = 'local'
                then
                    regexp_replace(
                        phrased.question_template,
                        '([?.])$',
                        ', according to its ' || int_p3_drawn.forms_named[1].form
                        || '\1'
                    )
            else
                regexp_replace(
                    phrased.question_template,
                    '([?.])$',
                    ', going by ' || {{ spoken_list('named_forms.forms_text') }}
                    || '\1'
                )
        end as question_template
    from phrased
    inner join int_p3_drawn
        on phrased.question_key = int_p3_drawn.question_key
    left join named_forms
        on phrased.question_key = named_forms.question_key

),

filled as (

    select
        int_p3_drawn.*,
        named.company_names,
        forms_said.template_id,
        forms_said.written_on,
        {{ fill_template('forms_said.question_template', {
            'company': 'named.display_names[1]',
            'possessive': 'named.possessive_name',
            'companies': spoken_list('named.display_names'),
            'topic': 'int_p3_drawn.slot_topic',
            'detail': 'int_p3_drawn.slot_detail',
            'was': "case
                when
                    kpi_labels.is_plural
                    or int_p3_drawn.slot_topic in (
                        'net sales', 'net capital expenditures'
                    )
                    then 'were'
                else 'was'
            end",
            'direction': 'int_p3_drawn.slot_direction',
            'change_noun': 'int_p3_drawn.slot_direction',
            'count': 'count_words.count_word',
            'year': 'cast(' ~ first_year ~ ' as varchar)',
            'year_from': 'cast(' ~ first_year ~ ' as varchar)',
            'year_to': 'cast(' ~ last_year ~ ' as varchar)',
            'years': spoken_list('int_p3_drawn.report_years'),
        }) }} as question_text
    from int_p3_drawn
    inner join named
        on int_p3_drawn.question_key = named.question_key
    inner join forms_said
        on int_p3_drawn.question_key = forms_said.question_key
    left join kpi_labels
        on int_p3_drawn.slot_topic = kpi_labels.noun_phrase
    left join count_words
        on int_p3_drawn.slot_count = count_words.count_value

),

-- A suite of one's own goes before what is derived: an id that both use belongs to the
-- suite.
unioned as (

    select
        question_id,
        cik_int,
        company_name,
        years,
        question_text,
        answer_type,
        answer_text,
        answer_numeric,
        answer_unit,
        tolerance,
        evidence_sentence_ids,
        evidence_spans,
        retrieval_scope,
        difficulty,
        section_hints,
        notes,
        gold_version,
        created_by,
        created_at,
        curation_confidence,
        category,
        'suite' as origin
    from stg_p3__questions

    union all

    select
        question_id,
        cik_ints as cik_int,
        company_names as company_name,
        report_years as years,
        question_text,
        answer_type,
        answer_text,
        answer_numeric,
        answer_unit,
        tolerance,
        evidence_sentence_ids,
        evidence_spans,
        retrieval_scope,
        difficulty,
        section_hints,
        notes,
        'P3.g1' as gold_version,
        coalesce(origin, 'template:' || template_id) as created_by,
        cast(written_on as timestamp) as created_at,
        curation_confidence,
        category,
        'generated' as origin
    from filled

)

select *
from unioned
qualify
    row_number() over (
        partition by question_id order by origin desc
    ) = 1
