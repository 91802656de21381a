"""The data test `well_formed`, run by dbt over small tables that break each of its rules."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[2]
MACROS = ("sql_literal", "sql_literals", "value_text")
PROJECT = {
    "dbt_project.yml": """
name: shops
profile: shops
macro-paths: [macros]
flags: {send_anonymous_usage_stats: false}
data_tests:
  shops: {+schema: breaches, +store_failures: true}
""",
    "profiles.yml": """
shops:
  target: dev
  outputs:
    dev: {type: duckdb, path: shops.duckdb, schema: main, threads: 1}
""",
    "models/customers.sql": "select * from (values ('c1'), ('c2'), (null)) as t (customer_id)",
    "models/orders.sql": """
select * from (values
    ('a', 1, 'r1', 'x', 'open', 'c1', 1, 9, 't', 's1'),
    ('a', 2, null, null, 'open', 'c1', 1, 9, 't', 's2'),
    ('a', 3, null, 'x', 'lost', 'c1', 1, 9, 't', 's3'),
    ('a', 4, 'r4', 'x', null, null, 1, 9, null, null),
    ('a', 5, 'r5', 'x', 'open', 'c9', 1, 9, null, null),
    ('a', 6, 'r6', 'x', 'gift', 'c9', 1, 9, 't', 's6'),
    ('a', 7, 'r7', 'x', 'open', 'c1', 10, 9, 't', 's7'),
    ('a', 8, 'r8', 'x', 'open', 'c1', null, 9, 't', 's8'),
    ('b', 1, 'r1', 'x', 'open', 'c1', 1, 9, 't', 's9'),
    ('b', 2, 'r9', 'x', 'open', 'c1', 1, 9, 'u', null),
    ('b', 3, 'r10', 'x', 'open', 'c1', 1, 9, 'u', null),
    ('c', 1, 'r11', 'x', 'open', 'c1', 1, 9, 't', 's11'),
    ('c', 1, 'r12', 'x', 'open', 'c1', 1, 9, 't', 's12'),
    (null, 1, 'r13', 'x', 'open', 'c1', 1, 9, 't', 's13'),
    (null, 2, 'r14', 'x', 'open', 'c1', 1, 9, 't', 's14'),
    (null, 2, 'r15', 'x', 'open', 'c1', 1, 9, 't', 's15'),
    ('d', 1, 'r16', null, 'lost', 'c8', 10, 9, 't', 's16')
) as t (shop, order_no, receipt, note, status, customer_id, paid, price, till, slip)
""",
    "models/pages.sql": """
select * from (values
    ('a', null, null, true), ('a', null, null, true), ('b', null, null, true),
    ('b', 1, null, true), ('b', 1, null, false), (null, 2, null, false)
) as t (book, page, customer_id, is_printed)
""",
    "models/nobody.sql": "select * from {{ ref('customers') }} where false",
    "models/parcels.sql": """
select * from (values ('p1', 3, null), ('p2', null, 'x')) as t (parcel_id, weight, label)
""",
    "models/schema.yml": """
models:
  - name: orders
    data_tests:
      - well_formed:
          name: orders_is_well_formed
          arguments:
            key: [shop, order_no]
            nullable: [receipt, status, customer_id, paid, till, slip]
            unique: [receipt, [till, slip]]
            accepted:
              status: [open, gift]
            relations:
              customer_id:
                to: ref('customers')
                field: customer_id
                where: "status <> 'gift'"
            facts:
              nothing_is_overpaid: "paid <= price"
      - well_formed:
          name: orders_warns
          config: {severity: warn}
          arguments:
            required: [paid]
            facts: {notes_aren't_long: "length(note) < {{ 2 }}"}
      - well_formed:
          name: orders_of_no_colour
          arguments: {key: [shop], accepted: {colour: [red]}}
      - well_formed:
          name: orders_of_no_shop
          arguments:
            relations:
              shop: {to: ref('customers'), field: shop}
  - name: pages
    data_tests:
      - well_formed:
          name: pages_is_well_formed
          arguments:
            key: [book, page]
            required: []
            nullable: [page]
            relations:
              customer_id: {to: ref('nobody'), field: customer_id}
            rows: is_printed
  - name: parcels
    config:
      materialized: view
      contract: {enforced: true}
    columns:
      - name: parcel_id
        data_type: varchar
      - name: weight
        data_type: integer
        constraints: [{type: not_null, warn_unsupported: false, warn_unenforced: false}]
      - name: label
        data_type: varchar
    data_tests:
      - well_formed:
          name: parcels_is_well_formed
          arguments: {key: [parcel_id]}
      - well_formed:
          name: parcels_weigh
          arguments: {facts: {it_weighs_something: weight > 0}}
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shops")
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    for file in (*(f"macros/{name}.sql" for name in MACROS), "tests/generic/test_well_formed.sql"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    ran = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "build", "--quiet"],
        cwd=folder,
        env={**os.environ, "DBT_PROFILES_DIR": str(folder)},
        check=False,
    )
    assert ran.returncode == 1
    return folder


