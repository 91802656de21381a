"""What a question wants: its intent, its topic, its measure, its term."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from finrag.answers.types import Passage, Question
from finrag.atlases.enumerations import NOUNS
from finrag.questions.intents import asks_about_risk, asks_for_definition, asks_for_reason
from finrag.questions.misspelt import TWO_EDITS_LETTERS, edits
from finrag.questions.names import MIN_NEAR_LETTERS
from finrag.records.vocabulary import read_vocabulary
from finrag.text.measures import (
    HEADCOUNT,
    Measure,
    cause_pattern,
    known_cause,
    measure_named,
    measure_of_words,
    name_of,
    risk_pattern,
)
from finrag.text.numbers import NUMBER_WORDS, Amount, find_amounts
from finrag.text.statements import direction_said
from finrag.text.words import (
    parts_of_year,
    plain,
    readable,
    stem,
    stems,
    topic_words,
)

FORMS: Final = ("numeric", "boolean", "list", "span")
MAX_QUESTION_CHARACTERS: Final = 2000
MAX_TERM_CHARACTERS: Final = 80
MAX_NAME_WORDS: Final = 8

_VOCABULARY: Final = read_vocabulary(__file__)
_NAME_WORD: Final = re.compile(r"[^\W_]+")
_CAPITALISED: Final = re.compile(r"(?<!\w)([A-Z][^\W_]*)(?:['’]s)?(?!\w)")
_QUOTED: Final = re.compile(r"\"([^\"]{2,80})\"")
_TERM: Final = _VOCABULARY.pattern("term")
_ASKS_PERIOD: Final = _VOCABULARY.pattern("asks_period")
_YEAR_NAME: Final = _VOCABULARY.pattern("year_name")
# A capital not at the start of a sentence, nor in abbreviations such as MD&A or EBITDA.
_INNER_NAME: Final = re.compile(r"(?<![.?!] )(?<!^)(?<![“\"\w-])[A-Z][a-z][\w-]*")
_PART_NAME: Final = _VOCABULARY.pattern("part_name")
# What a figure is narrowed to: "revenue from cloud services".
_NARROWED: Final = _VOCABULARY.pattern("narrowed")
_NO_PARTS: Final = stems(" ".join(_VOCABULARY.words["no_parts"]))
_TO: Final = _VOCABULARY.pattern("to")
_BY: Final = _VOCABULARY.pattern("by")
_MORE: Final = _VOCABULARY.pattern("more")
_LESS: Final = _VOCABULARY.pattern("less")
_YEAR_STATED: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SOURCE_YEAR: Final = _VOCABULARY.pattern("source_year")
_ASKS_ATTRIBUTION: Final = _VOCABULARY.pattern("asks_attribution")
# Each gives an effect and a cause, in whichever order the question has them.
_ATTRIBUTIONS: Final = tuple(_VOCABULARY.patterns("attributions").values())
_PLACE_END: Final = _VOCABULARY.pattern("place_end")
_COUNT_WORDS: Final = {word: n for word, n in NUMBER_WORDS.items() if 2 <= n <= 10}
_COUNT: Final = re.compile(rf"\b(?:{'|'.join(_COUNT_WORDS)}|[2-9]|10)\b")
_UNITS: Final = _VOCABULARY.tables["units"]
_KINDS: Final = {"USD": "money", "USD_per_share": "per_share", "percent": "percent"}
_PEOPLE: Final = _VOCABULARY.pattern("people")
_PERCENT_CHANGE: Final = _VOCABULARY.pattern("percent_change")
_PART: Final = _VOCABULARY.pattern("part")


@dataclass(frozen=True)
class Claim:
    """A figure that a question for yes or no takes to be so.

    Attributes:
        amount: the figure.
        is_change: whether it is the size of a movement, not a level.
        bound: "more" or "less" where it is passed or not, "" where it is met.
    """

    amount: Amount
    is_change: bool
    bound: str = ""


@dataclass(frozen=True)
class Asked:
    """A question, read.

    Attributes:
        question: as it came.
        intent: level, change, cause, definition, period, attribution, direction, claim,
            enumeration, risk or statement.
        words: stems of its topic.
        rest: stems of its topic that the measure's own name does not hold.
        part: stems of what the question narrows its measure to: a segment, a product, a place.
        name: what the question calls its measure; empty where it has no name for it.
        measure: what figure it is about; None where it is about none.
        unit: in which unit the figure is; None where the question does not tell.
        term: what is to be defined; empty where nothing is.
        cause: how sentences name the cause asked about; None where none is.
        risk: what sentences on the risk asked about hold.
        noun: the kind of things to be listed, as the enumerations call it.
        sections: sections in which the answer stands; empty where the question names none.
        count: how many things are to be listed.
        direction: "increase" or "decrease" where the question says which.
        years: the years to be answered for.
        asks_percent: whether a change is wanted in percent.
        asks_part: whether it is about a part of a company.
        claims: figures that a question for yes or no takes to be so.
        parts_of_year: quarters, halves or spans of months that it asks about.
    """

    question: Question
    intent: str
    words: tuple[str, ...]
    rest: tuple[str, ...]
    part: frozenset[str] = frozenset()
    name: str = ""
    measure: Measure | None = None
    unit: str | None = None
    term: str = ""
    cause: str | None = None
    risk: re.Pattern[str] | None = None
    noun: str | None = None
    sections: tuple[str, ...] = ()
    count: int | None = None
    direction: str | None = None
    years: tuple[int, ...] = ()
    asks_percent: bool = False
    asks_part: bool = False
    claims: tuple[Claim, ...] = ()
    parts_of_year: frozenset[str] = frozenset()


def read_question(question: Question, context: Sequence[Passage]) -> Asked:
    """Read what a question wants; names of companies in its context are not its topic."""
    asked = readable(question.text[:MAX_QUESTION_CHARACTERS])
    said = readable(question.topic_text[:MAX_QUESTION_CHARACTERS])
    if context and not any(passage.company for passage in context):
        text = _within_topic(asked, said)
    else:
        text = _without_names(asked, context)
    lower = plain(text)
    words = topic_words(said) or topic_words(text)
    unit = _unit(lower, question)
    measure = measure_named(text, question.kpi_labels)
    if measure is None and question.answer_form == "numeric":
        measure = HEADCOUNT if _PEOPLE.search(lower) else _own_measure(words, unit)
    effect = cause_words = cause = ""
    if _is_boolean(question):
        effect, cause_words, cause = _attribution(lower)
        measure = measure_named(effect, ()) or measure
        if not cause and measure is not None and _ASKS_ATTRIBUTION.search(lower):
            cause = known_cause(lower) or ""
    noun = next((kind for kind, cue in NOUNS.items() if re.search(rf"\b(?:{cue})\b", lower)), None)
    number = _COUNT.search(lower)
    # A cause may rise or fall its own way.
    direction = direction_said(effect if cause else lower)
    part = _part_words(text, measure)
    # A company's own term may hold its name.
    terms = plain(asked)
    intent, term = _intent(question, lower, terms, cause, measure, direction, noun)
    return Asked(
        question=question,
        intent=intent,
        words=tuple(dict.fromkeys(stem(word) for word in words)),
        rest=_rest(words, measure, cause_words),
        part=part,
        name=name_of(measure, text).strip() if measure else "",
        measure=measure,
        unit=unit if measure is None or measure.kind == "count" else _unit_of(measure),
        term=term,
        cause=cause or None,
        sections=tuple(question.section_names),
        risk=risk_pattern(question.risk_topics) if intent == "risk" else None,
        noun=noun,
        count=_count(number[0]) if number else None,
        direction=direction,
        years=_years(lower, question),
        asks_percent=bool(_PERCENT_CHANGE.search(lower)) and unit == "percent",
        asks_part=bool(part) or bool(_PART.search(lower)),
        claims=_claims(lower, measure, direction) if _is_boolean(question) else (),
        parts_of_year=parts_of_year(lower),
    )


def _without_names(text: str, context: Sequence[Passage]) -> str:
    """The text without the names of the context's companies, whole or shortened at their end."""
    for name in sorted({readable(passage.company[:MAX_TERM_CHARACTERS]) for passage in context}):
        words = [re.escape(word) for word in _NAME_WORD.findall(name)[:MAX_NAME_WORDS]]
        text = _spelt_rightly(text, words)
        if words and words[0][:1].isupper() and words[0] in text:
            longer = "".join(rf"(?:\W{{1,3}}{word}" for word in words[1:]) + ")?" * (len(words) - 1)
            text = re.sub(rf"(?<!\w){words[0]}{longer}(?!\w)(?:['’]s?)?", " ", text)
    return text


