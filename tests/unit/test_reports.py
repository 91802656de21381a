"""The report of a run: complete, the same each time, and plain whatever filings and models say."""

import json

import duckdb
import pytest

from finrag.publishing import write_report
from finrag.publishing.markdown import LONGEST_TEXT, escaped
from tests.unit.reported_run import FAILED, TABLES, add_records, gate, write_run, write_table


def report(database, folder):
    data, page = write_report(database, folder)
    return json.loads(data.read_text(encoding="utf-8")), page.read_text(encoding="utf-8")


def written(tmp_path, *gates, **changes):
    return report(write_run(tmp_path / "finrag.duckdb", *gates, **changes), tmp_path)


def test_a_report_is_named_after_its_time_and_evaluation(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")

    paths = write_report(database, tmp_path)

    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "reports/2026-03-04T050607-abcdef01.json",
        "reports/2026-03-04T050607-abcdef01.md",
    ]


def test_the_same_warehouse_gives_the_same_bytes_and_leaves_nothing_else(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", gate("b"), gate("a", **FAILED))

    first = [path.read_bytes() for path in write_report(database, tmp_path)]
    second = [path.read_bytes() for path in write_report(database, tmp_path)]

    assert first == second
    assert len(list((tmp_path / "reports").iterdir())) == 2


def test_a_report_tells_its_version_settings_and_hashes(tmp_path):
    data, _ = written(tmp_path)

    assert data["version"] == 1
    assert data["config"]["systems"][0]["settings"] == {"depth": 50}
    assert data["config"]["hashes"]["gold_hash"] == "g0"
    assert data["config"]["versions"]["libraries"] == {"duckdb": "2.0.0"}


def test_counts_that_add_up_say_so(tmp_path):
    data, _ = written(tmp_path)

    assert data["totals"]["answers"][0]["adds_up"]
    assert data["metrics"][0]["adds_up"]


def test_counts_that_do_not_add_up_say_so(tmp_path):
    lost = {"reports__rpt_overview_answers": {"n_asked": 5}}
    data, page = written(tmp_path, **lost, metrics__metric_summaries={"n_asked": 11})

    assert not data["totals"]["answers"][0]["adds_up"]
    assert not data["metrics"][0]["adds_up"]
    assert "| NO |" in page


def test_what_was_abstained_from_not_run_and_not_scored_counts(tmp_path):
    more = {"n_asked": 19, "n_abstained": 3, "n_not_run": 4, "n_unscored": 2}
    data, _ = written(tmp_path, metrics__metric_summaries=more)

    assert data["metrics"][0]["adds_up"]


def test_broken_error_gates_stand_first(tmp_path):
    data, page = written(
        tmp_path,
        gate("passes"),
        gate("waived", verdict="waived"),
        gate("by_chance", breach="passed_by_null"),
        gate("below", severity="reference", **FAILED),
        gate("warned", severity="warn", **FAILED),
        gate("hits", **FAILED),
        gate("lost", verdict="unmeasured", breach="unmeasured", value=None, n=None),
    )

    order = ["hits", "lost", "by_chance", "warned", "below", "waived", "passes"]
    assert [row["gate_id"] for row in data["gates"]] == order
    assert "3 of 7 gates are broken at level error, 1 at level warn. Reference systems are" in page


def test_a_reference_below_its_limit_breaks_nothing_and_is_in_the_appendix(tmp_path):
    _, page = written(tmp_path, gate("below", severity="reference", **FAILED))

    assert "No gate is broken. Reference systems are below 1 of their limits, which breaks" in page
    first, _, appendix = page.partition("## Broken gates, with examples")
    assert "## Broken gates" not in first
    assert "**below**" in appendix


def test_a_broken_gate_shows_why_it_exists_and_what_failed_it(tmp_path):
    _, page = written(tmp_path, gate("hits", **FAILED))

    broken = page[page.index("## Broken gates") : page.index("## Metrics")]
    assert "Fewer hits than that and nobody would use it" in broken
    assert "- How many mines has Ore Ltd? (p3:q1)\n  - gold: three\n  - answered: eight" in broken
    assert "f1_section_1_7 (f1, section_1, characters 10 to 42, not evidence)" in broken


def test_caveats_of_the_verdict_stand_on_the_first_page(tmp_path):
    data, page = written(tmp_path)

    assert [row["step"] for row in data["caveats"]] == ["Read a sample of them."]
    said = "**Mind:** No person has reviewed \\*any\\* of the 3 questions."
    assert said in page.split("# Appendix")[0]

    _, page = written(tmp_path, reports__rpt_overview_steps={"kind": "note"})
    assert "Mind:" not in page


def test_limits_of_every_system_under_test_are_listed_with_reason_day_and_author(tmp_path):
    data, page = written(tmp_path)

    (limit,) = data["limits"]
    assert (limit["limit_value"], limit["set_on"], limit["set_by"]) == (
        0.8,
        "2026-11-21",
        "my_gates.csv",
    )
    listed = page.split("## What a system of yours must reach")[1]
    assert (
        "| List match | at least 80 % | mean, over sound questions | systems that answer "
        "| stops a release | A list of peers with one name too few misleads | 2026-11-21 "
        "| my_gates.csv | lists |"
    ) in listed


def test_the_first_page_decides_on_less_than_sixty_lines(tmp_path):
    gates = [gate(f"hits_{n}", **FAILED) for n in range(9)]
    database = write_run(tmp_path / "finrag.duckdb", *gates)
    one = TABLES["reports.rpt_overview_figures"]
    with duckdb.connect(str(database)) as connection:
        rows = [
            {**one, "system_id": f"rag_{s}", "role": "candidate", "figure_pos": n}
            for s in range(5)
            for n in range(9)
        ]
        write_table(connection, "reports.rpt_overview_figures", rows)
        verdict = TABLES["reports.rpt_overview_verdict"]
        mine = [{**verdict, "place": 1, "system_id": f"rag_{s}"} for s in range(5)]
        write_table(connection, "reports.rpt_overview_verdict", [verdict, *mine])

    data, page = report(database, tmp_path)

    first, appendix = page.split("# Appendix")
    assert len(data["figures"]) == 45
    assert first.count("\n") <= 60
    assert "| rag_0 | Evidence found | 0.500 [0.250, 0.750] | 7 of 10 | 0.125 | large |" in first
    assert (
        "Why this limit: Fewer hits than that and nobody would use it. Set on 2026-11-21" in first
    )
    assert "What to do: Look at the hardest items" in first
    assert "5 more are in the appendix" in first
    assert "**hits_8**" in appendix


def test_metrics_are_named_with_their_unit_and_the_direction_that_is_good(tmp_path):
    database = write_run(
        tmp_path / "finrag.duckdb", metrics__metric_summaries={"ci_low": 0.5, "ci_high": 0.5}
    )
    names = {"metric": "hit", "k": 5, "unit": "sentence", "mode": "finrag"}
    with duckdb.connect(str(database)) as connection:
        named = {**names, "label": "Hits", "direction": "min", "asked_of": "questions"}
        write_table(connection, "seeds.metric_catalogue", [{**named, "is_headline": True}])

    _, page = report(database, tmp_path)

    alike = "0.500 (no interval: all values are alike)"
    assert f"| own_rag | Hits (less is better) | sentence | 7 | 10 | {alike} |" in page
    assert "| p3 | own_rag | random_open | Hits (less is better) | sentence | 7 |" in page


def test_an_example_cites_sentences_with_their_place(tmp_path):
    data, _ = written(tmp_path)

    (citation,) = data["examples"][0]["citations"]
    assert (citation["filing_id"], citation["char_start"], citation["char_end"]) == ("f1", 10, 42)


@pytest.mark.parametrize(("grade", "is_evidence"), [(1, True), (0, False)])
def test_a_cited_sentence_is_evidence_if_it_is_judged_so(tmp_path, grade, is_evidence):
    judged = {"passage_id": "f1_section_1_7", "grade": grade}
    data, _ = written(tmp_path, gold__judgments=judged)

    assert data["examples"][0]["citations"][0]["is_relevant"] == is_evidence


def test_a_sentence_that_does_not_exist_is_said_not_to(tmp_path):
    _, page = written(tmp_path, answers__answer_citations={"named": "made_up"})

    assert "made_up: there is no such sentence" in page


def test_what_has_no_table_is_not_measured(tmp_path):
    data, page = written(tmp_path)

    assert data["metrics"][0]["null_distance"] is None
    assert data["metrics"][0]["change_before"] is None
    assert any(line.startswith("metrics.metric_floors:") for line in data["not_measured"])
    assert "## Not measured" in page


def test_a_change_is_against_the_record_before(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")
    add_records(database, ("oldest", 1, {}, 0.0), ("old", 2, {}, 0.375), ("new", 3, {}, 0.5))

    data, page = report(database, tmp_path)

    assert (data["record_id"], data["before"]["record_id"]) == ("new", "old")
    assert data["at"] == "2026-03-03T00:00:00"
    assert data["metrics"][0]["change_before"] == 0.125
    assert "| 0.500 [0.250, 0.750] | – | +0.125 | – |" in page


def test_figures_of_another_corpus_are_no_change(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")
    add_records(database, ("other", 1, {}, 0.25), ("new", 2, {}, 0.5))
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "update metrics.recorded_runs set corpus = 'filings' where record_id = 'other'"
        )

    data, _ = report(database, tmp_path)

    assert data["before"] is None
    assert data["metrics"][0]["change_before"] is None


@pytest.mark.parametrize(
    ("gold_set", "another", "is_compared"),
    [
        ("p3", "questions_hash", False),
        ("p3", "gold_hash", False),
        ("p3", "anchors_hash", True),
        ("p1", "corpus_hash", False),
        ("p2", "anchors_hash", False),
        ("p1", "questions_hash", True),
        ("p1_cells", "anchors_hash", False),
        ("p1_cells", "questions_hash", True),
        ("corpus", "corpus_hash", False),
        ("corpus", "anchors_hash", True),
    ],
)
@pytest.mark.parametrize("value", ["another", None])
def test_figures_are_compared_over_the_same_items(tmp_path, gold_set, another, is_compared, value):
    database = write_run(
        tmp_path / "finrag.duckdb", metrics__metric_summaries={"gold_set": gold_set}
    )
    records = ("old", 1, {}, 0.25), ("new", 2, {}, 0.5)
    add_records(database, *records, gold_set=gold_set, **{another: value})

    data, _ = report(database, tmp_path)

    assert data["before"]["record_id"] == "old"
    assert data["metrics"][0]["change_before"] == (0.25 if is_compared else None)


def test_a_record_before_of_another_suite_is_said_to_be(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")
    records = ("old", 1, {}, 0.25), ("new", 2, {}, 0.5)
    add_records(database, *records, questions_hash="q1", gold_hash="g1")

    data, page = report(database, tmp_path)

    assert data["inputs_changed"] == ["another suite of questions", "other gold"]
    assert "| previous record | old, of another suite of questions and other gold |" in page
    assert any("is of another suite of questions" in line for line in data["not_measured"])


def test_a_record_before_of_the_same_says_nothing(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")
    add_records(database, ("old", 1, {}, 0.25), ("new", 2, {}, 0.5))

    data, page = report(database, tmp_path)

    assert data["inputs_changed"] == []
    assert "| previous record | old |" in page


def test_scores_of_two_scorers_are_not_subtracted(tmp_path):
    scored = {"scorer_id": "large"}
    database = write_run(tmp_path / "finrag.duckdb", metrics__metric_summaries=scored)
    add_records(database, ("old", 1, {}, 0.25), ("new", 2, {}, 0.5))
    with duckdb.connect(str(database)) as connection:
        connection.execute("alter table metrics.recorded_metrics add column scorer_id varchar")
        connection.execute("update metrics.recorded_metrics set scorer_id = 'small'")

    assert report(database, tmp_path)[0]["metrics"][0]["change_before"] is None


KEY = {
    "run_id": "run-1",
    "system_id": "own_rag",
    "gold_set": "p3",
    "slice_name": "overall",
    "slice_value": "all",
    "metric": "hit",
    "k": 5,
    "unit": "sentence",
    "mode": "finrag",
}


def with_table(tmp_path, table, *rows):
    database = write_run(tmp_path / "finrag.duckdb")
    with duckdb.connect(str(database)) as connection:
        write_table(connection, table, rows)
    return report(database, tmp_path)[0]


def test_the_distance_is_that_from_the_strongest_null(tmp_path):
    data = with_table(
        tmp_path,
        "metrics.metric_floors",
        {**KEY, "null_kind": "strongest", "distance": 0.25, "distance_of_mean": 0.3},
        {**KEY, "null_kind": "random_order", "distance": 0.375, "distance_of_mean": 0.5},
    )

    assert data["metrics"][0]["null_distance"] == 0.3


@pytest.mark.parametrize(("is_comparable", "expected"), [(True, -0.125), (False, None)])
def test_a_change_to_a_baseline_counts_where_the_two_can_be_compared(
    tmp_path, is_comparable, expected
):
    drift = {"drift_id": "d", "change": -0.125, "is_beyond_interval": False}
    data = with_table(
        tmp_path, "metrics.metric_drifts", {**KEY, **drift, "is_comparable": is_comparable}
    )

    assert data["metrics"][0]["change_baseline"] == expected


def test_headlines_of_the_catalogue_are_shown_too(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", metrics__metric_summaries={"metric": "own"})
    catalogue = {
        **{"metric": "own", "k": 5, "unit": "sentence", "mode": "finrag"},
        **{"asked_of": "questions", "is_headline": True},
    }
    with duckdb.connect(str(database)) as connection:
        write_table(connection, "seeds.metric_catalogue", [catalogue])

    assert [row["metric"] for row in report(database, tmp_path)[0]["metrics"]] == ["own"]


def test_a_number_that_is_none_is_told_by_its_name(tmp_path):
    changed = {"metrics__metric_summaries": {"mean": float("inf")}}
    data, page = written(tmp_path, gate("hits", value=float("nan")), **changed)

    assert (data["gates"][0]["value"], data["metrics"][0]["mean"]) == ("nan", "inf")
    assert "| inf |" in page


def test_an_unfinished_build_has_no_report(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", without=["reports.rpt_run_examples"])

    with pytest.raises(ValueError, match="no finished build"):
        write_report(database, tmp_path)
    assert not (tmp_path / "reports").exists()


def test_a_report_of_an_earlier_build_never_passes_for_this_one(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb")

    with pytest.raises(ValueError, match="of an earlier build"):
        write_report(database, tmp_path, tmp_path / "run_results.json")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, "–"),
        ("snake_case and hit@5", "snake_case and hit@5"),
        ("a | b \\| c", "a &#124; b &#92;&#124; c"),
        ("<script>alert(1)</script> & more", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"),
        ("&#124;", "&amp;#124;"),
        ("two\nlines\r\n\tand\u2028more", "two lines and more"),
        (
            "`code` *bold* _slanted_ ~~gone~~",
            "\\`code\\` \\*bold\\* \\_slanted\\_ \\~\\~gone\\~\\~",
        ),
        ("![x](y) [z]", "!\\[x\\](y) \\[z\\]"),
        ("http://x.example www.x.example", "http&#58;//x.example www&#46;x.example"),
        ("a@x.example", "a\\@x.example"),
        ("# heading", "\\# heading"),
        ("- item", "\\- item"),
        ("12. item", "12\\. item"),
        ("12.5 percent", "12.5 percent"),
        ("$5 and $6", "\\$5 and \\$6"),
        ("turned \u202eround\u200b and \x1b[31mred", "turned round and \\[31mred"),
    ],
)
def test_text_is_shown_as_it_is_and_makes_no_mark_up(text, shown):
    assert escaped(text) == shown


def test_a_long_text_is_cut():
    assert escaped("word " * 1_000).endswith("word…")
    assert len(escaped("word " * 1_000)) <= LONGEST_TEXT


def test_no_text_of_a_model_breaks_a_line_of_the_page(tmp_path):
    hostile = "eight\n\n## Gates\n| a | b |\n<img src=x onerror=alert(1)>`"
    data, page = written(tmp_path, reports__rpt_run_examples={"answer_text": hostile})

    assert data["examples"][0]["answer_text"] == hostile
    assert "\n## Gates" not in page
    assert "<img" not in page
