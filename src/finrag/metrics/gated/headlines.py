"""What may be said of a system, in a sentence, and what that was measured on, in another."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from finrag.metrics.gated.expected import Row
from finrag.systems.gates import FILINGS_SETS

GOLD: Final = "p3"
UNJUDGED: Final = "no error gate judged it"
_SETS_NAMED: Final = 3
_UNTRUSTED: Final = (
    "Nothing can be said of {}: it was measured in a warehouse that cannot be trusted."
)
_NOTHING: Final = (
    "No system of yours is under test. The shipped systems were measured for reference."
)
_BY_ID: Final = "Return passages by their id in sentences.passages, or by their whole text"


def of_warehouse(outcome: str, n_broken: int, first_gate: str, releases: Sequence[bool]) -> str:
    """The headline of a warehouse.

    Args:
        outcome: what the worst of its candidates shows.
        n_broken: error gates on what all systems stand on that are broken.
        first_gate: the first of them in words.
        releases: of each candidate, whether it can be released.
    """
    if outcome == "cannot_be_trusted":
        return f"The warehouse cannot be trusted: {_broken(n_broken, first_gate)}."
    if not releases:
        return _NOTHING
    noun = "candidate" if len(releases) == 1 else "candidates"
    return f"{sum(releases)} of {len(releases)} {noun} can be released."


def of_candidate(row: Row, first_gate: str | None, returned: Row | None) -> str:
    """The headline of a candidate.

    Args:
        row: of ``RELEASE_SCHEMA``.
        first_gate: its first gate that is broken or undecided, in words.
        returned: ``n_returned`` and ``n_recognised`` passages on the gold set of that gate.
    """
    whom, version, outcome = row["system_id"], row["system_version"], row["headline"]
    whom = f"{whom} (version {version})" if version else whom
    if outcome == "cannot_be_trusted":
        return _UNTRUSTED.format(whom)
    if outcome == "do_not_release":
        return f"Do not release {whom}: {_broken(row['n_broken'], first_gate)}."
    if outcome == "release":
        n_met = row["n_met"]
        gates = "the 1 error gate" if n_met == 1 else f"all {n_met} error gates"
        return f"Release {whom}: it passes {gates} on it."
    why = UNJUDGED
    if first_gate is not None:
        n_needed = row["n_needed"]
        questions = "question is" if n_needed == 1 else "questions are"
        more = f"; at least {n_needed} more {questions} needed" if n_needed else ""
        why = unrecognised("it", returned) or f"{first_gate}{more}"
    return f"Cannot tell whether {whom} can be released: {why}."


def of_few(
    system_id: str, gold: str, asked: tuple[int, int], limits: Sequence[Row], n_broken: int
) -> str:
    """The headline of a run on some questions, which releases nothing.

    Args:
        system_id: the system.
        gold: the gold set.
        asked: questions that it was asked, and those of the set.
        limits: those on the system and the set.
        n_broken: error gates that are broken on these questions.
    """
    n_asked, n_all = asked
    of_set = "" if gold == GOLD else f" of {gold}"
    start = f"Smoke run of {system_id} on {n_asked:,} of {n_all:,} questions{of_set}"
    if n_broken:
        return f"{start}: {n_broken} error {'gate' if n_broken == 1 else 'gates'} broken."
    of_all = f" of {GOLD}" if of_set and gold in FILINGS_SETS else of_set
    rest = (
        f"Only a run on all questions{of_all} can release a system."
        if any(row["severity"] == "error" for row in limits)
        else f"No error gate applies to {gold}: cannot tell."
    )
    return f"{start}: no verdict. {rest}"


def unrecognised(whose: str, returned: Row | None) -> str | None:
    """Why retrieval could not be measured, where not one passage that was returned is known."""
    if returned is None or returned["n_recognised"] or not returned["n_returned"]:
        return None
    n = returned["n_returned"]
    none = (
        f"the 1 passage that {whose} returned is not recognised as a passage"
        if n == 1
        else f"none of the {n} passages that {whose} returned is recognised as a passage"
    )
    return f"{none} of the corpus, so retrieval could not be measured. {_BY_ID}"


@dataclass(frozen=True)
class Ground:
    """What a run was measured on.

    Attributes:
        corpus: its name.
        encoder: the encoder of its index.
        n_questions: questions on the filings.
        n_sound: those of them that are not flagged as bad.
    """

    corpus: str
    encoder: str
    n_questions: int
    n_sound: int

    def sentence(
        self,
        gold_sets: Collection[str],
        returned: Sequence[Row] = (),
        ungated: str = "",
        warning: str | None = None,
    ) -> str:
        """What something was measured on, and what limits that.

        Args:
            gold_sets: those that it was asked.
            returned: ``n_returned`` and ``n_recognised`` passages by gold set.
            ungated: what no error gate judged.
            warning: the first broken warning in words.
        """
        public = sorted(set(gold_sets) - {*FILINGS_SETS})
        n_more = len(public) - _SETS_NAMED
        listed = ", ".join(public[:_SETS_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")
        is_sample = self.corpus == "sample"
        corpus = "the sample corpus, whose companies are fictional" if is_sample else "your filings"
        questions = (
            f"{corpus}: {self.n_sound} sound questions of {self.n_questions} asked"
            if {*FILINGS_SETS} & {*gold_sets}
            else f"{listed or 'no public set'} and on no question on the filings"
        )
        n_returned, n_recognised = (
            sum(row[name] for row in returned) for name in ("n_returned", "n_recognised")
        )
        passages = "1 passage" if n_returned == 1 else f"{n_returned} passages"
        verb = "is" if n_recognised == 1 else "are"
        known = f" {n_recognised} of the {passages} that it returned {verb} recognised."
        return (
            f"Measured on {questions}; encoder {self.encoder}."
            f"{known if n_recognised < n_returned else ''}"
            f"{f' No error gate judged its {ungated}.' if ungated else ''}"
            f"{f' Warning: {warning}.' if warning else ''}"
        )


def _broken(n: int, first_gate: str | None) -> str:
    many = "1 error gate is broken" if n == 1 else f"{n} error gates are broken, first"
    return f"{many}: {first_gate}"
