"""Which gates changed since the previous record, with the examples that fail them."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.publishing.alerts.webhook import post_alerts
from finrag.publishing.reading import inputs_changed, last_records
from finrag.publishing.report import as_plain, gates_with_examples
from finrag.warehouse import Row, Warehouse, check_written, open_warehouse

VERSION: Final = 1
EXAMPLES: Final = 3
REMOVED: Final = "removed"
TABLES: Final = ("gate_verdicts", "rpt_gate_examples")
_BROKEN: Final = frozenset(
    {"fail", "unmeasured", "too_few_answers", "passed_by_null", "null_unmeasured"}
)


@dataclass(frozen=True)
class Alerted:
    """The result of an alert.

    Attributes:
        lines: the lines appended, as JSON values.
        webhook: the result of the post: ``not set``, ``sent`` or ``failed: `` and why.
        path: the file of alerts.
    """

    lines: list[dict[str, Any]]
    webhook: str
    path: Path


def write_alerts(
    database: Path, state_dir: Path, results: Path | None = None, backoff_s: float = 1.0
) -> Alerted:
    """Appends a line for each gate that changed, and posts the same to the webhook, if one is set.

    The build in the warehouse is compared with the record before it of the same kind of corpus
    and encoder; where that was measured on another corpus or suite, each line says so. Where
    there is none, each broken gate is a change. A build is reported once, however often this is
    called.

    Args:
        database: the warehouse; it is only read.
        state_dir: the folder that keeps state between builds; alerts go to ``alerts`` in it.
        results: dbt's ``run_results.json``; with it, only what that run built is reported.
        backoff_s: pause before the webhook is tried again.

    Raises:
        ValueError: there is no warehouse, or its build never came to its end.
    """
    check_written(results, TABLES)
    with open_warehouse(database) as warehouse:
        header, changes = changes_of(warehouse)
    path = state_dir / "alerts" / "alerts.jsonl"
    known = _alerted_gates(path, header["build"])
    lines = [{**header, **change} for change in changes if change["gate"] not in known]
    if not lines:
        return Alerted([], "not set", path)
    webhook = post_alerts({"text": headline(lines), "alerts": lines}, backoff_s)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    lines = [{"version": VERSION, "alerted_at": now, **line, "webhook": webhook} for line in lines]
    _append(path, lines)
    return Alerted(lines, webhook, path)


def changes_of(warehouse: Warehouse) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The current build and the gates that changed in it, broken error gates first."""
    run = warehouse.rows("select run_id, corpus, encoder from retrieval.runs")[0]
    record, before = last_records(warehouse, with_gates=True)
    build = record["record_id"] if record else run["run_id"]
    states = _states_of(warehouse, before)
    gates = gates_with_examples(warehouse)
    changes = [
        _line(gate, states.get(gate["gate_id"]), _examples(gate))
        for gate in gates
        if _is_change(states.get(gate["gate_id"]), _state(gate))
    ]
    here = {gate["gate_id"] for gate in gates}
    gone = [_gone(name, state) for name, state in sorted(states.items()) if name not in here]
    header = {
        "build": build,
        "compared_with": before["record_id"] if before else None,
        "inputs_changed": inputs_changed(before, _inputs(warehouse)),
        "run_id": run["run_id"],
        "corpus": run["corpus"],
        "encoder": run["encoder"],
    }
    return header, changes + gone


def headline(lines: list[dict[str, Any]]) -> str:
    """What changed, for a chat window: gates and figures, and no text of a filing or model."""
    transitions = [
        f"{line['gate']}: {line['from'] or 'new'} → {line['to']}"
        + (f" ({line['statement']})" if line["statement"] else "")
        for line in lines
    ]
    count = f"{len(lines)} {'gate' if len(lines) == 1 else 'gates'} changed"
    changed = " and ".join(lines[0]["inputs_changed"])
    since = f" The previous record is of {changed}." if changed else ""
    return f"finrag, corpus {lines[0]['corpus']}: {count}. {'; '.join(transitions)}.{since}"


def _inputs(warehouse: Warehouse) -> Row:
    """The hashes of what this run was measured on."""
    return warehouse.rows("select * from metrics.run_manifests order by system_id limit 1")[0]


def _states_of(warehouse: Warehouse, before: Row | None) -> dict[str, str]:
    """The state of each gate in an earlier record."""
    if before is None:
        return {}
    gates = warehouse.rows(
        "select * from gates.recorded_gates where record_id = ?", [before["record_id"]]
    )
    return {gate["gate_id"]: _state(gate) for gate in gates}


def _state(gate: Mapping[str, Any]) -> str:
    """The breach if there is one, else the verdict: a pass that a null shares is a breach."""
    return str(gate["breach"] or gate["verdict"])


def _is_change(before: str | None, now: str) -> bool:
    return now in _BROKEN if before is None else before != now


def _line(gate: Row, before: str | None, examples: list[Row]) -> dict[str, Any]:
    return {
        "gate": gate["gate_id"],
        "phase": gate["phase"],
        "severity": gate["severity"],
        "from": before,
        "to": _state(gate),
        "is_broken": gate["breach"] is not None,
        "system_id": gate["system_id"],
        "metric": gate["metric"],
        "value": as_plain(gate["value"]),
        "limit": as_plain(gate["limit_value"]),
        "direction": gate["direction"],
        "n": gate["n"],
        "rationale": gate["rationale"],
        "statement": gate["statement"],
        "examples": examples,
    }


def _gone(gate_id: str, before: str) -> dict[str, Any]:
    """A gate that no longer exists: silence about it would look like a pass."""
    unknown = dict.fromkeys(("phase", "severity", "system_id", "metric", "value", "limit"))
    rest: dict[str, Any] = {"direction": None, "n": None, "rationale": None}
    rest |= {"statement": None, "examples": []}
    known = {"gate": gate_id, "from": before, "to": REMOVED, "is_broken": before in _BROKEN}
    return {**known, **unknown, **rest}


def _examples(gate: Row) -> list[Row]:
    """The worst items of a gate: what was asked, answered and cited."""
    cited = ("sentence_id", "filing_id", "char_start", "char_end", "sentence_text")
    return [
        {
            "item_id": row["item_id"],
            "question": row["item_text"],
            "gold": row["gold_text"],
            "answer": row["answer_text"],
            "value": as_plain(row["value"]),
            "cited": {name: row["citations"][0][name] for name in cited}
            if row["citations"]
            else None,
        }
        for row in gate["examples"][:EXAMPLES]
    ]


def _alerted_gates(path: Path, build: str) -> set[str]:
    """Gates already reported for a build; a line cut short by a crash does not count."""
    if not path.is_file():
        return set()
    gates = set()
    for line in path.read_bytes().splitlines():
        try:
            alert = json.loads(line)
        except ValueError:
            continue
        if isinstance(alert, dict) and alert.get("build") == build:
            gates.add(str(alert.get("gate")))
    return gates


def _append(path: Path, lines: list[dict[str, Any]]) -> None:
    """Appends in one write, on a line of its own even behind one that was cut short."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(
        f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines
    ).encode()
    with path.open("a+b") as stream:
        if stream.seek(0, os.SEEK_END):
            stream.seek(-1, os.SEEK_END)
            text = text if stream.read(1) == b"\n" else b"\n" + text
        stream.write(text)
