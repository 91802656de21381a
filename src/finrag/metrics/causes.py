"""Why an answer went wrong.

Every kind of failure that fits an answer is found; the first by rank is its cause, for what went
wrong early explains what went wrong later. Every wrong answer fits at least one kind.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import pyarrow as pa

from finrag.records.columns import nullable, required
from finrag.text.words import padded_words

CAUSE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "item_id", "failure"),
        *nullable(pa.string(), "detail"),
    ]
)
_FAULTS_OF_FIGURES: Final = ("sign", "scale", "unit", "currency", "period")
_TYPES_WITH_OWN_KINDS: Final = ("no_answer", "numeric", "boolean", "list")
# Most words of the gold, and another meaning.
_FAR: Final = 0.60
_SHARED: Final = 0.6
_LONG_WORD: Final = re.compile(r"[a-z]{3,}")


class Failure(NamedTuple):
    """A kind of failure that fits an answer.

    Attributes:
        kind: one of the seed ``failure_kinds``.
        detail: what exactly; null where nothing is known.
    """

    kind: str
    detail: str | None


@dataclass(frozen=True)
class Diagnosed:
    """What became of a question at a system.

    Attributes:
        outcome: ``answered``, ``abstained``, ``failed`` or ``not_run``.
        error: why it failed.
        answer_type: of the gold. Of a public set only ``no_answer``, ``speaker`` and, where its
            figure is wrong, ``numeric``.
        is_right: null where nothing could tell.
        verdict: on its figure; see ``finrag.scoring.numbers``.
        unsupported_numbers: the numbers of the answer that no citation holds, in its order.
        is_off_question: whether its citations support it and it misses the question.
        copied_share: of its sentences.
        cosine: of the answer and its gold.
        n_evidence_ranked: null where an outside system does not report what it retrieved, and so
            is ``n_evidence_in_context``.
        other_company_place: a citation of a company that was not asked about.
        other_year_place: a citation of another year, where none is of a year asked about.
    """

    system_id: str
    item_id: str
    outcome: str | None = None
    error: str | None = None
    answer_type: str | None = None
    gold_text: str | None = None
    answer_text: str | None = None
    numeric_value: float | None = None
    unit: str | None = None
    is_right: bool | None = None
    verdict: str | None = None
    verdict_reason: str | None = None
    unsupported_numbers: str | None = None
    is_off_question: bool | None = None
    copied_share: float | None = None
    cosine: float | None = None
    n_citations: int = 0
    n_invalid_citations: int = 0
    n_evidence: int = 0
    n_evidence_ranked: int | None = None
    n_evidence_in_context: int | None = None
    n_evidence_cited: int = 0
    other_company_place: str | None = None
    other_year_place: str | None = None

    @property
    def evidence_described(self) -> str:
        """How far the evidence came."""
        ranked, read = (
            "unknown" if count is None else count
            for count in (self.n_evidence_ranked, self.n_evidence_in_context)
        )
        return (
            f"{self.n_evidence} of evidence: {ranked} ranked, {read} read, "
            f"{self.n_evidence_cited} cited"
        )

    @property
    def is_evidence_retrieved(self) -> bool:
        """Whether the search found all evidence, as far as it is known."""
        return self.n_evidence_ranked is None or self.n_evidence_ranked >= self.n_evidence

    @property
    def is_evidence_read(self) -> bool:
        """Whether the answerer read all evidence, as far as it is known."""
        return self.n_evidence_in_context is None or self.n_evidence_in_context >= self.n_evidence


_FIELDS: Final = tuple(field.name for field in fields(Diagnosed))


def find_causes(answers: Iterable[pa.RecordBatch], kinds: pa.Table) -> pa.RecordBatchReader:
    """Find the cause of everything that went wrong.

    Args:
        answers: the fields of ``Diagnosed``, a row per system and question.
        kinds: ``failure`` and ``rank`` of the seed ``failure_kinds``; kinds that it does not know
            come last, in alphabetical order.

    Returns:
        A reader with ``CAUSE_SCHEMA``: a row for each answer that a kind fits, in their order.
    """
    ranks = dict(zip(kinds["failure"].to_pylist(), kinds["rank"].to_pylist(), strict=True))
    return pa.RecordBatchReader.from_batches(CAUSE_SCHEMA, _batches(answers, ranks))


def _batches(
    answers: Iterable[pa.RecordBatch], ranks: Mapping[str, int]
) -> Iterator[pa.RecordBatch]:
    for batch in answers:
        columns = [batch[name].to_pylist() for name in _FIELDS]
        rows = itertools.starmap(Diagnosed, zip(*columns, strict=True))
        causes = [(row, cause) for row in rows if (cause := first_failure(row, ranks))]
        yield pa.RecordBatch.from_pydict(
            {
                "system_id": [row.system_id for row, _ in causes],
                "item_id": [row.item_id for row, _ in causes],
                "failure": [cause.kind for _, cause in causes],
                "detail": [cause.detail for _, cause in causes],
            },
            schema=CAUSE_SCHEMA,
        )


def first_failure(answer: Diagnosed, ranks: Mapping[str, int]) -> Failure | None:
    """The kind of failure that fits an answer first, by rank; None where none does."""
    return min(
        find_failures(answer),
        key=lambda found: (ranks.get(found.kind, math.inf), found.kind),
        default=None,
    )


def find_failures(answer: Diagnosed) -> Iterator[Failure]:
    """Every kind of failure that fits an answer."""
    if answer.outcome in ("not_run", "failed"):
        yield Failure(answer.outcome, answer.error or "no outcome")
    elif answer.is_right is None:
        yield Failure("not_judged", f"answer type {answer.answer_type or 'unknown'}")
    elif answer.outcome == "abstained":
        if not answer.is_right:
            yield Failure(_false_abstention(answer), answer.evidence_described)
    elif answer.is_right:
        yield from _ungrounded(answer)
    else:
        yield from _misread(answer)
        yield from _of_type(answer)


def _false_abstention(answer: Diagnosed) -> str:
    if answer.n_evidence == 0 or answer.n_evidence_in_context is None:
        return "false_abstention"
    if not answer.is_evidence_retrieved:
        return "false_abstention_no_evidence_retrieved"
    if not answer.is_evidence_read:
        return "false_abstention_evidence_cut"
    return "false_abstention_evidence_in_context"


def _ungrounded(answer: Diagnosed) -> Iterator[Failure]:
    """What is amiss with a right answer."""
    if answer.unsupported_numbers is not None and answer.n_citations:
        yield Failure("unsupported_numbers", answer.unsupported_numbers)
    if answer.other_company_place is not None:
        yield Failure("cites_other_company", answer.other_company_place)
    if answer.n_invalid_citations:
        of_all = f"{answer.n_invalid_citations} of {answer.n_citations} citations"
        yield Failure("invalid_citations", of_all)
    # Who names a speaker has named the source.
    if answer.n_citations == 0 and answer.answer_type != "speaker":
        yield Failure("uncited", "no citation")


def _misread(answer: Diagnosed) -> Iterator[Failure]:
    """What a wrong answer was made from."""
    if not answer.is_evidence_read:
        is_cut = answer.is_evidence_retrieved
        kind = "evidence_cut_from_context" if is_cut else "evidence_not_retrieved"
        yield Failure(kind, answer.evidence_described)
    if answer.other_company_place is not None:
        yield Failure("wrong_company", answer.other_company_place)
    if answer.other_year_place is not None:
        yield Failure("wrong_year", answer.other_year_place)
    # True, and beside the point: as the metric of that name has it.
    if answer.is_off_question:
        support = f"{answer.n_citations} citations support it; {answer.evidence_described}"
        yield Failure("off_question", support)


def _of_type(answer: Diagnosed) -> Iterator[Failure]:
    """What is wrong with an answer of its type."""
    kind = answer.answer_type
    if kind == "no_answer":
        yield Failure("answered_unanswerable", f"{answer.n_citations} citations")
    if kind == "numeric":
        yield _wrong_figure(answer)
    if kind == "boolean":
        has_one = padded_words(answer.answer_text or "").startswith((" yes ", " no "))
        yield Failure("wrong_boolean" if has_one else "no_boolean", answer.evidence_described)
    if kind == "list":
        yield _wrong_list(answer)
    if kind in ("span", "list") and (shared := _fragments(answer)):
        yield Failure("fragmented", shared)
    has_cited_all = answer.n_evidence_cited >= answer.n_evidence
    # To quote is right where a list, a figure or a yes is asked for.
    if kind == "span" and answer.copied_share == 1 and answer.n_evidence and has_cited_all:
        yield Failure("copied", "every sentence is copied word for word from what it cites")
    if kind not in _TYPES_WITH_OWN_KINDS:
        other = "other_wording" if has_cited_all else "other_passage"
        yield Failure(other, answer.evidence_described)


def _wrong_figure(answer: Diagnosed) -> Failure:
    verdict, value = answer.verdict, answer.numeric_value
    if verdict in _FAULTS_OF_FIGURES:
        kind = f"wrong_{verdict}"
    elif verdict == "missing" or (verdict is None and value is None):
        kind = "no_number"
    else:
        kind = "wrong_value"
    stated = " ".join(str(part) for part in (value, answer.unit) if part is not None)
    return Failure(kind, stated if answer.verdict_reason is None else answer.verdict_reason)


def _wrong_list(answer: Diagnosed) -> Failure:
    """Items that the answer lacks, and items that the gold lacks, compared as whole words."""
    gold, given = answer.gold_text, answer.answer_text
    missed, extra = _unnamed(gold, given), _unnamed(given, gold)
    if not missed and not extra:
        return Failure("other_wording", "every item is named")
    kind = "missed_list_items" if missed else "extra_list_items"
    first = min(missed or extra)
    return Failure(kind, f"{len(missed)} missed, {len(extra)} extra; first: {first}")


def _unnamed(listed: str | None, text: str | None) -> list[str]:
    """Items of a JSON array that a text does not name; what is no array is one item."""
    if listed is None or text is None:
        return []
    words = padded_words(text)
    items = listed.strip('[]" ').replace('", "', '","').split('","')
    return [item for item in items if padded_words(item) not in words]


def _fragments(answer: Diagnosed) -> str | None:
    """How many words of the gold an answer of another meaning has, where it has most."""
    gold, given, cosine = answer.gold_text, answer.answer_text, answer.cosine
    if gold is None or given is None or cosine is None or cosine >= _FAR:
        return None
    words = set(_LONG_WORD.findall(gold.lower()))
    shared = words & set(_LONG_WORD.findall(given.lower()))
    if not words or len(shared) < _SHARED * len(words):
        return None
    return f"{len(shared)} of {len(words)} words of the gold, cosine {cosine:.2f}"
