"""A small warehouse with lines of revenue, by the contracts of the doors that are read."""

from pathlib import Path

import duckdb

SEED = Path(__file__).parents[2] / "seeds" / "catalogues" / "revenue_verdicts.csv"
FILED = "0000000007_10-K_2023"
BEFORE = "0000000007_10-K_2022"
TWINS = ("0000000009_10-K_2023", "0000000010_10-K_2023")
TOLD = ((0, "Quays"), (1, "Cranes"))
FORMULA = '=HYPERLINK("x")'


def literal(value):
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, str):
        return f"'{value}'"
    return {None: "null", True: "true", False: "false"}.get(value, str(value))


def create(connection, table, columns, *rows):
    """A table of typed columns, its rows in the order of the columns."""
    connection.execute(f"create table {table} ({columns})")
    for row in rows:
        connection.execute(f"insert into {table} values ({', '.join(map(literal, row))})")


def line(filing, view, pos, label, role, value, parent=None, *, year="2023", **other):
    """A row of revenue_lines; `parent` is a position."""
    check = f"{filing}:{view}:{year}-12-31"
    named = {
        "revenue_line_id": f"{check}:{pos}",
        "reconciliation_id": check,
        "filing_id": filing,
        "cik_int": int(filing[:10]),
        "view": view,
        "table_id": f"{filing}_t5",
        "line_pos": pos,
        "row_pos": pos + 1,
        "cell_id": f"{filing}_t5:r{pos + 1}c1",
        "fact_id": None,
        "axis": None,
        "member": None,
        "label": label,
        "footnote_marks": ["1"] if label == "Cranes" else [],
        "role": role,
        "parent_line_id": None if parent is None else f"{check}:{parent}",
        "segment_line_id": None,
        "segment_label": "Harbours" if parent == 2 else None,
        "segment_source": None,
        "value": value,
        "currency": "USD",
        "scale": 6,
        "period_start": f"{year}-01-01",
        "period_end": f"{year}-12-31",
        "share": value / 1000e6,
        "is_chosen": view == "product",
        "is_filing_year": year == filing[-4:],
    }
    return tuple({**named, **other}.values())


LINES = (
    "revenue_line_id varchar, reconciliation_id varchar, filing_id varchar, cik_int bigint, "
    "view varchar, table_id varchar, line_pos integer, row_pos integer, cell_id varchar, "
    "fact_id varchar, axis varchar, member varchar, label varchar, footnote_marks varchar[], "
    "role varchar, parent_line_id varchar, segment_line_id varchar, segment_label varchar, "
    "segment_source varchar, value double, currency varchar, scale integer, period_start date, "
    "period_end date, share double, is_chosen boolean, is_filing_year boolean"
)
SUMS = (
    "reconciliation_id varchar, filing_id varchar, view varchar, period_start date, "
    "period_end date, is_filing_year boolean, currency varchar, total double, "
    "total_source varchar, total_concept varchar, total_cell_id varchar, table_id varchar, "
    "n_leaves integer, leaf_sum double, difference double, tolerance double, route varchar, "
    "verdict varchar, is_chosen boolean, conflicts varchar[], note varchar"
)
TEXTS = (
    "system_id varchar, revenue_line_id varchar, filing_id varchar, label varchar, "
    "status varchar, text varchar, sentence_ids varchar[], block_ids varchar[], "
    "quotes varchar[], products varchar[], kind varchar, tier integer, score double, "
    "threshold double, gate_passed boolean, validated boolean, error varchar"
)
COVERAGE = (
    "system_id varchar, filing_id varchar, n_lines integer, n_described integer, "
    "n_not_described integer, n_gate_failed integer, n_failed integer, "
    "newly_missing varchar[], newly_covered varchar[], coverage double, "
    "coverage_before double, coverage_delta double"
)


def check(filing, view, verdict, difference=0.0, *, year="2023", chosen=True):
    """A row of revenue_reconciliations."""
    return (
        *(f"{filing}:{view}:{year}-12-31", filing, view, f"{year}-01-01", f"{year}-12-31"),
        year == filing[-4:],
        *("USD", 1000e6, "fact", "us-gaap:Revenues", None, f"{filing}_t5", 3),
        *(1000e6 + difference, difference, 1e6, "both", verdict, chosen),
        *(["Quays"] if verdict == "off" else [], None),
    )


def text(system, pos, label, status, words=None, **other):
    """A row of line_descriptions of the later filing."""
    found = bool(words)
    named = {
        "system_id": system,
        "revenue_line_id": f"{FILED}:product:2023-12-31:{pos}",
        "filing_id": FILED,
        "label": label,
        "status": status,
        "text": words,
        "sentence_ids": [f"{FILED}_section_1_4"] if found else [],
        "block_ids": [f"{FILED}_d0_b9"] if found else [],
        "quotes": [words] if found else [],
        "products": ["berths"] if found else [],
        "kind": "definition" if found else None,
        "tier": 2 if found else None,
        "score": 0.9,
        "threshold": 0.5,
        "gate_passed": found,
        "validated": found,
        "error": None,
    }
    return tuple({**named, **other}.values())


