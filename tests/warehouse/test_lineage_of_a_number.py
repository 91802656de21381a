"""From any figure of the summaries back to the characters of a filing, by joins on keys."""

import hashlib

import pytest

ANSWERS = ("multi_path", "p3", "sound", "all", "answer_accuracy", 0, "answer", "finrag")
PAGES = ("bm25_open", "financebench", "overall", "%", "evidence_recall", 5, "page", "finrag")
FIGURES = [
    ANSWERS,
    ("naive_rag", "p3", "scope_difficulty", "%", "citation_correctness", 0, "answer", "finrag"),
    ("multi_path", "p3", "company", "%", "evidence_recall", 10, "sentence", "finrag"),
    ("dense_open", "p1", "section", "%", "hit", 5, "sentence", "finrag"),
    ("bm25_filtered", "p1", "length_bucket", "%", "self_at_1_tie_aware", 1, "sentence", "finrag"),
    ("dense_filtered", "p2", "company", "%", "map", 0, "sentence", "finrag"),
    PAGES,
]


@pytest.fixture(scope="module")
def trace(sample, tmp_path_factory):
    """Reads the analysis for the largest slice that fits a key."""
    copied = sample.copy(tmp_path_factory.mktemp("lineage") / "warehouse")
    assert copied.dbt("compile", "-s", "lineage_of_a_number") == 0, copied.log
    (compiled,) = (copied.folder / "target" / "compiled").rglob("lineage_of_a_number.sql")
    query = compiled.read_text()
    chosen = hashlib.md5("|".join(map(str, ANSWERS)).encode(), usedforsecurity=False).hexdigest()
    assert query.count(chosen) == 1

    def trace(system_id, gold_set, slice_name, slice_value, metric, k, unit, mode):
        summary_id = sample.value(
            f"""
            select summary_id from metrics.metric_summaries
            where system_id = '{system_id}' and gold_set = '{gold_set}'
              and slice_name = '{slice_name}' and slice_value like '{slice_value}'
              and metric = '{metric}' and k = {k} and unit = '{unit}' and mode = '{mode}'
            order by n_evaluated desc, summary_id
            limit 1
            """
        )
        return sample.rows(query.replace(chosen, summary_id))

    return trace


@pytest.fixture(scope="module")
def lineages(trace):
    return {key: trace(*key) for key in FIGURES}


@pytest.mark.parametrize("key", FIGURES)
def test_the_items_have_the_mean_of_the_summary(lineages, key):
    rows = lineages[key]
    values = {row["item_id"]: row["value"] for row in rows if row["value"] is not None}
    assert len(values) == rows[0]["n_values"] == rows[0]["n_evaluated"] > 0
    # A sum that is rounded once, and one that SQL takes in decimals.
    assert rows[0]["summary_mean"] == pytest.approx(rows[0]["mean_of_values"], abs=1e-12)
    assert rows[0]["summary_mean"] == pytest.approx(sum(values.values()) / len(values), abs=1e-12)


@pytest.mark.parametrize("key", [key for key in FIGURES if key != PAGES])
def test_every_sentence_stands_where_it_says(lineages, key):
    found = [row for row in lineages[key] if row["passage_id"] is not None]
    assert found
    assert all(row["is_text_at_offsets"] for row in found)
    assert all(0 <= row["char_start"] < row["char_end"] for row in found)


@pytest.mark.parametrize("key", [key for key in FIGURES if key[4] == "hit"])
def test_the_ranks_shown_decide_the_value(lineages, key):
    grades = {}
    for row in lineages[key]:
        if row["value"] is not None:
            assert row["place"] is None or 1 <= row["place"] <= row["k"]
            best = max(row["grade"], grades.get(row["item_id"], (0, 0))[0])
            grades[row["item_id"]] = best, row["value"]
    assert {value for _, value in grades.values()} == {0, 1}
    assert all((best > 0) == (value == 1) for best, value in grades.values())


def test_pages_of_a_public_set_are_shown_with_their_text(lineages):
    rows = [row for row in lineages[PAGES] if row["value"] is not None]
    assert all(row["passage_text"] and row["item_text"] and row["gold_text"] for row in rows)
    assert {row["item_id"] for row in rows if row["grade"] > 0} == {
        row["item_id"] for row in rows if row["value"] > 0
    }


def test_a_right_answer_shows_every_step(lineages):
    steps = (
        "summary_id", "item_id", "item_text", "gold_text", "answer_text", "place",
        "passage_id", "passage_text", "section_id", "char_start", "char_end",
    )  # fmt: skip
    rows = [row for row in lineages[ANSWERS] if row["found_in"] == "citation"]
    complete = [row for row in rows if all(row[step] is not None for step in steps)]
    assert any(row["value"] == 1 and row["grade"] > 0 for row in complete)


def test_every_summary_of_items_is_led_back_to_them(sample):
    (row,) = sample.rows(
        """
        with recounted as (
            select
                metric_values.system_id,
                item_slices.gold_set,
                item_slices.slice_name,
                item_slices.slice_value,
                metric_values.metric,
                metric_values.k,
                metric_values.unit,
                metric_values.mode,
                count(*) as n_asked,
                count(metric_values.value) as n_evaluated,
                avg(metric_values.value) as mean
            from metrics.metric_values
            inner join metrics.item_slices using (item_id)
            group by all
        )
        select
            count(*) as n_summaries,
            count(*) filter (
                where recounted.n_asked = metric_summaries.n_asked
                and recounted.n_evaluated = metric_summaries.n_evaluated
                and coalesce(abs(recounted.mean - metric_summaries.mean) < 1e-9, true)
            ) as n_led_back
        from metrics.metric_summaries
        inner join seeds.metric_catalogue using (metric, k, unit, mode)
        left join recounted
            using (system_id, gold_set, slice_name, slice_value, metric, k, unit, mode)
        -- A mean of two means has no items of its own.
        where metric_catalogue.asked_of <> 'summaries'
        """
    )
    assert row["n_summaries"] == row["n_led_back"] > 1_000
