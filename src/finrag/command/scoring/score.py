"""Scores answers in files by the models of the warehouse, over that one set in memory.

The records are processed as in a build: by the same readers, SQL and Python models. Everything
else that a build has (filings, other systems, services) is empty here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.answers.answering import ANSWER_SCHEMA
from finrag.cache.entries import damage_counted
from finrag.command.settings import system_seeds
from finrag.metrics.summaries import Known, summarise
from finrag.sources.benchmarks import GivenSystem, read_catalogue
from finrag.sources.benchmarks.files import BenchmarkFile, answer_file, gold_files
from finrag.sources.benchmarks.reading import read_files
from finrag.sources.predictions import PREDICTION_SCHEMA
from finrag.systems import system_schema
from finrag.systems.registry import given_row
from finrag.warehouse import Row
from finrag.warehouse.folder import project_folder
from finrag.warehouse.models import ModelsInMemory

RECORDS: Final = "py_benchmark_records_read"
SYSTEMS: Final = "py_systems_read"
_VALUE: Final = (
    *("system_id", "gold_set", "item_id", "metric", "k", "unit", "mode", "value_status", "value"),
)
# What a build has beside public sets and files, and their columns where no contract names them.
EMPTY: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("anchors", "chunks", "companies", "filings", "sections", "sentences"), ()),
    **dict.fromkeys(("tables", "table_cells"), ()),
    **dict.fromkeys(("gold_p1", "gold_p2", "gold_p3", "program_operands", "question_flags"), ()),
    **dict.fromkeys(("contexts", "kpi_mentions", "parsed_questions", "retrieval_outcomes"), ()),
    **dict.fromkeys(("agent_steps", "answer_diagnosis_flags"), ()),
    "py_questions_paraphrased": ("question_id", "variant_id", "is_accepted"),
    "int_anchors_graded": ("gold_set", "item_id", "sentence_id", "distance"),
    "int_p3_criteria": (
        *("question_id", "criterion_pos", "text", "operator", "weight", "is_dealbreaker"),
    ),
    "int_p3_evidence": ("question_id", "category", "sentence_id", "evidence_id", "is_topic"),
    "int_p3_cells_judged": ("question_id", "evidence_id", "passage_id", "unit"),
    "int_p3_alternatives": ("question_id", "sentence_id", "evidence_id"),
    "py_speakers_attributed": (
        *("system_id", "benchmark", "question_id", "speaker", "answer", "role"),
    ),
    "int_retrieval_values": (*_VALUE, "value_best", "value_worst", "value_expected"),
    "int_answers_marked": ("system_id", "gold_set", "item_id", "reviewer", "mark"),
    "int_null_answers": (
        *("item_id", "null_kind", "from_item_id", "answer_text", "numeric_value", "unit"),
        "answer_form",
    ),
    "int_evidence_followed": ("system_id", "item_id"),
    "py_text_pairs_scored": ("pair_id", "metric", "value", "scorer_id"),
    **dict.fromkeys(("int_agent_values", "int_line_values"), _VALUE),
    "int_llm_judged_values": (*_VALUE, "scorer_id"),
    "int_integrity_measured": (
        *("system_id", "gold_set", "slice_name", "slice_value", "metric", "n_asked", "n_true"),
    ),
}
# The whole set; and each of its files, such as dev and test, where there are several.
SLICED: Final = "item_slices"
_WHOLE: Final = "slice_name = 'overall'"
_FILES: Final = "slice_name in ('overall', 'file')"
VALUES: Final = "metric_values"
SUMMARIES: Final = "metric_summaries"
# Where a record stands, as quarantine begins a remedy.
_PLACE: Final = re.compile(r"^In .*?, \w+ \d+: ")
COUNTS: Final = ("answered", "abstained", "failed", "not_run")


@dataclass(frozen=True)
class Refused:
    """A record, or a part of one, that was not used: where it stands, why, and what to do."""

    file: str
    line: int
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}; {self.remedy}"


@dataclass(frozen=True)
class Scored:
    """Scores of the systems in some files.

    Attributes:
        gold_set: id of the set.
        gold: names of the set's files.
        n_questions: questions of the set.
        outcomes: by system, how many questions were answered, declined, failed and not run.
        n_repeated: answers to a question that had one already; the first counts.
        refused: records and parts of them that were not used, unknown questions among them.
        summaries: rows of ``metric_summaries`` with ``score``, ``score_low`` and ``score_high``:
            the mean over all questions asked, what is missing as 0, and its interval. Those with
            ``mean`` are over the questions that could be evaluated.
    """

    gold_set: str
    gold: Sequence[str]
    n_questions: int
    outcomes: Mapping[str, Mapping[str, int]]
    n_repeated: int = 0
    refused: Sequence[Refused] = ()
    summaries: Sequence[Row] = field(default=())


@damage_counted()
def score_files(
    gold_set: str,
    files: Sequence[Path],
    folders: str | Sequence[str],
    variables: Mapping[str, Any],
) -> Scored:
    """Score the answers in some files.

    Args:
        gold_set: id of the set, as ``finrag benchmarks`` lists it.
        files: answers, and verdicts on them, as they may lie in the folder of a set.
        folders: where the set's own files lie; a single file may have any name.
        variables: the dbt vars, with defaults.

    Raises:
        ValueError: the set or a file is not there, or no record can be scored; naming the file,
            the line and what to do.
    """
    opened = open_models(gold_set, files, folders, variables)
    models = opened.models
    refused = _refused(opened)
    matched = models.table("external_predictions").to_pylist()
    if not matched:
        why = str(refused[0]) if refused else f"{files[0]} holds no answer"
        raise ValueError(f"nothing to score: {why}")
    return Scored(
        gold_set,
        opened.gold,
        models.table("item_answers").num_rows,
        _outcomes(models.table("answers").to_pylist()),
        sum(max(0, row["n_answers"] - 1) for row in matched),
        refused,
        _summaries(models, variables),
    )


@dataclass(frozen=True)
class Opened:
    """The models over one set and some files of answers.

    Attributes:
        models: the models.
        gold: paths of the set's files.
        records: records of the files of answers.
        paths: path of each file, by the name under which its records stand.
    """

    models: ModelsInMemory
    gold: Sequence[str]
    records: Sequence[Row]
    paths: Mapping[str, str]


def open_models(
    gold_set: str,
    files: Sequence[Path],
    folders: str | Sequence[str],
    variables: Mapping[str, Any],
) -> Opened:
    """Read a set and some files of answers; arguments and errors as of ``score_files``."""
    gold, given = _files(gold_set, files, folders)
    read = read_files([*gold, *given])
    if not pc.sum(pc.list_value_length(read["questions"])).as_py():
        shown = ", ".join(str(file.file.path) for file in gold)
        raise ValueError(
            f"no question of {gold_set} can be read in {shown}; see "
            "docs/reference/public-benchmarks.md"
        )
    names = pa.array([file.file.name for file in given])
    records = read.filter(pc.is_in(read["source_file"], names)).to_pylist()
    has_parts = sum(file.holds == "questions" for file in gold) > 1
    slices = _FILES if has_parts else _WHOLE
    return Opened(
        _models(read, _systems(gold_set, records), variables, slices),
        [str(file.file.path) for file in gold],
        records,
        {file.file.name: str(file.file.path) for file in given},
    )


def _files(
    gold_set: str, files: Sequence[Path], folders: str | Sequence[str]
) -> tuple[list[BenchmarkFile], list[BenchmarkFile]]:
    for path in files:
        if not path.is_file():
            raise ValueError(f"there is no file '{path}'; name a file of answers")
    catalogue = read_catalogue()
    gold = gold_files(folders, gold_set, catalogue)
    if not any(file.holds in ("questions", "passages") for file in gold):
        known = sorted({row.benchmark for row in catalogue} - {"*"})
        where = folders if isinstance(folders, str) else ", ".join(folders)
        hint = f"the sets are {', '.join(known)}" if gold_set not in known else "see --gold"
        raise ValueError(f"no file of the set {gold_set} lies in {where or 'no folder'}; {hint}")
    return gold, [answer_file(path, gold_set, catalogue) for path in files]


def _systems(gold_set: str, records: Sequence[Row]) -> pa.Table:
    """The systems that the records are of, as a build registers them."""
    names = {given["system"] for row in records for given in row["predictions"] or ()}
    _, catalogue = system_seeds()
    rows = [given_row(GivenSystem(name, (gold_set,), ()), frozenset()) for name in sorted(names)]
    return pa.Table.from_pylist(rows, schema=system_schema(catalogue))


def _models(
    records: pa.Table, systems: pa.Table, variables: Mapping[str, Any], slices: str
) -> ModelsInMemory:
    given = {
        RECORDS: records,
        SYSTEMS: systems,
        "py_external_rows_read": PREDICTION_SCHEMA.empty_table(),
        "py_external_services_asked": PREDICTION_SCHEMA.empty_table(),
        "py_questions_answered": ANSWER_SCHEMA.empty_table(),
        "runs": pa.table({"run_id": ["score"]}),
    }
    # Nothing is stored for a later build.
    settings = {**variables, "state_dir": None, "judge_figures": False}
    return ModelsInMemory(project_folder(), settings, given, EMPTY, {SLICED: slices})


def _refused(opened: Opened) -> list[Refused]:
    """Records that cannot be read, and what else was not used as given, in the files' order."""
    unread = [row for row in opened.records if row["record_status"] != "read"]
    rejected = opened.models.table("external_rejections").to_pylist()
    return [
        Refused(
            opened.paths[row["source_file"]],
            row["source_line"],
            row["reason"],
            _PLACE.sub("", row["remedy"]).removesuffix("."),
        )
        for row in sorted(
            [*unread, *rejected],
            key=lambda row: (row["source_file"], row["source_line"], row["reason"]),
        )
    ]


