"""What a build leaves as it stands: keys of nodes, the record beside a warehouse, the screen."""

import dataclasses
import io
import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from finrag.cache.build_record import (
    failed_checks,
    read_record,
    record_path,
    remove_record,
    write_record,
)
from finrag.cache.modules import library_digest, modules_behind
from finrag.command.building.build import _failed, _vouched, holding
from finrag.command.building.keys import Setting, node_keys
from finrag.command.building.pace import FILE, Pace, read_seconds, write_seconds
from finrag.command.building.phases import GATES_CHECK, Phases, troubles
from finrag.command.building.sources import files_digest
from finrag.warehouse import model_statuses
from finrag.warehouse.project import Node, Outcome, Project, commonest_breaches
from finrag.warehouse.variables import settings_of_systems

SETTING = Setting(build="b1", day="2026-01-01", variables={}, versions={"duckdb": "1", "x": "1"})


def node(name, *parents, kind="model", code="select 1", file=None, room="gold", **fields):
    return Node(
        unique_id=name,
        name=name,
        kind=kind,
        room=room,
        parents=parents,
        code=code,
        file=file,
        meta=fields.pop("meta", {}),
        is_per_run=fields.pop("is_per_run", False),
        reads_day=fields.pop("reads_day", False),
    )


def changed(before, after, setting=SETTING, other=SETTING):
    """Names of nodes whose key is another one."""
    first, second = node_keys(before, setting), node_keys(after, other)
    return {name for name in second if first.get(name) != second[name]}


CHAIN = [node("a"), node("b", "a"), node("c", "b"), node("test of b", "b", kind="test"), node("d")]


def test_the_same_again_changes_no_key():
    assert changed(CHAIN, CHAIN, other=dataclasses.replace(SETTING, build="b2")) == set()


def test_a_change_reaches_all_behind_it_and_nothing_else():
    after = [CHAIN[0], node("b", "a", code="select 2"), *CHAIN[2:]]

    assert changed(CHAIN, after) == {"b", "c", "test of b"}


@pytest.mark.parametrize(
    ("fields", "setting", "expected"),
    [
        ({"reads_day": True}, {"day": "2026-01-02"}, {"b", "c"}),
        ({}, {"day": "2026-01-02"}, set()),
        ({"is_per_run": True}, {"build": "b2"}, {"b", "c"}),
        ({}, {"versions": {"duckdb": "2", "x": "1"}}, {"a", "b", "c"}),
        ({}, {"versions": {"duckdb": "1", "x": "2"}}, set()),
    ],
)
def test_day_build_and_engine_reach_those_that_depend_on_them(fields, setting, expected):
    nodes = [node("a"), node("b", "a", **fields), node("c", "b")]

    assert changed(nodes, nodes, other=dataclasses.replace(SETTING, **setting)) == expected


@pytest.fixture
def python(tmp_path):
    """A Python model of the project's style, that calls one room of the library."""
    file = tmp_path / "py_sentences_split.py"
    file.write_text("def model(dbt, session):\n    import finrag.text.splitting\n")
    return file


def test_a_version_of_any_package_reaches_python_models_only(python):
    nodes = [node("a"), node("py", "a", file=python), node("c", "py"), node("d", "a")]
    other = dataclasses.replace(SETTING, versions={"duckdb": "1", "x": "2"})

    assert changed(nodes, nodes, other=other) == {"py", "c"}


@pytest.mark.parametrize(
    ("asks", "system", "expected"),
    [
        ("model", {"answerer": "openai:m"}, {"py"}),
        ("model", {"reranker": "llm:m"}, {"py"}),
        ("model", {"answerer": "extractive"}, set()),
        ("service", {"service_url": "http://localhost"}, {"py"}),
        ("service", {"service_url": None}, set()),
        (None, {"answerer": "openai:m", "service_url": "http://localhost"}, set()),
    ],
)
def test_what_may_answer_otherwise_today_is_asked_in_every_build(python, asks, system, expected):
    nodes = [node("py", file=python, meta={"asks": asks})]
    first = dataclasses.replace(SETTING, systems=[{"system_id": "mine", **system}])

    second = dataclasses.replace(first, build="b2")
    assert changed(nodes, nodes, first, second) == expected


