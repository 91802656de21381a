"""What was measured of one system, and the lines that report it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from finrag.command.evaluating.measured import (
    SLICES,
    Figure,
    Figures,
    Key,
    figure_of,
    key_of,
    measure,
)
from finrag.command.evaluating.questions import GOLD, Asked
from finrag.metrics.gated.headlines import UNJUDGED, Ground, of_few, unrecognised
from finrag.metrics.gated.words import Words
from finrag.metrics.gates import FAIL, PASS, Gate, Judged, judge, limits_of
from finrag.metrics.gates import Figure as Measured
from finrag.publishing.report import as_plain
from finrag.publishing.screen import ALL, Screen, gate_line, shorten
from finrag.publishing.verdict import KINDS, RELEASED, Verdict, figure_line, floors_of, is_red
from finrag.records.writing import replacing
from finrag.warehouse import Row, Warehouse

# Figures reported of every run on the filings, in this order.
SHOWN: Final = (
    (("answer_accuracy", 0, "answer", "finrag"), "right answers"),
    (("numeric_within_tolerance", 0, "answer", "finrag"), "right figures"),
    (("evidence_recall", 10, "sentence", "finrag"), "evidence in the first ten"),
    (("citation_correctness", 0, "answer", "finrag"), "citations that are evidence"),
)
# What stands for whichever system is under test, in rows of gates.
CANDIDATE: Final = "candidate"
MAX_FAILURE: Final = 200
# Of an expected and of a given answer, which share a line.
_SHOWN_OF_TEXT: Final = 38
_VERSION: Final = 1
# Those of a public set, as its pages show them; one that a run has no value for is left out.
_SHOWN_OF_SETS: Final = """
select
    page_figures.metric,
    page_figures.k,
    page_figures.unit,
    page_figures.mode,
    lower(metric_catalogue.label)
    || case when page_figures.mode = 'finrag' then '' else ', ' || page_figures.mode end
        as label
from seeds.page_figures
inner join seeds.metric_catalogue
    on
        page_figures.metric = metric_catalogue.metric
        and page_figures.k = metric_catalogue.k
        and page_figures.unit = metric_catalogue.unit
        and page_figures.mode = metric_catalogue.mode
where page_figures.figure_id in ('card', 'ranking_of_a_set')
order by page_figures.figure_pos
"""
_SUMMARIES: Final = """
select
    system_id, metric, k, unit, mode, mean, ci_low, ci_high, n_evaluated, n_clusters, n_asked,
    n_failed, n_not_run
from metrics.metric_summaries
where gold_set = ? and slice_name = ?
order by system_id, metric, k, unit, mode
"""
# How many of the figures asked for each system gave, of all questions on the filings.
_GIVEN: Final = """
select system_id, metric as figure_id, n_evaluated as n, n_asked
from metrics.metric_summaries
where gold_set = 'p3' and slice_name = 'sound' and metric = 'numeric_within_tolerance'
"""
_FLOORS: Final = """
select metric, k, unit, mode, max(null_mean) as value
from metrics.metric_floors
where gold_set = ? and slice_name = ? and system_id = ? and null_kind = 'strongest'
group by metric, k, unit, mode
order by metric, k, unit, mode
"""
_RIGHTS: Final = """
select item_id, is_right
from metrics.answer_verdicts
where gold_set = ? and system_id = ? and is_right is not null
order by item_id
"""
_ANSWERS: Final = """
select
    items.item_id,
    items.question_text as question,
    coalesce(answers.outcome, 'not_run') as outcome,
    answers.answer_text as answer,
    answers.failure,
    item_answers.answer_text as expected,
    answer_failures.failure as cause,
    answer_failures.detail
from gold.items
left join gold.item_answers on items.item_id = item_answers.item_id
left join answers.answers on items.item_id = answers.item_id and answers.system_id = ?
left join metrics.answer_failures
    on answers.item_id = answer_failures.item_id and answers.system_id = answer_failures.system_id
where items.gold_set = ?
order by items.item_id
"""
_EVIDENCE: Final = """
select item_id, list(distinct evidence_id order by evidence_id) as ids
from gold.judgments
where gold_set = ? and grade > 0 and evidence_kind <> 'operand'
group by item_id
order by item_id
"""
# What names no passage of the warehouse: made up, or of another corpus.
_CITED: Final = """
select
    item_id,
    list(coalesce(passage_id, named, document) order by citation_pos) as cited,
    list(coalesce(passage_id, named, document) order by citation_pos)
        filter (where not is_known) as unknown_citations
