"""The questions of a warehouse with their gold, and the right answer to each in several voices.

Read from the doors alone, and by rule: the same on any warehouse, and never a language model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any, Final, Protocol

N_RANKED: Final = 10
_GOLD: Final = """
select
    items.item_id,
    items.question_text as question,
    item_answers.category,
    item_answers.answer_type as kind,
    item_answers.answer_text as text,
    item_answers.answer_numeric as number,
    item_answers.answer_unit as unit,
    item_answers.tolerance,
    item_answers.cik_int as ciks,
    item_answers.years
from gold.items
inner join gold.item_answers on items.item_id = item_answers.item_id
where items.gold_set = 'p3' and items.item_kind = 'question'
order by items.item_id
"""
# One passage for each evidence: itself before its copies.
_EVIDENCE: Final = """
select
    judgments.item_id,
    judgments.evidence_id,
    arg_min(
        judgments.passage_id,
        (judgments.passage_id <> judgments.evidence_id, judgments.passage_id)
    ) as passage_id
from gold.judgments
where
    judgments.gold_set = 'p3'
    and judgments.grade > 0
    and judgments.unit = 'sentence'
    and judgments.evidence_kind <> 'operand'
group by judgments.item_id, judgments.evidence_id
order by judgments.item_id, judgments.evidence_id
"""
_SENTENCES: Final = """
select sentence_id, cik_int, report_year, sentence_text
from sentences.sentences
where not is_heading and not is_table_text and not is_toc
order by cik_int, report_year, sentence_id
"""
_COMPANIES: Final = "select cik_int, company_name from sentences.companies order by cik_int"


class Rows(Protocol):
    """A warehouse that is read."""

    def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query."""


@dataclass(frozen=True)
class Gold:
    """A question with its gold.

    Attributes:
        item_id: the question.
        question: its text.
        category: of the question.
        kind: ``numeric``, ``span``, ``list``, ``boolean`` or ``no_answer``.
        text: the gold as it is printed.
        number: its figure in whole units; None where it is none.
        unit: of the figure.
        tolerance: how far off it is still right; 0 where nothing is said.
        company: the first company asked about, as the question calls it.
        ciks: the companies.
        years: the years.
        evidence: a passage for each evidence, with its text.
        nearby: other sentences of the filings asked about, in their order.
    """

    item_id: str
    question: str
    category: str
    kind: str
    text: str
    number: Decimal | None
    unit: str | None
    tolerance: Decimal
    company: str
    ciks: tuple[int, ...]
    years: tuple[int, ...]
    evidence: tuple[tuple[str, str], ...]
    nearby: tuple[str, ...]

    @property
    def has_answer(self) -> bool:
        """Whether the filings answer it."""
        return self.kind != "no_answer"

    @cached_property
    def evidence_ids(self) -> tuple[str, ...]:
        """Its passages."""
        return tuple(one for one, _ in self.evidence)

    @property
    def parts(self) -> tuple[str, ...]:
        """The items of a list, the causes of several years or companies; else the whole."""
        if self.kind == "list":
            return tuple(json.loads(self.text))
        return tuple(_PARTS.split(self.text))

    @cached_property
    def measure(self) -> str | None:
        """What a question asks the figure of: ``total debt``; None where no rule finds it."""
        found = next(filter(None, (rule.search(self.question) for rule in _MEASURES)), None)
        return found and found["measure"]

    def choose(self, *ways: str) -> str:
        """One of several ways, the same each time for a question."""
        digest = sha256(self.item_id.encode()).hexdigest()
        return ways[int(digest, 16) % len(ways)]


@dataclass(frozen=True)
class Answer:
    """What a system says to a question.

    Attributes:
        item_id: the question.
        text: the answer; a tuple is given as a list, None is left out.
        citations: ids of passages.
        ranking: ids of passages, best first.
        more: further fields of the record.
    """

    item_id: str
    text: str | tuple[str, ...] | None
    citations: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def record(self) -> dict[str, Any]:
        """The line of a file of predictions."""
        said = {} if self.text is None else {"predicted": self.text}
        given = {"citations": self.citations, "ranking": self.ranking}
        filled = {name: ids for name, ids in given.items() if ids}
        return {"id": self.item_id, **said, **filled, **self.more}