@pytest.fixture(scope="module")
def breaches(folder):
    """A function that gives what a test has listed: each row's breaches behind its key."""

    def read(test):
        with duckdb.connect(str(folder / "shops.duckdb"), read_only=True) as connection:
            rows = connection.sql(f"from main_breaches.{test} order by all").fetchall()
        return [row if len(row) < 4 else (row[1], row[-1]) for row in rows]

    return read


@pytest.fixture(scope="module")
def results(folder):
    found = json.loads((folder / "target" / "run_results.json").read_text())["results"]
    return {row["unique_id"].split(".")[2]: row for row in found}


def test_every_rule_that_a_row_breaks_is_listed_and_no_other_row(breaches):
    assert breaches("orders_is_well_formed") == [
        ("a", 1, "repeated: receipt"),
        ("a", 2, "note is null"),
        ("a", 3, "status is 'lost'"),
        ("a", 5, "customer_id is 'c9', which is not in customers"),
        ("a", 7, "not so: nothing is overpaid"),
        # Unknown is not true.
        ("a", 8, "not so: nothing is overpaid"),
        ("b", 1, "repeated: receipt"),
        # Of a key of several columns a part that is null counts; one that is null throughout, as
        # in the orders a 4 and a 5, does not.
        ("b", 2, "repeated: till, slip"),
        ("b", 3, "repeated: till, slip"),
        ("c", 1, "repeated: shop, order_no"),
        ("c", 1, "repeated: shop, order_no"),
        (
            "d",
            1,
            "note is null; status is 'lost'; customer_id is 'c8', which is not in customers; "
            "not so: nothing is overpaid",
        ),
        (None, 1, "shop is null"),
        (None, 2, "shop is null; repeated: shop, order_no"),
        (None, 2, "shop is null; repeated: shop, order_no"),
    ]


# Nothing is not a value that a table lacks, even where the table is empty.
def test_a_part_of_a_key_may_be_null_and_is_compared_all_the_same(breaches):
    repeated = ("a", None, "repeated: book, page")
    assert breaches("pages_is_well_formed") == [repeated, repeated]


def test_a_contract_says_what_has_a_value_where_the_engine_does_not_see_to_it(breaches):
    assert breaches("parcels_is_well_formed") == [("p2", "weight is null")]


def test_a_test_without_a_key_is_about_what_it_names_and_shows_whole_rows(breaches, results):
    said = "not so: notes aren't long"
    assert breaches("parcels_weigh") == [(None, "not so: it weighs something")]
    assert breaches("orders_warns") == [(2, said), (8, "paid is null"), (1, said)]
    assert results["orders_warns"]["status"] == "warn"


def test_a_column_that_is_missing_is_an_error(results):
    assert results["orders_of_no_colour"]["status"] == "error"
    assert "has no column colour" in results["orders_of_no_colour"]["message"]
    # The column of the other table is meant, though this one has one of the name.
    assert results["orders_of_no_shop"]["status"] == "error"
    assert "shop" in results["orders_of_no_shop"]["message"]


def test_a_relation_is_a_parent_so_that_the_test_waits_for_it(folder):
    manifest = json.loads((folder / "target" / "manifest.json").read_text())
    (test,) = (name for name in manifest["parent_map"] if ".orders_is_well_formed." in name)
    assert set(manifest["parent_map"][test]) == {"model.shops.orders", "model.shops.customers"}
