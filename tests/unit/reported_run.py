"""A warehouse with just what reports and alerts read: one system, two gates, one wrong answer."""

import json

import duckdb

TABLES = {
    "retrieval.runs": {
        "run_id": "run-1",
        "corpus": "sample",
        "encoder": "minilm",
        "built_at": "timestamp '2026-03-04 05:06:07.5'",
    },
    "reports.rpt_overview_corpus": {
        "run_id": "run-1",
        "corpus": "sample",
        "encoder": "minilm",
        "n_records": 3,
        "n_quarantined": 1,
        "n_companies": 1,
        "n_filings": 2,
        "n_sections": 4,
        "n_sentences": 1_200,
        "duplicate_share": 0.5,
    },
    "reports.rpt_overview_verdict": {
        "place": 0,
        "system_id": "",
        "outcome": "nothing_under_test",
        "headline": "No system of yours is under test.",
        "measured_on": "Measured on a test.",
    },
    "reports.rpt_overview_candidates": {
        "run_id": "r",
        "system_id": "none",
        "gold_set": "p3",
        "is_public": False,
        "metric": "hit",
        "k": 5,
        "unit": "sentence",
        "mode": "finrag",
        "metric_label": "Hit@5",
        "value": 0.5,
    },
    "reports.rpt_overview_figures": {
        "run_id": "run-1",
        "system_id": "own_rag",
        "system_pos": 1,
        "role": "reference",
        "figure_pos": 1,
        "figure_id": "evidence",
        "figure": "Evidence found",
        "status": "measured",
        "value": 0.5,
        "ci_low": 0.25,
        "ci_high": 0.75,
        "n": 7,
        "n_asked": 10,
        "null_value": 0.125,
        "band": "large",
        "reference_id": "dense",
        "reference_value": 0.375,
    },
    "reports.rpt_overview_steps": {
        "step_pos": 4,
        "kind": "caveat",
        "reason": "No person has reviewed *any* of the 3 questions.",
        "step": "Read a sample of them.",
        "page": "/gold",
    },
    "reports.rpt_overview_limits": {
        "run_id": "run-1",
        "gate_id": "lists",
        "phase": "P4",
        "severity": "error",
        "gate_label": "List match",
        "measured_as": "mean, over sound questions",
        "limit_text": "at least 80 %",
        "limit_value": 0.8,
        "applies_to": "systems that answer",
        "consequence": "stops a release",
        "rationale": "A list of peers with one name too few misleads",
        "set_on": "21 November 2026",
        "set_by": "my_gates.csv",
    },
    "gates.gate_limits": {"gate_id": "lists", "set_on": "2026-11-21"},
    "gold.gold_p3": {"question_id": "q1", "category": "A", "created_by": "template:a"},
    "gold.items": {"item_id": "p3:none", "corpus_id": "filings", "question_id": "none"},
    "metrics.int_items_excluded": {"item_id": "p3:none"},
    "seeds.p3_category_mix": {"category": "A"},
    "seeds.system_pairs": {"pair_id": "a_over_b", "system_a": "a"},
    "reports.rpt_overview_answers": {
        "run_id": "run-1",
        "system_id": "own_rag",
        "gold_set": "p3",
        "is_null": False,
        "n_asked": 4,
        "n_answered": 1,
        "n_abstained": 1,
        "n_failed": 1,
        "n_not_run": 1,
        "price_usd": None,
    },
    "metrics.run_manifests": {
        "run_id": "run-1",
        "evaluation_id": "abcdef0123456789",
        "system_id": "own_rag",
        "system_kind": "hybrid",
        "settings": json.dumps({"depth": 50}),
        "settings_hash": "0011223344",
        "encoder_id": "minilm",
        "reranker": None,
        "answerer": "extractive",
        "prompt_hash": None,
        "llm_endpoint": None,
        "corpus_hash": "c0",
        "anchors_hash": "a0",
        "questions_hash": "q0",
        "readings_hash": "r0",
        "gold_hash": "g0",
        "gold_versions": "P3.g1",
        "finrag_version": "0.1.0",
        "python_version": "3.11",
        "library_versions": json.dumps({"duckdb": "2.0.0"}),
        "git_commit": "deadbeef",
        "has_uncommitted_changes": False,
    },
    "metrics.metric_summaries": {
        "summary_id": "s1",
        "run_id": "run-1",
        "system_id": "own_rag",
        "gold_set": "p3",
        "slice_name": "overall",
        "slice_value": "all",
        "metric": "hit",
        "k": 5,
        "unit": "sentence",
        "mode": "finrag",
        "n_asked": 10,
        "n_evaluated": 7,
        "n_uncovered": 2,
        "n_failed": 1,
        "mean": 0.5,
        "ci_low": 0.25,
        "ci_high": 0.75,
    },
    "metrics.comparisons": {
        "comparison_id": "c1",
        "run_id": "run-1",
        "pair_id": "own_lift",
        "system_a": "own_rag",
        "system_b": "random_open",
        "gold_set": "p3",
        "slice_name": "overall",
        "slice_value": "all",
        "metric": "hit",
        "k": 5,
        "unit": "sentence",
        "mode": "finrag",
        "n_items": 7,
        "mean_difference": 0.5,
        "ci_low": 0.25,
        "ci_high": 0.75,
        "verdict": "better",
    },
    "seeds.page_figures": {
        **{"shown_in": "report", "metric": "hit", "k": 5, "unit": "sentence", "mode": "finrag"},
    },
    "reports.rpt_run_examples": {
        "run_id": "run-1",
        "system_id": "own_rag",
        "gold_set": "p3",
        "example_rank": 1,
        "item_id": "p3:q1",
        "outcome": "answered",
        "question_text": "How many mines has Ore Ltd?",
        "gold_text": "three",
        "answer_text": "eight",
    },
    "reports.rpt_gate_examples": {
        "run_id": "run-1",
        "gate_id": "hits",
        "example_rank": 1,
        "system_id": "own_rag",
        "item_id": "p3:q1",
        "value_status": "evaluated",
        "value": 0.0,
        "item_text": "How many mines has Ore Ltd?",
        "gold_text": "three",
        "outcome": "answered",
        "answer_text": "eight",
    },
    "answers.answer_citations": {
        "system_id": "own_rag",
        "item_id": "p3:q1",
        "citation_pos": 0,
        "named": "f1_section_1_7",
        "is_in_context": True,
        "quote": None,
    },
    "gold.judgments": {"item_id": "p3:q1", "passage_id": "f1_section_1_8", "grade": 1},
    "sentences.sentences": {
        "sentence_id": "f1_section_1_7",
        "filing_id": "f1",
        "company_name": "Ore Ltd",
        "report_year": 2020,
        "section_name": "section_1",
        "char_start": 10,
        "char_end": 42,
        "sentence_text": "Ore Ltd owns eight barges.",
    },
}
GATE = {
    "run_id": "run-1",
    "gate_id": "hits",
    "phase": "P3",
    "system_id": "own_rag",
    "gold_set": "p3",
    "metric": "hit",
    "k": 5,
    "direction": "min",
    "limit_value": 0.8,
    "value": 0.5,
    "n": 7,
    "severity": "error",
    "verdict": "pass",
    "breach": None,
    "is_trusted": True,
    "waiver_reason": None,
    "rationale": "Fewer hits than that and nobody would use it",
    "set_on": "2026-11-21",
}
FAILED = {"verdict": "fail", "breach": "fail"}


