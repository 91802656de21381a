"""The summary screen: questions stand apart from anchors, and what is missing stays empty."""

from pathlib import Path

import duckdb
import pytest

from finrag.publishing.summary import _print_gates, figures_of_systems, print_summary
from finrag.warehouse import open_warehouse

FIGURES = Path(__file__).parents[2] / "seeds" / "catalogues" / "page_figures.csv"
SUMMARY = {
    "system_id": "multi_path",
    "gold_set": "p3",
    "slice_name": "overall",
    "slice_value": "all",
    "metric": "hit",
    "k": 5,
    "unit": "sentence",
    "mode": "finrag",
    "mean": None,
    "ci_low": None,
    "ci_high": None,
    "n_evaluated": 1_200,
    "n_failed": 0,
    "n_not_run": 0,
}
# Metric, cut-off, mean and interval of the system that is shown.
MEASURED = [
    ("hit", 1, 0.25, None, None),
    ("hit", 5, 0.5, 0.4, 0.6),
    ("mrr", 30, 0.375, None, None),
    ("ndcg", 10, 0.3, None, None),
    ("evidence_recall", 10, 0.8125, 0.75, 0.875),
]


def summary(metric, k, mean, ci_low=None, ci_high=None, **changes):
    """A row of metric_summaries."""
    return {
        **{**SUMMARY, "metric": metric, "k": k, "mean": mean},
        **{"ci_low": ci_low, "ci_high": ci_high, **changes},
    }


def write_summaries(connection, rows):
    selects = (
        "select " + ", ".join(f"{literal(value)} as {name}" for name, value in row.items())
        for row in rows
    )
    connection.execute(f"""
        create schema if not exists metrics;
        create schema if not exists retrieval;
        create schema if not exists seeds;
        create table metrics.metric_summaries as {" union all ".join(selects)};
        create table retrieval.registered_systems as
        select distinct system_id from metrics.metric_summaries where system_id <> 'gold';
        create table seeds.page_figures as from read_csv('{FIGURES}');
    """)


def literal(value):
    if isinstance(value, str):
        return f"'{value}'"
    return (
        f"cast({'null' if value is None else value} as double)" if is_double(value) else str(value)
    )


def is_double(value):
    return value is None or isinstance(value, float)


BROKEN_OFF = "52 as n_asked, 9 as n_failed, 3 as n_not_run"