def read_gold(warehouse: Rows) -> list[Gold]:
    """The questions of ``p3``, by item."""
    names = {row["cik_int"]: row["company_name"] for row in warehouse.rows(_COMPANIES)}
    filings: dict[tuple[int, int], list[str]] = {}
    texts: dict[str, str] = {}
    for row in warehouse.rows(_SENTENCES):
        filings.setdefault((row["cik_int"], row["report_year"]), []).append(row["sentence_id"])
    for row in warehouse.rows("select sentence_id, sentence_text from sentences.sentences"):
        texts[row["sentence_id"]] = row["sentence_text"]
    evidence: dict[str, list[tuple[str, str]]] = {}
    for row in warehouse.rows(_EVIDENCE):
        place = row["passage_id"]
        evidence.setdefault(row["item_id"], []).append((place, texts[place]))
    return [
        Gold(
            row["item_id"],
            row["question"],
            row["category"] or "",
            row["kind"],
            row["text"] or "",
            None if row["number"] is None else _plain(Decimal(repr(row["number"]))),
            row["unit"],
            Decimal(repr(row["tolerance"] or 0)),
            _called(names.get((row["ciks"] or [None])[0], ""), row["question"]),
            tuple(row["ciks"] or ()),
            tuple(row["years"] or ()),
            tuple(evidence.get(row["item_id"], ())),
            tuple(_nearby(row, filings)),
        )
        for row in warehouse.rows(_GOLD)
    ]


def _nearby(row: dict[str, Any], filings: dict[tuple[int, int], list[str]]) -> Iterator[str]:
    for cik in row["ciks"] or ():
        for year in row["years"] or ():
            yield from filings.get((cik, year), ())


def _called(name: str, question: str) -> str:
    """As much of a company's name as the question says."""
    words = name.split()
    for n in range(len(words), 0, -1):
        called = " ".join(words[:n]).rstrip(",")
        if called in question:
            return called
    return name or "the company"


def _plain(value: Decimal) -> Decimal:
    short = value.normalize()
    return short.quantize(Decimal(1)) if short.as_tuple().exponent > 0 else short


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


# --- The gold's own words ---


def own_words(gold: Gold) -> Answer:
    """The gold as it is printed, with its evidence cited and ranked first."""
    if not gold.has_answer:
        return replace(declined(gold), more={"abstained": True})
    text = gold.parts if gold.kind == "list" else gold.text
    return Answer(gold.item_id, text, gold.evidence_ids, ranked(gold))


def declined(gold: Gold) -> Answer:
    """No answer, with what was found nevertheless."""
    return Answer(gold.item_id, None, (), ranked(gold), {"abstained": True})


def ranked(gold: Gold) -> tuple[str, ...]:
    """The evidence, and sentences of the filing after it."""
    others = (one for one in gold.nearby if one not in gold.evidence_ids)
    return (*gold.evidence_ids, *islice(others, max(0, N_RANKED - len(gold.evidence))))


def with_typed_figure(gold: Gold) -> Answer:
    """The gold's own words with the figure beside them, as a number."""
    answer = own_words(gold)
    if gold.number is None:
        return answer
    return replace(answer, more={"numeric_value": float(gold.number), "unit": gold.unit})


def quotation(gold: Gold) -> Answer:
    """What the evidence says, word by word; the gold's own words where it takes a conclusion."""
    if not gold.has_answer or gold.kind == "boolean" or CHANGE.fullmatch(gold.text):
        return own_words(gold)
    return replace(own_words(gold), text=" ".join(text for _, text in gold.evidence))


def bare_declining(gold: Gold) -> Answer:
    """The gold's own words; what is not disclosed is declined without a ranking."""
    answer = own_words(gold)
    return answer if gold.has_answer else replace(answer, ranking=())


# --- Another voice ---

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


def another_voice(gold: Gold) -> Answer:
    """The same said in ordinary words: no sentence of the gold is repeated."""
    if not gold.has_answer:
        text = gold.choose(
            "The filing does not report this.",
            "I could not find this in the filing.",
            "The 10-K gives no such figure.",
        )
        return Answer(gold.item_id, text, (), ranked(gold))
    return replace(own_words(gold), text=reworded(gold))


