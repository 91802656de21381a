"""A warehouse of two gold sets and three systems, as far as `finrag eval` reads one."""

import duckdb
import pyarrow as pa

SALES = "What were the net sales of Alder Works in fiscal 2021?"
QUESTIONS = [
    ("p3:Q1", SALES, "A", [7], [2021]),
    ("p3:Q2", "What risk does Alder Works name in fiscal 2022?", "B", [7], [2022]),
    ("p3:Q3", "Did net sales of Birch Foods rise in fiscal 2022?", "G", [8], [2022]),
    ("p3:Q4", "Who audits it?", "J", [], []),
]
PAGE = "finqa:AW/2021/page_4.pdf"
# Questions of a public set: one dialogue on a document that the set hands over.
PUBLIC = [
    (f"{PAGE}-1", "what was the growth of sales?", [], []),
    (f"{PAGE}-2", "what was the share of cost?", [], [2021]),
    (f"{PAGE}-3", "what was the sum of both?", [], []),
]
SENTENCES = [
    ("S1", "The risk is low."),
    ("S2", "Our net sales were $120.5 million in fiscal 2021."),
    ("S3", "our NET sales were  $120.5 million in fiscal 2021."),
]
PASSAGES = [(f"{PAGE}#text-0", "The risk is low."), (f"{PAGE}#text-1", "Sales grew by 4 %.")]
ACCURACY = {"metric": "answer_accuracy", "k": 0, "unit": "answer", "mode": "finrag"}
AGREEMENT = {"metric": "numeric_agreement", "k": 0, "unit": "answer", "mode": "strict"}
UNSUPPORTED = {**ACCURACY, "metric": "unsupported_numbers"}
GATE = {
    **ACCURACY,
    "gate_id": "right_answers",
    "phase": "P4",
    "system_id": "candidate",
    "gold_set": "p3",
    "slice_name": "sound",
    "slice_value": "all",
    "measured_in": "summaries",
    "null_kind": None,
    "statistic": "mean",
    "direction": "min",
    "limit_value": 0.7,
    "min_n": 2,
    "min_clusters": 1,
    "severity": "error",
    "corpus": "any",
    "applies_when": "capability_seen",
    "is_held_against_null": False,
}


def measured(item_id):
    """Set and deciding metric of an item."""
    is_public = item_id.startswith("finqa:")
    return {"gold_set": "finqa" if is_public else "p3", **(AGREEMENT if is_public else ACCURACY)}