def test_a_file_that_a_system_names_reaches_the_registry(python, tmp_path):
    nodes = [node("py", file=python, meta={"systems_paths": []})]
    path = tmp_path / "mine.jsonl"
    path.write_text("{}\n")
    setting = dataclasses.replace(
        SETTING, systems=[{"system_id": "mine", "predictions_path": str(path)}]
    )
    first = node_keys(nodes, setting)
    path.write_text("{} \n")

    assert node_keys(nodes, dataclasses.replace(setting)) != first


def test_a_new_mark_reaches_the_models_that_read_reviews(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text("question_id,verdict\n")
    nodes = [node("a"), node("r", "a", meta={"reviews_paths": [str(path)]}), node("b", "r")]
    first = node_keys(nodes, SETTING)
    path.write_text("question_id,verdict\nq,accept\n")
    second = node_keys(nodes, SETTING)

    assert {name for name in first if first[name] != second[name]} == {"r", "b"}


def test_modules_are_followed_into_functions_and_through_packages():
    found = modules_behind("def model():\n    import finrag.sources.corpus\n")

    assert {"finrag.sources.corpus", "finrag.sources", "finrag.records"} <= found
    assert not {"finrag.command", "finrag.live"} & found
    assert modules_behind("import duckdb\n") == frozenset()


@pytest.mark.parametrize(
    "code",
    [
        "import finrag.text.words",
        "import finrag.text.words as w",
        "from finrag.text import words",
        "from finrag.text.words import padded_words as p",
        "class A:\n    def f(self):\n        return [x for x in (lambda: __import__)()]\n"
        "    import os, finrag.text.words",
        "async def f():\n    if 0 > 1:\n        from finrag.text import (words)",
        "try:\n    pass\nexcept OSError:\n    def g():\n        import finrag.text.words",
    ],
)
def test_an_import_counts_in_every_form_and_place(code):
    found = modules_behind(code)
    assert {"finrag.text", "finrag.text.words"} <= found
    assert "finrag.text.sentences" not in found


def test_a_file_of_the_project_that_a_module_names_counts(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    suite = tmp_path / "seeds" / "gold" / "p3_curated_sample.jsonl"
    suite.parent.mkdir(parents=True)
    suite.write_text("{}\n")
    (tmp_path / "dbt_project.yml").write_text("name: finrag\n")
    modules = ["finrag.sources.suites.suites"]

    with_one = library_digest(modules)
    suite.write_text("{} \n")

    assert library_digest(modules) != with_one


def test_files_are_found_by_path_folder_and_glob(tmp_path):
    (tmp_path / "a.jsonl").write_text("1")
    inside = {"corpus_path": str(tmp_path)}
    by_glob = {"corpus_path": str(tmp_path / "*.jsonl")}
    by_encoder = {"encoder": f"sentence-transformers:{tmp_path}"}

    nothing = files_digest({"corpus_path": "no such place"})
    assert nothing == files_digest({})
    assert files_digest(inside) == files_digest(by_glob) == files_digest(by_encoder) != nothing


def test_linked_folders_and_brackets_in_a_path_are_seen(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.json").write_text("1")
    (tmp_path / "data [2024]").mkdir()
    (tmp_path / "data [2024]" / "linked").symlink_to(tmp_path / "real")
    nothing = files_digest({})

    for value in ("data [2024]", "*/linked", "data*/**/*.json"):
        assert files_digest({"corpus_path": str(tmp_path / value)}) != nothing, value


def test_weights_are_found_behind_prompts_and_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "weights").write_text("1")
    nothing = files_digest({})

    assert files_digest({"e": f"sentence-transformers:{tmp_path}/own?query_prompt=q: "}) != nothing
    assert files_digest({"e": "sentence-transformers:~/own"}) != nothing


def test_an_encoder_at_another_endpoint_is_another(python, monkeypatch):
    nodes = [node("py", file=python, meta={"systems_paths": []})]
    systems = [{"system_id": "mine", "encoder": "openai:text-small", "reranker": "none"}]
    keys = []
    for address in ("http://localhost:1/v1", "http://localhost:2/v1"):
        monkeypatch.setenv("FINRAG_EMBEDDINGS_BASE_URL", address)
        keys.append(node_keys(nodes, dataclasses.replace(SETTING, systems=systems)))

    assert keys[0] != keys[1]


# --- The record -------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "finrag.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table t as select 1 as n")
    indexes = tmp_path / ".finrag" / "cache" / "indexes"
    indexes.mkdir(parents=True)
    (indexes / "i.faiss").write_bytes(b"index")
    write_record(path, tmp_path / ".finrag", {"a": "1"})
    return path


def read(database):
    return read_record(database, database.parent / ".finrag")


def test_a_record_is_read_again_after_reading_the_warehouse(database):
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("from t")

    assert read(database) == {"a": "1"}


def write_to(database):
    with duckdb.connect(str(database)) as connection:
        connection.execute("update t set n = 2")


def put_another_in_place(database):
    database.rename(database.with_name("old"))
    (database.parent / "old").rename(database)
    os.utime(database)


def leave_a_log(database):
    database.with_name("finrag.duckdb.wal").write_bytes(b"")


def cut_off(database):
    path = record_path(database)
    path.write_text(path.read_text()[:-5])


def of_another_version(database):
    path = record_path(database)
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 0}))


