"""What a sentence says about a measure: its level, the level before, the change and the cause.

Every number of the sentence is first replaced by one sign that names its kind (money, percent,
per share, year, …). In that form the grammar of a KPI statement is short: a subject that
ends in the name of the measure, a verb of state or of movement, a list of amounts, periods, a
comparison. What does not fit is left null.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.atlases.labels import alternatives
from finrag.records.columns import nullable, required
from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import (
    MAY_HOLD_AMOUNTS,
    MONTH_NUMBERS,
    Amount,
    find_amounts,
    lower_same_length,
    word_set,
)

KPI_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "text_hash", "kpi_label"),
        pa.field("first_number_raw", pa.string()),
        pa.field("has_amount_cue", pa.bool_(), nullable=False),
        pa.field("value_raw", pa.string()),
        *nullable(pa.float64(), "value", "value_low", "value_high"),
        *nullable(pa.string(), "unit", "scale"),
        *nullable(pa.int32(), "value_start", "value_end"),
        pa.field("amount_role", pa.string()),
        pa.field("period_year", pa.int32()),
        *nullable(pa.float64(), "prior_value", "prior_low", "prior_high"),
        pa.field("prior_period_year", pa.int32()),
        pa.field("change_direction", pa.string()),
        *nullable(pa.float64(), "change_value", "change_percent"),
        *nullable(pa.string(), "subject_text", "subject_scope", "causal_connector", "cause_text"),
        pa.field("change_period_year", pa.int32()),
        *required(pa.bool_(), "is_forward_looking", "is_negated_or_conditional", "is_quarterly"),
    ]
)

# One sign of the private use area for each kind of number.
M, P, S, Y, N, D, B = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004", "\ue005", "\ue006"
SIGNS: Final = M + P + S + Y + N + D + B
_SIGNS: Final = frozenset(SIGNS)

_VOCABULARY: Final = read_vocabulary(__file__, b=B, d=D, m=M, n=N, p=P, s=S, signs=SIGNS, y=Y)
_PERIOD: Final = _VOCABULARY.texts["period"]

_PERIOD_RE: Final = re.compile(_PERIOD)
_BEFORE_RE: Final = _VOCABULARY.pattern("before_re")
_VERB_RE: Final = _VOCABULARY.pattern("verb")
_MOVE_NOUN_RE: Final = _VOCABULARY.pattern("move_noun")
# Said of a loss too, these tell whether the result became better or worse.
_EVALUATIVE_RE: Final = re.compile(r"\b(?:improve|worsen|deteriorat)")
_MOVE_NOUNS: Final = _VOCABULARY.words["move_nouns"]
_TOTAL_RE: Final = _VOCABULARY.pattern("total")
_AMOUNT_OF_RE: Final = _VOCABULARY.pattern("amount_of")
_LIST_RE: Final = _VOCABULARY.pattern("list")
_OR_RE: Final = _VOCABULARY.pattern("or")
_PAIR_RE: Final = _VOCABULARY.pattern("pair")
_COMPARE_RE: Final = _VOCABULARY.pattern("compare")
_CHANGE_RE: Final = _VOCABULARY.pattern("change")
_FROM_TO_RE: Final = _VOCABULARY.pattern("from_to")
_DELTA_RE: Final = _VOCABULARY.pattern("delta")
_UP_RE: Final = _VOCABULARY.pattern("up_re")
_CONNECTOR_RE: Final = _VOCABULARY.pattern("connector_re")
_CAUSE_END_RE: Final = _VOCABULARY.pattern("cause_end")
_CAUSE_LEAD_RE: Final = _VOCABULARY.pattern("cause_lead")
_STATE_RE: Final = _VOCABULARY.pattern("state")
_COMPARED_RE: Final = re.compile(r"\b(?:compared|from|versus)\b")
_COMPARED_WITH_RE: Final = _VOCABULARY.pattern("compared_with")
_FROM_YEAR_TO_RE: Final = re.compile(rf"from [^,;]*{Y}[^,;]* to [^,;]*$")
_REACHED_RE: Final = re.compile(rf"\bto [{M}{P}{S}][^,;]*$")
_IS_SAID_RE: Final = _VOCABULARY.pattern("is_said")
_MORE_RE: Final = _VOCABULARY.pattern("more")
_PARTLY_RE: Final = _VOCABULARY.pattern("partly")
_RATIO_RE: Final = _VOCABULARY.pattern("ratio")
_PLACE_AFTER_RE: Final = _VOCABULARY.pattern("place_after")
_PART_AFTER_RE: Final = _VOCABULARY.pattern("part_after")
_OTHER_BASIS_RE: Final = _VOCABULARY.pattern("other_basis")
_ONE_ITEM_RE: Final = _VOCABULARY.pattern("one_item")
_REVERSED_SIGN_RE: Final = re.compile(r"\(income\)|benefit[^()]*\((?:provision|expense)")
_USED_RE: Final = re.compile(r" (?:used|spent|invested)\b")
_ALL_DEBT_RE: Final = _VOCABULARY.pattern("all_debt")
_UNDER_RE: Final = re.compile(r"(?: ?,)? (?:under|on|against|drawn) ")
_RESIDUE_RE: Final = _VOCABULARY.pattern("residue")
_LINK_RE: Final = re.compile(r"\b(?:was|were|is|are|came|occurred|resulted|arose|has been)\b")
_NO_CAUSE_RE: Final = _VOCABULARY.pattern("no_cause")
_OTHER_SUBJECT_RE: Final = _VOCABULARY.pattern("other_subject")
_FINITE_RE: Final = _VOCABULARY.pattern("finite")
_CLAUSE_VERB_RE: Final = _VOCABULARY.pattern("clause_verb")
# Words before a verb that stand for the measure or its change: "which was", "this increase was".
_SAME_SUBJECT: Final = _MOVE_NOUNS | word_set("which that this it and these both")
_BASE_YEAR_RE: Final = _VOCABULARY.pattern("base_year")
_LOOSE_START_RE: Final = re.compile(r"(?:and|or)\b")
_LOOSE_END_RE: Final = re.compile(r" (?:and|or|of|by|to|in|the|an?|as|with|for|from|our|its|than)$")

_FORWARD: Final = _VOCABULARY.texts["forward"]
_CONDITION: Final = _VOCABULARY.texts["condition"]
_QUARTER: Final = _VOCABULARY.texts["quarter"]
_AMOUNT_CUE: Final = r"[$%]|(?:million|billion|thousand|percent)"
_CONNECTOR: Final = _VOCABULARY.texts["connector_re"]
_TAIL_END_RE: Final = _VOCABULARY.pattern("tail_end")
_BEFORE_TAIL_RE: Final = _VOCABULARY.pattern("before_tail")

_PLAIN_MODIFIERS: Final = word_set("the our its total net consolidated such outstanding")
_OWNER_WORDS: Final = word_set("of to in on deferred unearned internal")
_AFTER_PREPOSITION_RE: Final = _VOCABULARY.pattern("after_preposition")
_CALENDAR: Final = _VOCABULARY.words["calendar"] | frozenset(MONTH_NUMBERS)
_NOT_TAIL_RE: Final = _VOCABULARY.pattern("not_tail")
_TERM_RE: Final = re.compile(r"(?:long|short)-term ")
_LONE_AND_RE: Final = re.compile(r"(?:\band|&)$")
_CLAUSE_RE: Final = _VOCABULARY.pattern("clause")
_LIMITED_RE: Final = _VOCABULARY.pattern("limited")
_NOT_HEAD_RE: Final = _VOCABULARY.pattern("not_head")
_NOT_SUBJECT_RE: Final = _VOCABULARY.pattern("not_subject")
_STOP_WORDS: Final = _VOCABULARY.words["stop_words"]
_DETERMINERS: Final = word_set("the our its a an this these their")
_COMPANY_WORDS: Final = _VOCABULARY.words["company_words"]
_COMPANY_POST_RE: Final = _VOCABULARY.pattern("company_post")
_PART: Final = _VOCABULARY.texts["part"]
_PART_RE: Final = _VOCABULARY.pattern("part_re")
_PLACE_START_RE: Final = _VOCABULARY.pattern("place_start")
_LOSS_RE: Final = _VOCABULARY.pattern("loss")
_GAIN_RE: Final = re.compile(r"\b(?:income|earnings|profit|provided|generated)\b")

_SIGNED: Final = _VOCABULARY.words["signed"]
_NP_WORDS: Final = _VOCABULARY.words["np_words"]
_NOUNS: Final = _VOCABULARY.words["nouns"]
_RESULTS: Final = word_set("income earnings profit loss")
MIN_UNSCALED: Final = 1_000_000.0
MAX_PER_SHARE: Final = 10_000.0
MAX_MENTIONS: Final = 5
MAX_SUBJECT: Final = 110
# Behind a name there may be the other sign in brackets: "(expense)".
MAX_SIGN_NOTE: Final = 14


@dataclass(frozen=True, slots=True)
class _Measure:
    """What the seed says about one label."""

    label: str
    pattern: re.Pattern[str]
    kind: str


@dataclass(slots=True)
class _MarkedText:
    """A sentence with one sign in place of every number."""

    text: str
    lower: str
    amounts: tuple[Amount, ...]
    has_cause: bool
    has_part: bool
    signs: str = ""
    places: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    shifts: list[int] = field(default_factory=list)

    def at(self, place: int) -> Amount:
        """The number whose sign stands at a place in ``signs``."""
        return self.amounts[bisect_left(self.places, place)]

    def to_text(self, place: int) -> int:
        """Offset in the text of a place in ``signs``."""
        index = bisect_left(self.places, place)
        return place + (self.shifts[index - 1] if index else 0)

    def to_signs(self, offset: int) -> int:
        """Place in ``signs`` of an offset in the text."""
        index = bisect_right(self.starts, offset)
        return offset - (self.shifts[index - 1] if index else 0)

    def is_in_number(self, offset: int) -> bool:
        """Whether an offset of the text lies behind the beginning of a number, before its end."""
        index = bisect_right(self.starts, offset)
        return index < len(self.starts) and self.amounts[index].start < offset


@dataclass(slots=True)
class _Reading:
    """What was understood of one mention."""

    subject: tuple[int, int] | None = None
    scope: str = "part"
    is_subject: bool = True
    level: Amount | None = None
    level_sign: float = 1.0
    year: int | None = None
    prior: Amount | None = None
    prior_sign: float = 1.0
    prior_year: int | None = None
    direction: str | None = None
    change_value: float | None = None
    change_percent: float | None = None
    change_year: int | None = None
    connector: tuple[int, int] | None = None
    cause: tuple[int, int] | None = None

    def rank(self) -> tuple[bool, bool, bool, bool]:
        """Readings compare by what they found."""
        is_company = self.scope == "company"
        return (
            self.level is not None and is_company,
            self.level is not None,
            self.cause is not None or self.change_percent is not None,
            self.direction is not None,
        )


def bind_kpis(texts: pa.Table, patterns: pa.Table) -> pa.Table:
    """Bind the numbers, the periods and the causes of sentences to measures.

    Args:
        texts: ``text_hash``, ``sentence_text``, ``kpi_label``: one row per text and label
            whose pattern matched.
        patterns: the rows of the seed ``kpi_patterns``: ``kpi_label``, ``pattern``,
            ``value_kind`` (money, percent or per_share). Where a pattern has a group, the
            group is the name of the measure.

    Returns:
        ``KPI_SCHEMA``, one row per row of `texts`, by (text_hash, kpi_label). A level, with
        its unit and offsets, is bound only where the grammar leaves no doubt; losses and cash
        used are negative. ``change_direction`` is that of the signed figure: a net loss that
        "increased" is a decrease; "improved" and "worsened" are taken as they stand.
        ``change_value`` and ``change_percent`` are sizes, without a sign.
        Amounts of money without a scale are bound from 1,000,000 on, because filings that
        state amounts "in millions" print bare numbers.

    Raises:
        ValueError: a null, or a label without pattern; the message names the text_hash.
    """
    measures = _measures(patterns)
    ordered = texts.select(["text_hash", "sentence_text", "kpi_label"]).sort_by(
        [("text_hash", "ascending"), ("kpi_label", "ascending")]
    )
    rows = list(_rows(ordered, measures))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(KPI_SCHEMA)
    flags = _flags(ordered["sentence_text"])
    arrays = [
        flags[part.name] if part.name in flags else pa.array(values, part.type)
        for part, values in zip(KPI_SCHEMA, columns, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=KPI_SCHEMA)


def _flags(texts: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    lower = pc.utf8_lower(texts)
    patterns = {
        "has_amount_cue": _AMOUNT_CUE,
        "is_forward_looking": _FORWARD,
        "is_negated_or_conditional": _CONDITION,
        "is_quarterly": _QUARTER,
    }
    return {name: pc.match_substring_regex(lower, pattern) for name, pattern in patterns.items()}


def _measures(patterns: pa.Table) -> dict[str, _Measure]:
    rows = patterns.select(["kpi_label", "pattern", "value_kind"]).to_pylist()
    kinds = {row["kpi_label"]: row["value_kind"] for row in rows}
    found = alternatives((row["kpi_label"], row["pattern"]) for row in rows)
    return {
        label: _Measure(label, re.compile(pattern), kinds[label])
        for label, pattern in found.items()
    }


def _rows(texts: pa.Table, measures: Mapping[str, _Measure]) -> Iterator[tuple[Any, ...]]:
    marked: _MarkedText | None = None
    last = None
    for batch in texts.to_batches():
        columns = [batch.column(name).to_pylist() for name in texts.column_names]
        # Scanning whole columns rules out what a text cannot hold, far faster than text by text.
        hints = zip(
            *(
                pc.match_substring_regex(batch.column("sentence_text"), f"(?i){hint}").to_pylist()
                for hint in (MAY_HOLD_AMOUNTS, _CONNECTOR, _PART)
            ),
            strict=True,
        )
        for text_hash, text, label, hint in zip(*columns, hints, strict=True):
            if text is None or label not in measures:
                raise ValueError(f"the text {text_hash} has no sentence or no known KPI: {label!r}")
            if marked is None or text_hash != last or marked.text != text:
                last, marked = text_hash, _mark_amounts(text, *hint)
            yield (text_hash, label, *_bound(marked, measures[label]), None, None, None)


def _mark_amounts(text: str, has_amounts: bool, has_cause: bool, has_part: bool) -> _MarkedText:
    lower = lower_same_length(text)
    amounts = find_amounts(text) if has_amounts else ()
    marked = _MarkedText(text, lower, amounts, has_cause, has_part)
    if not marked.amounts:
        marked.signs = lower
        return marked
    pieces: list[str] = []
    end = shift = length = 0
    signed: list[Amount] = []
    for one in marked.amounts:
        sign = _sign(one)
        if sign is None:
            continue
        signed.append(one)
        piece = lower[end : one.start]
        length += len(piece)
        marked.places.append(length)
        marked.starts.append(one.end)
        pieces += (piece, sign)
        length += 1
        shift += one.end - one.start - 1
        marked.shifts.append(shift)
        end = one.end
    marked.amounts = tuple(signed)
    marked.signs = "".join((*pieces, lower[end:])) if pieces else lower
    return marked


def _sign(amount: Amount) -> str | None:  # noqa: PLR0911 - one return for each sign
    if amount.kind == "year":
        return Y
    if amount.kind == "date":
        return D if len(amount.raw) <= 2 else None
    if amount.kind != "amount":
        return None
    unit = amount.unit or ""
    if unit == "percent":
        return P
    if unit in ("percentage_points", "basis_points"):
        return B
    if unit in ("count", "ratio") or amount.is_range:
        return N
    return S if unit.endswith("_per_share") else M


def _bound(marked: _MarkedText, measure: _Measure) -> tuple[Any, ...]:
    """The columns of one row between the label and the flags."""
    first = next((one.raw for one in marked.amounts if one.kind == "amount"), None)
    best = _Reading()
    for start, end in _mentions(marked, measure):
        reading = _read(marked, measure, start, end)
        if reading is not None and measure.kind == "percent":
            # "Margin declined 2% to 57.8%": points or percent, the sentence does not say.
            reading.change_percent = None
        if reading is not None and (best.subject is None or reading.rank() > best.rank()):
            best = reading
    level, prior = best.level, best.prior
    value = prior_value = (None, None, None)
    if level is not None:
        value = _signed(level, best.level_sign)
    if prior is not None:
        prior_value = _signed(prior, best.prior_sign)
    return (
        first,
        None,
        level.raw if level else None,
        *value,
        _unit(level, measure) if level else None,
        level.scale if level else None,
        level.start if level else None,
        level.end if level else None,
        "level" if level else None,
        best.year if level else None,
        *prior_value,
        best.prior_year if prior else None,
        best.direction,
        best.change_value,
        best.change_percent,
        _slice(marked, best.subject),
        best.scope if best.subject else None,
        _slice(marked, best.connector),
        _slice(marked, best.cause),
        best.change_year,
    )


def _slice(marked: _MarkedText, span: tuple[int, int] | None) -> str | None:
    if span is None:
        return None
    return marked.text[marked.to_text(span[0]) : marked.to_text(span[1])]


def _unit(level: Amount, measure: _Measure) -> str | None:
    if measure.kind == "per_share" and level.unit and "_per_share" not in level.unit:
        return f"{level.unit}_per_share"
    return level.unit


def _signed(amount: Amount, sign: float) -> tuple[Any, Any, Any]:
    if sign > 0 or amount.value <= 0:
        return amount.value, amount.low, amount.high
    return -amount.value, -amount.high, -amount.low


def _mentions(marked: _MarkedText, measure: _Measure) -> Iterator[tuple[int, int]]:
    for count, match in enumerate(measure.pattern.finditer(marked.lower)):
        if count >= MAX_MENTIONS:
            return
        start, end = match.span(match.lastindex or 0)
        # "$2 per share": a name inside a number is the number's unit, and has no subject.
        if not marked.is_in_number(start):
            yield marked.to_signs(start), marked.to_signs(end)


def _read(marked: _MarkedText, measure: _Measure, start: int, end: int) -> _Reading | None:
    signs = marked.signs
    phrase = _noun_phrase(signs, start, end)
    if phrase is None:
        return None
    first, is_company = phrase
    name = signs[first:end]
    before = signs[max(0, first - 140) : first].rstrip()
    noun = None
    if not _MOVE_NOUNS.isdisjoint(before[-36:].split()):
        noun = _MOVE_NOUN_RE.search(before, max(0, len(before) - 36))
    reading = _Reading(subject=(first, end), scope="company" if is_company else "part")
    if _is_other_measure(signs, first, start, end, measure) or _is_residue(before, noun):
        reading.scope = "part"
    if _is_ratio(signs, measure, end):
        reading.scope = "part"
        return reading
    sign = _sign_of(name, measure)
    if not marked.amounts and not marked.has_cause:
        reading.direction = _bare_direction(signs, noun, before, end, sign)
        return reading
    if noun is not None:
        reading.direction = _direction_of_noun(noun, sign)
        _note_change_before(marked, before, first, noun, reading)
        verb = None
        after = end
        _read_noun_tail(signs, measure, reading, end)
        if marked.has_cause and _CONNECTOR_RE.search(before):
            reading.scope = "part"
    else:
        verb = _VERB_RE.search(signs, end, end + MAX_SUBJECT)
        after = _read_statement(marked, measure, reading, verb, before, end, sign)
    if reading.scope == "company" and _is_about_part(marked, first, before):
        reading.scope = "part"
    _settle_sign(reading, signs[first : end + MAX_SIGN_NOTE])
    moves = noun is not None or reading.direction is not None or reading.level is not None
    if marked.has_cause and reading.is_subject and (moves or _is_compared(signs, verb)):
        _read_cause(marked, reading, end, after, verb)
    _note_change_year(marked, reading)
    return reading


def _noun_phrase(signs: str, start: int, end: int) -> tuple[int, bool] | None:
    """Where the noun phrase starts, and whether it is the company's; None where it is no KPI."""
    if _NOT_HEAD_RE.match(signs, end) or signs[start - 1 : start] in ("-", "‑"):
        return None
    if _is_of_another(signs, start):
        return None
    first, is_company = _subject_start(signs, start)
    if first != start and _is_of_another(signs, first):
        return None
    if start > first and not _MOVE_NOUNS.isdisjoint(signs[first:start].split()):
        return None
    return first, is_company


