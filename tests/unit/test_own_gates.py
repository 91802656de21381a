"""Gates of the user's own: what a file may leave out, and what is refused with its line."""

import csv
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.csv as csv_tables
import pytest

from finrag.systems.gates import check_gates, read_gates
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


@pytest.mark.parametrize(
    ("line", "head", "message"),
    [
        (f"lists,list_mtach,0.8,{WHY}", HEAD, "line 2: no metric list_mtach"),
        (f"lists,list_match,80%,{WHY}", HEAD, "line 2: limit_value is '80%'"),
        (f"lists,list_match,nan,{WHY}", HEAD, "line 2: limit_value is nan"),
        (f"lists,list_match,,{WHY}", HEAD, "line 2: limit_value is empty"),
        ("lists,list_match,0.8,Because", HEAD, "line 2: the rationale is 'Because'"),
        (f"right_answers,list_match,0.1,{WHY}", HEAD, "there is a gate right_answers already"),
        (f"lists,list_match,0.8,{WHY}", HEAD.replace("limit_value", "limit"), "unknown column"),
        (f"Lists!,list_match,0.8,{WHY}", HEAD, "'Lists!' cannot name a gate"),
    ],
)
def test_a_gate_that_cannot_be_meant_so_is_refused(tmp_path, line, head, message):
    with pytest.raises(ValueError, match=message):
        check_gates(gates(tmp_path, line, head=head))


def test_two_gates_of_one_name_are_refused(tmp_path):
    line = f"lists,list_match,0.8,{WHY}"

    with pytest.raises(ValueError, match="line 3: there is a gate lists already"):
        check_gates(gates(tmp_path, line, line))


def test_a_warehouse_whose_build_stopped_half_way_gives_no_verdict(tmp_path):
    database = tmp_path / "finrag.duckdb"
    duckdb.connect(str(database)).close()
    unfinished_mark(database).touch()

    with pytest.raises(ValueError, match="stopped before its verdicts"), open_warehouse(database):
        pass
