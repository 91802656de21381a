"""What a person sees before and after a build."""

import json

import duckdb
import pytest

from finrag.command import cli
from finrag.command.building import build as building
from finrag.command.cli import main
from finrag.command.preflight import check_agents, check_build, merge_variables, notes
from finrag.command.settings import system_seeds
from finrag.publishing import screen, summary
from finrag.publishing.frozen_anchors import check_frozen_anchors
from tests.unit.reported_run import FAILED, gate, write_run

VARIABLES = {
    "corpus": "sample",
    "corpus_path": "",
    "companies_path": "",
    "state_dir": ".finrag",
    "chunk_tokens": 1000,
    "chunk_overlap": 0,
    "enable_systems": [],
    "encoder": "wordllama",
    "llm": "",
    "systems_paths": [],
    "p2_window_min": 5,
    "p2_window_max": 12,
    "p3_suite_paths": [],
    "benchmarks_paths": [],
    "paraphraser": "",
    "peer_bundle_size": 4,
    "allow_undecided": False,
}
RAW = {"corpus": "raw_filings", "corpus_path": "tests/frameworks.txt"}
SYSTEMS = [{"system_id": "alpha", "system_kind": "random", "settings": ""}]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"corpus": "edger"}, "corpus to one of"),
        ({"corpus": "edgar", "state_dir": "no/such/folder"}, "finrag fetch"),
        ({"corpus": "filings"}, "corpus_path is empty"),
        ({"corpus": "filings", "corpus_path": "no/such/file"}, "nothing found at"),
        ({"corpus_path": "README.md"}, "which does not use corpus_path"),
        ({"corpus": "raw_filings", "corpus_path": "seeds"}, "seeds holds no readable file"),
        ({**RAW, "filings_path": "/nope.csv"}, "filings_path: no file at '/nope.csv'"),
        ({**RAW, "filings_path": "seeds/gates/gate_thresholds.csv"}, "the column file is missing"),
        ({**RAW, "raw_max_ratio": 0}, "raw_max_ratio is 0, so nothing would be read"),
        ({"encoder": "minilmm"}, "minilm"),
        ({"p2_window_min": 13}, "no window fits between"),
        ({"chunk_overlap": -1}, "chunk_overlap 0 or more"),
        ({"enable_systems": ["nosuch"]}, "names nosuch; available: alpha"),
        ({"paraphraser": "gpt"}, "set it to openai:<model>"),
        ({"paraphraser": "openai:"}, "set it to openai:<model>"),
        ({"peer_bundle_size": 1}, "one company has no peers"),
        ({"p3_suite_paths": ["no/such/suite.json"]}, "correct the dbt var p3_suite_paths"),
        ({"p3_suite_paths": "tests"}, "name its files in the dbt var p3_suite_paths"),
        ({"benchmarks_paths": ["no/such/folder"]}, "set the dbt var benchmarks_paths"),
    ],
)
def test_a_build_that_cannot_start_says_why(tmp_path, changed, message):
    with pytest.raises(ValueError, match=message):
        check_build(tmp_path / "finrag.duckdb", {**VARIABLES, **changed}, SYSTEMS, [])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"corpus_pat": "x"}, "no dbt var 'corpus_pat'; did you mean corpus_path\\?"),
        ({"p2_window_min": "abc"}, "expected a whole number"),
        ({"p2_window_min": -1}, "expected a whole number"),
        ({"p2_window_min": 1.5}, "is '1.5', expected a whole number from 0 up"),
        ({"allow_undecided": "yes"}, "expected true or false"),
        ({"allow_undecided": 1}, "expected true or false"),
    ],
)
def test_a_variable_that_cannot_be_meant_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        merge_variables(VARIABLES, given)


def test_a_given_variable_replaces_the_default():
    merged = merge_variables(VARIABLES, {"enable_systems": ["dense_open"]})
    assert merged == {**VARIABLES, "enable_systems": ["dense_open"]}