@pytest.mark.parametrize(
    "spoil",
    [
        write_to,
        put_another_in_place,
        leave_a_log,
        cut_off,
        of_another_version,
        lambda database: database.unlink(),
        lambda database: shutil.rmtree(database.parent / ".finrag" / "cache"),
        lambda database: (database.parent / ".finrag" / "cache" / "indexes" / "i.faiss").unlink(),
        lambda database: record_path(database).write_text("[]"),
        remove_record,
    ],
)
def test_a_record_that_can_vouch_for_nothing_is_none(database, spoil):
    spoil(database)

    assert read(database) == {}


# --- What a build leaves ------------------------------------------------------------------------


def vouched(before, **statuses):
    nodes = [node("a"), node("b", "a"), node("c", "b"), node("t", "b", kind="test")]
    keys = {one.unique_id: f"new {one.unique_id}" for one in nodes}
    outcomes = [Outcome(name, status, "") for name, status in statuses.items()]
    return _vouched(nodes, keys, before, outcomes)


def test_only_what_ran_well_over_what_ran_well_is_vouched_for():
    assert vouched({}, a="success", b="error", c="skipped", t="skipped") == {"a": "new a"}
    assert vouched({}, a="success", b="success", c="skipped", t="fail") == {
        "a": "new a",
        "b": "new b",
    }


def test_a_warning_is_shown_in_every_build():
    assert "t" not in vouched({}, a="success", b="success", c="success", t="warn")


def test_a_part_over_an_old_table_is_not_vouched_for():
    old = {"a": "old a", "b": "old b", "c": "old c"}

    # c ran over b as it was: its table is neither the old one nor that of a whole build.
    assert vouched(old, c="success") == {"a": "old a", "b": "old b"}


def test_what_failed_loses_the_key_it_had():
    assert vouched({"a": "old a"}, a="error") == {}


def test_models_that_were_unchanged_count_as_built_by_their_own_build_only(tmp_path):
    results = tmp_path / "run_results.json"
    results.write_text(json.dumps({"metadata": {"invocation_id": "i"}, "results": []}))
    beside = tmp_path / "unchanged.json"

    beside.write_text(json.dumps({"invocation_id": "i", "models": ["model.finrag.a"]}))
    assert model_statuses(results) == {"a": "success"}
    beside.write_text(json.dumps({"invocation_id": "older", "models": ["model.finrag.a"]}))
    assert model_statuses(results) == {}


# --- The screen ---------------------------------------------------------------------------------