def write_reports(
    path,
    *gold_sets,
    rejections=(),
    outcomes=("nothing_under_test",),
    asked=BROKEN_OFF,
    public_sets=(),
    measured=(),
    severity="error",
    breach="null",
    **changes,
):
    names = ("", "mine", "other")
    said = ", ".join(
        f"({min(place, 1)}, '{names[place]}', '{outcome}', 'Of {names[place]}.', 'On a test.')"
        for place, outcome in enumerate(outcomes)
    )
    rows = [
        {**row, "gold_set": name, **changes}
        for name in gold_sets
        for row in [
            *(summary(*figures) for figures in MEASURED),
            *measured,
            summary("evidence_recall", 10, 0.9, slice_name="scope", slice_value="local"),
            summary("evidence_recall", 10, 0.625, slice_name="scope", slice_value="cross_year"),
        ]
    ]
    rejected = ", ".join(
        f"('{system_id}', '{source_file}', {line}, '{part}')"
        for system_id, source_file, line, part in rejections or [("none", "none", 0, "none")]
    )
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"""
            create schema reports;
            create schema gates;
            create schema retrieval;
            create schema gold;
            create schema seeds;
            create table reports.rpt_overview_corpus as
            select 'sample' as corpus, 1 as n_companies, 1 as n_filings, 1 as n_sections,
                1 as n_sentences, 0.0 as duplicate_share, 0 as n_quarantined, 1 as n_records,
                'minilm' as encoder, 'abcdefgh' as run_id;
            create table gold.gold_p3 as
            from (values
                ('q1', 'A', 'template:a'), ('q1~1', 'A', 'paraphrase:m'), ('own', null, 'someone'),
                ('t1', 'T', 'template:t')
            ) as asked (question_id, category, created_by);
            create table gold.items as
            from (values
                ('p3:q1', 'p3', 'filings', 'q1'), ('p3:own', 'p3', 'filings', 'own'),
                ('p3_tables:t1', 'p3_tables', 'filings', 't1'), ('b:own', 'b', 'b', 'own')
            ) as asked (item_id, gold_set, corpus_id, question_id);
            create schema if not exists metrics;
            create table metrics.int_items_excluded as
            from (values ('p3:q1'), ('p3_tables:t1'), ('b:own')) as excluded (item_id);
            create table seeds.p3_category_mix as
            select unnest(['all', 'A', 'B']) as category;
            create table seeds.system_pairs as select 'a_over_b' as pair_id, 'a' as system_a;
            create table reports.rpt_overview_verdict as
            from (values {said}) as said (place, system_id, outcome, headline, measured_on);
            create table reports.rpt_overview_candidates as
            select 'mine' as system_id, gold_set, gold_set <> 'p3' as is_public, 'm' as metric,
                'Right' as metric_label, 0.61 as value, 0.5 as ci_low, 0.7 as ci_high, 40 as n,
                {asked}, 'theirs' as reference_id, 0.95 as reference_value, 0.125 as null_value,
                0 as k, 'answer' as unit, 'finrag' as mode, 'moderate' as band, '' as run_id
            from unnest({["p3", *public_sets]}) as sets (gold_set);
            create table gates.gate_verdicts as
            select 'P0' as phase, 'gate' as gate_id where false;
            create table reports.rpt_overview_gate_details as
            from (values
                ('P3', 'a', 'error', null, 'pass', 'own_rag', 'A', 'A passes', '/answers'),
                ('P4', 'b', 'warn', 'fail', 'fail', 'own_rag', 'B', 'B is 1 %', '/answers'),
                ('P4', 'c', '{severity}', {breach}, 'pass', 'own_rag', 'C', 'C is 2 %', '/gold')
            ) as gates (
                phase, gate_id, severity, breach, verdict, system_id, gate_label, statement, page
            );
            create table reports.rpt_overview_figures as
            select system_id, 'candidate' as role, 1 as system_pos, 1 as figure_pos,
                'answer_accuracy' as figure_id, 'Right answers' as figure, 'measured' as status,
                0.61 as value, 0.5 as ci_low, 0.7 as ci_high, 0.125 as null_value,
                'theirs' as reference_id, 0.95 as reference_value, 'moderate' as band,
                40 as n, 52 as n_asked, '' as run_id
            from unnest(['mine', 'other']) as systems (system_id);
            create table reports.rpt_overview_answers as
            select 'own_rag' as system_id, 'p3' as gold_set, 10 as n_asked,
                6 as n_answered, 2 as n_abstained, 1 as n_failed, 1 as n_not_run,
                9 as n_citations, 3 as n_invalid_citations,
                7 as n_calls, 1 as n_failed_calls, 0.25 as price_usd;
            create table retrieval.external_rejections as
            from (values {rejected}) as rejected (system_id, source_file, source_line, part)
            where system_id <> 'none';
        """)
        write_summaries(connection, rows)


def lines_about(name, printed):
    return [line.split() for line in printed.splitlines() if name in line]