def _is_residue(before: str, noun: re.Match[str] | None) -> bool:
    """Whether only the rest of a change is stated: "the remaining increase in revenue"."""
    return noun is not None and _RESIDUE_RE.search(before[: noun.start()].rstrip()) is not None


def _settle_sign(reading: _Reading, name: str) -> None:
    """Leave out a figure that may be a gain or a loss; tell the direction of a swing."""
    if _REVERSED_SIGN_RE.search(name):
        # "Other (income) expense, net rose to $4 million": only a minus could tell.
        reading.level = reading.prior = reading.direction = None
        reading.year = reading.prior_year = None
    elif reading.level and reading.prior and reading.level_sign != reading.prior_sign:
        now = _signed(reading.level, reading.level_sign)[0]
        past = _signed(reading.prior, reading.prior_sign)[0]
        reading.direction = "increase" if now > past else "decrease" if now < past else None


def _is_other_measure(signs: str, first: int, start: int, end: int, measure: _Measure) -> bool:
    """Whether it is one dividend, net debt, or what was drawn on one facility."""
    name = signs[first:end]
    if _TERM_RE.match(signs, start):
        return True
    if measure.label != "debt":
        return name.endswith("dividend")
    if "net" in name.split():
        return True
    is_owned = name.endswith("indebtedness") and "our " in name
    if is_owned or not name.endswith(("borrowings", "indebtedness")):
        return False
    is_all = _ALL_DEBT_RE.search(name) is not None
    return not is_all and not signs.startswith(" outstanding", end)