from answers.answer_citations
where gold_set = ? and system_id = ?
group by item_id
order by item_id
"""
_RANKED: Final = """
select item_id, list(passage_id order by rank, unit, passage_id) as ids
from retrieval.rankings
where gold_set = ? and system_id = ? and rank <= 10
group by item_id
order by item_id
"""
_RETURNED: Final = """
select n_returned, n_recognised
from retrieval.returned_passages
where gold_set = ? and system_id = ?
"""
_CLUSTERS: Final = """
select item_id, min(cluster_id) as cluster_id
from metrics.item_slices
where gold_set = ? and slice_name in ('overall', 'sound')
group by item_id
order by item_id
"""
_GATES: Final = """
select
    gate_id, severity, verdict, breach, metric, k, unit, direction, limit_value, value, n,
    gate_label, statement, remedy
from gates.gate_verdicts
where
    -- A gate on a pair is about its first system.
    coalesce(
        (select system_a from seeds.system_pairs where pair_id = gate_verdicts.system_id),
        system_id
    ) = ?
    and (breach is not null or verdict in ('too_few', 'waived'))
order by breach is null, severity <> 'error', phase, gate_id
"""
# What gates are called.
_NAMES: Final = "select metric, k, unit, mode, phrase, value_unit, page, remedy from seeds.{}"
_PAIRS: Final = "select pair_id, system_a, system_b from seeds.system_pairs"
# Gates on candidates, the user's own among them, before any system is put in; and on this one.
_LIMITS: Final = "select * from gates.py_gates_read"
_JUDGED: Final = """
select gate_id
from gates.gate_verdicts
where
    system_id = ? and gold_set = ? and severity = 'error' and verdict <> 'not_applicable'
