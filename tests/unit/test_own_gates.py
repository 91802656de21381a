"""Gates of the user's own: what a file may leave out, and what is refused with its line."""

import csv
import json
import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.csv as csv_tables
import pytest

from finrag.command.cli import main
from finrag.systems.gates import check_gate_files, read_gates
from finrag.warehouse import open_warehouse, unfinished_mark

HEAD = "gate_id,metric,limit_value,rationale\n"
WHY = "A list of peers with one name too few misleads"


def gates(tmp_path, *lines, head=HEAD):
    path = tmp_path / "gates.csv"
    path.write_text(head + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(path)]


def test_four_columns_make_an_error_gate_on_every_candidate(tmp_path):
    seed = csv_tables.read_csv("seeds/gates/gate_thresholds.csv")
    catalogue = Path("seeds/catalogues/metric_catalogue.csv")
    with catalogue.open(encoding="utf-8", newline="") as file:
        rows = [
            {**{n: r[n] for n in ("metric", "unit", "mode")}, "k": int(r["k"])}
            for r in csv.DictReader(file)
        ]
    known = pa.Table.from_pylist(rows).select(["metric", "k", "unit", "mode"])

    read = read_gates(seed, known, gates(tmp_path, f"lists,list_match,0.8,{WHY}")).to_pylist()

    (own,) = (row for row in read if row["gate_id"] == "lists")
    assert len(read) == seed.num_rows + 1
    assert (own["system_id"], own["severity"], own["statistic"]) == ("candidate", "error", "ci_low")
    assert (own["gold_set"], own["slice_name"], own["min_n"]) == ("p3", "sound", 30)
    assert own["limit_value"] == 0.8
    # No day is made up for a limit that gives none.
    assert (own["set_on"], own["set_by"]) == (None, "gates.csv")
    assert {row["set_by"] for row in read if row["gate_id"] != "lists"} == {"finrag"}


def test_whom_a_gate_is_about_follows_from_its_system_unless_it_says_index(tmp_path):
    seed = csv_tables.read_csv("seeds/gates/gate_thresholds.csv")
    known = seed.select(["metric", "k", "unit", "mode"])
    measure = "records_lost,0,any,overall,mean"
    rows = [
        f"{system}_{subject or 'left_out'},{system},{subject},{measure},0.5,{WHY}"
        for system in ("corpus", "gold", "candidate", "any", "dense_open", "own")
        for subject in ("", *(["index"] if system in ("dense_open", "own") else []))
    ]
    head = "gate_id,system_id,subject,metric,k,unit,slice_name,statistic,limit_value,rationale\n"

    read = read_gates(seed, known, gates(tmp_path, *rows, head=head)).to_pylist()

    assert {row["gate_id"]: row["subject"] for row in read if row["set_by"] != "finrag"} == {
        "corpus_left_out": "corpus",
        "gold_left_out": "gold",
        "candidate_left_out": "system",
        "any_left_out": "system",
        "dense_open_left_out": "system",
        "dense_open_index": "index",
        "own_left_out": "system",
        "own_index": "index",
    }


# What all systems search in; every other gate on a shipped system decides nothing.
OF_THE_INDEX = {
    *("index_coverage", "index_recall_at_10", "chunks_in_index", "queries_failed"),
    *("filter_violations", "self_at_1_tie_aware"),
}


def test_gates_that_are_shipped_are_of_corpus_gold_index_or_a_system():
    for row in csv_tables.read_csv("seeds/gates/gate_thresholds.csv").to_pylist():
        system = row["system_id"]
        is_of_role = system in ("candidate", "any")
        is_of_index = row["metric"] in OF_THE_INDEX and not is_of_role
        expected = "index" if is_of_index else "system"
        expected = system if system in ("corpus", "gold") else expected
        assert row["subject"] == expected, row["gate_id"]


@pytest.mark.parametrize(
    ("line", "head", "message"),
    [
        (
            f"lists,list_match,0.8,{WHY},index",
            HEAD.replace("\n", ",subject\n"),
            "line 2: subject is 'index' for candidate; use system, or leave it empty",
        ),
        (
            f"lost,records_lost,0.8,{WHY},index,corpus,0,any",
            HEAD.replace("\n", ",subject,system_id,k,unit\n"),
            "line 2: subject is 'index' for corpus; use corpus, or leave it empty",
        ),
        (
            f"lists,list_match,0.8,{WHY},gold",
            HEAD.replace("\n", ",subject\n"),
            "line 2: subject is 'gold' for candidate",
        ),
        (
            f"lists,list_match,0.8,{WHY},mine",
            HEAD.replace("\n", ",subject\n"),
            "line 2: subject is 'mine'; use one of corpus, gold, index, system",
        ),
        (f"lists,list_mtach,0.8,{WHY}", HEAD, "no metric list_mtach; did you mean list_match?"),
        (f"lists,list_match,80%,{WHY}", HEAD, "line 2: limit_value is '80%'"),
        (f"lists,list_match,nan,{WHY}", HEAD, "line 2: limit_value is nan"),
        (f"lists,list_match,,{WHY}", HEAD, "line 2: limit_value is empty"),
        ("lists,list_match,0.8,Because", HEAD, "has 7 characters; write at least 20 that say why"),
        (f"lists,list_match,1.8,{WHY}", HEAD, "limit_value is 1.8, but list_match is a share"),
        (
            f"lists,list_match,0.8,{WHY}",
            HEAD.replace("limit_value", "limit_vale"),
            "did you mean l",
        ),
        (f"lists;list_match;0.8;{WHY}", HEAD.replace(",", ";"), "separated by semicolons; save"),
        (f"lists\tlist_match\t0.8\t{WHY}", HEAD.replace(",", "\t"), "line 1: .* by tabs; save"),
        (
            f"lists,list_match,0.8,{WHY}, or so",
            HEAD,
            "line 2: 5 values under 4 columns; the last one is 'or so'. Put .* double quotes",
        ),
        (f'lists,list_match,0.8,"{WHY}', HEAD, "line 2: the row is no CSV .* close each"),
        (
            f"lists,list_match,0.8,{WHY},4",
            HEAD.replace("\n", ",k,k\n"),
            "column 'k' is there twice",
        ),
        ("", "", "gates.csv is empty; its first line must .* gate_id,metric,limit_value,rationale"),
        (f"right_answers,list_match,0.1,{WHY}", HEAD, "there is a gate right_answers already"),
        (f"lists,list_match,0.8,{WHY}", HEAD.replace("limit_value", "limit"), "unknown column"),
        (f"Lists!,list_match,0.8,{WHY}", HEAD, "'Lists!' cannot name a gate"),
    ],
)
def test_a_gate_that_cannot_be_meant_so_is_refused(tmp_path, line, head, message):
    with pytest.raises(ValueError, match=message):
        check_gate_files(gates(tmp_path, line, head=head))