def _is_ratio(signs: str, measure: _Measure, end: int) -> bool:
    """Whether the measure is only the numerator: "cost of sales as a percentage of sales"."""
    if measure.kind == "percent":
        return False
    stop = _TAIL_END_RE.search(signs, end, end + MAX_SUBJECT)
    place = stop.start() if stop else end
    tail = _PERIOD_RE.sub("", signs[end:place]).strip(" ,")
    if not tail and _RATIO_RE.match(signs, place):
        return True
    verb = _VERB_RE.match(signs, end)
    return verb is not None and _RATIO_RE.match(signs, verb.end()) is not None


def _bare_direction(
    signs: str, noun: re.Match[str] | None, before: str, end: int, sign: float
) -> str | None:
    """The direction in a sentence without numbers and causes: nothing else can be bound."""
    if noun is not None:
        return _direction_of_noun(noun, sign)
    verb = _VERB_RE.search(signs, end, end + MAX_SUBJECT)
    if verb is None or not verb["move"] or _AFTER_PREPOSITION_RE.search(before):
        return None
    return _direction(verb["move"], sign)


def _is_of_another(signs: str, place: int) -> bool:
    """Whether what precedes makes it a share, a cost or an effect of the measure."""
    if place < 4 or signs[place - 1] != " ":
        return False
    for word in reversed(signs[max(0, place - 44) : place].split()):
        if word not in _PLAIN_MODIFIERS:
            if word not in _OWNER_WORDS:
                return False
            break
    return _NOT_SUBJECT_RE.search(signs, max(0, place - 44), place - 1) is not None