"""


@dataclass(frozen=True)
class Outcome(Verdict):
    """The outcome of a run: a verdict, and what became of each question.

    Attributes:
        is_smoke: whether questions were left out, so that it cannot release anything.
        items: the outcome of each question that was asked.
        system_version: the version of it that answered; None where nothing states it.
        is_stored: whether the warehouse holds its answers and values.
        gold: the gold set of the questions.
        not_applied: error gates that a run on few questions cannot judge, each with the reason.
        returned: how many passages an outside system ranked or cited, and how many of them are
            recognised as passages of the corpus.
    """

    is_smoke: bool = False
    items: Mapping[str, Row] = field(default_factory=dict)
    system_version: str | None = None
    is_stored: bool = True
    gold: str = GOLD
    not_applied: Sequence[Row] = ()
    returned: Row = field(default_factory=lambda: {"n_returned": 0, "n_recognised": 0})

    @property
    def figure_lines(self) -> list[str]:
        """Lines of figures, beside reference and null."""
        return [figure_line(row) for row in self.figures]

    @property
    def gate_lines(self) -> list[str]:
        """Lines on gates that are broken or undecided, the worst first."""
        return [gate_line(row, f"{row['gate_id']}, n = {row['n'] or 0:,}") for row in self.gates]

    @property
    def is_unrecognised(self) -> bool:
        """Whether it returned passages of which not one is recognised."""
        return unrecognised("it", self.returned) is not None

    @property
    def wrong(self) -> list[Row]:
        """Questions that were not answered right, by item."""
        return [row for _, row in sorted(self.items.items()) if row["right"] == 0.0]

    @property
    def citations(self) -> tuple[int, int]:
        """How many citations there are, and how many of them name no passage."""
        rows = self.items.values()
        n_all, n_unknown = (
            sum(len(row.get(name) or ()) for row in rows) for name in ("cited", "unknown_citations")
        )
        return n_all, n_unknown


def read_outcome(
    warehouse: Warehouse, system_id: str, asked: Asked, settings: Mapping[str, Any]
) -> Outcome:
    """The outcome of a system: after a whole run its verdict, otherwise that of a smoke run.

    Questions that were left out on purpose are nowhere among those that are counted.

    Args:
        warehouse: as a build left it, or with the system scored beside it.
        system_id: the system.
        asked: the questions of the run.
        settings: the dbt vars of the build.
    """
    items = read_items(warehouse, system_id, asked)
    verdicts = warehouse.rows("select * from reports.rpt_overview_verdict order by place")
    if not asked.is_whole:
        limits = _limits(warehouse, system_id, asked, verdicts[0]["corpus"])
        return _smoke(warehouse, system_id, asked, items, limits, verdicts[0], settings)
    found = [row for row in verdicts if row["system_id"] == system_id]
    shown = verdicts[0] if verdicts[0]["outcome"] == "cannot_be_trusted" or not found else found[0]
    verdict = Verdict(system_id, shown["outcome"], shown["headline"], shown["measured_on"])
    # Gates on other sets alone release nothing from this one.
    if asked.gold != GOLD and not warehouse.rows(_JUDGED, [system_id, asked.gold]):
        is_good = verdict.status == RELEASED
        headline = (
            f"Cannot tell: no error gate applies to {asked.gold}; those on other sets are met."
            if is_good
            else _without_gates(verdict.headline, asked.gold)
        )
        verdict = replace(
            verdict, headline=headline, outcome="cannot_tell" if is_good else verdict.outcome
        )
    measured: dict[str, dict[Key, Figure]] = {}
    for row in warehouse.rows(_SUMMARIES, [asked.gold, asked.slice_name]):
        measured.setdefault(row["system_id"], {})[key_of(row)] = figure_of(row)
    return Outcome(
        system_id,
        verdict.outcome,
        verdict.headline,
        verdict.measured_on,
        figures=_figures(warehouse, system_id, asked, measured),
        gates=warehouse.rows(_GATES, [system_id]),
        items=items,
        system_version=version_of(warehouse, system_id),
        gold=asked.gold,
        returned=_returned(warehouse, system_id, asked.gold),
    )


def _without_gates(headline: str, gold: str) -> str:
    """The headline of a run on a set that no error gate applies to, which is said once."""
    if UNJUDGED in headline:
        return headline.replace(UNJUDGED, f"no error gate applies to {gold}")
    return f"{headline} No error gate applies to {gold}."


def read_items(warehouse: Warehouse, system_id: str, asked: Asked) -> dict[str, Row]:
    """What was asked, expected, found, cited and answered, and how that was judged, by item.

    ``right`` is 1 or 0, and null where no answer could be scored though one was given. ``cause``
    is that of ``metrics.answer_failures``. Of a ranking the first ten are listed.
    """
    evidence, ranked = (
        {row["item_id"]: row["ids"] for row in warehouse.rows(query, values)}
        for query, values in (
            (_EVIDENCE, [asked.gold]),
            (_RANKED, [asked.gold, system_id]),
        )
    )
    cited = {row["item_id"]: row for row in warehouse.rows(_CITED, [asked.gold, system_id])}
    rights = {
        row["item_id"]: float(row["is_right"])
        for row in warehouse.rows(_RIGHTS, [asked.gold, system_id])
    }
    clusters = {
        row["item_id"]: row["cluster_id"] for row in warehouse.rows(_CLUSTERS, [asked.gold])
    }
    items: dict[str, Row] = {}
    for row in warehouse.rows(_ANSWERS, [system_id, asked.gold]):
        item_id = row["item_id"]
        if item_id in asked.item_ids:
            right = rights.get(item_id)
            if right is None and row["outcome"] in ("failed", "not_run"):
                right = 0.0
            of_item = cited.get(item_id, {})
            more = {
                "right": right,
                "cluster": clusters.get(item_id, item_id),
                "evidence": evidence.get(item_id, []),
                "ranked": ranked.get(item_id, []),
                "cited": of_item.get("cited") or [],
                "unknown_citations": of_item.get("unknown_citations") or [],
            }
            items[item_id] = {**{k: v for k, v in row.items() if k != "item_id"}, **more}
    return items


def _limits(warehouse: Warehouse, system_id: str, asked: Asked, corpus: str) -> list[Row]:
    """Limits of this corpus on the system and on the questions of its set, by phase."""
    limits = [
        row
        for row in limits_of(warehouse.rows(_LIMITS), corpus)
        if row["system_id"] in (CANDIDATE, system_id)
        and row["gold_set"] == asked.gold
        and row["slice_name"] in SLICES
    ]
    return sorted(limits, key=lambda row: (row["phase"], row["gate_id"]))


def _returned(warehouse: Warehouse, system_id: str, gold: str) -> Row:
    """How many passages an outside system returned for a gold set, and how many are recognised."""
    rows = warehouse.rows(_RETURNED, [gold, system_id])
    return rows[0] if rows else {"gold_set": gold, "n_returned": 0, "n_recognised": 0}


def named(system_id: str, version: str | None) -> str:
    """A system with the version of it that was measured."""
    return f"{system_id} {version}" if version else system_id


def version_of(warehouse: Warehouse, system_id: str) -> str | None:
    """The version of a system that a build measured; None where nothing states it."""
    (version,) = (
        row["system_version"]
        for row in warehouse.rows(
            "select system_version from metrics.run_manifests where system_id = ?", [system_id]
        )
    )
    return None if version is None else str(version)


def screen_of(outcome: Outcome, database: Path) -> Screen:
    """Its last screen: headline, what it was measured on, figures, gates, where to look."""
    places = (
        (
            f"Next: gates.gate_verdicts, metrics.answer_failures and answers.answers of {database}",
            f"  (system_id '{outcome.system_id}'); `finrag diff` compares it with another run",
        )
        if outcome.is_stored
        else (
            f"Next: the file above has every question; {database} is unchanged (--build adds it)",
        )
    )
    n_cited, n_unknown = outcome.citations
    unknown = f"; {n_unknown:,} of {n_cited:,} citations name no passage" if n_unknown else ""
    return Screen(
        verdicts=((outcome.headline, outcome.measured_on),),
        facts=(
            f"asked {_counted(outcome.items)}{unknown}",
            *_recognised(outcome),
            *_first_failure(outcome.items),
            *_first_wrong(outcome.wrong),
        ),
        figures=tuple(f"  {line}" for line in outcome.figure_lines),
        gates=tuple(outcome.gate_lines),
        places=places,
        status=outcome.status,
        rest=ALL if outcome.is_stored else "see gates in the file above",
    )


def _recognised(outcome: Outcome) -> list[str]:
    """How many of the passages that were returned are recognised, unless all are."""
    n_returned, n_recognised = (outcome.returned[name] for name in ("n_returned", "n_recognised"))
    if n_recognised == n_returned:
        return []
    passages = f"{n_recognised:,} of the {n_returned:,} passages returned"
    return [f"recognised {passages}, by their id or whole text"]


def _counted(items: Mapping[str, Row]) -> str:
    """The number of questions asked, by outcome."""
    counts = Counter(row["outcome"] for row in items.values())
    counted = " + ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in sorted(counts.items()))
    return f"{len(items):,} = {counted}"


def _first_failure(items: Mapping[str, Row]) -> list[str]:
    """Why the first question failed, in a line; nothing where none did or nobody knows."""
    failures = (str(items[item_id]["failure"] or "") for item_id in sorted(items))
    text = next((" ".join(one.split()) for one in failures if one.strip()), "")
    return [f"first failure: {text[:MAX_FAILURE]}"] if text else []


def _first_wrong(wrong: Sequence[Row]) -> list[str]:
    """One question that was not answered right though it was answered, or declined."""
    row = next((one for one in wrong if one["outcome"] in ("answered", "abstained")), None)
    if row is None:
        return []
    given = _cut(row["answer"]) if row["outcome"] == "answered" else "no answer"
    cause = f" ({row['cause'].replace('_', ' ')})" if row.get("cause") else ""
    return [
        f"wrong{cause}: {_cut(row['question'], MAX_FAILURE)}",
        f"  expected {_cut(row.get('expected')) or 'no answer'}; given {given}",
    ]


def _cut(text: Any, width: int = _SHOWN_OF_TEXT) -> str:
    """A text of others on one line, without signs that a terminal would obey."""
    line = "".join(
        sign if sign.isprintable() else " " for sign in " ".join(str(text or "").split())
    )
    return shorten(line, width)


def write_record(outcome: Outcome, folder: Path) -> Path:
    """Write a run to a file that ``finrag diff`` reads, named by a digest of its contents."""
    content = json.dumps(
        {
            "version": _VERSION,
            "system_id": outcome.system_id,
            "system_version": outcome.system_version,
            "gold_set": outcome.gold,
            "headline": outcome.headline,
            "measured_on": outcome.measured_on,
            "is_smoke": outcome.is_smoke,
            "status": outcome.status,
            "figures": outcome.figure_lines,
            "gates": [_gate_row(row) for row in outcome.gates],
            "not_applied": outcome.not_applied,
            "n_citations": outcome.citations[0],
            "n_unknown_citations": outcome.citations[1],
            "n_returned": outcome.returned["n_returned"],
            "n_recognised": outcome.returned["n_recognised"],
            "items": dict(sorted(outcome.items.items())),
        },
        indent=1,
    )
    path = folder / f"run_{hashlib.sha256(content.encode()).hexdigest()[:12]}.json"
    with replacing(path) as hidden:
        hidden.write_text(content, encoding="utf-8")
    return path


def read_record(path: Path) -> tuple[str, dict[str, Row]]:
    """System, with its version, and items of a run that ``write_record`` wrote.

    Raises:
        ValueError: it is no such file.
    """
    try:
        record: Any = json.loads(path.read_text(encoding="utf-8"))
        if record["version"] != _VERSION:
            raise ValueError(f"it was written by version {record['version']}")
        items = {
            str(item_id): {name: row[name] for name in _RECORDED}
            for item_id, row in record["items"].items()
        }
        version = record.get("system_version")
        return named(str(record["system_id"]), version and str(version)), items
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"'{path}' is not a run written by finrag eval: {error}") from error


_RECORDED: Final = ("question", "outcome", "answer", "failure", "right", "cluster")


def _smoke(
    warehouse: Warehouse,
    system_id: str,
    asked: Asked,
    items: Mapping[str, Row],
    limits: Sequence[Row],
    warehouse_verdict: Row,
    settings: Mapping[str, Any],
) -> Outcome:
    """A run on too few questions: gates apply to these alone, and it cannot end in a release."""
    shown = {key[0] for key, _ in _shown(warehouse, asked)}
    slices = measure(warehouse, system_id, asked, items, shown, settings)
    counted = slices[asked.slice_name]
    nulls = _nulls(warehouse, system_id, asked, counted.figures)
    metrics, measures = (
        warehouse.table(_NAMES.format(seed)) for seed in ("metric_catalogue", "gate_measures")
    )
    words = Words(metrics, measures, warehouse.table(_PAIRS))
    broken: list[Row] = []
    left_out: list[Row] = []
    for limit in limits:
        figure = slices[limit["slice_name"]].figures.get(system_id, {}).get(key_of(limit), Figure())
        judged = _judged(limit, system_id, figure, nulls.get(key_of(limit)))
        gate_id, is_few = judged.gate.gate_id, 0 < figure.n < limit["min_n"]
        if judged.verdict == FAIL:
            found = {"verdict": FAIL, "breach": FAIL, "value": judged.value, "n": figure.n}
            broken.append({**limit, **found, "gate_id": gate_id, **words.of(judged)})
        elif judged.verdict != PASS and limit["severity"] == "error":
            why = "too_few_questions" if is_few else "not_measured"
            left_out.append({"gate": gate_id, "why": why, "n": figure.n, "min_n": limit["min_n"]})
    n_errors = sum(map(is_red, broken))
    n_asked, returned = len(asked.questions), _returned(warehouse, system_id, asked.gold)
    outcome = "do_not_release" if n_errors else "cannot_tell"
    asked_of = (n_asked, asked.n_all)
    headline = of_few(system_id, asked.gold, asked_of, limits, n_errors)
    why_unmeasured = None if n_errors else unrecognised(system_id, returned)
    if why_unmeasured:
        n_of = f"{n_asked:,} of {asked.n_all:,} questions asked"
        headline = f"Cannot tell: {why_unmeasured} ({n_of})."
    if warehouse_verdict["outcome"] == "cannot_be_trusted":
        outcome = "cannot_be_trusted"
        headline = f"{warehouse_verdict['headline']} {headline}"
    corpus, encoder = (warehouse_verdict[name] for name in ("corpus", "encoder"))
    ground = Ground(corpus, encoder, len(items), counted.n_questions)
    measured_on = ground.sentence([asked.gold])
    return Outcome(
        system_id,
        outcome,
        headline,
        f"{measured_on}{_left_out(left_out)}",
        figures=_figures(warehouse, system_id, asked, counted.figures, nulls),
        gates=sorted(broken, key=lambda row: [*KINDS].index(row["severity"])),
        is_smoke=True,
        items=items,
        system_version=version_of(warehouse, system_id),
        gold=asked.gold,
        not_applied=tuple(left_out),
        returned=returned,
    )


def _judged(limit: Row, system_id: str, figure: Figure, null_value: float | None) -> Judged:
    """A limit for the items that were asked; few of them excuse it, whatever the system did."""
    # A build names a gate on candidates by the one that it judges.
    suffix = f"@{system_id}" if limit["system_id"] == CANDIDATE else ""
    gate = Gate(f"{limit['gate_id']}{suffix}", system_id, CANDIDATE, limit["severity"], limit)
    values = {"mean": figure.value, "ci_low": figure.ci_low, "ci_high": figure.ci_high}
    return judge(gate, Measured(values, figure.n, figure.n, figure.n_clusters), null_value)


def _left_out(gates: Sequence[Row]) -> str:
    """How many error gates are not applied, and where they are listed."""
    if not gates:
        return ""
    counts = Counter(gate["why"] for gate in gates)
    few, unmeasured = counts["too_few_questions"], counts["not_measured"]
    said = [f"{few} need more questions"] if few else []
    said += [f"{unmeasured} not measured"] if unmeasured else []
    return f" Error gates not applied: {', '.join(said)} (see the file)."


def _shown(warehouse: Warehouse, asked: Asked) -> Sequence[tuple[Key, str]]:
    """Figures that are reported of a gold set, with what they are called."""
    if asked.is_filings:
        return SHOWN
    return [(key_of(row), row["label"]) for row in warehouse.rows(_SHOWN_OF_SETS)]


def _nulls(
    warehouse: Warehouse,
    system_id: str,
    asked: Asked,
    measured: Figures,
) -> dict[Key, float]:
    """The strongest null of each figure: random systems, and answers that know nothing."""
    nulls = {
        key_of(row): float(row["value"])
        for row in warehouse.rows(_FLOORS, [asked.gold, asked.slice_name, system_id])
        if row["value"] is not None
    }
    for name in _systems(warehouse, "null"):
        for key, figure in measured.get(name, {}).items():
            if figure.value is not None:
                nulls[key] = max(figure.value, nulls.get(key, figure.value))
    return nulls


def _figures(
    warehouse: Warehouse,
    system_id: str,
    asked: Asked,
    measured: Figures,
    nulls: Mapping[Key, float] | None = None,
) -> list[Row]:
    """Figures of a system beside the strongest null and the best reference."""
    nulls = _nulls(warehouse, system_id, asked, measured) if nulls is None else nulls
    references = [one for one in _systems(warehouse, "reference") if one != system_id]
    floors = floors_of(warehouse.rows(_GIVEN)) if asked.is_filings else ()
    rows = []
    for key, label in _shown(warehouse, asked):
        own = measured.get(system_id, {}).get(key, Figure())
        if not own.n and not asked.is_filings:
            continue
        # A reference that answers few questions is compared only where no other was measured; of
        # equals the first by name.
        known = [
            (2 * figure.n < own.n, -figure.value, name, figure.n)
            for name in references
            if (figure := measured.get(name, {}).get(key)) and figure.value is not None
        ]
        is_of_few, lost, name, n = min(known, default=(False, None, None, 0))
        rows.append(
            {
                "figure": label,
                **{"value": own.value, "ci_low": own.ci_low, "ci_high": own.ci_high, "n": own.n},
                **{"n_asked": own.n_asked, "n_failed": own.n_failed, "n_not_run": own.n_not_run},
                "null_value": nulls.get(key),
                "reference_value": None if lost is None else -lost,
                **{"reference_id": name, "is_floor": name in floors},
                "reference_n": n if is_of_few else None,
            }
        )
    return rows


def _systems(warehouse: Warehouse, role: str) -> list[str]:
    rows = warehouse.rows(
        "select system_id from retrieval.registered_systems where role = ? order by system_id",
        [role],
    )
    return [row["system_id"] for row in rows]


def _gate_row(row: Row) -> Row:
    shared = ("severity", "metric", "k", "unit", "direction")
    return {
        "gate": row["gate_id"],
        "state": row["breach"] or row["verdict"],
        **{name: row[name] for name in shared},
        "limit": as_plain(row["limit_value"]),
        "value": as_plain(row["value"]),
        "n": row["n"] or 0,
        **{name: row[name] for name in ("statement", "remedy")},
    }