def test_a_phase_is_printed_once_when_its_last_step_has_ended():
    out = io.StringIO()
    nodes = [node("a"), node("t", "a", kind="test"), node("m", "a", room="metrics")]
    phases = Phases(nodes, Pace(nodes, nodes, {}), out)
    for name in ("a", "m"):
        phases.heard(name, "start")
        phases.heard(name, "success")
    assert [line.split()[0] for line in out.getvalue().splitlines()] == ["scoring"]
    phases.heard("t", "start")
    phases.heard("t", "pass")

    assert out.getvalue().splitlines() == [
        "scoring         1 steps,     0 checks, done after 0:00",
        "gold            1 steps,     1 checks, done after 0:00",
    ]


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_phase_tells_the_time_left_by_what_the_steps_took_before():
    out, clock = io.StringIO(), Clock()
    nodes = [node("a"), node("m", "a", room="metrics"), node("r", "m", room="reports")]
    phases = Phases(nodes, Pace(nodes, nodes, {"a": 10.0, "m": 25.0, "r": 4.0}, clock), out)

    # The machine takes twice as long as before.
    for name, took_s in (("a", 20), ("m", 50), ("r", 8)):
        phases.heard(name, "start")
        clock.now += took_s
        phases.heard(name, "success")

    assert [line.split("checks, ")[1] for line in out.getvalue().splitlines()] == [
        "done after 0:20, about 0:58 left",
        "done after 1:10",
        "done after 1:18",
    ]


def test_time_left_is_told_only_when_enough_is_done_to_tell():
    clock = Clock()
    nodes = [node("a"), *(node(f"r{n}", room="retrieval") for n in range(10))]
    pace = Pace(nodes, nodes[:4], {}, clock)
    clock.now += 2
    pace.ended("a", "success")
    assert pace.left_s() == pytest.approx(2 * 63 / 5.7)
    assert Pace(nodes, nodes, {}, clock).left_s() is None

    clock.now += 38
    # By the sample a step of retrieval takes a tenth of 210 s; what is skipped was no work.
    pace.ended("r0", "success")
    pace.ended("r1", "skipped")
    assert pace.left_s() == pytest.approx(40 * 21 / 26.7)
    assert Pace(nodes, [], {}).left_s() is None


def test_what_a_step_took_is_kept_for_the_next_build_unless_it_failed(tmp_path):
    clock = Clock()
    nodes = [node("a"), node("b"), node("other")]
    pace = Pace(nodes, nodes[:2], {"b": 7.0, "other": 2.0, "gone": 1.0}, clock)
    for name, status in (("a", "success"), ("b", "error")):
        pace.started(name)
        clock.now += 3
        pace.ended(name, status)

    write_seconds(tmp_path / "new", pace.seconds)

    assert read_seconds(tmp_path / "new") == {"a": 3.0, "b": 7.0, "other": 2.0}
    assert read_seconds(tmp_path / "none") == {}
    for text in ("{", "[1]", '{"a": "soon"}', '{"a": null}'):
        (tmp_path / "new" / FILE).write_text(text)
        assert read_seconds(tmp_path / "new") == {}


def test_checks_that_failed_are_kept_until_they_hold(tmp_path):
    """A part leaves those as they were that it does not run; gates have a verdict of their own."""
    names = ("holds", "fails", "warns", "left_failed", "left_held", "skipped", GATES_CHECK)
    nodes = [node(name, kind="test") for name in names] + [node("broken_model")]
    statuses = {"holds": "pass", "fails": "fail", "warns": "warn", GATES_CHECK: "fail"}
    statuses["skipped"] = "skipped"
    outcomes = [Outcome(name, status, "") for name, status in statuses.items()]
    outcomes.append(Outcome("broken_model", "error", ""))

    failed = _failed(nodes, outcomes, ["holds", "warns", "left_failed", "skipped", "gone"])
    assert failed == {"fails", "left_failed", "skipped"}

    database = tmp_path / "w.duckdb"
    assert failed_checks(database) == []
    duckdb.connect(str(database)).close()
    write_record(database, tmp_path, {}, failed)
    assert failed_checks(database) == ["fails", "left_failed", "skipped"]
    # What somebody else wrote since is not what the checks were of.
    os.utime(database, ns=(0, 0))
    assert failed_checks(database) == []
    write_record(database, tmp_path, {}, failed)
    remove_record(database)
    assert failed_checks(database) == []