def _spelt_rightly(text: str, names: Sequence[str]) -> str:
    """The text with the words of a name in place of words that are near them, by a letter or two.

    The context is of the companies that the question was read to name, by misspelt names too.
    """
    known = [name for name in names if name[:1].isupper() and len(name) >= MIN_NEAR_LETTERS]

    def right(word: re.Match[str]) -> str:
        for name in known:
            most = 2 if min(len(name), len(word[1])) >= TWO_EDITS_LETTERS else 1
            distance = edits(word[1].lower(), name.lower(), most)
            if distance and len(word[1]) >= MIN_NEAR_LETTERS - 1:
                return word[0].replace(word[1], name)
        return word[0]

    return _CAPITALISED.sub(right, text) if known else text


def _within_topic(text: str, topic: str) -> str:
    """The text without names that its topic leaves out, where no passage names a company.

    The topic has no name of a known company in it; a name that it keeps may be one of a segment.
    """
    topic_names = {word.casefold() for word in _NAME_WORD.findall(topic)}
    if not topic_names:
        return text
    return _CAPITALISED.sub(
        lambda word: word[0] if word[1].casefold() in topic_names else " ", text
    )


def _is_boolean(question: Question) -> bool:
    return question.answer_form == "boolean"


def _intent(
    question: Question,
    lower: str,
    terms: str,
    cause: str,
    measure: Measure | None,
    direction: str | None,
    noun: str | None,
) -> tuple[str, str]:
    """The intent, and the term where one is to be defined."""
    quoted = _QUOTED.search(terms)
    if not _is_boolean(question):
        if asks_for_definition(lower) or _ASKS_PERIOD.search(lower):
            term = quoted[1] if quoted else _term(terms)
            is_year = bool(term) and _YEAR_NAME.fullmatch(term.strip()) is not None
            if is_year or (_ASKS_PERIOD.search(lower) and not quoted):
                return "period", term
            return "definition", term
        if question.answer_form == "numeric":
            return ("change" if question.is_change else "level"), ""
        return _intent_of_words(question, lower, measure, noun), ""
    if cause:
        return "attribution", ""
    return ("direction" if measure is not None and direction else "claim"), ""