SLICED = (
    "gate_id,system_id,gold_set,slice_name,slice_value,measured_in,metric,limit_value,rationale\n"
)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            "multipath,p3,difficulty,hard,",
            "no system multipath is shipped or runs in this build; did you mean multi_path?",
        ),
        ("multi_path,p3,dificulty,hard,", "no slice dificulty; did you mean difficulty?"),
        ("multi_path,p3,difficulty,hardest,", "no value hardest; did you mean hard?"),
        ("multi_path,p3,category,Z,", "category has no value Z; use one of A, B"),
        ("multi_path,p3,category,,", "slice category has no value all"),
        ("multi_path,p3,section,Item 7,", "no value Item 7; did you mean ITEM_7?"),
        ("multi_path,p3,company,,", "slice_value is empty; name the company"),
        ("multi_path,p3,year,23,", "use a year such as 2023"),
        ("multi_path,p3,sound,some,", "no value some; use one of all"),
        ("multi_path,finqa,,,", "finqa has no slice sound; set slice_name to overall"),
        ("multi_path,p3,difficulty,hard,floors", "floors have no slice difficulty; use one of"),
    ],
)
def test_a_name_that_nobody_knows_is_refused(tmp_path, place, message):
    files = gates(tmp_path, f"mine,{place},answer_accuracy,0.8,{WHY}", head=SLICED)

    with pytest.raises(ValueError, match=re.escape(message)):
        check_gate_files(files, ["multi_path"])


@pytest.mark.parametrize(
    "place",
    [
        "multi_path,p3,difficulty,hard,",
        "candidate,p3,scope_difficulty,local easy,",
        "mine,p3,company,Anyone Inc.,",
        "any,finqa,file,dev.jsonl,",
        "multi_path,p3,section,ITEM_7,",
    ],
)
def test_a_gate_on_any_slice_is_accepted_and_named(tmp_path, place):
    files = gates(tmp_path, f"good,{place},answer_accuracy,0.8,{WHY}", head=SLICED)

    assert check_gate_files(files, ["multi_path", "mine"]) == {files[0]: ["good"]}


def test_every_problem_of_a_file_is_told_at_once(tmp_path):
    bad = f"one,multipath,p3,dificulty,hardest,,answer_acuracy,0.8,{WHY}"
    files = gates(tmp_path, bad, "two,multi_path,p3,,,,answer_accuracy,1.8,short", head=SLICED)

    with pytest.raises(ValueError, match="no system multipath") as refused:
        check_gate_files(files, ["multi_path"])

    told = str(refused.value).splitlines()
    assert [line.split(": ", 1)[0].rpartition(", ")[2] for line in told] == [
        *["line 2"] * 3,
        *["line 3"] * 2,
    ]


def test_the_check_before_a_build_counts_and_names_the_gates(tmp_path, capsys):
    (path,) = gates(tmp_path, f"lists,list_match,0.8,{WHY}")
    given = json.dumps({"gates_paths": [path]})
    command = ["check", "--database", str(tmp_path / "finrag.duckdb"), "--vars"]

    assert main([*command, given]) == 0
    assert "checked 1 gate of your own: lists" in capsys.readouterr().out

    Path(path).write_text(SLICED + f"mine,multipath,p3,,,,answer_accuracy,0.8,{WHY}\n", "utf-8")
    assert main([*command, given]) == 2
    assert "did you mean multi_path?" in capsys.readouterr().err


def test_a_file_with_a_header_alone_is_accepted_and_said_to_have_no_limits(tmp_path, capsys):
    (path,) = gates(tmp_path)
    given = json.dumps({"gates_paths": [path]})

    assert main(["check", "--database", str(tmp_path / "finrag.duckdb"), "--vars", given]) == 0

    assert f"{path} has no limits in it, so it adds no gate" in capsys.readouterr().out


def test_two_gates_of_one_name_are_refused(tmp_path):
    line = f"lists,list_match,0.8,{WHY}"

    with pytest.raises(ValueError, match="line 3: there is a gate lists already"):
        check_gate_files(gates(tmp_path, line, line))


def test_a_warehouse_whose_build_stopped_half_way_gives_no_verdict(tmp_path):
    database = tmp_path / "finrag.duckdb"
    duckdb.connect(str(database)).close()
    unfinished_mark(database).touch()

    with pytest.raises(ValueError, match="stopped before its verdicts"), open_warehouse(database):
        pass
