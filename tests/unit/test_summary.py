"""The summary screen: questions stand apart from anchors, and what is missing stays empty."""

import duckdb
import pytest

from finrag.publishing.summary import print_summary

SYSTEM = {
    "system_id": "multi_path",
    "n_failed": 0,
    "n_not_run": 0,
    "self_at_1_strict": None,
    "self_at_1_tie_aware": None,
    "hit_at_1": 0.25,
    "hit_at_5": 0.5,
    "hit_at_5_n": 1_200,
    "hit_at_5_ci_low": 0.4,
    "hit_at_5_ci_high": 0.6,
    "mrr_at_30": 0.375,
    "mrr_at_30_ci_low": None,
    "mrr_at_30_ci_high": None,
    "ndcg_at_10": 0.3,
    "evidence_recall_at_10": 0.8125,
    "evidence_recall_at_10_ci_low": 0.75,
    "evidence_recall_at_10_ci_high": 0.875,
    "evidence_recall_at_10_local": 0.9,
    "evidence_recall_at_10_cross_year": 0.625,
    "evidence_recall_at_10_cross_company": None,
    "accuracy": None,
    "accuracy_ci_low": None,
    "accuracy_ci_high": None,
    "accuracy_n": None,
    "figures": None,
    "figures_ci_low": None,
    "figures_ci_high": None,
    "figures_n": None,
    "citations": None,
    "citations_ci_low": None,
    "citations_ci_high": None,
    "citations_n": None,
}


def literal(value):
    if isinstance(value, str):
        return f"'{value}'"
    return "cast(null as double)" if value is None else str(value)


BROKEN_OFF = "52 as n_asked, 9 as n_failed, 3 as n_not_run"


def write_reports(
    path,
    *gold_sets,
    rejections=(),
    outcomes=("nothing_under_test",),
    asked=BROKEN_OFF,
    public_sets=(),
    **changes,
):
    names = ("", "mine", "other")
    said = ", ".join(
        f"({min(place, 1)}, '{names[place]}', '{outcome}', 'Of {names[place]}.', 'On a test.')"
        for place, outcome in enumerate(outcomes)
    )
    rows = " union all ".join(
        "select "
        + ", ".join(
            f"{literal(value)} as {name}"
            for name, value in {"gold_set": name, **SYSTEM, **changes}.items()
        )
        for name in gold_sets
    )
    rejected = ", ".join(
        f"('{system_id}', '{source_file}', {line}, '{part}')"
        for system_id, source_file, line, part in rejections or [("none", "none", 0, "none")]
    )
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"""
            create schema reports;
            create schema gates;
            create schema retrieval;
            create table reports.rpt_overview_corpus as
            select 'sample' as corpus, 1 as n_companies, 1 as n_filings, 1 as n_sections,
                1 as n_sentences, 0.0 as duplicate_share, 0 as n_quarantined, 1 as n_records,
                'minilm' as encoder, 'abcdefgh' as run_id;
            create table reports.rpt_overview_questions as
            select 'A' as category, 1 as n_questions, 0 as n_from_suites, 0 as n_variants,
                0 as n_excluded;
            create table reports.rpt_overview_verdict as
            from (values {said}) as said (place, system_id, outcome, headline, measured_on);
            create table reports.rpt_overview_candidates as
            select 'mine' as system_id, gold_set, gold_set <> 'p3' as is_public, 'm' as metric,
                'Right' as metric_label, 0.61 as value, 0.5 as ci_low, 0.7 as ci_high, 40 as n,
                {asked}, 'theirs' as reference_id, 0.95 as reference_value, 0.125 as null_value
            from unnest({["p3", *public_sets]}) as sets (gold_set);
            create table gates.gate_verdicts as
            select 'P0' as phase, 'gate' as gate_id where false;
            create table reports.rpt_overview_answers as
            select 'own_rag' as system_id, 'p3' as gold_set, 10 as n_asked,
                6 as n_answered, 2 as n_abstained, 1 as n_failed, 1 as n_not_run,
                9 as n_citations, 3 as n_invalid_citations,
                7 as n_calls, 1 as n_failed_calls, 0.25 as price_usd;
            create table reports.rpt_overview_systems as {rows};
            create table retrieval.external_rejections as
            from (values {rejected}) as rejected (system_id, source_file, source_line, part)
            where system_id <> 'none';
        """)