def write_warehouse(
    path,
    rights=None,
    outcomes=None,
    gates=(GATE,),
    outcome="nothing_under_test",
    verdicts=(),
    settings_hash="",
    answer_sets="p3",
    returned=(0, 0),
):
    """`rights` and `outcomes` are those of the system mine, by item.

    `verdicts` are its gates besides that on right answers; `returned` are the passages that it
    returned, and how many of them are recognised.
    """
    rights = rights or {}
    outcomes = outcomes or dict.fromkeys(rights, "answered")
    others = {"p3:Q1": 1.0, "p3:Q2": 0.0, f"{PAGE}-1": 1.0}
    systems = {"mine": rights, "multi_path": others}
    tables = {
        "gold.items": [
            {
                **{"item_id": one, "question_id": one.partition(":")[2], "question_text": text},
                **{"gold_set": gold_set, "item_kind": kind, "corpus_id": corpus},
                **{"document_id": document, "dialogue_id": document, "turn": turn},
            }
            for rows, gold_set, kind, corpus, document in (
                (QUESTIONS, "p3", "question", "filings", None),
                (PUBLIC, "finqa", "question", "finqa", PAGE),
                ([("p1:S1", "The risk is low.")], "p1", "anchor", "filings", None),
            )
            for turn, (one, text, *_) in enumerate(rows)
        ],
        "gold.item_answers": [
            {
                "item_id": one,
                **dict.fromkeys(["difficulty", "answer_type", "retrieval_scope"], "easy"),
                "answer_text": "$120.5 million" if one == "p3:Q1" else "It is low.",
                **{"category": category, "cik_int": ciks, "years": years, "section_hints": ["x"]},
            }
            for one, _, category, ciks, years in [
                *QUESTIONS,
                *((one, text, None, None, None) for one, text, *_ in PUBLIC),
            ]
        ],
        "gold.judgments": [
            {
                **{"gold_set": "p3", "item_id": item_id, "evidence_id": evidence_id},
                **{"grade": grade, "evidence_kind": kind},
            }
            for item_id, evidence_id, grade, kind in (
                ("p3:Q1", "S3", 1, "text"),
                ("p3:Q1", "S2", 1, "text"),
                ("p3:Q1", "S2", 1, "text"),
                ("p3:Q1", "S1", 0, "text"),
                ("p3:Q2", "S9", 1, "operand"),
            )
        ],
        "gold.gold_p3": [{"question_id": "Q1", "company_name": ["Alder Works"]}],
        "retrieval.parsed_questions": [
            {"item_id": one, "question_text": text, "cik_ints": c, "years": y, "gold_set": name}
            for rows, name in ((QUESTIONS, "p3"), (PUBLIC, "finqa"))
            for one, text, *_, c, y in rows
        ],
        "sentences.companies": [{"cik_int": 7, "company_name": "Alder Works"}],
        "sentences.passages": [
            {"passage_id": one, "passage_text": text, "corpus_id": corpus, "is_rankable": True}
            for rows, corpus in ((SENTENCES, "filings"), (PASSAGES, "finqa"))
            for one, text in rows
        ],
        "retrieval.runs": [{"corpus": "sample"}],
        "retrieval.registered_systems": [
            {
                **{"system_id": name, "role": role, "settings_hash": settings_hash},
                "answer_sets": answer_sets,
            }
            for name, role in (
                ("mine", "candidate"),
                ("multi_path", "reference"),
                ("random_open", "null"),
            )
        ],
        "retrieval.returned_passages": [
            {"system_id": name, "gold_set": "p3", "n_returned": n, "n_recognised": n_recognised}
            for name, (n, n_recognised) in (("mine", returned), ("other", (9, 0)))
            if n
        ],
        "metrics.run_manifests": [{"system_id": "mine", "system_version": "1.4"}],
        "metrics.metric_values": [
            {
                **measured(item_id),
                **{"system_id": name, "item_id": item_id},
                **{"value_status": "evaluated", "value": value},
            }
            for name, values in systems.items()
            for item_id, value in values.items()
        ],
        "metrics.answer_failures": [
            {"system_id": name, "item_id": "p3:Q1", "failure": cause, "detail": "1 of 2 ranked"}
            for name, cause in (("mine", "evidence_not_retrieved"), ("multi_path", "uncited"))
        ],
        "answers.answer_citations": [
            {
                **{"system_id": name, "gold_set": "p3", "item_id": item_id},
                **{"citation_pos": pos, "passage_id": passage_id, "named": named},
                **{"document": None, "is_known": passage_id is not None},
            }
            for name, item_id, pos, passage_id, named in (
                ("mine", "p3:Q1", 2, "S1", "S1"),
                ("mine", "p3:Q1", 1, None, "made_up"),
                ("mine", "p3:Q4", 1, None, "made_up_too"),
                ("multi_path", "p3:Q1", 1, "S2", "S2"),
            )
        ],
        "retrieval.rankings": [
            {
                **{"system_id": "mine", "gold_set": "p3", "item_id": "p3:Q1"},
                **{"unit": "sentence", "rank": rank, "passage_id": f"S{rank}"},
            }
            for rank in range(12, 0, -1)
        ],
        "metrics.answer_verdicts": [
            {
                **{"system_id": name, "item_id": item_id, "is_right": value == 1.0},
                "gold_set": measured(item_id)["gold_set"],
            }
            for name, values in systems.items()
            for item_id, value in values.items()
        ],
        "metrics.metric_summaries": [
            {
                **measured(item_id),
                **{"system_id": "mine", "slice_name": name, "mean": 0.5},
                **{"ci_low": 0.1, "ci_high": 0.9, "n_evaluated": 4, "n_clusters": 4},
                **{"n_asked": 4, "n_failed": 0, "n_not_run": 0},
            }
            for item_id, name in (("p3:Q1", "sound"), (f"{PAGE}-1", "overall"))
        ],
        "metrics.metric_floors": [
            {
                **ACCURACY,
                **{"gold_set": "p3", "system_id": "mine"},
                **{"slice_name": "sound", "null_kind": "strongest", "null_mean": 0.05},
            }
        ],
        "metrics.item_slices": [
            {
                **{"item_id": one, "gold_set": gold_set, "cluster_id": one},
                **{"slice_name": name, "slice_value": "all"},
            }
            for rows, gold_set, names in (
                (QUESTIONS, "p3", ("overall", "sound")),
                (PUBLIC, "finqa", ("overall",)),
            )
            for one, *_ in rows
            for name in names
        ],
        "seeds.page_figures": [
            {"figure_id": name, "figure_pos": pos, **metric}
            for name, pos, metric in (
                ("card", 1, ACCURACY),
                ("card", 6, AGREEMENT),
                ("summary", 1, ACCURACY),
            )
        ],
        "seeds.metric_catalogue": [
            {
                **{**metric, "label": label, "phrase": label.lower()},
                **{"page": "/answers", "remedy": ""},
                **{"value_unit": unit, "value_kind": "mean" if unit == "count" else "share"},
                **{"asked_of": "answers", "direction": "max", "needs_text_only": False},
            }
            for metric, label, unit in (
                (ACCURACY, "Answer accuracy", "share"),
                (AGREEMENT, "Numeric agreement", "share"),
                (UNSUPPORTED, "Mean count of unsupported numbers", "count"),
            )
        ],
        "seeds.system_pairs": [dict.fromkeys(("pair_id", "system_a", "system_b"), "none")],
        "seeds.gate_measures": [
            {
                **{"metric": "answers_failed", "k": 0, "unit": "any", "mode": "finrag"},
                **{"phrase": "share of answers failed", "value_unit": "share"},
                **{"page": "/answers", "remedy": ""},
            }
        ],
        "answers.answers": [
            {
                **{"system_id": "mine", "item_id": item_id, "outcome": outcome},
                "answer_text": "x" if outcome == "answered" else None,
                "failure": "boom" if outcome == "failed" else None,
                "gold_set": measured(item_id)["gold_set"] if outcomes else "none",
            }
            for item_id, outcome in (outcomes or {"none": "answered"}).items()
        ],
        "gates.py_gates_read": list(gates),
        "gates.gate_verdicts": [
            {
                **{name: value for name, value in GATE.items() if name != "system_id"},
                **{"gate_id": "right_answers@mine", "system_id": "mine", "value": 0.5, "n": 4},
                **{"verdict": "fail", "breach": "fail"},
                **{"gate_label": "right answers of mine", "remedy": "Open them."},
                "statement": "right answers of mine is 50.0 %, should be at least 70.0 %",
                "severity": "error" if outcome == "do_not_release" else "warn",
                **given,
            }
            for given in ({}, *verdicts)
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