@pytest.mark.parametrize(
    ("status", "breaches", "told"),
    [
        ("fail", {"warn": 1, "error": 2}, "3 gates are breached: 2 of severity error, 1 of"),
        ("fail", {"error": 1}, "1 gate is breached: 1 of severity error. Read which, and why, in"),
        ("warn", {"warn": 1}, "1 gate is breached: 1 of severity warn. Read"),
        ("fail", {}, "Got 2 results"),
    ],
)
def test_a_breached_gate_is_told_in_plain_words_and_counted(status, breaches, told):
    nodes = [node("no_gate_is_breached", kind="test")]
    outcomes = [Outcome("no_gate_is_breached", status, "Got 2 results, configured to fail if >=2")]

    printed = "\n".join(troubles(nodes, outcomes, breaches))

    assert told in printed
    assert ("gates.gate_breaches" in printed) == bool(breaches)
    assert ("Got 2 results" in printed) != bool(breaches)


def test_what_failed_is_listed_with_its_reason_and_what_was_left_out_is_counted():
    nodes = [node("a"), node("t", "a", kind="test"), node("b", "a")]
    outcomes = [
        Outcome("a", "success", "OK"),
        Outcome("t", "fail", "Got 3 results, configured to fail if != 0"),
        Outcome("b", "skipped", ""),
    ]

    lines = troubles(nodes, outcomes)

    assert lines[0] == "check t failed:"
    assert "Got 3 results" in lines[1]
    assert lines[2] == "steps skipped because they depend on it: 1"
    assert str(Path("logs") / "dbt.log") in lines[3]
    assert troubles(nodes, outcomes[:1]) == []


def test_a_test_that_lists_breaches_says_how_many_rows_have_which():
    breaches = (("item_id is null", 1200), ("status is 'a\x1b[2J'", 1))
    failed = Outcome("t", "fail", "Got 1203 results", "rankings", 1203, breaches)
    warned = dataclasses.replace(failed, status="warn", n_rows=1201)

    shown = [
        "1,200 rows of rankings: item_id is null",
        r"1 row of rankings: status is 'a\x1b[2J'",
    ]
    nodes = [node("t", kind="test")]
    assert troubles(nodes, [failed])[:4] == [
        "check t failed:",
        *(f"    {line}" for line in shown),
        "    2 rows with other breaches",
    ]
    assert troubles(nodes, [warned]) == [f"warning: t: {', '.join(shown)}"]


def test_the_breaches_that_most_rows_have_are_shown_first(tmp_path):
    database = tmp_path / "w.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.sql("create table t as select i % 7 as kind from range(24) as r (i)")

    found = commonest_breaches(database, "select kind, 'kind ' || kind as breaches from t")

    assert found == (("kind 0", 4), ("kind 1", 4), ("kind 2", 4), ("kind 3", 3), ("kind 4", 3))


@pytest.mark.parametrize("is_sound", [True, False])
def test_what_dbt_remembers_of_models_that_are_gone_stops_no_build(tmp_path, monkeypatch, is_sound):
    monkeypatch.chdir(tmp_path)
    parsed = tmp_path / "target" / "partial_parse.msgpack"
    parsed.parent.mkdir()
    parsed.write_bytes(b"old")
    asked = []

    class Runner:
        def invoke(self, command):
            asked.append(command[0])
            has_failed = parsed.is_file() or not is_sound
            return SimpleNamespace(success=not has_failed, result="read", exception="unable")

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    if is_sound:
        assert Project("{}", {})._manifest == "read"
    else:
        with pytest.raises(ValueError, match="dbt cannot read the project: unable"):
            Project("{}", {})
    assert asked == ["parse", "parse"]


def dbt_model(config):
    """A Python model, as far as a project reads what dbt read."""
    return SimpleNamespace(
        **{"unique_id": "model.p.m", "name": "m", "fqn": ["p", "gates", "m"], "columns": {}},
        **{"resource_type": "model", "language": "python", "raw_code": "", "relation_name": "m"},
        depends_on=SimpleNamespace(nodes=[], macros=[]),
        config=SimpleNamespace(to_dict=lambda omit_none: json.loads(json.dumps(config))),
        checksum=SimpleNamespace(checksum=""),
        original_file_path="python_models/m.py",
        tags=[],
    )


