"""The support of a sentence claim: do cited sentences hold its words, and not the opposite?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.names import NamePair, is_turned, name_pairs
from finrag.scoring.claims.support import (
    EQUAL,
    INFERRED,
    SUPPORTED,
    UNPROVEN,
    UNSUPPORTED,
    Cited,
    Finding,
)
from finrag.scoring.claims.words import DIRECTIONS, Wording, joined_words, wording
from finrag.text.likeness import best_matches
from finrag.text.measures import Measure, measures_in, name_of
from finrag.text.numbers import find_amounts
from finrag.text.statements import (
    contradiction,
    is_negator,
    read_statement,
    read_statements,
    reversal,
)

# Of the words of a sentence that carry meaning, the share that a cited sentence must hold.
WORDS_COVERED: Final = 0.8
# From that share on a claim is near enough to be compared word for word.
NEARLY_COVERED: Final = 0.75
# As many missing words in a row may be a turn of phrase; more are something added.
MAX_MISSING_RUN: Final = 2
# Of the words of a question, the share that a sentence must hold to speak to it.
QUESTION_COVERED: Final = 0.6
MAX_WORDS_SHOWN: Final = 5
# A word less near to every cited word is strange to them; of a claim at most that share may be.
STRANGE: Final = 0.35
MAX_STRANGE: Final = 0.65
MAX_LABEL_CHARS: Final = 80
MIN_PIECE_WORDS: Final = 4
NEGATION_REACH: Final = 3

VERDICTS: Final = frozenset({" yes ", " no "})
# Words of a sentence that tells what it reckons.
_STEPS: Final = frozenset(["chang", "differ", "differenc", "combin", "sum", "ratio", "share"])
_VOCABULARY: Final = read_vocabulary(__file__)
_QUESTION_WORDS: Final = _VOCABULARY.words["question_words"]


@dataclass(frozen=True, slots=True)
class Part:
    """A number, name or quote within a sentence claim, at ``text[start:end]`` of the unit."""

    kind: str
    start: int
    end: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class _Fit:
    """How the words of a claim fit a cited sentence, or several together."""

    missing: tuple[str, ...]
    n_words: int
    is_covered: bool


def trace_sentence(text: str, parts: Sequence[Part], about: Sequence[Cited]) -> Finding:
    """Trace a sentence claim to the citations of the companies that it is about.

    Args:
        text: the claim.
        parts: its numbers, names and quotes with their support.
        about: citations of the companies that it names, all of them where it names none; not empty.
    """
    bad = next((part for part in parts if part.finding.support == UNSUPPORTED), None)
    if bad is not None:
        return Finding(UNSUPPORTED, f"its {bad.kind} '{text[bad.start : bad.end]}' is unsupported")
    said = _word_by_word(text, [one for one in about if _holds_all(one, parts)])
    if said is not None:
        return said
    case = _case(text, parts)
    if not parts and not case.words.content:
        return Finding(UNSUPPORTED, "it states nothing that can be looked up")
    return _by_words(case, parts, about)


def _word_by_word(text: str, about: Sequence[Cited]) -> Finding | None:
    """The finding where cited sentences hold the claim word for word; a label may stand apart."""
    joined = joined_words(text)
    label, colon, rest = text.partition(": ")
    is_label = bool(colon) and len(label) <= MAX_LABEL_CHARS
    is_label = is_label and not any(map(is_negator, joined_words(label).split()))
    core = joined_words(rest) if is_label else joined
    held = [one for one in about if joined in one.reading.joined]
    if not held and len(core.split()) >= MIN_PIECE_WORDS:
        joined = core
        held = [one for one in about if joined in one.reading.joined]
    if not held or not joined.strip():
        return None
    cuts = [_negation_before(joined, one.reading.joined) for one in held]
    holders = [one.evidence.passage_id for one, cut in zip(held, cuts, strict=True) if cut is None]
    if holders:
        why = "a cited sentence says it word for word"
        return Finding(SUPPORTED, why, tuple(holders), is_verbatim=True)
    return Finding(UNSUPPORTED, f"the cited sentence says '{cuts[0]}' shortly before these words")


def _negation_before(joined: str, cited: str) -> str | None:
    """Words cut out of a sentence say the opposite if a negation stood right before them."""
    before = cited[: cited.find(joined)].split()[-NEGATION_REACH:]
    return next((word for word in before if is_negator(word)), None)


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim that no cited sentence holds word for word."""

    text: str
    words: Wording
    is_reckoned: bool
    is_read_so: bool
    pairs: tuple[NamePair, ...]
    derived: frozenset[float]

    @property
    def extra(self) -> frozenset[str]:
        return _STEPS if self.is_reckoned else frozenset()

    def opposite(self, cited: Cited) -> str | None:
        """Why a cited sentence says the opposite; None where it does not."""
        texts = [cited.reading.text]
        years = frozenset(cited.evidence.years)
        why = contradiction(self.text, texts, self.derived, known_years=years) or contradiction(
            self.text, texts, self.derived, reversal, years
        )
        turned = None if why else next((n for n in self.pairs if is_turned(n, cited)), None)
        if turned:
            return (
                f"the cited sentence has the two names around '{turned.verb}' the other way round"
            )
        return why


