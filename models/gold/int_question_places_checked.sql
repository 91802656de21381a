with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

companies as (

    select * from {{ ref('companies') }}

),

filings as (

    select * from {{ ref('filings') }}

),

py_question_texts_labelled as (

    select * from {{ ref('py_question_texts_labelled') }}

),

asked_numbers as (

    select
        question_id,
        unnest(cik_int) as cik_int,
        generate_subscripts(cik_int, 1) as place
    from gold_p3

),

asked_names as (

    select
        question_id,
        unnest(company_name) as company_name,
        generate_subscripts(company_name, 1) as place
    from gold_p3

),

asked_companies as (

    select
        asked_numbers.question_id,
        asked_numbers.place,
        asked_numbers.cik_int,
        asked_names.company_name,
        companies.cik_int is not null as is_known,
        companies.n_filings
    from asked_numbers
    left join asked_names
        on
            asked_numbers.question_id = asked_names.question_id
            and asked_numbers.place = asked_names.place
    left join companies
        on asked_numbers.cik_int = companies.cik_int

),

asked_years as (

    select
        question_id,
        unnest(years) as report_year,
        generate_subscripts(years, 1) as place
    from gold_p3

),

aliases as (

    select
        cik_int,
        unnest(aliases) as company_name,
        generate_subscripts(aliases, 1) as place
    from companies

),

all_names as (

    select
        cik_int,
        company_name
    from companies

    union

    select
        cik_int,
        display_name as company_name
    from companies

    union

    select
        cik_int,
        company_name
    from aliases

    union

    select
        cik_int,
        company_name
    from filings

),

known_names as (

    select
        cik_int,
        {{ plain_words('company_name') }} as name_words
    from all_names
    where company_name is not null
    group by cik_int, {{ plain_words('company_name') }}

),

first_words as (

    select
        question_id,
        place,
        string_split({{ plain_words('company_name') }}, ' ')[2] as first_word
    from asked_companies
    where company_name is not null

),

-- The name in the row counts too, and its first word: "Ostrava" for "Ostrava Mills".
sayings as (

    select
        asked_companies.question_id,
        asked_companies.place,
        known_names.name_words
    from asked_companies
    inner join known_names
        on asked_companies.cik_int = known_names.cik_int

    union

    select
        question_id,
        place,
        {{ plain_words('company_name') }} as name_words
    from asked_companies
    where company_name is not null

    union

    select
        question_id,
        place,
        ' ' || first_word || ' ' as name_words
    from first_words
    where
        length(first_word) >= 3
        and first_word not in (
            'the', 'new', 'first', 'general', 'national', 'international', 'american',
            'united', 'global', 'all', 'one', 'our', 'cik'
        )

),

said as (

    select
        sayings.question_id,
        sayings.place,
        bool_or(
            contains({{ plain_words('gold_p3.question_text') }}, sayings.name_words)
        ) as is_said
    from sayings
    inner join gold_p3
        on sayings.question_id = gold_p3.question_id
    where sayings.name_words <> '  '
    group by sayings.question_id, sayings.place

),

unknown_companies as (

    select
        question_id,
        'unknown_company' as reason,
        array_to_string(list(cast(cik_int as varchar) order by place), ', ')
            as detail
    from asked_companies
    where not is_known
    group by question_id

),

-- A corpus without names calls a company by its number: no name can be wrong there.
mismatched as (

    select
        asked_companies.question_id,
        'company_name_mismatch' as reason,
        array_to_string(
            list(
                asked_companies.company_name || ' for ' || asked_companies.cik_int
                order by asked_companies.place
            ),
            ', '
        ) as detail
    from asked_companies
    inner join companies
        on asked_companies.cik_int = companies.cik_int
    left join known_names
        on
            asked_companies.cik_int = known_names.cik_int
            and {{ plain_words('asked_companies.company_name') }}
            = known_names.name_words
    where
        asked_companies.company_name is not null
        and known_names.cik_int is null
        and companies.company_name <> 'CIK ' || companies.cik_int
    group by asked_companies.question_id

),

years_missing as (

    select
        asked_years.question_id,
        asked_years.place,
        asked_years.report_year
    from asked_years
    inner join asked_companies
        on asked_years.question_id = asked_companies.question_id
    left join filings
        on
            asked_companies.cik_int = filings.cik_int
            and asked_years.report_year = filings.report_year
    group by
        asked_years.question_id,
        asked_years.place,
        asked_years.report_year
    having bool_or(asked_companies.is_known) and count(filings.filing_id) = 0

),

outside_corpus as (

    select
        question_id,
        'years_outside_corpus' as reason,
        array_to_string(list(cast(report_year as varchar) order by place), ', ')
            as detail
    from years_missing
    group by question_id

),

of_all_time as (

    select text_hash
    from py_question_texts_labelled
    where atlas = 'question' and label = 'asks_over_time'

),

-- With one filing of a company there is only one year that can be meant, and "over
-- time" means several without naming them.
without_year as (

    select
        gold_p3.question_id,
        'no_year_named' as reason,
        'asked about ' || array_to_string(gold_p3.years, ', ') as detail
    from gold_p3
    where
        {{ list_length('gold_p3.years') }} > 0
        and not {{ regex_matches(
            'gold_p3.question_text', "(19|20)[0-9][0-9]|fy ?.?[0-9][0-9]"
        ) }}
        and gold_p3.question_id not in (
            select asked_companies.question_id
            from asked_companies
            group by asked_companies.question_id
            having max(coalesce(asked_companies.n_filings, 2)) = 1
        )
        and (
            {{ list_length('gold_p3.years') }} = 1
            or md5(gold_p3.question_text) not in (
                select of_all_time.text_hash from of_all_time
            )
        )

),

without_company as (

    select
        asked_companies.question_id,
        'no_company_named' as reason,
        array_to_string(
            list(
                coalesce(
                    asked_companies.company_name, 'CIK ' || asked_companies.cik_int
                )
                order by asked_companies.place
            ),
            ', '
        ) as detail
    from asked_companies
    left join said
        on
            asked_companies.question_id = said.question_id
            and asked_companies.place = said.place
    where said.is_said is not true
    group by asked_companies.question_id

)

select * from unknown_companies
union all
select * from mismatched
union all
select * from outside_corpus
union all
select * from without_year
union all
select * from without_company