def reworded(gold: Gold) -> str:
    """The gold in ordinary words."""
    if gold.kind == "numeric" and gold.unit != "year":
        return _figure_sentence(gold)
    if gold.kind == "boolean":
        return _yes_or_no(gold)
    if gold.kind == "list" and gold.category != "E":
        # What was named last comes first.
        return f"They are {joined([reworded_text(one) for one in reversed(gold.parts)])}."
    if len(gold.parts) > 1:
        told = [one.partition(": ") for one in reversed(gold.parts)]
        return " ".join(
            f"{'Fiscal ' if head.isdigit() else ''}{head}: {reworded_text(cause).rstrip('.')}."
            for head, _, cause in told
        )
    return _span(gold)


def _span(gold: Gold) -> str:
    text = gold.text.rstrip(".")
    dated = _other_date(text)
    if dated != text:
        return f"That is {dated}."
    said = reworded_text(text)
    if gold.category == "C":
        return f"One risk that {gold.company} names: {said}."
    if gold.category == "H":
        return f"By this {gold.company} means {said}."
    # The causes in another order, where nothing in them is joined by "and" as well.
    first, _, second = said.partition(" and ")
    if second and " and " not in second and " its " not in f" {first} ":
        said = f"{second} as well as {first}"
    return gold.choose(
        f"{gold.company} puts this down to {said}.",
        f"The filing explains it by {said}.",
        f"It was mainly due to {said}.",
    )


def _yes_or_no(gold: Gold) -> str:
    found = _YES_OR_NO.match(gold.text)
    if found is None:
        return reworded_text(gold.text)
    why = found["why"]
    if no := _NO_REASON.fullmatch(why):
        measure, topic = reworded_text(no["measure"]), reworded_text(no["topic"])
        return f"It does not: {topic} are mentioned, but never given as a reason for {measure}."
    if yes := _YES_REASON.fullmatch(why):
        cause, measure = reworded_text(yes["cause"]), reworded_text(yes["measure"])
        return f"It does: {cause} explain how {measure} moved."
    start = "It does" if found["said"] == "Yes" else "It does not"
    return f"{start}. {reworded_text(why)}".strip()


def _figure_sentence(gold: Gold) -> str:
    if gold.number is None:
        return reworded_text(gold.text)
    if change := CHANGE.fullmatch(gold.text):
        moved = "rose" if gold.number > 0 else "fell"
        return (
            f"It {moved} by {figure(gold, abs(gold.number))}: {change['new']} in fiscal "
            f"{change['now']}, after {change['old']} in fiscal {change['then']}."
        )
    said = figure(gold, gold.number)
    measure = reworded_text(gold.measure or "the figure")
    named = set(_YEAR.findall(gold.question))
    year = f" in fiscal {named.pop()}" if len(named) == 1 else ""
    return gold.choose(
        f"{gold.company} had {measure} of {said}{year}.",
        f"For {gold.company}, {measure} came to {said}{year}.",
        f"It was {said}{year}.",
    )


def figure(gold: Gold, value: Decimal) -> str:
    """A figure in another scale or written form than filings print it."""
    minus, size = "minus " if value < 0 else "", abs(value)
    if gold.unit == "USD":
        return gold.choose(
            f"{minus}${digits(size)}",
            f"{minus}{digits(size / 10**6)} million dollars",
            f"about {minus}USD {digits(size / 10**6)} million",
            f"{minus}{digits(size / 10**3)} thousand dollars",
            f"about {minus}${digits(size / 10**9)} billion",
        )
    if gold.unit == "USD_per_share":
        cents = f"{minus}{digits(size * 100)} cents a share"
        return gold.choose(
            cents, f"{minus}{size:.2f} dollars per share", f"about {minus}${size:.2f}"
        )
    if gold.unit == "percent":
        return gold.choose(f"{minus}{digits(size)} percent", f"about {minus}{digits(size)} %")
    return f"{minus}{digits(size)}"


def digits(value: Decimal) -> str:
    """All digits of a figure with commas between thousands: ``1,234.5``."""
    return f"{_plain(value):,f}"


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