def _case(text: str, parts: Sequence[Part]) -> _Case:
    return _Case(
        text,
        wording(text),
        is_reckoned=any(part.finding.is_reckoned for part in parts),
        is_read_so=any(part.finding.is_read_so for part in parts),
        pairs=name_pairs(text, [(one.start, one.end) for one in parts if one.kind == "entity"]),
        derived=frozenset(
            amount.value
            for part in parts
            if part.finding.is_reckoned
            for amount in find_amounts(text[part.start : part.end])
        ),
    )


def _by_words(case: _Case, parts: Sequence[Part], about: Sequence[Cited]) -> Finding:
    fits = [_fit(case, [one]) for one in about]
    fitting = [
        one
        for one, fit in zip(about, fits, strict=True)
        if fit.is_covered and _holds_all(one, parts)
    ]
    opposites = [case.opposite(one) for one in fitting]
    holders = tuple(
        one.evidence.passage_id for one, why in zip(fitting, opposites, strict=True) if why is None
    )
    if holders and case.is_reckoned:
        return Finding(
            INFERRED,
            "a cited sentence has its words; a figure is computed from cited ones",
            holders,
        )
    if holders and case.is_read_so:
        return Finding(
            INFERRED, "a cited sentence has its words; a figure is cited in another form", holders
        )
    if holders:
        return Finding(SUPPORTED, "a cited sentence says it in other words", holders)
    if fitting:
        return Finding(UNSUPPORTED, opposites[0] or "")
    return _over_several(case, about, fits)


def _over_several(case: _Case, about: Sequence[Cited], fits: Sequence[_Fit]) -> Finding:
    if _is_chain(joined_words(case.text), [one.reading.joined for one in about]):
        return Finding(INFERRED, "it joins pieces of cited sentences")
    fit = _fit(case, about)
    if not fit.is_covered:
        return _in_other_words(case, about, fit)
    best = min(range(len(about)), key=lambda at: (len(fits[at].missing), at))
    texts = [one.reading.text for one in about]
    why = case.opposite(about[best]) or contradiction(case.text, texts, case.derived, reversal)
    if why:
        return Finding(UNSUPPORTED, why)
    return Finding(INFERRED, f"{len(about)} cited sentences together say it")