def _is_company_tail(rest: str, measure: _Measure) -> bool:
    """Whether the words after the name leave the measure that of the whole company."""
    if "attributable" in rest and measure.label not in ("net_income", "eps"):
        return False
    return _COMPANY_POST_RE.fullmatch(rest) is not None


def _read_noun_tail(signs: str, measure: _Measure, reading: _Reading, end: int) -> None:
    """Read "… in revenue of our trucks was": what follows may narrow the company."""
    stop = _TAIL_END_RE.search(signs, end, end + MAX_SUBJECT)
    tail = signs[end : stop.start() if stop else min(len(signs), end + MAX_SUBJECT)]
    rest = _PERIOD_RE.sub("", tail).strip(" ,")
    if rest and not _is_company_tail(rest, measure) and not _BEFORE_TAIL_RE.fullmatch(rest):
        reading.scope = "part"
        if stop is not None and reading.subject is not None and tail.lstrip().startswith(rest):
            reading.subject = (reading.subject[0], end + len(tail.rstrip(" ,")))


def _sign_of(name: str, measure: _Measure) -> float:
    if measure.label == "other_income" and re.search(r"\bother expense", name):
        return -1.0
    if measure.label == "income_taxes":
        return -1.0 if "benefit" in name and not re.search("provision|expense", name) else 1.0
    return -1.0 if measure.label in _SIGNED and _is_loss(name) else 1.0


