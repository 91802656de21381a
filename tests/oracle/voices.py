"""The right answer to a question in other voices, made from the gold by rule.

Each voice is a change of a record like those of ``tests.warehouse.mutants``, and leaves it right.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from tests.warehouse.mutants import Corpus, restate

Record = dict[str, Any]
Question = Mapping[str, Any]
_PARTS: Final = re.compile(r"; (?=[^;:]{2,60}: )")
_MEASURES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:'s|s') (?P<measure>[a-z][\w ,]*?) (?:for the fiscal year|in fiscal|between fiscal"
        r"|change from|in each of|increase in|decrease in)",
        r"(?:What|what) (?P<measure>[a-z][\w ,]*?) did .{3,60} report for",
        r"changes? in (?:its )?(?P<measure>[a-z][\w ,]*?) (?:in each|in fiscal|to foreign)",
        r"(?:increase|decrease) in (?:.{3,60}(?:'s|s')|its) (?P<measure>[a-z][\w ,]*?) in\b",
    )
)


def company_of(question: Question) -> str:
    """The first company, as the question calls it."""
    name = next(iter(question["company_name"] or ()), "the company")
    words = name.split()
    heads = (" ".join(words[:n]).rstrip(",") for n in range(len(words), 0, -1))
    return next((one for one in heads if one in question["question_text"]), name)


def measure_of(question: Question) -> str | None:
    """What the figure is asked of: ``total debt``; None where no rule finds it."""
    found = (rule.search(question["question_text"]) for rule in _MEASURES)
    first = next(filter(None, found), None)
    return first and first["measure"]


def parts_of(question: Question) -> list[str]:
    """The items of a list, the causes of several years or companies; else the whole."""
    text = question["answer_text"]
    return json.loads(text) if question["answer_type"] == "list" else _PARTS.split(text)


# --- The gold's own words ---


def text_alone(record: Record, question: Question, *_: Any) -> Record:
    """No figure typed beside the text."""
    return {name: value for name, value in record.items() if name not in ("numeric_value", "unit")}


def quotation(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    """What the evidence says, word by word; None where that takes a conclusion."""
    if question["answer_type"] == "boolean" or CHANGE.fullmatch(question["answer_text"]):
        return None
    return restate(record, " ".join(corpus.texts[one] for one in question["evidence_sentence_ids"]))


def bare_declining(record: Record, *_: Any) -> Record:
    """What is not disclosed is declined without a ranking."""
    return {name: value for name, value in record.items() if name != "ranking"}


# --- Other words ---

# Words of the trade for words of filings. Each is tried where the words stand whole.
_SYNONYMS: Final = {
    "income tax expense": "provision for income taxes",
    "capital expenditures": "capital spending",
    "cash provided by operating activities": "operating cash flow",
    "cash from operations": "operating cash flow",
    "diluted earnings per share": "diluted EPS",
    "total debt": "total borrowings",
    "net income": "net profit",
    "stock-based compensation": "share-based pay",
    "larger stocks of": "higher inventories of",
    "advance payments to": "prepayments to",
    "slower payments by": "later payment by",
    "faster collections from": "quicker collection from",
    "longer payment terms": "more time to pay",
    "repayments of": "paying back",
    "the retirement of maturing notes": "notes that fell due and were paid off",
    "a term loan drawn": "a term loan taken up",
    "interest on deposits with": "interest earned on deposits at",
    "foreign currency exchange gains": "gains on foreign exchange",
    "follow-on orders": "repeat orders",
    "price discipline": "firm pricing",
    "maturing": "expiring",
    "larger": "bigger",
    "expansion": "enlargement",
    "equipment": "machinery",
    "indebtedness": "debt",
    "limits": "restricts",
    "limit": "restrict",
    "may": "could",
    "acceptable": "reasonable",
    "comply with": "observe",
    "hackers": "attackers",
    "undiscovered": "undetected",
    "constantly": "all the time",
    "less": "minus",
    "excluding": "leaving out",
    "before": "excluding",
}
_FIRST_PERSON: Final = {"our": "its", "we": "the company", "us": "it", "ours": "its own"}
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_ISO: Final = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_AMERICAN: Final = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}})\b")
CHANGE: Final = re.compile(
    r"(?P<way>Up|Down) by (?P<by>\S+), from (?P<old>.+) in fiscal (?P<then>\d{4}) "
    r"to (?P<new>.+) in fiscal (?P<now>\d{4})\."
)
_YES_OR_NO: Final = re.compile(r"(?P<said>Yes|No)\b\W*(?P<why>.*)", re.DOTALL)
_NO_REASON: Final = re.compile(
    r"Its MD&A speaks of (?P<topic>.+) but does not explicitly attribute the change in "
    r"(?P<measure>.+) to this\."
)
_YES_REASON: Final = re.compile(r"The change in (?P<measure>.+) was driven by (?P<cause>.+)\.")


def another_voice(record: Record, question: Question, corpus: Corpus, rng: random.Random) -> Record:
    """The same in ordinary words: no sentence of the gold is repeated."""
    if question["answer_type"] != "no_answer":
        return restate(record, reworded(question, rng))
    refusals = (
        "The filing does not report this.",
        "I could not find this in the filing.",
        "The 10-K gives no such figure.",
    )
    return {**bare_text(record), "predicted": rng.choice(refusals)}


def bare_text(record: Record) -> Record:
    """The record without the flag of declining: words alone say so."""
    return {name: value for name, value in record.items() if name != "abstained"}


def reworded(question: Question, rng: random.Random) -> str:
    """The gold in ordinary words."""
    kind, parts = question["answer_type"], parts_of(question)
    if kind == "numeric" and question["answer_unit"] != "year":
        return _figure_sentence(question, rng)
    if kind == "boolean":
        return _yes_or_no(question["answer_text"])
    if kind == "list" and question["category"] != "E":
        # What was named last comes first.
        return f"They are {joined([reworded_text(one) for one in reversed(parts)])}."
    if len(parts) > 1:
        told = [one.partition(": ") for one in reversed(parts)]
        return " ".join(
            f"{'Fiscal ' if head.isdigit() else ''}{head}: {reworded_text(cause).rstrip('.')}."
            for head, _, cause in told
        )
    return _span(question, rng)


def _span(question: Question, rng: random.Random) -> str:
    text, company = question["answer_text"].rstrip("."), company_of(question)
    dated = _other_date(text)
    if dated != text:
        return f"That is {dated}."
    said = reworded_text(text)
    if question["category"] == "C":
        return f"One risk that {company} names: {said}."
    if question["category"] == "H":
        return f"By this {company} means {said}."
    # The causes in another order, where nothing in them is joined by "and" as well.
    first, _, second = said.partition(" and ")
    if second and " and " not in second and " its " not in f" {first} ":
        said = f"{second} as well as {first}"
    ways = ("{} puts this down to {}.", "The filing of {} explains it by {}.")
    return rng.choice((*ways, "At {}, it was mainly due to {}.")).format(company, said)


def _yes_or_no(text: str) -> str:
    found = _YES_OR_NO.match(text)
    if found is None:
        return reworded_text(text)
    why = found["why"]
    if no := _NO_REASON.fullmatch(why):
        measure, topic = reworded_text(no["measure"]), reworded_text(no["topic"])
        return f"It does not: {topic} are mentioned, but never given as a reason for {measure}."
    if yes := _YES_REASON.fullmatch(why):
        cause, measure = reworded_text(yes["cause"]), reworded_text(yes["measure"])
        return f"It does: {cause} explain how {measure} moved."
    start = "It does" if found["said"] == "Yes" else "It does not"
    return f"{start}. {reworded_text(why)}".strip()


def _figure_sentence(question: Question, rng: random.Random) -> str:
    value = Decimal(repr(question["answer_numeric"]))
    if change := CHANGE.fullmatch(question["answer_text"]):
        moved = "rose" if value > 0 else "fell"
        return (
            f"It {moved} by {figure(abs(value), question['answer_unit'], rng)}: {change['new']} "
            f"in fiscal {change['now']}, after {change['old']} in fiscal {change['then']}."
        )
    said = figure(value, question["answer_unit"], rng)
    named = set(_YEAR.findall(question["question_text"]))
    year = f" in fiscal {named.pop()}" if len(named) == 1 else ""
    measure = reworded_text(measure_of(question) or "the figure")
    ways = ("{} had {} of {}{}.", "For {}, {} came to {}{}.")
    if rng.random() < 0.3:
        return f"It was {said}{year}."
    return rng.choice(ways).format(company_of(question), measure, said, year)


def figure(value: Decimal, unit: str, rng: random.Random) -> str:
    """A figure in another scale or written form than filings print it."""
    minus, size = "minus " if value < 0 else "", abs(value)
    forms = {
        "USD": (
            f"{minus}${digits(size)}",
            f"{minus}{digits(size / 10**6)} million dollars",
            f"about {minus}USD {digits(size / 10**6)} million",
            f"{minus}{digits(size / 10**3)} thousand dollars",
            f"about {minus}${digits(size / 10**9)} billion",
        ),
        "USD_per_share": (
            f"{minus}{digits(size * 100)} cents a share",
            f"{minus}{size:.2f} dollars per share",
            f"about {minus}${size:.2f}",
        ),
        "percent": (f"{minus}{digits(size)} percent", f"about {minus}{digits(size)} %"),
    }
    return rng.choice(forms.get(unit, (f"{minus}{digits(size)}",)))


def digits(value: Decimal) -> str:
    """All digits of a figure with commas between thousands: ``1,234.5``."""
    short = value.normalize()
    return f"{short.quantize(Decimal(1)) if short.as_tuple().exponent > 0 else short:,f}"


def reworded_text(text: str) -> str:
    """A text in the third person, with words of the trade in place of its own."""
    for words, others in _FIRST_PERSON.items():
        text = _instead(text, words, others)
    changed = ""
    while text:
        found = min(
            (
                (place.start(), -len(words), words, place)
                for words in _SYNONYMS
                if (place := _whole(words).search(text))
            ),
            default=None,
        )
        if found is None:
            break
        *_, words, place = found
        # A word that was put in is not replaced in its turn.
        changed += text[: place.start()] + _cased(_SYNONYMS[words], place[0])
        text = text[place.end() :]
    return _other_date(changed + text)


def joined(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _instead(text: str, words: str, others: str) -> str:
    return _whole(words).sub(lambda place: _cased(others, place[0]), text)


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])", re.IGNORECASE)


def _cased(words: str, like: str) -> str:
    return words[0].upper() + words[1:] if like[0].isupper() else words


def _other_date(text: str) -> str:
    """Dates with the day first."""
    text = _ISO.sub(lambda d: f"{int(d[3])} {_MONTHS[int(d[2]) - 1]} {d[1]}", text)
    return _AMERICAN.sub(lambda d: f"{d[2]} {d[1]} {d[3]}", text)