def _in_other_words(case: _Case, about: Sequence[Cited], fit: _Fit) -> Finding:
    """The finding on a claim whose words no cited sentence holds: contradicted, far, or unproven.

    What is said in other words cannot be proved by words. It is unsupported where the cited
    sentences contradict it or speak of other things.
    """
    texts = [one.reading.text for one in about]
    years = frozenset(year for one in about for year in one.evidence.years)
    why = contradiction(case.text, texts, case.derived, known_years=years)
    if not why and len(fit.missing) <= (1 - NEARLY_COVERED) * fit.n_words + EQUAL:
        reasons = [case.opposite(one) for one in about]
        why = reasons[0] if None not in reasons else None
    if why:
        return Finding(UNSUPPORTED, why)
    known = [word for text in texts for one in read_statements(text) for word in one.subject]
    known += [word for one in about for name in one.names for word in name.split()]
    nearness = best_matches(read_statement(case.text).subject, known)
    n_strange = sum(near < STRANGE for near in nearness)
    shown = ", ".join(dict.fromkeys(fit.missing[:MAX_WORDS_SHOWN]))
    lacking = f"{len(fit.missing)} of its {fit.n_words} words are in no cited sentence: {shown}"
    if n_strange > MAX_STRANGE * len(nearness):
        return Finding(UNSUPPORTED, lacking)
    return Finding(UNPROVEN, f"said in other words, so rules cannot prove it; {lacking}")


def _holds_all(one: Cited, parts: Iterable[Part]) -> bool:
    passage_id = one.evidence.passage_id
    return all(part.finding.is_reckoned or passage_id in part.finding.holders for part in parts)


def _fit(case: _Case, about: Sequence[Cited]) -> _Fit:
    words = case.words
    known = case.extra.union(*(one.reading.words.stems | one.known for one in about))
    missing = [word not in known for word in words.content]
    if any(missing):
        known |= _measure_stems(case.text, [one.reading.text for one in about])
        missing = [word not in known for word in words.content]
    lacking = [word for word, lacks in zip(words.content, missing, strict=True) if lacks]
    n_words = len(words.content)
    if words.directions and not case.is_reckoned:
        signs = {DIRECTIONS[word] for one in about for word in one.reading.words.directions}
        lacking += [word for word in sorted(words.directions) if DIRECTIONS[word] not in signs]
        n_words += len(words.directions)
    is_covered = (
        len(lacking) <= (1 - WORDS_COVERED) * n_words + EQUAL
        and _longest_run(missing) <= MAX_MISSING_RUN
    )
    return _Fit(tuple(lacking), n_words, is_covered)


def _is_chain(joined: str, cited: Sequence[str]) -> bool:
    """Whether a claim is one piece of a cited sentence after another, word for word."""
    rest = joined
    for _ in cited:
        rest = min((_after_piece(rest, one) for one in cited), key=len)
        if not rest.strip():
            return True
    return False


def _after_piece(joined: str, cited: str) -> str:
    """What is left of a claim after the longest beginning that a sentence holds."""
    words = joined.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if f" {' '.join(words[:middle])} " in cited:
            low = middle
        else:
            high = middle - 1
    return joined if low < MIN_PIECE_WORDS else f" {' '.join(words[low:])} "


def _longest_run(flags: Iterable[bool]) -> int:
    longest = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        longest = max(longest, run)
    return longest


def _measure_stems(text: str, cited: Sequence[str]) -> frozenset[str]:
    """Words by which a claim names a measure that the cited sentences name in another way."""
    shared = measures_in(text) & frozenset[Measure]().union(*map(measures_in, cited))
    return frozenset[str]().union(*(wording(name_of(one, text)).stems for one in shared))


def speaks_to(question_text: str | None, cited: Sequence[Cited]) -> tuple[str, ...]:
    """Cited sentences that hold enough words of a question to bear a bare yes or no."""
    words = [word for word in wording(question_text or "").content if word not in _QUESTION_WORDS]
    if not words:
        return ()
    return tuple(
        one.evidence.passage_id
        for one in cited
        if sum(word in one.reading.words.stems or word in one.known for word in words)
        >= QUESTION_COVERED * len(words)
    )