def _is_loss(name: str) -> bool:
    if "negative" in name:
        return True
    return _LOSS_RE.search(name) is not None and _GAIN_RE.search(name) is None


def _subject_start(signs: str, start: int) -> tuple[int, bool]:
    """Where the noun phrase starts, and whether nothing in it narrows the company."""
    place = start
    is_company = True
    while place > 0 and signs[place - 1] == " ":
        left = signs.rfind(" ", 0, place - 1) + 1
        word = signs[left : place - 1]
        if not word or word[-1] in ",;:.()•–—*|" or len(word) > 25:
            break
        if word in _STOP_WORDS and not (word == "reported" and _is_adjective(signs, left)):
            break
        if word[0] in "(•–—*":
            rest = word.lstrip("(•–—*·- ")
            if rest:
                place = left + len(word) - len(rest)
                is_company = is_company and rest in _COMPANY_WORDS
            break
        if word != Y and not _SIGNS.isdisjoint(word):
            # "Transaction fee 65 revenue": the number cuts a longer name, or a table, in two.
            is_company = False
            break
        place = left
        bare = word.strip("“”\"'’")
        if bare not in _COMPANY_WORDS and word != Y:
            is_company = False
        if bare in ("a", "an"):
            place += len(word) + 1
            break
        if bare in _DETERMINERS or start - place > 80:
            break
    return place, is_company


def _is_adjective(signs: str, left: int) -> bool:
    """Whether "reported" is said of a noun: "our reported net sales"."""
    return left == 0 or signs[max(0, left - 5) : left].endswith(("’s ", "'s ", "our ", "the "))


def _is_about_part(marked: _MarkedText, first: int, before: str) -> bool:
    if ":" in before or (marked.has_part and _PART_RE.search(before)):
        return True
    return first > 0 and _PLACE_START_RE.match(marked.signs, 0, first) is not None


def _direction_of_noun(noun: re.Match[str], sign: float) -> str | None:
    word = noun["up"] or noun["down"]
    return _turned(word, noun["up"] is not None, sign) if word else None


def _direction(word: str, sign: float) -> str | None:
    return None if word == "changed" else _turned(word, bool(_UP_RE.fullmatch(word)), sign)


def _turned(word: str, is_up: bool, sign: float) -> str:
    """The direction of the signed figure: a loss that "increased" is a decrease."""
    if sign < 0 and not _EVALUATIVE_RE.search(word):
        is_up = not is_up
    return "increase" if is_up else "decrease"


def _note_change_before(
    marked: _MarkedText, before: str, first: int, noun: re.Match[str], reading: _Reading
) -> None:
    """Read the numbers before the noun: "the $5 million, or 10%, increase in revenue"."""
    found = re.search(
        rf"([{M}{P}])(?:(?: ?,)? or ([{M}{P}])(?: ?,)?| \(([{M}{P}])\))? $", before[: noun.start()]
    )
    if found is None:
        return
    shift = len(marked.signs[:first].rstrip()) - len(before)
    for group in (1, 2, 3):
        if found[group]:
            _note_change(marked, reading, found.start(group) + shift)


def _note_change(marked: _MarkedText, reading: _Reading, place: int) -> None:
    amount = marked.at(place)
    if amount.unit == "percent":
        if reading.change_percent is None:
            reading.change_percent = abs(amount.value)
    elif reading.change_value is None and _is_money(amount):
        reading.change_value = abs(amount.value)


def _is_money(amount: Amount) -> bool:
    """Whether an amount is stated in full: bare "$141" may stand for millions."""
    return (
        amount.scale != "units"
        or abs(amount.value) >= MIN_UNSCALED
        or amount.raw.endswith(",000")
        or amount.value == 0
    )


def _fits(amount: Amount, measure: _Measure) -> bool:
    """Whether a number can be a level of the measure."""
    unit = amount.unit or ""
    if measure.kind == "percent":
        return unit == "percent"
    if measure.kind == "per_share":
        is_money = unit not in ("percent", "percentage_points", "basis_points")
        return is_money and amount.scale == "units" and abs(amount.value) < MAX_PER_SHARE
    return not unit.endswith("_per_share") and unit != "percent" and _is_money(amount)


def _read_statement(
    marked: _MarkedText,
    measure: _Measure,
    reading: _Reading,
    verb: re.Match[str] | None,
    before: str,
    end: int,
    sign: float,
) -> int:
    """Read subject, verb and amounts; returns the place up to which it was understood."""
    first = reading.subject[0] if reading.subject else end
    is_after_amount = before.endswith((" of", " in", " on", " for", " our"))
    amount_of = _AMOUNT_OF_RE.search(before) if is_after_amount else None
    if amount_of is not None:
        return _read_amount_of(marked, measure, reading, amount_of, before, end, sign)
    if verb is None:
        return end
    if _AFTER_PREPOSITION_RE.search(before) or (
        _LONE_AND_RE.search(before) and not _CLAUSE_RE.search(before)
    ):
        # "The effect on revenue was", "costs and revenue were": the subject is another.
        reading.scope, reading.is_subject = "part", False
        return end
    verb, rest, years = _verb_of_subject(marked, verb, end)
    if verb is None or _NOT_TAIL_RE.search(rest):
        reading.scope = "part"
        reading.is_subject = verb is None
        return end
    if rest:
        _extend_subject(marked, measure, reading, (end, verb.start()), rest, bool(years))
    years = years or _leading_years(marked, first, before)
    if verb["move"]:
        return _read_move(marked, measure, reading, verb, years, sign)
    after = _read_level(marked, measure, reading, verb.end(), years, sign)
    if (
        _PART_AFTER_RE.match(marked.signs, after)
        or _is_narrowed(marked, reading, after)
        or (measure.label == "debt" and _UNDER_RE.match(marked.signs, after))
    ):
        reading.scope = "part"
    if verb["level"] == "of" and (
        not _owns(before)
        or _LIMITED_RE.match(marked.signs, after)
        # "We had borrowings of $5 million" is what was drawn, not what is owed.
        or marked.signs.endswith(" borrowings", first - 1, end)
    ):
        reading.scope = "part"
    return after