def gate(gate_id, **changes):
    return {**GATE, "gate_id": gate_id, **changes}


def worded(row):
    """What the reports say of a gate."""
    return {
        "gate_id": row["gate_id"],
        "gate_label": "Hit@5 of own_rag",
        "statement": f"Hit@5 of own_rag is {row['value']}, should be at least 80 %",
        "value_text": str(row["value"]),
        "limit_text": "at least 80 %",
        "remedy": "Look at the hardest items" if row["breach"] else None,
        "page": "/retrieval",
        "set_by": "finrag",
    }


def write_run(path, *gates, without=(), **changes):
    """Writes the warehouse; ``changes`` name a table as ``room__table`` and change its row."""
    tables = {name: [row] for name, row in TABLES.items() if name not in without}
    tables["gates.gate_verdicts"] = list(gates) or [gate("hits")]
    gates_told = [{**one, **worded(one)} for one in tables["gates.gate_verdicts"]]
    tables["gates.gate_verdicts"] = tables["reports.rpt_overview_gate_details"] = gates_told
    for name, row in changes.items():
        table = name.replace("__", ".", 1)
        tables[table] = [{**tables[table][0], **row}]
    path.unlink(missing_ok=True)
    with duckdb.connect(str(path)) as connection:
        for table, rows in tables.items():
            write_table(connection, table, rows)
    return path


def add_records(path, *records, gold_set="p3", **inputs_before):
    """Adds a history: (record_id, day of March, {gate: (verdict, breach)}, mean of the metric).

    ``inputs_before`` are hashes that all but the last record had instead of those of the run.
    """
    inputs = ("corpus_hash", "anchors_hash", "questions_hash", "gold_hash")
    manifest = TABLES["metrics.run_manifests"]
    runs, gates, metrics = [], [], []
    for record_id, day, states, mean in records:
        is_last = record_id == records[-1][0]
        runs.append(
            {
                "record_id": record_id,
                "recorded_at": f"timestamp '2026-03-{day:02} 00:00:00'",
                "run_id": "run-1" if is_last else "run-0",
                "evaluation_id": "abcdef0123456789",
                "corpus": "sample",
                "encoder": "minilm",
                "results_hash": f"results-{record_id}",
                **{name: manifest[name] for name in inputs},
                **({} if is_last else inputs_before),
            }
        )
        gates += [
            {"record_id": record_id, "gate_id": name, "verdict": verdict, "breach": breach}
            for name, (verdict, breach) in states.items()
        ]
        key = ("system_id", "gold_set", "slice_name", "slice_value", "metric", "k", "unit", "mode")
        summary = {name: TABLES["metrics.metric_summaries"][name] for name in key}
        metrics.append(
            {"results_hash": f"results-{record_id}", **summary, "gold_set": gold_set, "mean": mean}
        )
    with duckdb.connect(str(path)) as connection:
        write_table(connection, "metrics.recorded_runs", runs)
        write_table(connection, "metrics.recorded_metrics", metrics)
        none = {"record_id": "none", "gate_id": "none", "verdict": "pass", "breach": None}
        write_table(connection, "gates.recorded_gates", [none, *gates])
    return path


def write_table(connection, table, rows):
    connection.execute(f"create schema if not exists {table.split('.')[0]}")
    selects = (
        "select " + ", ".join(f"{literal(value)} as {name}" for name, value in row.items())
        for row in rows
    )
    connection.execute(f"create or replace table {table} as {' union all '.join(selects)}")


def literal(value):
    if value is None:
        return "null"
    if isinstance(value, str):
        is_time = value.startswith("timestamp '")
        return value if is_time else "'" + value.replace("'", "''") + "'"
    return f"cast('{value}' as double)" if isinstance(value, float) else str(value)
