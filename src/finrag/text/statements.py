"""What each clause of a text states: of what, which way, how surely, and whether it is denied.

A text is cut into clauses. Of each are read the words that carry its subject, the direction of a
change, a denial, how sure it is (a fact, a possibility, a plan, a duty) and the terms of accounting
that exclude one another ("basic", "diluted"). Words are compared, nothing is understood: two
statements disagree where one of these parts does, and only if they are about the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final, TypeVar

from finrag.records.vocabulary import read_vocabulary
from finrag.text.likeness import likeness
from finrag.text.measures import measures_in
from finrag.text.numbers import NUMBER_WORDS
from finrag.text.words import plain, stem

MAX_REMEMBERED: Final = 8192
# A statement is about another's subject from this mean likeness of its words on.
ALIKE: Final = 0.45
# A negation denies so many words behind it.
DENIAL_REACH: Final = 3
# "not increase" and "not materially increase" deny that something rose.
WAY_DENIED_REACH: Final = 2
# Two statements are as near as one another where their likeness differs by no more.
AS_ALIKE: Final = 0.05

_VOCABULARY: Final = read_vocabulary(__file__)
_CUT: Final = _VOCABULARY.pattern("cut")
_WORD: Final = _VOCABULARY.pattern("word")
PHRASAL: Final = _VOCABULARY.pattern("phrasal")
_DENIED_IN_WORDS: Final = _VOCABULARY.pattern("denied_in_words")
_FACTS: Final = _VOCABULARY.pattern("facts")
_EXCEPTION: Final = _VOCABULARY.pattern("exception")
_MAX_CHARS_BEHIND: Final = 200
_RATHER_THAN: Final = _VOCABULARY.pattern("rather_than")
_AND_NOT: Final = _VOCABULARY.pattern("and_not")
_AFFIRMED: Final = _VOCABULARY.pattern("affirmed")
_HALVES: Final = re.compile(r"\b(?:and|but)\b")
_LIGHT: Final = _VOCABULARY.words["light"]
UP: Final = _VOCABULARY.words["up"]
DOWN: Final = _VOCABULARY.words["down"]
_NEGATORS: Final = _VOCABULARY.words["negators"]
_MAY: Final = _VOCABULARY.words["may"]
_PLANS: Final = _VOCABULARY.words["plans"]
_UNSURE: Final = _VOCABULARY.words["unsure"]
_MUST: Final = _VOCABULARY.words["must"]
_MONTH_OF_MAY: Final = re.compile(r"\bMay (?=\d)")
_SIGNED: Final = frozenset({"flow", "result"})
_STATEMENT_NAMES: Final = _VOCABULARY.pattern("statement_names")
_LINES: Final = _VOCABULARY.words["lines"]
_UN_WORDS: Final = _VOCABULARY.words["un_words"]
_PREFIX: Final = re.compile("^(?:un|dis|non)")
_QUIET_DENIALS: Final = _VOCABULARY.words["quiet_denials"] | _UN_WORDS
_MIN_WORD: Final = 3
FAMILIES: Final[Mapping[str, tuple[frozenset[str], ...]]] = {
    name: tuple(frozenset(group.split()) for group in text.split("|"))
    for name, text in _VOCABULARY.tables["families"].items()
}

_QUANTIFIERS: Final = {
    word: name
    for name, words in _VOCABULARY.tables["quantifiers"].items()
    for word in words.split()
}
# What excludes what: who says all of them does not say some of them.
_EXCLUDED: Final = frozenset(
    frozenset(pair)
    for pair in (
        *(("all", "most"), ("all", "some"), ("all", "none")),
        *(("none", "most"), ("none", "some"), ("most", "few")),
    )
)
_COUNTED: Final = _VOCABULARY.pattern("counted")
_YEAR: Final = re.compile(r"(?<![0-9.,$])(?:19|20)[0-9]{2}(?![0-9]|[.,][0-9])")
_WORD_OR_YEAR: Final = re.compile(f"(?P<year>{_YEAR.pattern})|{_WORD.pattern}")
_Key = TypeVar("_Key", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause.

    Attributes:
        text: as written.
        subject: words in lower case that carry what it is about, in text order.
        direction: +1 where all words of change say up, -1 where all say down, else 0.
        n_denials: negations in it.
        n_repeated_denials: those of them that negate another half: "not this and not that".
        quiet_denials: other words that may deny: "no longer", "unused", "except".
        unsaid: stems of what such words deny: "used" in "unused", "wages" in "rather than wages".
        certainty: ``fact``, ``may``, ``plan`` or ``must``.
        is_unsure: whether any word tells that it is not stated as a fact.
        terms: by family of terms that exclude one another, the places of those it uses.
        quantity: ``all``, ``most``, ``some``, ``few`` or ``none`` of a kind; empty for none of
            these, or for several.
        counts: numbers by the stem of what they count.
        denied: stems of the words that follow a negation, ``DENIAL_REACH`` each.
        affirmed: stems before "and did not", "that is no" or "without", which negate what follows.
        undenied: stems before the first negation.
        is_way_denied: whether a negation stands right before a word of change.
        moved: by the stem of a word beside words of change, their directions.
        halves: by the stem of a word, the directions of the halves of "rose here and fell there".
        years: four digits that are a year.
        dated: by the place before or after a year and the stem of the word there, the years.
    """

    text: str
    subject: tuple[str, ...]
    direction: int
    n_denials: int
    n_repeated_denials: int
    quiet_denials: frozenset[str]
    unsaid: frozenset[str]
    certainty: str
    is_unsure: bool
    terms: Mapping[str, frozenset[int]]
    quantity: str
    counts: Mapping[str, frozenset[float]]
    denied: frozenset[str]
    affirmed: frozenset[str]
    undenied: frozenset[str]
    is_way_denied: bool
    moved: Mapping[str, frozenset[int]]
    halves: Mapping[str, frozenset[int]]
    years: frozenset[int]
    dated: Mapping[tuple[str, str], frozenset[int]]

    @property
    def is_denied(self) -> bool:
        """Whether an odd number of negations stands in it, or in each of its halves."""
        return (self.n_denials - self.n_repeated_denials) % 2 == 1


