"""What a question asks for: form of the answer, a change, a section, a risk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import word_set

_VOCABULARY: Final = read_vocabulary(__file__)
# Named sections, in the order of a 10-K.
_SECTION_WORDS: Final = _VOCABULARY.patterns("section_words", re.IGNORECASE)
_FORMS: Final = _VOCABULARY.patterns("forms", re.IGNORECASE)
_SEGMENT: Final = re.compile(r"\bsegment\b", re.IGNORECASE)
# Characters before the word "segment" in which its name is looked for.
_SEGMENT_NAME: Final = 80
_NAME_WORDS: Final = re.compile(r"[^\s,;:?!\"()]+$")
_JOINING: Final = frozenset({"and", "&", "of"})
# A question or a possessive may begin with a capital letter just before a name.
_NO_NAME: Final = word_set(
    "a all an are as at by compare describe did do does each every for how if in is its "
    "operating our reportable the their this to was were what which whose why"
)
_ITEM: Final = _VOCABULARY.pattern("item", re.IGNORECASE)
_SECTIONS_OF_RISKS: Final = ("ITEM_1A",)
_SECTIONS_OF_KPIS: Final = ("ITEM_7", "ITEM_8")
# Dividends and purchases of own shares are reported beside the market for the shares.
_OWNERS_KPIS: Final = frozenset({"dividends_per_share", "share_repurchases"})

_RISK: Final = _VOCABULARY.pattern("risk", re.IGNORECASE)
_CHANGE: Final = _VOCABULARY.pattern("change", re.IGNORECASE)
_COMPARISON: Final = _VOCABULARY.pattern("comparison", re.IGNORECASE)
_DEFINITION: Final = _VOCABULARY.pattern("definition", re.IGNORECASE)
_REASON: Final = _VOCABULARY.pattern("reason", re.IGNORECASE)
_BOOLEAN_ORDER: Final = _VOCABULARY.pattern("boolean_order", re.IGNORECASE)
_NUMERIC_ORDER: Final = _VOCABULARY.pattern("numeric_order", re.IGNORECASE)
_AUXILIARIES: Final = _VOCABULARY.texts["auxiliaries"]
_IMPERATIVES: Final = _VOCABULARY.texts["imperatives"]
_OPENING: Final = _VOCABULARY.pattern("opening", re.IGNORECASE)
_WH: Final = _VOCABULARY.pattern("wh", re.IGNORECASE)
_POLITE: Final = _VOCABULARY.pattern("polite", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[?!;]|\. (?=[A-Z])|\.$|: (?=[a-zA-Z])")
_HOW_NUMERIC: Final = _VOCABULARY.pattern("how_numeric", re.IGNORECASE)
_MEASURE: Final = _VOCABULARY.pattern("measure", re.IGNORECASE)
_SPAN_NOUN: Final = _VOCABULARY.pattern("span_noun", re.IGNORECASE)
_SPAN_VERB: Final = _VOCABULARY.pattern("span_verb", re.IGNORECASE)
_TELLING: Final = word_set("compare contrast discuss outline define tell walk elaborate")
_AUXILIARY_NEXT: Final = _VOCABULARY.pattern("auxiliary_next", re.IGNORECASE)
_VERB_OF_MONEY: Final = _VOCABULARY.pattern("verb_of_money", re.IGNORECASE)
_COUNTED_NOUNS: Final = _VOCABULARY.pattern("counted_nouns", re.IGNORECASE)
_LARGEST: Final = _VOCABULARY.pattern("largest", re.IGNORECASE)
_PREPOSITION: Final = _VOCABULARY.pattern("preposition", re.IGNORECASE)
_PLURAL: Final = _VOCABULARY.pattern("plural", re.IGNORECASE)
_NO_PLURAL: Final = re.compile(r"(?:ss|us|is|ness|business|series|basis|status|focus)$", re.I)
_WHO: Final = re.compile(r"(?:which|who|whom|whose|where|when)\b", re.IGNORECASE)
_SECOND: Final = _VOCABULARY.pattern("second", re.IGNORECASE)


def sections_named(text: str) -> list[str]:
    """Sections that a plain text names, in the order of a 10-K ("Item 7", "MD&A")."""
    found = {f"ITEM_{item[1]}{(item[2] or '').upper()}" for item in _ITEM.finditer(text)}
    found |= {section for section, pattern in _SECTION_WORDS.items() if pattern.search(text)}
    return sorted(found, key=_section_place)


def forms_named(text: str) -> list[str]:
    """Forms that a plain text names, ascending ("10-Q", "the annual report" for 10-K)."""
    return sorted(form for form, pattern in _FORMS.items() if pattern.search(text))


def segments_named(text: str) -> list[str]:
    """Segments that a plain text names, ascending: capitalised words before "segment".

    Args:
        text: a plain text in which companies are "the company".
    """
    names = (_name_before(text, match.start()) for match in _SEGMENT.finditer(text))
    return sorted({name for name in names if name})


def _name_before(text: str, end: int) -> str:
    """The capitalised words that end where "segment" begins, joined ones included."""
    words: list[str] = []
    rest = text[max(0, end - _SEGMENT_NAME) : end].rstrip()
    while match := _NAME_WORDS.search(rest):
        word = match[0]
        is_joining = bool(words) and word in _JOINING
        if not is_joining and (not word[0].isupper() or word.lower() in _NO_NAME):
            break
        words.insert(0, word)
        rest = rest[: match.start()].rstrip()
    while words and words[0] in _JOINING:
        words.pop(0)
    return " ".join(words)


def section_hints(named: Sequence[str], asks_risk: bool, kpis: Sequence[str]) -> list[str]:
    """Where to look: the sections named, else those of the topic.

    A risk is described in ITEM_1A, a KPI in ITEM_7 and ITEM_8, dividends and repurchases also in
    ITEM_5. A question about neither names none: a hint that is wrong costs more than none.
    """
    if named:
        return list(named)
    if asks_risk:
        return list(_SECTIONS_OF_RISKS)
    owners = ["ITEM_5"] if _OWNERS_KPIS.intersection(kpis) else []
    return [*owners, *_SECTIONS_OF_KPIS] if kpis else []


def asks_about_risk(text: str) -> bool:
    """Whether a text speaks of risks, exposures, threats, warnings."""
    return _RISK.search(text) is not None


def asks_for_figure(form: str | None, kpis: Sequence[str]) -> bool:
    """Whether a question asks for a figure of a known measure: see ``answer_form``."""
    return form == "numeric" and bool(kpis)


def asks_for_definition(text: str) -> bool:
    """Whether a text asks what something means or how it is defined."""
    return _DEFINITION.search(text) is not None


def asks_for_reason(text: str) -> bool:
    """Whether a text asks why: for reasons, drivers, causes, an explanation."""
    return _REASON.search(text) is not None


def asks_for_change(text: str, between_years: bool) -> bool:
    """Whether a text asks how something changed, not why or who: "by how much", "did it grow".

    Only what stands up to the question is looked at, not what is explained behind it.

    Args:
        text: a plain text in which companies are "the company".
        between_years: whether "versus" and "than in" can compare years: not if the question
            compares companies in one year.
    """
    sentences = _sentences(text)
    asking = _asking(sentences)
    asked = " ".join(words for words, _ in sentences[: asking + 1])
    changes = _CHANGE.search(asked) or (between_years and _COMPARISON.search(asked))
    if not changes or _REASON.search(asked):
        return False
    return _WHO.match(_main_clause(text)[0]) is None


def answer_form(text: str, n_companies: int, has_kpi: bool) -> str:
    """The form that an answer takes: ``numeric``, ``boolean``, ``list`` or ``span``.

    Args:
        text: a plain text in which companies are "the company".
        n_companies: how many companies it names; an account of two or more is a list.
        has_kpi: whether it speaks of a KPI: "Norvalith revenue 2019" asks for a number.
    """
    if _BOOLEAN_ORDER.search(text):
        return "boolean"
    clause, rest = _main_clause(_POLITE.sub("", text))
    form = _form_of(clause, has_kpi)
    if form == "span" and _NUMERIC_ORDER.search(text) and not _REASON.search(clause):
        form = "numeric"
    if form == "numeric" and _SECOND.search(f"{clause[8:]}{rest}"):
        form = "span"
    return "list" if form == "span" and n_companies > 1 else form


def _section_place(section: str) -> tuple[int, str]:
    number = re.sub(r"[^0-9]", "", section)
    return int(number), section


def _main_clause(text: str) -> tuple[str, str]:
    """The sentence that asks, from its question word on, and what follows it.

    That is the first sentence that ends in a question mark, else the first one with a question
    word or an order, else the first.
    """
    sentences = _sentences(text)
    asking = _asking(sentences)
    sentence = sentences[asking][0].strip()
    following = sentences[asking + 1][0].strip() if asking + 1 < len(sentences) else ""
    opening = _OPENING.search(sentence) or _WH.search(sentence)
    has_more = sentences[asking][1] == "?" and following
    return (sentence[opening.start(opening.lastindex or 0) :] if opening else sentence), (
        f"? {following}" if has_more else ""
    )


def _sentences(text: str) -> list[tuple[str, str]]:
    """Sentences and the first character of what ends them."""
    sentences: list[tuple[str, str]] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        sentences.append((text[start : end.start()], end[0][0]))
        start = end.end()
    return [*sentences, (text[start:], "")]


def _asking(sentences: Sequence[tuple[str, str]]) -> int:
    """Which sentence asks."""
    asking = next((n for n, (_, mark) in enumerate(sentences) if mark == "?"), None)
    if asking is None:
        opens = (n for n, (words, _) in enumerate(sentences) if _OPENING.search(words))
        asking = next(opens, 0)
    return asking


def _form_of(clause: str, has_kpi: bool) -> str:  # noqa: PLR0911 - one return a kind of clause
    first, _, rest = clause.partition(" ")
    word = first.lower().strip("\"'(,:")
    if re.fullmatch(_AUXILIARIES, word):
        return "boolean"
    if word == "how":
        return "numeric" if _HOW_NUMERIC.match(rest) else "span"
    if word in ("why", "where", "who", "whom", "whose", "explain", "describe", "summarize"):
        return "span"
    if word == "when":
        return "numeric"
    if word in ("list", "name", "enumerate", "itemize", "itemise"):
        return "list"
    if word in ("what", "whats", "what's", "which"):
        return _form_of_noun(rest, word)
    if re.fullmatch(_IMPERATIVES, word):
        is_measure = _MEASURE.search(rest) and not _SPAN_NOUN.search(rest)
        return "numeric" if is_measure and word not in _TELLING else "span"
    if word == "any":
        return "boolean"
    tells = has_kpi or _MEASURE.search(clause)
    asks_more = _REASON.search(clause) or _RISK.search(clause) or _SPAN_NOUN.search(clause)
    return "numeric" if tells and not asks_more else "span"


def _form_of_noun(rest: str, word: str) -> str:  # noqa: PLR0911 - one return a kind of noun
    """The form of "what ..." and "which ...", read from the noun that is asked for."""
    if _SPAN_VERB.match(rest) or re.match(r" ?of the company\b", rest):
        return "span"
    if _AUXILIARY_NEXT.match(rest):
        return "numeric" if _VERB_OF_MONEY.search(rest) else "span"
    copula = re.match(r" ?(?:is|are|was|were|'s) ", rest, re.IGNORECASE)
    noun = rest[copula.end() :] if copula else rest
    noun = re.sub(r"^(?:the company's|the|its|their|a|an|some of the|all) ", "", noun, flags=re.I)
    end = _PREPOSITION.search(noun)
    head = (noun[: end.start()] if end and end.start() else noun).strip(" ,.?")
    tail = noun[len(head) :][:60]
    if _COUNTED_NOUNS.search(head):
        return "list"
    is_plural = _PLURAL.search(head) is not None and _NO_PLURAL.search(head) is None
    if _SPAN_NOUN.search(head) or (copula and not is_plural and _LARGEST.match(head)):
        return "span"
    if _MEASURE.search(head) and not (word == "which" and is_plural):
        return "numeric"
    if copula and _MEASURE.search(tail) and not is_plural and not _SPAN_NOUN.search(tail):
        return "numeric"
    return "list" if is_plural else "span"