def test_other_systems_are_no_other_variables_to_dbt(monkeypatch, tmp_path):
    """With other variables dbt would read every file anew. The model that reads the systems finds
    them, and a step is another one with them."""
    declared = {"systems_paths": ["default.yml"], "candidate": [], "llm": ""}
    asked, found = [], []
    model = dbt_model({"meta": dict(declared)})

    def invoke(command):
        asked.append(command[command.index("--vars") + 1])
        if command[0] == "build":
            found.append((settings_of_systems(declared), list(model.tags)))
        manifest = SimpleNamespace(nodes={model.unique_id: model}, macros={})
        result = manifest if command[0] == "parse" else SimpleNamespace(results=[])
        return SimpleNamespace(success=True, result=result)

    monkeypatch.setattr(
        "dbt.cli.main.dbtRunner", lambda *given, **named: SimpleNamespace(invoke=invoke)
    )
    codes = []
    for variables in ("as_of_date: 2024-01-01", "{as_of_date: 2024-01-01, candidate: mine}"):
        project = Project(variables, {})
        (node,) = project.nodes()
        codes.append(node.code)
        project.run(tmp_path / "w.duckdb", [node.unique_id], "", lambda *heard: None)
        assert model.tags == []
    assert set(asked) == {"as_of_date: 2024-01-01\n"}
    assert found == [(declared, ["chosen"]), ({**declared, "candidate": "mine"}, ["chosen"])]
    assert codes[0] != codes[1]
    assert settings_of_systems(declared) == declared


# A Python model calls no macro that would tell of the day.
@pytest.mark.parametrize(
    ("meta", "as_of", "expected"),
    [({"as_of_date": ""}, "", True), ({"as_of_date": "x"}, "x", False), ({}, "", False)],
)
def test_a_model_that_is_told_the_day_depends_on_it(monkeypatch, meta, as_of, expected):
    model = dbt_model({"meta": meta})
    manifest = SimpleNamespace(nodes={"model.p.m": model}, macros={})
    result = SimpleNamespace(success=True, result=manifest)
    monkeypatch.setattr(
        "dbt.cli.main.dbtRunner", lambda: SimpleNamespace(invoke=lambda command: result)
    )
    (found,) = Project("{}", {"as_of_date": as_of}).nodes()

    assert found.reads_day is expected


def test_whoever_holds_the_lock_of_a_folder_is_named_if_it_still_runs(tmp_path):
    path = tmp_path / "build.lock"
    with (
        holding(path, "finrag build"),
        pytest.raises(ValueError, match=r"^`finrag build` has been writing here since \d\d:\d\d; "),
        holding(path, "finrag build"),
    ):
        pass
    # Of several that read, the one that said so may have ended.
    with holding(path, "finrag eval one", is_reading=True):
        told = {**json.loads(path.read_text()), "pid": 2**30}
        for text in (json.dumps(told), "", "[]", '{"pid": "x"}'):
            path.write_text(text)
            with (
                pytest.raises(ValueError, match=r"^another command is running in this folder; "),
                holding(path, "finrag build"),
            ):
                pass
        told |= {"pid": os.getpid(), "since": "2001-02-03T04:05:06+00:00"}
        path.write_text(json.dumps(told))
        with (
            pytest.raises(ValueError, match=r"`finrag eval one` .* since 2001-02-03 04:05;"),
            holding(path, "finrag build"),
        ):
            pass


def test_one_that_reads_may_write_once_nobody_else_reads(tmp_path):
    path = tmp_path / "build.lock"
    with (
        holding(path, "finrag eval one", is_reading=True) as to_write,
        holding(path, "finrag eval two", is_reading=True),
        pytest.raises(ValueError, match=r"^another command is running"),
    ):
        to_write()
    with holding(path, "finrag eval one", is_reading=True) as to_write:
        to_write()
        assert json.loads(path.read_text())["what"] == "writing"
        with (
            pytest.raises(ValueError, match="`finrag eval one` has been writing here since"),
            holding(path, "finrag eval two", is_reading=True),
        ):
            pass