def write_lines(path, has_texts=True, has_lines=True):
    """The warehouse: two filings of one company, one of another whose lines do not add up."""
    other = "0000000008_10-K_2023"
    with duckdb.connect(str(path)) as connection:
        for schema in ("descriptions", "sentences", "retrieval", "seeds"):
            connection.execute(f"create schema {schema}")
        connection.execute(f"create table seeds.revenue_verdicts as from read_csv('{SEED}')")
        create(
            connection,
            "sentences.filings",
            "filing_id varchar, cik_int bigint, company_name varchar, ticker varchar, "
            "form varchar, report_year integer, fiscal_year_end date",
            (FILED, 7, "Tarn Hollow Ports Co.", "THPC", "10-K", 2023, "2023-12-31"),
            # The company had another name, which comes later in the alphabet.
            (BEFORE, 7, "Wend Quays Ltd.", "THPC", "10-K", 2022, "2022-12-31"),
            ("0000000007_10-Q_2023", 7, "Tarn Hollow Ports Co.", "THPC", "10-Q", 2023, None),
            (other, 8, "Quillmark Foods Corp.", "QMFC", "10-K", 2023, "2023-02-02"),
            *(
                (twin, int(twin[:10]), "Twin Mills Inc.", None, "10-K", 2023, None)
                for twin in TWINS
            ),
        )
        create(connection, "sentences.tables", "table_id varchar", *([("t",)] if has_lines else []))
        create(
            connection,
            "sentences.blocks",
            "block_id varchar, section_id varchar",
            (f"{FILED}_d0_b9", "s1"),
        )
        create(
            connection,
            "sentences.sections",
            "section_id varchar, section_name varchar",
            ("s1", "ITEM_1"),
        )
        create(
            connection,
            "retrieval.line_systems",
            "system_id varchar, role varchar, description varchar",
            *(
                [
                    ("a_rules", "reference", "Rules"),
                    ("b_twice", "reference", "Others"),
                    ("mine", "candidate", "Of ours"),
                ]
                if has_texts
                else []
            ),
        )
        sums = [
            check(FILED, "product", "reconciled"),
            check(FILED, "geography", "off", 25e6, chosen=False),
            check(FILED, "product", "reconciled", year="2022"),
            check(BEFORE, "product", "reconciled", year="2022"),
            check(BEFORE, "geography", "reconciled", year="2022", chosen=False),
            check("0000000007_10-Q_2023", "none", "no_total", chosen=False),
            check(other, "segment", "off", -3e6, chosen=False),
            *(check(twin, "none", "no_table", chosen=False) for twin in TWINS),
        ]
        lines = [
            line(FILED, "product", 0, "Quays", "leaf", 500e6, 2),
            line(FILED, "product", 1, "Cranes", "leaf", 300e6, 2, member="a:CranesMember"),
            line(FILED, "product", 2, "Harbours", "subtotal", 800e6),
            line(FILED, "product", 3, FORMULA, "leaf", 200e6),
            line(FILED, "product", 4, "Total", "total", 1000e6),
            line(FILED, "product", 0, "Quays", "leaf", 450e6, year="2022"),
            line(FILED, "geography", 0, "North\x1b[31m", "leaf", 1025e6),
            line(BEFORE, "product", 0, "Quays", "leaf", 450e6, year="2022"),
            line(BEFORE, "product", 1, "", "leaf", 550e6, year="2022"),
            line(BEFORE, "geography", 0, "North", "leaf", 1000e6, year="2022"),
            line(other, "segment", 0, "Jams", "leaf", 997e6),
        ]
        texts = [
            text("a_rules", 0, "Quays", "described", "Quays consist of berths."),
            text("a_rules", 1, "Cranes", "not_described"),
            *(text("b_twice", pos, label, "described", "Both are.") for pos, label in TOLD),
            text("b_twice", 3, FORMULA, "not_described"),
            text("a_rules", 3, FORMULA, "failed", error="Timed out."),
            text("mine", 0, "Quays", "described", "Quays consist of berths."),
            text("mine", 1, "Cranes", "gate_failed"),
            text("mine", 3, FORMULA, "not_described"),
        ]
        counts = (FILED, 3, 1, 1, 1, 0, ["Cranes"], [], 1 / 3, 2 / 3, -1 / 3)
        create(
            connection,
            "descriptions.revenue_reconciliations",
            SUMS,
            *(sums if has_lines else []),
        )
        create(connection, "descriptions.revenue_lines", LINES, *(lines if has_lines else []))
        create(connection, "descriptions.line_descriptions", TEXTS, *(texts if has_texts else []))
        create(
            connection,
            "descriptions.description_coverage",
            COVERAGE,
            *([("mine", *counts)] if has_texts else []),
        )
