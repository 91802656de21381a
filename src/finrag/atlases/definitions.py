"""Sentences that say what a company means by a term."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from finrag.records.columns import required
from finrag.records.vocabulary import read_vocabulary
from finrag.text.phrases import Finding, find_in_texts, mask_parentheses, split_items, trim

DEFINITION_SCHEMA = pa.schema(
    [
        *required(pa.string(), "text_hash", "term", "definition_text", "definition_kind"),
        pa.field("exclusions", pa.list_(pa.string()), nullable=False),
        pa.field("is_standard", pa.bool_(), nullable=False),
    ]
)

MAX_TERM_WORDS = 8
MIN_DEFINITION_WORDS = 3
MAX_ITEM_WORDS = 12
MAX_TRIES = 3

_QUOTED = r"[“\"]\s?(?P<{name}>[^“”\"]{{2,70}}?),?\s?[”\"]"
_VOCABULARY: Final = read_vocabulary(__file__)

_WE_DEFINE = _VOCABULARY.pattern("we_define")
_WHICH_WE_DEFINE = _VOCABULARY.pattern("which_we_define")
_IS_DEFINED = _VOCABULARY.pattern("is_defined")
_QUOTED_MEANS = re.compile(
    _QUOTED.format(name="term") + r" (?P<verb>means?|refers? to|(?:is|are) defined as) (?P<text>.+)"
)
_REPRESENTS = _VOCABULARY.pattern("represents")
_BAD_TERM = _VOCABULARY.pattern("bad_term", re.IGNORECASE)
_TERM_BREAKS = _VOCABULARY.pattern("term_breaks", re.IGNORECASE)
_TERM_LEAD = _VOCABULARY.pattern("term_lead", re.IGNORECASE)
_NAMES_OWNER = re.compile(r"^(?:the )?[Cc]ompany[’']s ")
_POINTER = _VOCABULARY.pattern("pointer", re.IGNORECASE)
_POINTS_AWAY = _VOCABULARY.pattern("points_away", re.IGNORECASE)
_BOILERPLATE = _VOCABULARY.pattern("boilerplate", re.IGNORECASE)
_STANDARD_TERM = _VOCABULARY.pattern("standard_term", re.IGNORECASE)
_COMPANY_TERM = re.compile(r"(?:adjusted|non-gaap|organic|pro forma|core|free)\b", re.IGNORECASE)
_STANDARD_TEXT = _VOCABULARY.pattern("standard_text", re.IGNORECASE)
_TEXT_END = _VOCABULARY.pattern("text_end")
_GOES_ON = re.compile(r"(?:and |or )?\(\w{1,3}\)|in addition|excluding|adjusted|less |plus ")
_OWN_NAME = _VOCABULARY.pattern("own_name", re.IGNORECASE)
_LISTED_TERM = re.compile(r"[”\"],? (?:(?:and|or) )?(?:the )?$")
_ABBREVIATION = re.compile(r"(?:\b(?:U\.S|Inc|Corp|Co|No|e\.g|i\.e|vs|Ltd|St)|\b[A-Z])$")
_CUT = _VOCABULARY.pattern("cut")
_SHARED_HEAD = _VOCABULARY.pattern("shared_head")
_OPEN_END = re.compile(r" (?:and|&) (?!amortization\b|equipment\b|administrative\b|development\b)")
_UNCLEAN_ITEM = _VOCABULARY.pattern("unclean_item", re.IGNORECASE)
CUE = _VOCABULARY.texts["cue"]
# In this order, and the first that fits: the earlier forms are parts of the later ones.
_FORMS = (
    ("define", "we_define", _WHICH_WE_DEFINE),
    ("define", "we_define", _WE_DEFINE),
    (" ", "means", _QUOTED_MEANS),
    (" defined ", "is_defined_as", _IS_DEFINED),
    (" represent", "represents", _REPRESENTS),
)


def find_definitions(texts: pa.Table) -> pa.Table:
    """The terms a text defines, in the words of the text.

    Four forms are read: "we define X as", "X is defined as", "X" in quotation marks "means", and
    "X represents the amount/number/… of" at the start of a sentence. Left out are pointers to a
    definition elsewhere, pronouns, years, and terms defined by SEC rules. The definition ends
    with its clause: "…, and we use it to …" is not part of it.

    Args:
        texts: distinct texts, ``text_hash`` and ``sentence_text``.

    Returns:
        Rows of ``DEFINITION_SCHEMA`` by text_hash and place. ``exclusions`` is empty unless
        every item after excluding, before, adjusted for, less, net of … can be separated;
        what follows "plus" is added, not excluded.
        ``is_standard`` marks terms that accounting standards define, not the company.

    Raises:
        ValueError: a null text, by its text_hash.
    """
    return find_in_texts(texts, DEFINITION_SCHEMA, CUE, _definitions_in)


def _definitions_in(sentence: str) -> Iterator[Finding]:
    for cue, kind, pattern in _FORMS:
        match = pattern.search(sentence) if cue in sentence else None
        for _ in range(MAX_TRIES):
            finding = _finding(sentence, match, kind) if match else None
            if finding:
                yield finding
                return
            # A later start may do: "Debt was half of capital (capital is defined as …)".
            match = pattern.search(sentence, match.start("term") + 1) if match else None


def _finding(sentence: str, match: re.Match[str], kind: str) -> Finding | None:
    term = _term(match["term"])
    text = _definition_text(match["text"], in_parentheses=_opens(sentence, match.start("term")))
    if term is None or text is None:
        return None
    if _BOILERPLATE.search(sentence):
        return None
    if kind == "represents" and re.search(r"\d|[$%]|\bthis\b|fair value|impairment", text):
        return None
    if kind == "means" and (
        _OWN_NAME.search(sentence) or _LISTED_TERM.search(sentence[: match.start()])
    ):
        return None
    if "verb" in match.groupdict() and "defined" in (match["verb"] or ""):
        kind = "is_defined_as"
    return {
        "term": term,
        "definition_text": text,
        "definition_kind": kind,
        "exclusions": _exclusions(text),
        "is_standard": not _COMPANY_TERM.match(term)
        and bool(_STANDARD_TERM.search(term) or _STANDARD_TEXT.search(text)),
    }


def _opens(sentence: str, place: int) -> bool:
    before = sentence[:place]
    return before.count("(") > before.count(")")


def _term(phrase: str) -> str | None:
    """The defined term without quotation marks, article, apposition; None where it is none."""
    phrase = re.sub(r"\s?\([^()]*\)", "", phrase)
    quoted = re.findall(r"[“\"]\s?([^“”\"]{2,70}?),?\s?[”\"]", phrase)
    if len(quoted) == 1:
        term = re.sub(r"[“”\"]", "", phrase).split(", ", 1)[0]
    elif quoted:
        return None
    else:
        term = phrase.split(", ", 1)[0]
        if re.search(r",? and | or ", phrase[len(term) :]):
            return None
    term = _NAMES_OWNER.sub("", _TERM_LEAD.sub("", term.strip(), count=1))
    term = re.sub(r"\s*\d$", "", trim(term).strip("“”\"'’ "))
    words = term.split()
    if not 0 < len(words) <= MAX_TERM_WORDS or len(term) < 2 or not term[0].isalpha():
        return None
    if words[-1] in ("and", "or", "of"):
        return None
    if _BAD_TERM.match(term) or _TERM_BREAKS.search(term) or term.count("(") or term.count(")"):
        return None
    return term


def _definition_text(text: str, in_parentheses: bool) -> str | None:
    masked = mask_parentheses(text)
    end = len(text)
    for match in _TEXT_END.finditer(masked):
        if match[0][0] == "." and _ABBREVIATION.search(
            masked, max(0, match.start() - 8), match.start()
        ):
            continue
        if match[0][0] == ";" and _GOES_ON.match(text, match.end()):
            continue
        end = match.start()
        break
    closing = masked.find(")")
    if in_parentheses and 0 <= closing < end:
        end = closing
    if end == len(text) and not text.rstrip().endswith((".", "”", ")", '"')):
        return None
    text = trim(text[:end]).rstrip(".")
    if _POINTER.match(text) or _POINTS_AWAY.search(text) or "respectively" in text:
        return None
    if len(text.split()) < MIN_DEFINITION_WORDS or text.count("(") != text.count(")"):
        return None
    return text


def _exclusions(text: str) -> list[str]:
    """Items after excluding, before, less …; empty where one of them is no plain noun phrase."""
    masked = mask_parentheses(text)
    cuts = list(_CUT.finditer(masked))
    items: list[str] = []
    for place, cut in enumerate(cuts):
        following = cuts[place + 1] if place + 1 < len(cuts) else None
        if cut["added"]:
            continue
        if not cut["cue"] and not cut["other"].startswith(("divided", "multiplied", "adjusted")):
            continue
        if not cut["cue"] or (following and following["other"]):
            return []
        listed = text[cut.end() : following.start() if following else len(text)]
        found = split_items(listed)
        settled = f", and {found[-1]}" in listed or not _OPEN_END.search(found[-1])
        if not settled or (len(found) > 1 and _SHARED_HEAD.match(found[0])):
            return []
        items.extend(found)
    clean = all(
        item and len(item.split()) <= MAX_ITEM_WORDS and not _UNCLEAN_ITEM.search(item)
        for item in items
    )
    return items if clean else []
