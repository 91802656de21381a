"""Checks of generated questions: the gold meets its own, what nobody should accept does not."""

import pytest

from finrag.records.criteria import read_criteria
from finrag.scoring.strict.criteria import score_criteria

WRONG = ("wrong_company", "wrong_year", "altered_number")


@pytest.fixture(scope="module")
def restated(sample):
    """Each gold answer, cited rightly, on the checks of its question."""
    rows = sample.rows(
        """
        select item_answers.answer_text, item_answers.original_fields, item_answers.years,
            list(companies.display_name) as names
        from gold.item_answers
        inner join sentences.companies
            on list_contains(item_answers.cik_int, companies.cik_int)
        where item_answers.gold_set = 'p3' and item_answers.original_fields is not null
        group by all
        """
    )
    return [
        score_criteria(
            row["answer_text"],
            read_criteria(row["original_fields"]),
            [*map(str, row["years"]), *row["names"]],
        )
        for row in rows
    ]


def test_a_gold_answer_meets_its_checks(restated):
    decided = [found.passed for found in restated if found.passed is not None]

    assert len(decided) > 500
    assert sum(decided) / len(decided) >= 0.98


def test_only_the_topics_of_broad_questions_stay_undecided(restated):
    assert {found.n_undecided for found in restated} == {0, 1}
    assert sum(found.n_undecided for found in restated) < 0.1 * len(restated)


@pytest.mark.parametrize("kind", WRONG)
def test_another_company_year_or_figure_passes_nowhere(sample, kind):
    values = sample.rows(
        f"""
        select value from metrics.int_answer_values
        where metric = 'criteria_passed' and gold_set = 'p3' and null_kind = '{kind}'
            and value is not null
        """
    )

    assert len(values) > 150
    assert {row["value"] for row in values} == {0}


@pytest.mark.parametrize("kind", WRONG)
def test_no_form_of_question_gives_it_full_credit(sample, kind):
    """Credit decides nothing where what is asked for stays undecided: then there is none."""
    credit = sample.rows(
        f"""
        select p3_templates.question_form, max(criteria_credit.value) as best,
            count(*) as n_nulls
        from metrics.int_answer_values as criteria_credit
        inner join gold.items on criteria_credit.item_id = items.item_id
        inner join gold.gold_p3 on items.question_id = gold_p3.question_id
        inner join seeds.p3_templates
            on gold_p3.created_by = 'template:' || p3_templates.template_id
        where metric = 'criteria_credit' and null_kind = '{kind}' and value is not null
        group by all
        """
    )

    single = {"level", "change", "period", "period_end"}
    assert single & {row["question_form"] for row in credit}
    assert [row for row in credit if row["best"] == 1] == []
    assert {row["best"] for row in credit if row["question_form"] in single} == {0}


def test_the_wrong_date_is_decided_and_has_no_credit(sample):
    values = sample.rows(
        """
        select distinct metric, value
        from metrics.int_answer_values
        inner join gold.items on int_answer_values.item_id = items.item_id
        inner join gold.gold_p3 on items.question_id = gold_p3.question_id
        inner join seeds.p3_templates
            on gold_p3.created_by = 'template:' || p3_templates.template_id
        where metric in ('criteria_credit', 'criteria_passed') and null_kind = 'wrong_year'
            and question_form = 'period_end'
        """
    )

    assert {row["metric"] for row in values} == {"criteria_credit", "criteria_passed"}
    assert {row["value"] for row in values} == {0}