def _is_narrowed(marked: _MarkedText, reading: _Reading, after: int) -> bool:
    """Whether the level is that of one item, or stated before or net of something."""
    if reading.level is None:
        return False
    ends = {marked.to_signs(reading.level.end), after}
    return any(
        _OTHER_BASIS_RE.match(marked.signs, place) or _ONE_ITEM_RE.match(marked.signs, place)
        for place in ends
    )


def _verb_of_subject(
    marked: _MarkedText, verb: re.Match[str] | None, end: int
) -> tuple[re.Match[str] | None, str, list[int]]:
    """Find the verb; "of" is one only directly before an amount ("revenue of $5 million")."""
    signs = marked.signs
    while verb is not None:
        rest, years = _split_periods(marked, signs[end : verb.start()], end)
        rest = rest.strip(" ,")
        if verb["level"] != "of" or (not rest and _LIST_RE.match(signs, verb.end())):
            return verb, rest, years
        verb = _VERB_RE.search(signs, verb.end(), end + MAX_SUBJECT)
    return None, "", []


def _extend_subject(
    marked: _MarkedText,
    measure: _Measure,
    reading: _Reading,
    span: tuple[int, int],
    rest: str,
    has_period: bool,
) -> None:
    """Take "of our trucks" into the subject, and narrow the scope by it."""
    if not _is_company_tail(rest, measure):
        reading.scope = "part"
    between = marked.signs[span[0] : span[1]]
    first = reading.subject[0] if reading.subject else span[0]
    if not has_period:
        reading.subject = (first, span[0] + len(between.rstrip(" ,")))
    elif between.strip().startswith(rest[:8]) and rest in between:
        reading.subject = (first, span[0] + between.find(rest) + len(rest))


def _owns(before: str) -> bool:
    """Whether "net income of" is said of the company: "we reported", or nothing before it."""
    tail = before.rstrip(" ,")
    if not tail or _TOTAL_RE.search(tail):
        return True
    return _PERIOD_RE.fullmatch(tail) is not None


def _split_periods(marked: _MarkedText, piece: str, start: int) -> tuple[str, list[int]]:
    """A stretch without its periods, and the years of the periods."""
    if Y not in piece:
        return piece, []
    found = _PERIOD_RE.search(piece)
    if found is None:
        return piece, []
    years = _years(marked, start + found.start(), start + found.end())
    return piece[: found.start()] + piece[found.end() :], years


def _years(marked: _MarkedText, start: int, end: int) -> list[int]:
    signs = marked.signs
    return [int(marked.at(place).value) for place in range(start, end) if signs[place] == Y]


def _leading_years(marked: _MarkedText, first: int, before: str) -> list[int]:
    """Years of "In fiscal 2019, …" at the start of the clause, or of "our 2019 revenue"."""
    signs = marked.signs
    inside = [place for place in range(first, min(first + 40, len(signs))) if signs[place] == Y]
    if len(inside) == 1:
        head = signs[first : inside[0]]
        if len(head.split()) <= 3 and not re.search(r"\b(?:in|for|was|were|of|at)\b", head):
            return [int(marked.at(inside[0]).value)]
    periods = list(_PERIOD_RE.finditer(before))
    if not periods:
        return []
    found = periods[-1]
    tail = before[found.end() :].strip(" ,")
    if tail and not re.fullmatch(
        r"(?:we|the company)(?: (?:had|recorded|reported|generated|achieved|incurred|an?))*", tail
    ):
        return []
    shift = len(signs[:first].rstrip()) - len(before)
    return _years(marked, found.start() + shift, found.end() + shift)


def _read_level(  # noqa: PLR0912 - the shapes of a statement, one after another
    marked: _MarkedText,
    measure: _Measure,
    reading: _Reading,
    start: int,
    years: list[int],
    sign: float,
) -> int:
    signs = marked.signs
    listed = _LIST_RE.match(signs, start)
    if listed is None:
        return start
    places = [
        place for place in range(listed.start("list"), listed.end("list")) if signs[place] in SIGNS
    ]
    after = _skip_others(marked, measure, listed.end())
    period = _PERIOD_RE.match(signs, after)
    if period is not None:
        own = _years(marked, period.start(), period.end())
        if own:
            years, after = own, period.end()
    levels = [marked.at(place) for place in places]
    # "Revenue was $5 million higher" states a difference.
    is_difference = _MORE_RE.match(signs, listed.end()) is not None
    if is_difference or not all(_fits(level, measure) for level in levels):
        return after
    if len(levels) > 1:
        if len(years) != len(levels) or len(set(years)) != len(years):
            return after
        pairs = sorted(zip(years, levels, strict=True), key=lambda pair: -pair[0])
        reading.year, reading.level = pairs[0]
        reading.level_sign = reading.prior_sign = sign
        if pairs[1][0] == pairs[0][0] - 1:
            reading.prior_year, reading.prior = pairs[1]
        return after
    if len(years) > 1:
        return after
    reading.level, reading.level_sign = levels[0], sign
    reading.year = years[0] if years else None
    pair = _PAIR_RE.match(signs, after)
    if pair is not None and reading.year is not None:
        _note_prior_pair(marked, measure, reading, pair, sign)
        after = pair.end()
    else:
        after = _read_comparison(marked, measure, reading, after, sign)
    delta = _DELTA_RE.search(signs, listed.end(), min(len(signs), after + 110))
    if delta is not None and not _CONNECTOR_RE.search(signs, listed.end(), delta.start()):
        word = delta["word"] or delta["short"] or delta["word2"]
        reading.direction = _direction(word, sign)
        for group in "abcdef":
            if delta[group]:
                _note_change(marked, reading, delta.start(group))
    return after