def test_questions_are_shown_by_the_evidence_found(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3")

    assert print_summary(tmp_path / "warehouse.duckdb", has_all=True) == 0

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


def test_agents_are_shown_with_what_they_took_where_one_ran(tmp_path, capsys):
    database = tmp_path / "agents.duckdb"
    write_reports(database, "p3")
    print_summary(database, has_all=True)
    assert "Agents" not in capsys.readouterr().out

    with duckdb.connect(str(database)) as connection:
        connection.execute("""
            create table reports.rpt_agents_systems as
            from (values
                ('p3', 'agent', 1, true, 0.95, 0.9, 0.98, 0.75, null, null, 3.25, 1234.5, 0.125),
                ('p3', 'silent', 2, true, null, null, null, null, null, null, null, null, null),
                ('p3', 'once', 3, false, 0.5, null, null, 0.5, null, null, null, null, null),
                ('b', 'agent', 1, true, 0.25, null, null, 0.5, null, null, 9, 9, 0)
            ) as t (
                gold_set, system_id, system_pos, is_agent, right_share, right_ci_low, right_ci_high,
                evidence, evidence_ci_low, evidence_ci_high, turns, tokens, forced
            ), (values ('Right', 'Recall')) as labels (right_label, evidence_label)
        """)
    print_summary(database, has_all=True)
    shown = capsys.readouterr().out
    assert "Agents (Right and Recall of sound questions)" in shown
    assert "0.950 [0.900, 0.980]; 0.750; 3.2 turns, 1,234 tokens, 12.5%\n" in shown
    assert "silent             –; –; – turns, – tokens, –\n" in shown
    assert "0.250" not in shown.split("Agents")[1].split("\n\n")[0]


def test_lines_of_revenue_are_counted_where_the_corpus_has_tables(tmp_path, capsys):
    """By filings whose chosen view adds up, and by the texts of the system shown first."""
    write_reports(tmp_path / "warehouse.duckdb", "p3")
    print_summary(tmp_path / "warehouse.duckdb", has_all=True)
    assert "Revenue lines" not in capsys.readouterr().out

    with duckdb.connect(str(tmp_path / "warehouse.duckdb")) as connection:
        connection.execute("""
            create table reports.rpt_revenue_lines_sums as
            from (values
                ('f', 'product', true, true, true), ('f', 'segment', true, false, false),
                ('f', 'product', false, true, false), ('g', 'segment', true, true, false),
                ('g', 'geography', true, false, true), ('h', 'none', true, false, false)
            ) as sums (filing_id, view, is_filing_year, is_chosen, is_good);
            create table reports.rpt_revenue_lines_coverage as
            from (values
                ('mine', 1, 'f', 1200, 3), ('mine', 1, 'g', 4, 1), ('rules', 2, 'f', 1200, 9)
            ) as counted (system_id, system_pos, filing_id, n_lines, n_described)
        """)
    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert (
        "Revenue lines: in 2 of 3 filings, 1 of which add up; 4 of 1,204 lines described by mine\n"
        in capsys.readouterr().out
    )

    with duckdb.connect(str(tmp_path / "warehouse.duckdb")) as connection:
        connection.execute("delete from reports.rpt_revenue_lines_coverage")
        connection.execute("delete from reports.rpt_revenue_lines_sums")
    print_summary(tmp_path / "warehouse.duckdb", has_all=True)
    assert "Revenue lines" not in capsys.readouterr().out


def test_anchors_and_questions_have_a_table_each(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3")

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    anchors, questions = lines_about("multi_path", capsys.readouterr().out)
    assert anchors[0] == "p1"
    assert questions[0] == "multi_path"


def test_questions_on_tables_are_shown_by_unit_and_by_what_is_wrong(tmp_path, capsys):
    """Those of rows and cells too, in a table of their own and in no other."""
    measured = [
        summary("hit", 10, 0.9, unit="any"),
        summary("hit", 10, 0.8, unit="row"),
        summary("hit", 10, 0.7, unit="cell"),
        summary("row_right", 1, 0.6, unit="cell"),
        summary("period_right", 1, 0.4, unit="cell"),
        summary("answer_accuracy", 0, 0.5, 0.45, 0.55, unit="answer"),
    ]
    write_reports(tmp_path / "warehouse.duckdb", "p3_tables", measured=measured)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    (tables,) = lines_about("multi_path", capsys.readouterr().out)
    figures = ["0.900", "0.800", "0.700", "0.600", "0.400", "0.500", "[0.450,", "0.550]", "–"]
    assert tables == ["multi_path", "1,200", *figures]


def test_a_system_is_shown_by_its_overall_figures(tmp_path):
    """Slices, other measures and what is no system change no figure and no count."""
    rows = [
        summary("hit", 1, 0.25, 0.1, 0.5, n_evaluated=6, n_failed=1, n_not_run=2),
        summary("hit", 5, 0.5, 0.2, 0.8, n_evaluated=6, n_failed=1, n_not_run=2),
        summary("self_at_1_strict", 1, 0.7, n_evaluated=9, n_failed=1),
        summary("filter_violations", 0, 0.0, unit="any", n_failed=500),
        summary("hit", 5, 0.1, mode="official", n_failed=500),
        summary("hit", 5, 1.0, slice_name="section", slice_value="ITEM_7", n_failed=500),
        summary("hit", 5, 1.0, gold_set="finqa"),
        summary("index_coverage", 0, 1.0, gold_set="corpus"),
        summary("coverage", 0, 0.9, system_id="gold"),
    ]
    database = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(database)) as connection:
        write_summaries(
            connection,
            [{**row, "gold_set": "p1"} if row["gold_set"] == "p3" else row for row in rows],
        )

    with open_warehouse(database) as warehouse:
        (system,) = figures_of_systems(warehouse)

    assert system == {
        "gold_set": "p1",
        "system_id": "multi_path",
        "n_failed": 1,
        "n_not_run": 2,
        "hit_at_1": 0.25,
        "hit_at_1_ci_low": 0.1,
        "hit_at_1_ci_high": 0.5,
        "hit_at_1_n": 6,
        "hit_at_5": 0.5,
        "hit_at_5_ci_low": 0.2,
        "hit_at_5_ci_high": 0.8,
        "hit_at_5_n": 6,
        "self_strict": 0.7,
        "self_strict_ci_low": None,
        "self_strict_ci_high": None,
        "self_strict_n": 9,
    }


def test_questions_are_shown_by_evidence_in_all_and_by_scope(tmp_path):
    """At 10 only, of the whole suite and not of its sound part."""
    scope = {"slice_name": "scope", "slice_value": "cross_year"}
    rows = [
        summary("hit", 5, 0.5, gold_set="p1", n_evaluated=7),
        summary("evidence_recall", 10, 0.6, 0.5, 0.7, n_failed=1),
        summary("evidence_recall", 30, 0.9, 0.8, 1.0),
        summary("evidence_recall", 10, 0.65, slice_name="sound"),
        summary("evidence_recall", 10, 0.3, 0.2, 0.4, **scope),
        summary("evidence_recall", 30, 0.95, **scope),
        summary("recall", 10, 0.1, **scope),
        summary("evidence_recall", 10, 0.4, **{**scope, "slice_name": "sound_scope"}),
        summary("evidence_recall", 10, 0.1, system_id="chunks"),
    ]
    database = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(database)) as connection:
        write_summaries(connection, rows)

    with open_warehouse(database) as warehouse:
        anchors, chunks, paths = figures_of_systems(warehouse)

    name = "evidence_recall_at_10"
    assert (anchors["gold_set"], anchors["hit_at_5_n"], anchors[name]) == ("p1", 7, None)
    assert (chunks["system_id"], chunks[name], chunks["hit_at_5_n"]) == ("chunks", 0.1, None)
    assert [paths[name], paths[f"{name}_ci_low"], paths[f"{name}_ci_high"]] == [0.6, 0.5, 0.7]
    assert paths[f"{name}_cross_year"] == 0.3
    assert (paths[f"{name}_local"], chunks[f"{name}_cross_year"]) == (None, None)
    assert paths["n_failed"] == 1