def terms_in(words: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """The terms of ``FAMILIES`` among words in lower case, by family."""
    said = frozenset(words)
    found = {
        name: frozenset(place for place, group in enumerate(groups) if group & said)
        for name, groups in FAMILIES.items()
    }
    return {name: places for name, places in found.items() if places}


def without_signs(terms: Mapping[str, frozenset[int]]) -> Mapping[str, frozenset[int]]:
    """Without terms that turn a sign, which is the figure's to tell: "used" is -"provided"."""
    return {name: places for name, places in terms.items() if name not in _SIGNED}


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers are none."""
    return _WORD.findall(plain(text))


@lru_cache(maxsize=MAX_REMEMBERED)
def is_of_another_line(said: str, asked: str) -> bool:
    """Whether two texts name lines of a statement, and no line in common.

    Args:
        said: words beside a figure.
        asked: what the figure should be of.

    Returns:
        True for "net sales" where net income is asked for, and for "basic" beside "diluted"; False
        where either names no line that is known.
    """
    asked = _STATEMENT_NAMES.sub(" ", plain(asked))
    ours, theirs = words_of(said), words_of(asked)
    if exclusive(terms_in(ours), terms_in(theirs)) is not None:
        return True
    measured, wanted = measures_in(said), measures_in(asked)
    if measured and wanted:
        return measured.isdisjoint(wanted)
    lines = {stem(word) for word in ours if word in _LINES}
    known = {stem(word) for word in theirs if word in _LINES}
    return bool(lines and known) and lines.isdisjoint(known)


@lru_cache(maxsize=MAX_REMEMBERED)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Read the statements of a text.

    Args:
        text: any text.

    Returns:
        One statement a clause, in text order; a clause without a subject, such as a date between
        commas, belongs to the one before it.
    """
    pieces: list[str] = []
    for piece in _CUT.split(text):
        if not piece.strip():
            continue
        if pieces and not _subject(words_of(piece)):
            pieces[-1] = f"{pieces[-1]}, {piece.strip()}"
        else:
            pieces.append(piece.strip())
    return tuple(map(read_statement, pieces))


def read_statement(text: str) -> Statement:
    """Read one clause."""
    lower = PHRASAL.sub(" ", _FACTS.sub(" ", plain(_MONTH_OF_MAY.sub(" ", text))))
    words = _WORD.findall(lower)
    quantities = {_QUANTIFIERS[word] for word in words if word in _QUANTIFIERS}
    certainty = "fact"
    for name, vocabulary in (("may", _MAY), ("plan", _PLANS), ("must", _MUST)):
        if any(word in vocabulary for word in words):
            certainty = name
            break
    return Statement(
        text=text,
        subject=_subject(words),
        direction=_direction(words),
        n_denials=sum(
            is_negator(word) for word in words if word != "nor" or "neither" not in words
        ),
        n_repeated_denials=_n_repeated_denials(lower),
        quiet_denials=frozenset(word for word in words if word in _QUIET_DENIALS)
        | frozenset(_DENIED_IN_WORDS.findall(lower)),
        unsaid=_unsaid(words, lower),
        certainty=certainty,
        is_unsure=any(word in _UNSURE or word in _PLANS for word in words),
        terms=terms_in(words),
        quantity=quantities.pop() if len(quantities) == 1 else "",
        counts=_counts(lower),
        denied=_denied(words),
        affirmed=_affirmed(lower),
        undenied=_undenied(words),
        is_way_denied=any(
            direction_of_word(word)
            and any(map(is_negator, words[max(0, at - WAY_DENIED_REACH) : at]))
            for at, word in enumerate(words)
        ),
        moved=_moved(words),
        halves=_halves(lower),
        years=frozenset(int(year) for year in _YEAR.findall(text)),
        dated=_dated(lower),
    )


def is_negator(word: str) -> bool:
    """Whether a word in lower case negates what follows."""
    return word in _NEGATORS or word.endswith("n't")


def direction_of_word(word: str) -> int:
    """+1 for a word in lower case that says up, -1 for one that says down, else 0."""
    return (word in UP) - (word in DOWN)


def _direction(words: Sequence[str]) -> int:
    ways = {way for word in words if (way := direction_of_word(word))}
    return ways.pop() if len(ways) == 1 else 0


def direction_said(text: str) -> str | None:
    """The direction in which a text says that something moved; None if unclear."""
    way = _direction(_WORD.findall(PHRASAL.sub(" ", plain(text))))
    return {1: "increase", -1: "decrease"}.get(way)


def _denied(words: Sequence[str]) -> frozenset[str]:
    following = (_subject(words[at:])[:DENIAL_REACH] for at, w in enumerate(words) if is_negator(w))
    return frozenset(stem(word) for some in following for word in some)


def _n_repeated_denials(lower: str) -> int:
    joins = [match.start() for match in _AND_NOT.finditer(lower)]
    negators = (match for match in _WORD.finditer(lower) if is_negator(match[0]))
    first = next(negators, None)
    return sum(first is not None and first.start() < at for at in joins)


def _affirmed(lower: str) -> frozenset[str]:
    last = max((match.start() for match in _AFFIRMED.finditer(lower)), default=0)
    return frozenset(map(stem, _subject(_WORD.findall(lower[:last]))))


def _unsaid(words: Sequence[str], lower: str) -> frozenset[str]:
    denied = [_PREFIX.sub("", word) for word in words if word in _UN_WORDS]
    for match in _RATHER_THAN.finditer(lower):
        following = lower[match.end() : match.end() + _MAX_CHARS_BEHIND]
        denied += _subject(_WORD.findall(following))[:DENIAL_REACH]
    return frozenset(map(stem, denied))


def _undenied(words: Sequence[str]) -> frozenset[str]:
    first = next((at for at, word in enumerate(words) if is_negator(word)), 0)
    return frozenset(map(stem, _subject(words[:first])))


def _moved(words: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """The directions that stand right beside each word that is none itself."""
    found: dict[str, set[int]] = {}
    for pair in pairwise(words):
        for word, other in (pair, pair[::-1]):
            if (way := direction_of_word(other)) and not direction_of_word(word):
                found.setdefault(stem(word), set()).add(way)
    return {word: frozenset(ways) for word, ways in found.items() if word not in _LIGHT}


def _halves(lower: str) -> Mapping[str, frozenset[int]]:
    """The directions of the words of two or more halves, each of one direction of its own."""
    halves = [_WORD.findall(half) for half in _HALVES.split(lower)]
    ways = [_direction(half) for half in halves]
    found: dict[str, set[int]] = {}
    if {1, -1} <= set(ways):
        for half, way in zip(halves, ways, strict=True):
            for word in _subject(half):
                found.setdefault(stem(word), set()).add(way)
    return {word: frozenset(said) for word, said in found.items()}


def _dated(lower: str) -> Mapping[tuple[str, str], frozenset[int]]:
    """Years by the nearest word on each side that is neither light nor a number."""
    found: dict[tuple[str, str], set[int]] = {}
    last, year = "", 0
    for match in _WORD_OR_YEAR.finditer(lower):
        if match["year"]:
            year = int(match["year"])
            found.setdefault(("before", last), set()).add(year)
        elif len(match[0]) >= _MIN_WORD and match[0] not in _LIGHT:
            way = direction_of_word(match[0])
            last = f"{way:+d}" if way else stem(match[0])
            if year:
                found.setdefault(("after", last), set()).add(year)
            year = 0
    return {place: frozenset(years) for place, years in found.items() if place[1]}


def _counts(lower: str) -> Mapping[str, frozenset[float]]:
    """Whole numbers by the stem of the word that they count."""
    found: dict[str, set[float]] = {}
    for match in _COUNTED.finditer(lower):
        number = match["digits"]
        value = float(number.replace(",", "")) if number else float(NUMBER_WORDS[match["word"]])
        found.setdefault(stem(match["thing"]), set()).add(value)
    return {thing: frozenset(values) for thing, values in found.items()}


def _subject(words: Sequence[str]) -> tuple[str, ...]:
    dropped = (_LIGHT, UP, DOWN, _NEGATORS, _MAY, _PLANS, _MUST)
    return tuple(
        word
        for word in words
        if len(word) >= _MIN_WORD and not any(word in vocabulary for vocabulary in dropped)
    )


def contradiction(
    ours: str,
    theirs: Sequence[str],
    derived: frozenset[float] = frozenset(),
    compare: Callable[[Statement, Statement], str | None] | None = None,
    known_years: frozenset[int] = frozenset(),
) -> str | None:
    """Why a text cannot hold beside others; None where nothing tells.

    Each statement is compared with those that are most alike in subject, if they are alike at all;
    one of them that agrees is enough.

    Args:
        ours: what is claimed.
        theirs: texts that are taken as true.
        derived: numbers of ours that were worked out, which count nothing.
        compare: tells why two statements cannot both hold; ``disagreement`` unless given.
        known_years: years that theirs are of without saying so, as those of a filing.

    Returns:
        A sentence.
    """
    known = [one for text in theirs for one in read_statements(text)]
    miscounted = _miscounted(read_statement(ours), list(map(read_statement, theirs)), derived)
    if miscounted:
        return miscounted
    compare = compare or partial(disagreement, is_unsure=read_statement(ours).is_unsure)
    for one in (_without_known_years(said, known_years) for said in read_statements(ours)):
        scores = [likeness(one.subject, other.subject) for other in known]
        best = max(scores, default=0.0)
        if best < ALIKE:
            continue
        reasons = [
            compare(one, other)
            for other, score in zip(known, scores, strict=True)
            if score >= best - AS_ALIKE
        ]
        if None not in reasons:
            return reasons[0]
    return None


def _without_known_years(one: Statement, known_years: frozenset[int]) -> Statement:
    """A statement as of any year, where it says one that is known without being said."""
    if one.years.isdisjoint(known_years):
        return one
    dated = {place: years for place, years in one.dated.items() if years.isdisjoint(known_years)}
    return replace(one, years=frozenset(), dated=dated)


def _miscounted(
    ours: Statement, theirs: Sequence[Statement], derived: frozenset[float]
) -> str | None:
    """A thing that both count and of which no number agrees."""
    for thing in sorted(ours.counts):
        if ours.counts[thing] & derived:
            continue
        known = frozenset[float]().union(*(one.counts.get(thing, ()) for one in theirs))
        if known and not known & ours.counts[thing]:
            shown = ", ".join(f"{value:,.12g}" for value in sorted(known))
            return f"the cited sentences count {shown}, not {min(ours.counts[thing]):,.12g}"
    return None


def exclusive(
    ours: Mapping[str, frozenset[int]], theirs: Mapping[str, frozenset[int]]
) -> str | None:
    """The first family of which both use terms and share none; None where there is none."""
    return next(
        (name for name in sorted(ours) if name in theirs and not ours[name] & theirs[name]), None
    )


def disagreement(ours: Statement, theirs: Statement, is_unsure: bool = False) -> str | None:
    """Why two statements about the same thing cannot both hold; None where nothing tells.

    Args:
        ours: what is claimed.
        theirs: what is known.
        is_unsure: whether the sentence that ours stands in is not stated as a fact.

    Returns:
        A sentence.
    """
    has_figures = any(map(str.isdigit, ours.text))
    family = exclusive(without_signs(ours.terms) if has_figures else ours.terms, theirs.terms)
    if family is not None:
        said, known = (
            " or ".join(word for word in words_of(one.text) if _is_of(word, family))
            for one in (ours, theirs)
        )
        return f"the claim says '{said}' where the cited sentence says '{known}'"
    says_same = _says_by_denial(ours, theirs)
    if ours.direction * theirs.direction < 0 and not says_same:
        return "the claim and the cited sentence disagree on what rises and what falls"
    if frozenset((ours.quantity, theirs.quantity)) in _EXCLUDED:
        return f"the claim says {ours.quantity} where the cited sentence says {theirs.quantity}"
    is_excused = says_same or ours.quiet_denials - theirs.quiet_denials
    if not ours.is_denied and not is_excused and _denies(theirs, ours):
        return "the cited sentence denies it"
    if theirs.certainty in ("may", "plan") and not (
        is_unsure or ours.is_unsure or ours.certainty != "fact"
    ):
        return "the cited sentence says only that it may happen or is expected"
    return _turned(ours, theirs)


def _denies(theirs: Statement, ours: Statement) -> bool:
    """Whether a statement is denied; of "paid in cash and not in shares", what follows the not."""
    said = frozenset(map(stem, ours.subject))
    return theirs.is_denied and not (
        theirs.affirmed and said.isdisjoint(theirs.denied - theirs.affirmed)
    )


def _says_by_denial(ours: Statement, theirs: Statement) -> bool:
    """Whether one says of a fall what the other says of no rise, or the reverse."""
    return ours.direction * theirs.direction < 0 and ours.is_way_denied != theirs.is_way_denied


def _turned(ours: Statement, theirs: Statement) -> str | None:
    if not _says_by_denial(ours, theirs) and (word := _apart(ours.moved, theirs.moved)):
        return f"'{word}' moves in the other direction in the cited sentence"
    is_other_year = ours.years and theirs.years and ours.years.isdisjoint(theirs.years)
    if is_other_year and not _has_amounts(ours):
        return f"the cited sentence says it about {min(theirs.years)}"
    return None


def _has_amounts(one: Statement) -> bool:
    """Whether it has figures beside years; of which year a figure is, is told figure by figure."""
    return any(map(str.isdigit, _YEAR.sub("", one.text)))


def reversal(ours: Statement, theirs: Statement) -> str | None:
    """Why a statement turns around, in their own words, what others say; see ``disagreement``.

    Beside a denial, these are years and directions that have changed places.
    """
    if why := denial(ours, theirs):
        return why
    place = None if _has_amounts(ours) else _apart(ours.dated, theirs.dated)
    if place:
        return f"'{place[1]}' belongs to {min(theirs.dated[place])} in the cited sentence"
    if word := _apart(ours.halves, theirs.halves):
        return f"'{word}' moves in the other direction in the cited sentence"
    return None


def denial(ours: Statement, theirs: Statement) -> str | None:
    """Why one of two statements denies, in the same words, what the other says.

    A word may deny as a negation does ("not used", "unused"), and so may two negations of which
    each governs other words ("never paid dividends", "have not declared any dividends").
    """
    if _says_by_denial(ours, theirs):
        return None
    is_excused = ours.unsaid & theirs.denied or _EXCEPTION.search(theirs.text)
    if not ours.is_denied and not is_excused and _denies(theirs, ours):
        return "the cited sentence denies it"
    if ours.denied & theirs.unsaid:
        return None
    said = frozenset(map(stem, theirs.subject))
    if theirs.n_denials >= max(ours.n_denials, 1):
        is_other = theirs.denied and ours.denied.isdisjoint(theirs.denied)
        said = theirs.affirmed | theirs.undenied if is_other else theirs.affirmed
    if words := (ours.denied - theirs.denied) & said:
        return f"'{min(words)}' is negated in the claim only"
    if ours.is_denied and not theirs.n_denials:
        return "the claim denies what the cited sentence says"
    return None


def _apart(
    ours: Mapping[_Key, frozenset[int]], theirs: Mapping[_Key, frozenset[int]]
) -> _Key | None:
    """The first key of both whose values have nothing in common; None where there is none."""
    both = sorted(ours.keys() & theirs.keys())
    return next((key for key in both if ours[key].isdisjoint(theirs[key])), None)


def _is_of(word: str, family: str) -> bool:
    return any(word in group for group in FAMILIES[family])
