"""Changes of a model's SQL, and which of its unit tests notice them."""

from dataclasses import replace

import pytest

from bench import mutants as mutants_of_models
from bench.mutants import UnitTest, mutants, noticed, redundant, split_test

# What dbt writes where a test expects no row.
NO_ROW = "select * from dbt_internal_unit_test_actual limit 0"
TEST = """
with dbt_internal_unit_test_actual as (
  select "n", 'actual' as "actual_or_expected"
  from (
    with __dbt__cte__t as (
-- Fixture for t (a bracket in a comment
select 1 as "n" union all select 2 as "n"
), large as (select n from __dbt__cte__t where n >= 2)
select n from large
  ) _dbt_internal_unit_test_actual
),
dbt_internal_unit_test_expected as (
  select "n", 'expected' as "actual_or_expected"
  from (
    select 2 as "n"
  ) _dbt_internal_unit_test_expected
)
select * from dbt_internal_unit_test_actual
union all
select * from dbt_internal_unit_test_expected
"""


def changed(sql):
    return {(mutant.kind, mutant.of(sql)) for mutant in mutants(sql)}


def unit_test(name, rows, expected):
    rows, expected = (
        " union all ".join(f"select {n} as n" for n in given) for given in (rows, expected)
    )
    sql = "select n from __dbt__cte__t where n >= 2"
    return UnitTest(name, "m", {"__dbt__cte__t": rows}, sql, "n", expected)


@pytest.mark.parametrize(
    ("kind", "sql", "instead"),
    [
        ("comparison", "select a from t where a < 1", "select a from t where a >= 1"),
        ("boundary", "select a from t where a < 1", "select a from t where a <= 1"),
        (
            "filter",
            "select count(*) filter (where a) from t",
            "select count(*) filter (where true) from t",
        ),
        (
            "filter",
            "select a from t where (b or c) group by a",
            "select a from t where true group by a",
        ),
        (
            "branch",
            "select case when a then 1 else 2 end",
            "select case when false then 1 else 2 end",
        ),
        ("default", "select coalesce(f(a, b), 0)", "select coalesce(f(a, b), null)"),
        ("left", "select a from t left join u on b", "select a from t inner join u on b"),
        ("null", "select a is not null", "select a is  null"),
        ("and", "select a between 1 and 2 and b", "select a between 1 and 2 or b"),
        ("number", "select a from t limit 9", "select a from t limit 10"),
        ("text", "select a = 'it''s' from t", "select a = 'another' from t"),
    ],
)
def test_one_place_changes(kind, sql, instead):
    assert (kind, instead) in changed(sql)


def test_words_in_texts_and_comments_are_no_sql():
    assert {kind for kind, _ in changed("select 'a and b < c' -- or d = e")} == {"text"}


def test_a_compiled_test_is_parted():
    test = split_test("t", "m", TEST)
    assert list(test.fixtures) == ["__dbt__cte__t"]
    assert test.sql.startswith("with recursive large as")
    assert test.expected.split() == ["select", "2", "as", '"n"']
    with pytest.raises(ValueError, match="unit test t is not written"):
        split_test("t", "m", "select 1")


def test_a_test_at_the_boundary_notices_what_one_beyond_does_not():
    by_mutant = noticed([unit_test("at", [1, 2], [2]), unit_test("beyond", [1, 3], [3])])
    (boundary,) = (by for key, by in by_mutant.items() if key.startswith("boundary"))
    assert boundary == {"at"}
    assert redundant(["at", "beyond"], by_mutant.values()) == ["beyond"]


def test_a_test_that_fails_on_the_model_as_it_is_stops_the_count():
    with pytest.raises(ValueError, match="unit test wrong does not pass"):
        noticed([unit_test("wrong", [1, 2], [1])])


def test_a_test_that_expects_no_row_is_counted():
    nothing = replace(unit_test("nothing", [1], [2]), expected=NO_ROW)
    (by,) = {by for key, by in noticed([nothing]).items() if key.startswith("filter")}
    assert by == {"nothing"}


def test_a_change_that_never_ends_is_noticed(monkeypatch):
    monkeypatch.setattr(mutants_of_models, "LONGEST_S", 0.2)
    counting = (
        "with recursive counted as (select n from __dbt__cte__t union all "
        "select n + 1 from counted where n < 3) select max(n) as n from counted"
    )
    test = replace(unit_test("ends", [1], [3]), sql=counting)
    (by,) = (by for key, by in noticed([test]).items() if key.startswith("filter"))
    assert by == {"ends"}