def test_questions_are_counted_by_category_and_an_empty_one_is_told(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1")

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert (
        "P3: 4 questions (1 of suites, 1 paraphrased): A 2, B 0, T 1, none 1; 2 flagged as bad"
        in capsys.readouterr().out
    )


def test_a_corpus_without_questions_has_no_table_of_them(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1")

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert "evidence recall" not in capsys.readouterr().out


def test_items_that_a_system_failed_stand_beside_its_means(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3", n_failed=1_075)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    anchors, questions = lines_about("multi_path", capsys.readouterr().out)
    assert anchors[2:4] == questions[1:3] == ["1,200", "1,075"]


def test_items_that_were_not_run_are_no_failures(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p1", "p3", n_failed=5, n_not_run=1_075)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    printed = capsys.readouterr().out
    anchors, questions = lines_about("multi_path", printed)
    assert anchors[2:5] == questions[1:4] == ["1,200", "5", "1,075"]
    assert printed.count("failed and not run: in no mean") == 2


def test_no_figure_is_cut_off(tmp_path, capsys):
    long = {"system_id": "own_rag_with_a_telling_name", "ci_low": 0.25, "ci_high": 0.5}
    measured = [summary("self_at_1_strict", 1, 0.5), summary("self_at_1_tie_aware", 1, 0.5)]
    counts = {"n_failed": 1, "n_not_run": 1}
    write_reports(tmp_path / "warehouse.duckdb", "p1", measured=measured, **long, **counts)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert "…" not in capsys.readouterr().out


def test_records_that_were_not_used_are_told_with_where_to_look(tmp_path, capsys):
    rejections = [
        *(("own_rag", "a.jsonl", line, "record") for line in range(1_002)),
        *(("third_rag", "a.jsonl", line, "record") for line in range(3)),
        *(("third_rag", "a.jsonl", line, "citation") for line in range(3, 7)),
        ("other_rag", "a.jsonl", 1, "order"),
    ]
    write_reports(tmp_path / "warehouse.duckdb", "p3", rejections=rejections)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

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

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    printed = capsys.readouterr().out
    assert "1 record of other_rag was not used as given; see" in printed
    assert "2 records of own_rag were not used, 1 not as given; see" in printed


def test_nothing_is_told_of_records_where_all_were_used(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3")

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert "external_rejections" not in capsys.readouterr().out


def test_answers_add_up_on_the_screen_and_tell_their_cost(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3")

    print_summary(tmp_path / "finrag.duckdb", has_all=True)

    printed = capsys.readouterr().out
    assert "10 = 6 + 2 + 1 + 1; 9 citations, 3 invalid" in printed
    assert "7 calls recorded, 1 failed, 0.2500 USD" in printed


QUALITY = [
    summary("answer_accuracy", 0, 0.5, 0.25, 0.75, unit="answer", n_evaluated=6),
    summary("citation_correctness", 0, 1.0, 0.9, 1.0, unit="answer", n_evaluated=3),
]


def test_the_quality_of_answers_is_told_with_interval_and_n(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3", measured=QUALITY, system_id="own_rag")

    print_summary(tmp_path / "finrag.duckdb", has_all=True)

    line = (
        "own_rag            0.500 [0.250, 0.750] (n = 6); – (n = 0); 1.000 [0.900, 1.000] (n = 3)"
    )
    assert line in capsys.readouterr().out


def test_a_system_that_only_ranks_has_no_quality_of_answers(tmp_path, capsys):
    write_reports(tmp_path / "finrag.duckdb", "p3")

    print_summary(tmp_path / "finrag.duckdb", has_all=True)

    assert "Right answers" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("outcomes", "broken", "status"),
    [
        (["nothing_under_test"], None, 0),
        (["nothing_under_test"], "warn", 0),
        (["nothing_under_test"], "reference", 0),
        (["nothing_under_test"], "error", 1),
        (["release", "release"], "reference", 0),
        (["release", "release"], None, 0),
        (["release", "release"], "error", 1),
        (["cannot_tell", "cannot_tell"], None, 3),
        (["cannot_tell", "cannot_tell", "release"], None, 3),
        (["do_not_release", "release", "do_not_release"], None, 1),
        (["cannot_be_trusted", "cannot_be_trusted"], None, 1),
    ],
)
@pytest.mark.parametrize("has_all", [False, True])
def test_the_exit_status_is_that_of_the_worst(tmp_path, capsys, outcomes, broken, status, has_all):
    gate = {"severity": broken, "breach": "'fail'"} if broken else {}
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=outcomes, **gate)

    assert print_summary(tmp_path / "warehouse.duckdb", has_all=has_all) == status
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"Exit status {status}: ")


def test_the_last_screen_is_read_from_the_reports(tmp_path, capsys):
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=["release", "release"])

    assert print_summary(tmp_path / "warehouse.duckdb") == 0

    assert capsys.readouterr().out.splitlines() == [
        "Of mine.",
        "  On a test.",
        "Corpus 'sample': 1 company, 1 filing, 1 sentence.",
        "  Right answers: 0.610 [0.500, 0.700] (n = 40 of 52); null 0"
        ".125 (gain moderate), best reference 0.…",
        "Warning: B is 1 % (/answers)",
        "Next: make dashboard (pages), finrag summary --all (every system and gate), make ask (one "
        "question)",
        "Exit status 0: release, nothing under test, or undecided where allow_undecided is true.",
    ]


def test_what_broke_off_is_told_only_where_something_did(tmp_path, capsys):
    asked = "52 as n_asked, 0 as n_failed, 0 as n_not_run"
    sets = ["finqa"]
    write_reports(
        tmp_path / "warehouse.duckdb",
        *("p3",),
        outcomes=["release"] * 2,
        asked=asked,
        public_sets=sets,
    )

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    assert "finqa: Right: 0.610 [0.500, 0.700] (n = 40 of 52); null" in capsys.readouterr().out


def test_a_candidate_stands_beside_the_best_reference_and_the_null(tmp_path, capsys):
    database = tmp_path / "warehouse.duckdb"
    write_reports(database, "p3", outcomes=["release", "release"], public_sets=["finqa"])

    print_summary(database, has_all=True)

    printed = capsys.readouterr().out.splitlines()
    place = printed.index("Of mine.")
    assert printed[place + 1] == "  On a test."
    beside = "null 0.125 (gain moderate), best reference 0.950 theirs"
    assert printed[place + 2] == (f"  Right answers: 0.610 [0.500, 0.700] (n = 40 of 52); {beside}")
    assert printed[place + 3] == (
        f"  finqa: Right: 0.610 [0.500, 0.700] (n = 40 of 52: 9 failed, 3 not run); {beside}"
    )
    assert "Of ." not in printed


@pytest.mark.parametrize(("n", "more"), [(1, []), (3, []), (5, ["… and 2 more"])])
def test_a_few_public_sets_stand_below_a_headline_and_the_rest_are_counted(
    tmp_path, capsys, n, more
):
    sets = ["finqa", "tatqa", "a", "b", "c"][:n]
    write_reports(tmp_path / "warehouse.duckdb", "p3", outcomes=["release"] * 2, public_sets=sets)

    print_summary(tmp_path / "warehouse.duckdb", has_all=True)

    printed = capsys.readouterr().out.splitlines()
    place = printed.index("Of mine.") + 2
    shown = sorted(sets)[:3]
    below = printed[place : place + 1 + len(shown) + len(more)]
    assert [line.partition(": 0.")[0].strip() for line in below[: 1 + len(shown)]] == [
        "Right answers",
        *(f"{name}: Right" for name in shown),
    ]
    assert [line.partition(" of public")[0].strip() for line in below[1 + len(shown) :]] == more
    assert printed[place + len(below)] == ""


def test_all_of_the_summary_has_each_gate_with_value_and_limit(capsys):
    gate = {"breach": None, "severity": "error", "n": 180, "is_trusted": True, "phase": "P4"}
    gate["statement"] = "Hit is 82.1 %, should be at least 80.0 %"
    _print_gates(
        [
            gate | {"gate_id": "met", "verdict": "pass"},
            gate | {"gate_id": "idle", "verdict": "not_applicable", "n": None},
            gate | {"gate_id": "missed", "verdict": "fail", "breach": "fail"},
        ]
    )

    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "Gates: 1 fail, 1 not applicable, 1 pass"
    assert [line.split()[2] for line in lines] == ["missed:", "idle:", "met:"]
    assert lines[2].endswith("met: Hit is 82.1 %, should be at least 80.0 % (n = 180)")