def _skip_others(marked: _MarkedText, measure: _Measure, place: int) -> int:
    while (other := _OR_RE.match(marked.signs, place)) is not None and _is_other_kind(
        marked, measure, other
    ):
        place = other.end()
    return place


def _is_other_kind(marked: _MarkedText, measure: _Measure, other: re.Match[str]) -> bool:
    """Whether a second number is of another kind: "$45 million, or $2.79 per share"."""
    if other.group().lstrip().startswith("("):
        return True
    found = re.search(f"[{M}{P}{S}{N}]", other.group())
    if found is None:
        return True
    return not _fits(marked.at(other.start() + found.start()), measure) or measure.kind != "money"


def _note_prior_pair(
    marked: _MarkedText, measure: _Measure, reading: _Reading, pair: re.Match[str], sign: float
) -> None:
    years = _years(marked, pair.start("period"), pair.end("period"))
    amount = marked.at(pair.start("v"))
    if len(years) != 1 or not _fits(amount, measure) or reading.year is None:
        return
    if years[0] > reading.year:
        reading.prior, reading.prior_year = reading.level, reading.year
        reading.level, reading.year = amount, years[0]
    elif years[0] < reading.year:
        reading.prior, reading.prior_year = amount, years[0]
    reading.prior_sign = sign


def _read_comparison(  # noqa: PLR0911, PLR0912 - each return leaves a doubtful one out
    marked: _MarkedText, measure: _Measure, reading: _Reading, start: int, sign: float
) -> int:
    """Read "compared with $4 million in 2018" or "from $4 million in 2018"."""
    signs = marked.signs
    found = _COMPARE_RE.search(signs, start, min(len(signs), start + 160))
    if found is None:
        return start
    gap = signs[start : found.start()]
    if re.search(r"[;:•]|\b(?:and|while|which|due|because|driven|result)\b", gap):
        return start
    amount = marked.at(found.start("v"))
    words = [word.strip("(),") for word in found["np"].split()]
    if not _fits(amount, measure) or not _NP_WORDS.issuperset(words):
        return start
    if not _NOUNS.isdisjoint(words) and not measure.pattern.search(f"{found['np']} ".lstrip()):
        bare = [word for word in words if word in _NOUNS]
        if measure.label not in _SIGNED or len(bare) != 1 or bare[0] not in _RESULTS:
            return start
    if "from" in found.group()[:5] and words and words[0] in ("operations", "operating"):
        return start
    reading.prior = amount
    reading.prior_sign = sign
    if measure.label in _SIGNED and words:
        if _is_loss(found["np"]) or "other expense" in found["np"]:
            reading.prior_sign = -1.0
        elif _GAIN_RE.search(found["np"]):
            reading.prior_sign = 1.0
    after = _skip_others(marked, measure, found.end("v"))
    period = _PERIOD_RE.match(signs, after)
    if period is None and (inner := _PERIOD_RE.search(found["np"])) is not None:
        shift = found.start("np")
        years = _years(marked, inner.start() + shift, inner.end() + shift)
        reading.prior_year = years[0] if len(years) == 1 else None
        return after
    if period is not None:
        years = _years(marked, period.start(), period.end())
        after = period.end()
        if len(years) == 1:
            reading.prior_year = years[0]
    elif (past := _BEFORE_RE.match(signs, after)) is not None:
        after = past.end()
        if reading.year is not None:
            reading.prior_year = reading.year - 1
    if reading.prior_year is not None and reading.prior_year == reading.year:
        reading.prior = reading.prior_year = None
    return after


def _read_move(
    marked: _MarkedText,
    measure: _Measure,
    reading: _Reading,
    verb: re.Match[str],
    years: list[int],
    sign: float,
) -> int:
    signs = marked.signs
    if _RATIO_RE.match(signs, verb.end()):
        reading.scope, reading.is_subject = "part", False
        return verb.end()
    reading.direction = _direction(verb["move"], sign)
    swing = _FROM_TO_RE.match(signs, verb.end())
    if swing is not None:
        low, high = marked.at(swing.start("w")), marked.at(swing.start("v"))
        if _fits(low, measure) and _fits(high, measure):
            reading.prior, reading.level = low, high
            reading.prior_sign = reading.level_sign = sign
            after = swing.end()
            period = _PERIOD_RE.match(signs, after)
            own = _years(marked, period.start(), period.end()) if period else []
            before = _years(marked, swing.start("p1"), swing.end("p1")) if swing["p1"] else []
            reading.year = own[0] if len(own) == 1 else (years[0] if len(years) == 1 else None)
            reading.prior_year = before[0] if len(before) == 1 else None
            return period.end() if period else after
        return swing.end()
    change = _CHANGE_RE.match(signs, verb.end())
    if change is None:
        return verb.end()
    for group in "ab":
        if change[group]:
            _note_change(marked, reading, change.start(group))
    after = change.end()
    if measure.kind != "percent" and _RATIO_RE.match(signs, after):
        reading.scope, reading.is_subject = "part", False
        reading.direction = reading.change_value = reading.change_percent = None
        return after
    _note_place(marked, reading, after)
    own = _years(marked, change.start("p1"), change.end("p1")) if change["p1"] else []
    if len(own) == 1:
        years = own
    if change["v"]:
        level = marked.at(change.start("v"))
        after = _skip_others(marked, measure, after)
        period = _PERIOD_RE.match(signs, after)
        if period is not None:
            own = _years(marked, period.start(), period.end())
            after = period.end()
            years = own or years
        if _fits(level, measure) and len(years) <= 1:
            reading.level, reading.level_sign = level, sign
            reading.year = years[0] if years else None
            after = _read_comparison(marked, measure, reading, after, sign)
            if _is_narrowed(marked, reading, after):
                reading.scope = "part"
        _note_place(marked, reading, after)
    return after