def test_a_warehouse_named_like_a_schema_is_refused(tmp_path):
    with pytest.raises(ValueError, match="a schema has that name"):
        check_build(tmp_path / "gold.duckdb", VARIABLES, SYSTEMS, [])


def test_a_file_that_is_no_warehouse_is_refused(tmp_path):
    path = tmp_path / "finrag.duckdb"
    path.write_bytes(b"not a database" * 1000)

    with pytest.raises(ValueError, match="not a DuckDB file"):
        check_build(path, VARIABLES, SYSTEMS, [])


def test_a_system_that_asks_a_model_without_an_endpoint_is_noted(tmp_path, monkeypatch):
    for name in ("FINRAG_LLM_BASE_URL", "FINRAG_LLM_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    asking = [{"system_id": "asks", "answerer": "openai:m"}, {"system_id": "b", "answerer": "none"}]

    (note,) = notes(asking)
    assert note.startswith("asks ask a language model, but neither an address nor a key is set")

    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert notes(asking) == []
    assert notes(asking[1:]) == []


def test_an_empty_corpus_file_is_refused(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.touch()

    with pytest.raises(ValueError, match="is empty"):
        check_build(
            tmp_path / "finrag.duckdb",
            {**VARIABLES, "corpus": "filings", "corpus_path": str(path)},
            SYSTEMS,
            [],
        )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", r"run\.jsonl, line 1: "),
        ('{"item_id": "Q1", "steps": []}', "line 1: the session has no steps"),
    ],
)
def test_a_transcript_that_cannot_be_replayed_stops_no_build_halfway(tmp_path, line, message):
    path = tmp_path / "run.jsonl"
    path.write_text(f"{line}\n", "utf-8")

    with pytest.raises(ValueError, match=message):
        check_agents([{"system_id": "again", "policy": "replay", "replay_path": str(path)}])


def test_a_budget_of_costs_needs_a_price():
    agent = {"system_id": "cheap", "policy": "llm", "cost_budget": 0.05}
    check_agents([agent | {"answerer": "openai:gpt-4o"}])

    with pytest.raises(ValueError, match=r"system cheap: .* price of 'nobody' is not known"):
        check_agents([agent | {"answerer": "openai:nobody"}])