def lines_about(name, printed):
    return [line.split() for line in printed.splitlines() if name in line]


def test_questions_are_shown_by_the_evidence_found(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3")

    assert print_summary(tmp_path / "warehouse.duckdb") == 0

    assert lines_about("multi_path", capsys.readouterr().out) == [
        [
            "multi_path",
            "1,200",
            "0.250",
            "0.375",
            "0.300",
            "0.812",
            "[0.750,",
            "0.875]",
            "0.625",
            "–",
        ]
    ]


def test_anchors_and_questions_have_a_table_each(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3")

    print_summary(tmp_path / "warehouse.duckdb")

    anchors, questions = lines_about("multi_path", capsys.readouterr().out)
    assert anchors[0] == "p1"
    assert questions[0] == "multi_path"


def test_a_corpus_without_questions_has_no_table_of_them(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1")

    print_summary(tmp_path / "warehouse.duckdb")

    assert "evidence recall" not in capsys.readouterr().out


def test_items_that_a_system_failed_stand_beside_its_means(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3", n_failed=1_075)

    print_summary(tmp_path / "warehouse.duckdb")

    anchors, questions = lines_about("multi_path", capsys.readouterr().out)
    assert anchors[2:4] == questions[1:3] == ["1,200", "1,075"]


def test_items_that_were_not_run_are_no_failures(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3", n_failed=5, n_not_run=1_075)

    print_summary(tmp_path / "warehouse.duckdb")

    printed = capsys.readouterr().out
    anchors, questions = lines_about("multi_path", printed)
    assert anchors[2:5] == questions[1:4] == ["1,200", "5", "1,075"]
    assert printed.count("failed and not run: in no mean") == 2


def test_no_figure_is_cut_off(tmp_path, capsys):
    long = {"system_id": "own_rag_with_a_telling_name", "self_at_1_strict": 0.5}
    ends = {"mrr_at_30_ci_low": 0.25, "mrr_at_30_ci_high": 0.5, "n_failed": 1, "n_not_run": 1}
    write_reports(tmp_path / "warehouse.duckdb", "p1", **long, **ends)

    print_summary(tmp_path / "warehouse.duckdb")

    assert "…" not in capsys.readouterr().out


def test_records_that_were_not_used_are_told_with_where_to_look(tmp_path, capsys):
    rejections = [
        *(("own_rag", "a.jsonl", line, "record") for line in range(1_002)),
        *(("third_rag", "a.jsonl", line, "record") for line in range(3)),
        *(("third_rag", "a.jsonl", line, "citation") for line in range(3, 7)),
        ("other_rag", "a.jsonl", 1, "order"),
    ]
    write_reports(tmp_path / "warehouse.duckdb", "p3", rejections=rejections)

    print_summary(tmp_path / "warehouse.duckdb")

    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if "external_rejections" in line] == [
        "1 record of other_rag was not used as given; see retrieval.external_rejections",
        "1,002 records of own_rag were not used; see retrieval.external_rejections",
        "3 records of third_rag were not used, 4 not as given; see retrieval.external_rejections",
    ]


def test_a_record_at_fault_in_several_places_is_one_record(tmp_path, capsys):
    rejections = [
        ("own_rag", "a.jsonl", 1, "record"),
        ("own_rag", "a.jsonl", 1, "citation"),
        ("own_rag", "a.jsonl", 2, "source"),
        ("own_rag", "a.jsonl", 2, "order"),
        ("own_rag", "b.jsonl", 1, "record"),
        ("other_rag", "a.jsonl", 2, "field"),
    ]
    write_reports(tmp_path / "warehouse.duckdb", "p3", rejections=rejections)

    print_summary(tmp_path / "warehouse.duckdb")

    printed = capsys.readouterr().out
    assert "1 record of other_rag was not used as given; see" in printed
    assert "2 records of own_rag were not used, 1 not as given; see" in printed


def test_nothing_is_told_of_records_where_all_were_used(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3")

    print_summary(tmp_path / "warehouse.duckdb")

    assert "external_rejections" not in capsys.readouterr().out


def test_answers_add_up_on_the_screen_and_tell_their_cost(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3")

    print_summary(tmp_path / "finrag.duckdb")

    printed = capsys.readouterr().out
    assert "10 = 6 + 2 + 1 + 1; 9 citations, 3 invalid" in printed
    assert "7 calls recorded, 1 failed, 0.2500 USD" in printed


QUALITY = {
    "system_id": "own_rag",
    "accuracy": 0.5,
    "accuracy_ci_low": 0.25,
    "accuracy_ci_high": 0.75,
    "accuracy_n": 6,
    "citations": 1.0,
    "citations_ci_low": 0.9,
    "citations_ci_high": 1.0,
    "citations_n": 3,
}


def test_the_quality_of_answers_is_told_with_interval_and_n(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3", **QUALITY)

    print_summary(tmp_path / "finrag.duckdb")

    line = (
        "own_rag            0.500 [0.250, 0.750] (n = 6); – (n = 0); 1.000 [0.900, 1.000] (n = 3)"
    )
    assert line in capsys.readouterr().out


def test_a_system_that_only_ranks_has_no_quality_of_answers(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3")

    print_summary(tmp_path / "finrag.duckdb")

    assert "Right answers" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        (["nothing_under_test"], 0),
        (["release", "release"], 0),
        (["cannot_tell", "cannot_tell"], 3),
        (["cannot_tell", "cannot_tell", "release"], 3),
        (["do_not_release", "release", "do_not_release"], 1),
        (["cannot_be_trusted", "release"], 1),
    ],
)
def test_the_exit_status_is_that_of_the_worst(tmp_path, outcomes, status):
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=outcomes)

    assert print_summary(tmp_path / "warehouse.duckdb") == status


def test_what_broke_off_is_told_only_where_something_did(tmp_path, capsys):
    asked = "52 as n_asked, 0 as n_failed, 0 as n_not_run"
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=["release"] * 2, asked=asked)

    print_summary(tmp_path / "warehouse.duckdb")

    assert "over 40 of 52 asked; best reference" in capsys.readouterr().out


def test_a_candidate_stands_beside_the_best_reference_and_the_null(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=["release", "release"])

    print_summary(tmp_path / "warehouse.duckdb")

    printed = capsys.readouterr().out.splitlines()
    place = printed.index("Of mine.")
    assert printed[place + 1] == "  On a test."
    assert printed[place + 2] == (
        "  Right: 0.610 [0.500, 0.700] over 40 of 52 asked (9 failed, 3 not run); "
        "best reference theirs 0.950, strongest null 0.125"
    )
    assert "Of ." not in printed


@pytest.mark.parametrize(("n", "more"), [(1, []), (3, []), (5, ["… and 2 more"])])
def test_a_few_public_sets_stand_below_a_headline_and_the_rest_are_counted(
    tmp_path, capsys, n, more
):
    sets = ["finqa", "tatqa", "a", "b", "c"][:n]
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=["release"] * 2, public_sets=sets)

    print_summary(tmp_path / "warehouse.duckdb")

    printed = capsys.readouterr().out.splitlines()
    place = printed.index("Of mine.") + 2
    shown = sorted(sets)[:3]
    below = printed[place : place + 1 + len(shown) + len(more)]
    assert [line.partition(":")[0].strip() for line in below[: 1 + len(shown)]] == [
        "Right",
        *(f"{name}, Right" for name in shown),
    ]
    assert [line.partition(" of public")[0].strip() for line in below[1 + len(shown) :]] == more
    assert printed[place + len(below)] == ""
