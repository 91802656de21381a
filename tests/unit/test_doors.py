"""Hashes of doors: what they notice and what they pass over."""

import json

import duckdb
import pytest

from finrag.command.cli import main
from finrag.publishing.doors import compare_doors, hash_doors, is_volatile

ROWS = [("a", 1.5, [1, 2]), ("b", None, []), ("", 0.0, None)]


def warehouse(folder, *rows, columns="name varchar, share double, ids integer[]"):
    path = folder / "w.duckdb"
    path.unlink(missing_ok=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create schema gold; create table gold.items ({columns})")
        for row in rows:
            marks = ", ".join("?" for _ in row)
            connection.execute(f"insert into gold.items values ({marks})", row)
    return path


def hashed(folder, *rows, **options):
    return hash_doors(warehouse(folder, *rows, **options), folder / "none.json")["gold.items"]


def test_the_order_of_rows_does_not_matter(tmp_path):
    assert hashed(tmp_path, *ROWS) == hashed(tmp_path, *reversed(ROWS))


def test_hashes_add_up(tmp_path):
    whole = int(hashed(tmp_path, *ROWS, ROWS[0])["hash"], 16)
    parts = [int(hashed(tmp_path, row)["hash"], 16) for row in [*ROWS, ROWS[0]]]
    assert whole == sum(parts) % 2**64
    assert hashed(tmp_path) == {"rows": 0, "hash": "0" * 16}


def test_the_hash_is_that_of_md5(tmp_path):
    # md5("1:a-6:[1, 2]") begins with these 8 bytes.
    from hashlib import md5

    expected = md5(b"1:a-6:[1, 2]", usedforsecurity=False).hexdigest()[:16]
    assert hashed(tmp_path, ("a", None, [1, 2]))["hash"] == expected


@pytest.mark.parametrize(
    "changed",
    [
        ("b", 1.5, [1, 2]),
        ("a", 1.6, [1, 2]),
        ("a", None, [1, 2]),
        ("a", 1.5, [2, 1]),
        ("a", 1.5, []),
        ("a", 1.5, [1, None]),
        (None, 1.5, [1, 2]),
    ],
)
def test_a_changed_cell_changes_the_hash(tmp_path, changed):
    assert hashed(tmp_path, ("a", 1.5, [1, 2])) != hashed(tmp_path, changed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("", "x"), (None, "x")),
        (("x", "y"), ("y", "x")),
        (("ab", "c"), ("a", "bc")),
        (("1:a", ""), ("", "1:a")),
        (("-", None), (None, "-")),
        (("a-", None), ("a", "-")),
    ],
)
def test_values_keep_their_columns(tmp_path, one, other):
    columns = "label varchar, reason varchar"
    assert hashed(tmp_path, one, columns=columns) != hashed(tmp_path, other, columns=columns)


def test_times_and_ids_of_a_build_are_left_out(tmp_path):
    columns = "item_id varchar, run_id varchar, recorded_at timestamp, latency_p95_ms double"
    first = ("a", "run 1", "2024-01-01 10:00:00", 3.5)
    second = ("a", "run 2", "2024-01-02 10:00:00", 4.5)
    third = ("b", "run 2", "2024-01-02 10:00:00", 4.5)
    assert hashed(tmp_path, first, columns=columns) == hashed(tmp_path, second, columns=columns)
    assert hashed(tmp_path, third, columns=columns) != hashed(tmp_path, second, columns=columns)


def test_a_name_can_be_volatile_in_one_table_alone():
    assert is_volatile("rpt_cost_systems", "place")
    assert not is_volatile("rpt_question_rankings", "place")


def test_the_manifest_says_what_is_a_door(tmp_path):
    path = warehouse(tmp_path, *ROWS)
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table gold.int_steps as select 1 as n")
        connection.execute("create view gold.door as select name from gold.items")
        connection.execute("create table main.scratch as select 1 as n")
    node = {"resource_type": "model", "schema": "gold"}
    nodes = {
        "model.finrag.items": {**node, "alias": "items", "access": "public"},
        "model.finrag.door": {**node, "alias": "door", "access": "public"},
        "model.finrag.int_steps": {**node, "alias": "int_steps", "access": "private"},
        "model.finrag.unbuilt": {**node, "alias": "unbuilt", "access": "public"},
    }
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    tables = ["gold.door", "gold.int_steps", "gold.items"]
    assert list(hash_doors(path, manifest)) == ["gold.door", "gold.items"]
    assert list(hash_doors(path, manifest, every_table=True)) == tables
    assert list(hash_doors(path, tmp_path / "none.json")) == tables


def test_what_differs_is_new_or_gone_is_named():
    one, other = {"rows": 1, "hash": "01"}, {"rows": 1, "hash": "02"}
    before = {"gold.a": one, "gold.b": one, "gold.c": one}
    assert compare_doors(before, {"gold.a": one, "gold.b": other, "gold.d": one}) == [
        "differs  gold.b: 1 rows before, 1 after",
        "gone     gold.c: 1 rows",
        "new      gold.d: 1 rows",
    ]


def test_the_command_prints_and_compares(tmp_path, capsys):
    base = ["doors", "--manifest", str(tmp_path / "none.json"), "--database"]
    assert main([*base, str(warehouse(tmp_path, *ROWS))]) == 0
    before = tmp_path / "before.json"
    before.write_text(capsys.readouterr().out, encoding="utf-8")
    again = [str(tmp_path / "w.duckdb"), "--compare", str(before)]
    assert main([*base, *again]) == 0
    assert capsys.readouterr().out == "1 doors are equal\n"
    warehouse(tmp_path, *ROWS[:2])
    assert main([*base, *again]) == 1
    assert capsys.readouterr().out == "differs  gold.items: 3 rows before, 2 after\n"
    before.write_text("[1]", encoding="utf-8")
    assert main([*base, *again]) == 2
    assert "does not hold hashes of doors" in capsys.readouterr().err