def _note_place(marked: _MarkedText, reading: _Reading, place: int) -> None:
    """Narrow the scope where a place or a part follows: "revenue declined 5% in Brazil"."""
    if _PART_AFTER_RE.match(marked.signs, place):
        reading.scope = "part"
    found = _PLACE_AFTER_RE.match(marked.signs, place)
    if found is None:
        return
    at = marked.to_text(found.end())
    word = re.match(r"[\w.]+", marked.text[at : at + 20])
    if not word or word.group().lower().rstrip(".") in ("company", "corporation"):
        return
    if word.group()[0].isupper() and word.group().lower() not in _CALENDAR:
        reading.scope = "part"


def _read_amount_of(
    marked: _MarkedText,
    measure: _Measure,
    reading: _Reading,
    found: re.Match[str],
    before: str,
    end: int,
    sign: float,
) -> int:
    """Read "we generated $5 million of revenue in 2019"."""
    signs = marked.signs
    first = reading.subject[0] if reading.subject else end
    shift = len(signs[:first].rstrip()) - len(before)
    amount = marked.at(found.start("v") + shift)
    if not _fits(amount, measure):
        return end
    if not found["who"]:
        reading.scope = "part"
    tail = _PERIOD_RE.match(signs, end)
    years = _years(marked, tail.start(), tail.end()) if tail else []
    for group in ("period", "period2"):
        if not years and found[group]:
            years = _years(marked, found.start(group) + shift, found.end(group) + shift)
    if not years:
        lead = _PERIOD_RE.search(before[: found.start()])
        if lead is not None:
            years = _years(marked, lead.start() + shift, lead.end() + shift)
    if len(years) > 1:
        return end
    after = tail.end() if tail else end
    if _PARTLY_RE.match(signs, after):
        reading.scope = "part"
    if tail is None and re.match(r" (?!and\b|compared|versus|as compared|which)[a-z]", signs[end:]):
        reading.scope = "part"
    if measure.label == "cash_from_operations" and _USED_RE.search(found.group()):
        sign = -1.0
    reading.level, reading.level_sign = amount, sign
    reading.year = years[0] if years else None
    after = _read_comparison(marked, measure, reading, after, sign)
    if _is_narrowed(marked, reading, after):
        reading.scope = "part"
    return after


def _is_compared(signs: str, verb: re.Match[str] | None) -> bool:
    """Whether a change is stated without a verb of movement: "was lower than in 2016"."""
    if verb is None:
        return False
    if verb["move"]:
        return True
    return _STATE_RE.match(signs, verb.end()) is not None


def _read_cause(
    marked: _MarkedText, reading: _Reading, end: int, after: int, verb: re.Match[str] | None
) -> None:
    signs = marked.signs
    start = verb.end() if verb is not None else end
    found = _CONNECTOR_RE.search(signs, start)
    if (
        found is not None
        and found.group().startswith("attributable")
        and not _IS_SAID_RE.search(signs, max(0, found.start() - 16), found.start())
    ):
        # "net income attributable to Acme" names an owner, not a cause.
        found = _CONNECTOR_RE.search(signs, found.end())
    if found is None or found.start() - max(after, end) > 160:
        return
    gap = signs[start : found.start()]
    has_verb = verb is not None and verb["level"] != "of"
    if _OTHER_SUBJECT_RE.search(gap) or _has_other_clause(gap, has_verb):
        return
    if verb is None and not _LINK_RE.search(gap) and (len(gap) > 45 or "," in gap):
        return
    lead = _CAUSE_LEAD_RE.match(signs, found.end())
    begin = lead.end() if lead else found.end()
    finish = _cause_end(signs, begin)
    while finish > begin and signs[finish - 1] in " .,;:":
        finish -= 1
    if signs[finish - 1] == ")" and "(" not in signs[begin:finish]:
        finish -= 1
    if finish - begin < 4 or _NO_CAUSE_RE.match(signs, begin):
        return
    cause = signs[begin:finish]
    if (
        _LOOSE_START_RE.match(cause)
        or _LOOSE_END_RE.search(cause, max(0, len(cause) - 8))
        or _BASE_YEAR_RE.match(cause)
    ):
        return
    reading.connector = found.span()
    reading.cause = (begin, finish)


def _cause_end(signs: str, begin: int) -> int:
    """Where a cause ends: with its clause. A semicolon between items of a list ends none."""
    place = begin
    while (stop := _CAUSE_END_RE.search(signs, place)) is not None:
        following = _CAUSE_END_RE.search(signs, stop.end())
        item = signs[stop.end() : following.start() if following else len(signs)]
        if stop.group() != ";" or _FINITE_RE.search(item):
            return stop.start()
        place = stop.end()
    return len(signs)


def _has_other_clause(gap: str, has_verb: bool) -> bool:
    """Whether another subject and verb, or the base year, stand before the connector."""
    if _BASE_YEAR_RE.search(gap):
        return True
    verbs = list(_CLAUSE_VERB_RE.finditer(gap))
    # "The increase in revenue of our shops was due to": the first verb is that of the noun.
    return any(found["last"] not in _SAME_SUBJECT for found in verbs[0 if has_verb else 1 :])


def _note_change_year(marked: _MarkedText, reading: _Reading) -> None:
    """The year in which the measure moved, as distinct from the year it is compared with."""
    if reading.direction is None and reading.cause is None:
        return
    signs = marked.signs
    limit = reading.connector[0] if reading.connector else len(signs)
    current = {
        int(amount.value)
        for place, amount in zip(marked.places, marked.amounts, strict=True)
        if signs[place] == Y and place <= limit and not _is_compared_with(signs, place)
    }
    if len(current) == 1:
        reading.change_year = current.pop()
    elif reading.year is not None:
        reading.change_year = reading.year


def _is_compared_with(signs: str, place: int) -> bool:
    """Whether the year at a place is the one that another is compared with."""
    head = signs[max(0, place - 60) : place]
    if not _COMPARED_WITH_RE.search(head) or _FROM_YEAR_TO_RE.search(head):
        return False
    reached = _REACHED_RE.search(head)
    return reached is None or _COMPARED_RE.search(reached.group()) is not None