def _outcomes(answers: Sequence[Row]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {}
    for row in answers:
        counted.setdefault(row["system_id"], Counter())[row["outcome"]] += 1
    return {
        system: {name: counts[name] for name in COUNTS}
        for system, counts in sorted(counted.items())
    }


def _summaries(models: ModelsInMemory, variables: Mapping[str, Any]) -> list[Row]:
    """The summaries, each with the mean over all questions asked, and its interval."""
    rows = models.table(SUMMARIES).to_pylist()
    measured = {_key(row) for row in rows if row["n_evaluated"]}
    scores = {_key(row): row for row in _over_asked(models, variables).to_pylist()}
    found = []
    for row in sorted(rows, key=_key):
        score = scores[_key(row)] if _key(row) in measured else {}
        found.append(
            {
                **row,
                "score": row["mean_of_asked"],
                "score_low": score.get("ci_low"),
                "score_high": score.get("ci_high"),
            }
        )
    return found


def _over_asked(models: ModelsInMemory, variables: Mapping[str, Any]) -> pa.Table:
    """The summaries over all questions asked; of no nulls and of no warehouse."""
    known = Known(
        slices=models.table(SLICED),
        metrics=models.table("metric_catalogue"),
        systems=models.table("registered_systems").slice(0, 0),
        null_values=models.table("int_answer_values").slice(0, 0),
        integrity=models.table("int_integrity_measured").slice(0, 0),
    )
    return summarise(known, _missing_as_zero(models.table(VALUES)), variables)


def _missing_as_zero(values: pa.Table) -> pa.Table:
    """An expected value that is missing counts as 0, unless the gold is the reason."""
    is_expected = pc.invert(pc.is_in(values["value_status"], pa.array(["evaluated", "uncovered"])))
    zeros = pc.if_else(is_expected, 0.0, values["value"])
    status = pc.if_else(is_expected, "evaluated", values["value_status"])
    return values.set_column(values.schema.get_field_index("value"), "value", zeros).set_column(
        values.schema.get_field_index("value_status"), "value_status", status
    )


def _key(row: Row) -> tuple[str, ...]:
    """Where a summary stands: of a system the whole set comes first, then its files."""
    part = "" if row["slice_name"] == "overall" else str(row["slice_value"])
    return str(row["system_id"]), part, str(row["metric"]), str(row["mode"])
