"""A warehouse of four questions and three systems, as far as `finrag eval` reads one."""

import duckdb
import pyarrow as pa

SALES = "What were the net sales of Alder Works in fiscal 2021?"
QUESTIONS = [
    ("p3:Q1", SALES, "A", [7], [2021]),
    ("p3:Q2", "What risk does Alder Works name in fiscal 2022?", "B", [7], [2022]),
    ("p3:Q3", "Did net sales of Birch Foods rise in fiscal 2022?", "G", [8], [2022]),
    ("p3:Q4", "Who audits it?", "J", [], []),
]
SENTENCES = [
    ("S1", "The risk is low."),
    ("S2", "Our net sales were $120.5 million in fiscal 2021."),
    ("S3", "our NET sales were  $120.5 million in fiscal 2021."),
]
ACCURACY = {"metric": "answer_accuracy", "k": 0, "unit": "answer"}
GATE = {
    **ACCURACY,
    "gate_id": "right_answers",
    "phase": "P4",
    "system_id": "candidate",
    "gold_set": "p3",
    "slice_name": "sound",
    "statistic": "mean",
    "direction": "min",
    "limit_value": 0.7,
    "min_n": 2,
    "severity": "error",
}


def write_warehouse(path, rights=None, outcomes=None, gates=(GATE,), outcome="nothing_under_test"):
    """`rights` and `outcomes` are those of the system mine, by item."""
    rights = rights or {}
    outcomes = outcomes or dict.fromkeys(rights, "answered")
    systems = {"mine": rights, "multi_path": {"p3:Q1": 1.0, "p3:Q2": 0.0}}
    tables = {
        "gold.items": [
            {"item_id": one, "question_id": one[3:], "question_text": text, "gold_set": "p3"}
            for one, text, *_ in QUESTIONS
        ],
        "gold.item_answers": [
            {
                "item_id": one,
                **dict.fromkeys(["difficulty", "answer_type", "retrieval_scope"], "easy"),
                **{"category": category, "cik_int": ciks, "years": years, "section_hints": ["x"]},
            }
            for one, _, category, ciks, years in QUESTIONS
        ],
        "gold.gold_p3": [{"question_id": "Q1", "company_name": ["Alder Works"]}],
        "retrieval.parsed_questions": [
            {"item_id": one, "question_text": text, "cik_ints": c, "years": y, "gold_set": "p3"}
            for one, text, _, c, y in QUESTIONS
        ],
        "sentences.companies": [{"cik_int": 7, "company_name": "Alder Works"}],
        "sentences.sentences": [
            {"sentence_id": one, "sentence_text": text} for one, text in SENTENCES
        ],
        "retrieval.registered_systems": [
            {"system_id": "mine", "role": "candidate"},
            {"system_id": "multi_path", "role": "reference"},
            {"system_id": "random_open", "role": "null"},
        ],
        "metrics.run_manifests": [{"system_id": "mine", "system_version": "1.4"}],
        "metrics.metric_values": [
            {
                **ACCURACY,
                **{"system_id": name, "item_id": item_id, "gold_set": "p3", "mode": "finrag"},
                **{"value_status": "evaluated", "value": value},
            }
            for name, values in systems.items()
            for item_id, value in values.items()
        ],
        "metrics.metric_summaries": [
            {
                **ACCURACY,
                **{"system_id": "mine", "gold_set": "p3", "mode": "finrag"},
                **{"slice_name": "sound", "mean": 0.5, "ci_low": 0.1, "ci_high": 0.9},
                "n_evaluated": 4,
            }
        ],
        "metrics.metric_floors": [
            {
                **ACCURACY,
                **{"gold_set": "p3", "system_id": "mine", "mode": "finrag"},
                **{"slice_name": "sound", "null_kind": "strongest", "null_mean": 0.05},
            }
        ],
        "metrics.item_slices": [
            {"item_id": one, "gold_set": "p3", "slice_name": name, "cluster_id": one}
            for one, *_ in QUESTIONS
            for name in ("overall", "sound")
        ],
        "answers.answers": [
            {
                **{"system_id": "mine", "item_id": item_id, "outcome": outcome},
                "answer_text": "x" if outcome == "answered" else None,
                "failure": "boom" if outcome == "failed" else None,
            }
            for item_id, outcome in (outcomes or {"none": "answered"}).items()
        ],
        "gates.py_gates_read": list(gates),
        "gates.gate_verdicts": [
            {
                **{name: value for name, value in GATE.items() if name != "system_id"},
                **{"gate_id": "right_answers@mine", "system_id": "mine", "value": 0.5, "n": 4},
                **{"verdict": "fail", "breach": "fail"},
            }
        ],
        "reports.rpt_overview_verdict": [
            {
                **{"place": place, "system_id": name, "outcome": outcome, "corpus": "sample"},
                **{"headline": f"It is {outcome}.", "measured_on": "On it.", "encoder": "minilm"},
            }
            for place, name, outcome in (
                [(0, "", outcome)]
                if outcome == "nothing_under_test"
                else [(0, "", outcome), (1, "mine", outcome)]
            )
        ],
    }
    with duckdb.connect(str(path)) as connection:
        for table, rows in tables.items():
            connection.execute(f"create schema if not exists {table.partition('.')[0]}")
            connection.register("given", pa.Table.from_pylist(rows))
            connection.execute(f"create table {table} as select * from given")
            connection.unregister("given")
    return path