def _intent_of_words(
    question: Question, lower: str, measure: Measure | None, noun: str | None
) -> str:
    """The intent of a question for words: a list or a span."""
    is_list = question.answer_form == "list"
    if is_list and len(question.cik_ints) < 2 and noun is not None:
        return "enumeration"
    if question.risk_topics or asks_about_risk(lower):
        return "risk"
    if asks_for_reason(lower):
        return "cause"
    if measure is not None and (len(question.cik_ints) > 1 or len(question.years) > 1):
        return "change" if question.is_change and len(question.cik_ints) < 2 else "level"
    return "enumeration" if is_list and len(question.cik_ints) < 2 else "statement"


def _term(lower: str) -> str:
    match = _TERM.search(lower)
    return match["term"].strip(" \"'")[:MAX_TERM_CHARACTERS] if match else ""


def _attribution(lower: str) -> tuple[str, str, str]:
    """The effect, the words of the cause and their pattern; empty where none is asked about."""
    for form in _ATTRIBUTIONS:
        match = form.search(lower)
        if match is None:
            continue
        cause = _PLACE_END.split(match["cause"], maxsplit=1)[0].strip()
        pattern = cause_pattern(cause, topic_words(cause))
        if pattern:
            return _PLACE_END.split(match["effect"], maxsplit=1)[0].strip(), cause, pattern
    return "", "", ""


def _unit(lower: str, question: Question) -> str | None:
    if question.answer_form != "numeric":
        return None
    return next((unit for unit, cue in _UNITS.items() if re.search(cue, lower)), None)


def _unit_of(measure: Measure) -> str | None:
    return next((unit for unit, kind in _KINDS.items() if kind == measure.kind), None)


def _own_measure(words: Sequence[str], unit: str | None) -> Measure | None:
    return measure_of_words(words, _KINDS.get(unit or "", "count"))


def _rest(words: Sequence[str], measure: Measure | None, cause_words: str) -> tuple[str, ...]:
    if measure is None:
        return tuple(dict.fromkeys(stem(word) for word in words))
    own = stems(measure.pattern) | stems(cause_words)
    return tuple(dict.fromkeys(s for word in words if (s := stem(word)) not in own))


def _years(lower: str, question: Question) -> tuple[int, ...]:
    """The years asked about; a year that only dates a filing does not count if there are others.

    "In its 2019 10-K, what was revenue in fiscal 2018?" asks for 2018.
    """
    known = set(question.years)
    stated = {int(year) for year in _YEAR_STATED.findall(lower)}
    sources = {int(year) for year in _SOURCE_YEAR.findall(lower)}
    others = {year for year in stated - sources if not known or abs(year - min(known)) <= 2}
    if known and sources and others and sources <= known:
        return tuple(sorted((known - sources) | others))
    return tuple(sorted(known))


def _part_words(text: str, measure: Measure | None) -> frozenset[str]:
    """Stems of names inside a question, and of the word before "segment" and its like."""
    named = {match[0] for match in _INNER_NAME.finditer(text)}
    named |= {match[1] for match in _PART_NAME.finditer(text)}
    if measure is not None and not measure.is_own:
        named |= {match[1] for match in _NARROWED.finditer(plain(text))}
    own = stems(measure.pattern) if measure is not None else frozenset()
    return frozenset(stem(word) for word in topic_words(" ".join(sorted(named)))) - own - _NO_PARTS


def _claims(lower: str, measure: Measure | None, direction: str | None) -> tuple[Claim, ...]:
    """The figures of a question for yes or no; years, dates and references are none."""
    claims = []
    for one in find_amounts(lower):
        if one.kind != "amount" or one.is_range:
            continue
        before = lower[max(0, one.start - 60) : one.start]
        bound = "more" if _MORE.search(before) else "less" if _LESS.search(before) else ""
        is_rate = one.unit == "percent" and measure is not None and measure.kind != "percent"
        is_level = bool(_TO.search(before) or bound) and not _BY.search(before)
        is_change = is_rate or bool(_BY.search(before)) or (direction is not None and not is_level)
        claims.append(Claim(one, measure is not None and is_change, bound))
    return tuple(claims)


def _count(word: str) -> int:
    return _COUNT_WORDS.get(word) or int(word)