def test_a_build_checks_its_agents(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("not json\n", "utf-8")
    again = {"system_id": "again", "system_kind": "agent", "is_enabled": "true"}
    again |= {"settings": f"policy=replay; replay_path={path}"}

    with pytest.raises(ValueError, match=r"run\.jsonl, line 1: "):
        check_build(tmp_path / "finrag.duckdb", VARIABLES, [again], system_seeds()[1])


def test_a_new_warehouse_may_be_built(tmp_path):
    check_build(tmp_path / "finrag.duckdb", VARIABLES, SYSTEMS, [])


def test_the_summary_of_no_warehouse_says_what_to_run(tmp_path, capsys):
    assert main(["summary", "--database", str(tmp_path / "none.duckdb")]) == 2
    assert "make build" in capsys.readouterr().err


def test_the_summary_of_an_unfinished_warehouse_says_so(tmp_path, capsys):
    path = tmp_path / "finrag.duckdb"
    duckdb.connect(str(path)).close()

    assert main(["summary", "--database", str(path)]) == 2
    assert "no finished build" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("found", "has_failed", "is_allowed", "status"),
    [(3, False, True, 0), (3, False, False, 3), (3, True, True, 1), (1, False, True, 1)],
)
def test_a_build_that_cannot_tell_fails_unless_that_is_allowed(
    tmp_path, monkeypatch, capsys, found, has_failed, is_allowed, status
):
    monkeypatch.chdir(tmp_path)
    for name in ("FINRAG_DATABASE", "FINRAG_FINGERPRINT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(building, "build", lambda *_: building.Built(0, 0, has_failed))
    read = screen.Screen(((f"Verdict {found}.", ""),), (), (), (), (), found)
    monkeypatch.setattr(summary, "read_screen", lambda *_: read)
    for step in ("_check", "_report", "_alert", "_export"):
        monkeypatch.setattr(cli, step, lambda _: 0)
    given = ["--database", "w.duckdb", "--vars", f"allow_undecided: {str(is_allowed).lower()}"]
    assert cli.main(["build", *given]) == status
    printed = capsys.readouterr()
    assert ("exit status 0 instead of 3" in printed.err) == (status == 0)
    lines = printed.out.splitlines()
    assert lines[-2] == f"Verdict {found}."
    assert lines[-1].startswith(f"Exit status {status}: ")


def test_figures_of_an_earlier_build_never_pass_for_this_one(tmp_path, capsys):
    path, results = tmp_path / "finrag.duckdb", tmp_path / "run_results.json"
    duckdb.connect(str(path)).close()
    stopped = [{"unique_id": "model.finrag.py_filings_read", "status": "error"}]
    results.write_text(json.dumps({"results": stopped}))

    assert main(["summary", "--database", str(path), "--results", str(results)]) == 2
    assert "of an earlier build" in capsys.readouterr().err


def test_a_suite_is_frozen_as_it_stands_in_the_warehouse(tmp_path, capsys):
    path, seed = tmp_path / "finrag.duckdb", tmp_path / "p3_baseline.csv"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema gold")
        connection.execute(
            """
            create table gold.int_p3_fingerprints as
            select * from (values
                ('q2', 'h2', 'Why?', 'span', 'a "quoted", cause', null, null, 's2 | s3'),
                ('q1', 'h1', 'How much?', 'numeric', '$5', 5.0, 'USD', 's1')
            ) as rows(question_id, content_hash, question_text, answer_type, answer_text,
                      answer_numeric, answer_unit, evidence_sentence_ids)
            """
        )

    assert main(["freeze", "--database", str(path), "--to", str(seed)]) == 0

    assert "2 questions stored" in capsys.readouterr().out
    assert seed.read_text(encoding="utf-8").splitlines() == [
        "question_id,content_hash,question_text,answer_type,answer_text,answer_numeric,"
        "answer_unit,evidence_sentence_ids",
        "q1,h1,How much?,numeric,$5,5.0,USD,s1",
        'q2,h2,Why?,span,"a ""quoted"", cause",,,s2 | s3',
    ]


def test_a_suite_is_made_of_predictions(tmp_path, capsys):
    run, suite = tmp_path / "run.jsonl", tmp_path / "suite.jsonl"
    records = [
        {"id": "X1", "question": "Why a bridge?", "predicted": "Ore.", "gold": "For freight."},
        {"id": "X2", "question": "Why a tunnel?", "predicted": "For freight."},
    ]
    run.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    assert main(["suite", str(run), str(suite)]) == 0

    assert "2 questions written" in (said := capsys.readouterr().out)
    assert "1 of them without a right answer" in said
    written = [json.loads(line) for line in suite.read_text().splitlines()]
    assert [question.get("answer_text") for question in written] == ["For freight.", None]


def test_no_suite_is_made_of_nothing(tmp_path, capsys):
    assert main(["suite", str(tmp_path / "none.jsonl"), str(tmp_path / "suite.jsonl")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert not (tmp_path / "suite.jsonl").exists()


def test_a_warehouse_without_a_suite_cannot_be_frozen(tmp_path, capsys):
    path = tmp_path / "finrag.duckdb"
    duckdb.connect(str(path)).close()

    assert main(["freeze", "--database", str(path), "--to", str(tmp_path / "b.csv")]) == 2
    assert "holds no P3 suite" in capsys.readouterr().err
    assert not (tmp_path / "b.csv").exists()


def test_a_report_is_written_to_the_state_folder_of_the_build(tmp_path, capsys):
    database = write_run(tmp_path / "finrag.duckdb")
    state = f"{{state_dir: {tmp_path / 'state'}}}"

    assert main(["report", "--database", str(database), "--vars", state]) == 0

    written = sorted(path.suffix for path in (tmp_path / "state" / "reports").iterdir())
    assert written == [".json", ".md"]
    assert ".md (and .json)" in capsys.readouterr().out


def test_broken_gates_are_told_and_fail_no_command(tmp_path, capsys):
    database = write_run(tmp_path / "finrag.duckdb", gate("hits", **FAILED))
    state = f"{{state_dir: {tmp_path / 'state'}}}"

    assert main(["alert", "--database", str(database), "--vars", state]) == 0
    assert "Alerts: hits (fail); see" in capsys.readouterr().out

    assert main(["alert", "--database", str(database), "--vars", state]) == 0
    assert "no gate has changed" in capsys.readouterr().out


def test_of_many_alerts_the_screen_names_a_few(tmp_path, capsys):
    database = write_run(tmp_path / "finrag.duckdb", *(gate(f"g{n}", **FAILED) for n in range(5)))
    state = f"{{state_dir: {tmp_path / 'state'}}}"

    assert main(["alert", "--database", str(database), "--vars", state]) == 0
    assert "Alerts: g0 (fail), g1 (fail), g2 (fail) and 2 more; see" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["report", "alert"])
def test_a_run_that_stopped_has_no_report_and_no_alert(tmp_path, capsys, command):
    database = write_run(tmp_path / "finrag.duckdb")
    results = tmp_path / "run_results.json"
    skipped = ("gate_verdicts", "rpt_gate_examples")
    rows = [{"unique_id": f"model.finrag.{name}", "status": "skipped"} for name in skipped]
    results.write_text(json.dumps({"results": rows}))

    assert main([command, "--database", str(database), "--results", str(results)]) == 2
    said = capsys.readouterr().err
    assert "this build stopped before" in said
    assert any(name in said for name in skipped)


def test_anchors_are_frozen_with_their_texts(tmp_path, capsys):
    path, target = tmp_path / "finrag.duckdb", tmp_path / "frozen.csv"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema gold; create schema sentences")
        connection.execute("create table sentences.sentences as from range(9)")
        connection.execute(
            "create table gold.anchors as select 'p1:' || n as item_id, n as sentence_id, "
            "'Sales of \"ore\", ' || n as sentence_text from (values ('a'), ('b'), ('c')) as t (n)"
        )
        connection.execute("create table gold.gold_p1 as select item_id from gold.anchors limit 2")
    arguments = ["freeze", "anchors", "--database", str(path), "--to", str(target)]

    assert main([*arguments, "--n", "1"]) == 0
    assert "1 anchors stored" in capsys.readouterr().out
    header, first = target.read_text().splitlines()
    assert header == "sentence_id,sentence_text,n_sentences"
    assert main(arguments) == 0
    assert set(target.read_text().splitlines()) == {
        header,
        'a,"Sales of ""ore"", a",9',
        'b,"Sales of ""ore"", b",9',
    }
    assert first in target.read_text()
    check_frozen_anchors(str(target))
    assert main([*arguments, "--n", "0"]) == 2
    assert "--n is 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no file at"),
        ("sentence_id,sentence_text\na,b\n", "its columns must be"),
        ("sentence_id,sentence_text,n_sentences\na,b,9\nb,,9\n", "line 3"),
        ("sentence_id,sentence_text,n_sentences\na,b,many\n", "line 2"),
        ("sentence_id,sentence_text,n_sentences\na,b\n", "line 2"),
        ("", "is empty; its first line must name the columns"),
    ],
)
def test_a_file_that_holds_no_frozen_anchors_is_named(tmp_path, text, words):
    path = tmp_path / "frozen.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=words):
        check_frozen_anchors(str(path))
