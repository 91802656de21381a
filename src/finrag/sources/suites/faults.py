"""Faults of a question that can be found without its corpus."""

import math
import re
from collections.abc import Iterator
from typing import Final

from finrag.records.identity import FIRST_YEAR, LAST_YEAR, make_sentence_id, shown
from finrag.records.vocabulary import read_vocabulary
from finrag.sources.suites.fields import Fault, Fields, fault

RETRIEVAL_SCOPES: Final = ("local", "cross_year", "cross_company")
DIFFICULTIES: Final = ("easy", "medium", "hard")
CATEGORIES: Final = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "N")

_YES_OR_NO = re.compile(r"(?:yes|no)\b", re.IGNORECASE)
_VOCABULARY: Final = read_vocabulary(__file__)
_EMPTY_PHRASE = _VOCABULARY.pattern("empty_phrase", re.IGNORECASE)
_DENIAL = _VOCABULARY.pattern("denial", re.IGNORECASE)
_AMOUNT = _VOCABULARY.pattern("amount", re.IGNORECASE)
_MONEY = _VOCABULARY.pattern("money", re.IGNORECASE)
_NOT_MONEY = _VOCABULARY.pattern("not_money", re.IGNORECASE)


def find_faults(fields: Fields) -> list[Fault]:
    """Return what is wrong with a parsed question, in the order of its fields.

    Args:
        fields: the fields of one question as `parse_fields` gives them.

    Returns:
        Faults as (`fault_code`, `detail`); none for a sound question.
    """
    return [
        *_place_faults(fields),
        *_answer_faults(fields),
        *_number_faults(fields),
        *_evidence_faults(fields),
        *_label_faults(fields),
    ]


def _place_faults(fields: Fields) -> Iterator[Fault]:
    ciks, names, years = fields["cik_int"], fields["company_name"], fields["years"]
    if not ciks or not names:
        lacking = " and ".join(name for name in ("cik_int", "company_name") if not fields[name])
        yield fault("no_companies", f"no entry in {lacking}")
    elif len(ciks) != len(names):
        yield fault(
            "unequal_companies", f"cik_int has {len(ciks)} entries, company_name {len(names)}"
        )
    if not years:
        yield fault("no_years", "no entry in years")
    for year in years:
        if not FIRST_YEAR <= year <= LAST_YEAR:
            detail = f"the year {year} is not from {FIRST_YEAR} to {LAST_YEAR}"
            yield fault("year_out_of_range", detail)


def _answer_faults(fields: Fields) -> Iterator[Fault]:
    kind, text = fields["answer_type"], fields["answer_text"]
    if kind == "span" and text is None:
        yield fault("no_answer_text", "a span answer without answer_text")
    if kind == "list" and text in (None, "[]"):
        yield fault("list_answer_empty", "a list answer without an entry in answer_text")
    if kind == "boolean" and _YES_OR_NO.match(text or "") is None:
        found = "is missing" if text is None else f"starts with {shown(text, 30)}"
        yield fault("boolean_without_yes_or_no", f"answer_text {found}, expected Yes or No first")
    if kind == "no_answer" and text is not None and _claims(text):
        yield fault("no_answer_with_claim", f"no_answer, but answer_text says {shown(text)}")


def _claims(text: str) -> bool:
    """Tell whether a text says more than that the filing does not answer."""
    if _EMPTY_PHRASE.fullmatch(text):
        return False
    return _DENIAL.search(text) is None or _AMOUNT.search(text) is not None


def _number_faults(fields: Fields) -> Iterator[Fault]:
    kind, number = fields["answer_type"], fields["answer_numeric"]
    if kind == "numeric" and number is None:
        yield fault("numeric_without_value", "a numeric answer without a usable answer_numeric")
    if kind != "numeric" and number is not None:
        yield fault("number_on_other_type", f"answer_numeric is {number} on a {kind} answer")
    if kind == "numeric" and fields["answer_unit"] is None and _is_money(fields):
        yield fault("money_without_unit", "a numeric answer about money without answer_unit")
    tolerance = fields["tolerance"]
    if tolerance is not None and (tolerance < 0 or math.isinf(tolerance)):
        yield fault("bad_tolerance", f"tolerance is {tolerance}, expected 0 or more")


def _is_money(fields: Fields) -> bool:
    """Tell whether the question, or its answer, speaks of money rather than of a count or share."""
    question, answer = fields["question_text"], fields["answer_text"] or ""
    if fields["category"] == "I" or _NOT_MONEY.search(question) or "%" in answer:
        return False
    return bool(_MONEY.search(question) or _MONEY.search(answer))


def _evidence_faults(fields: Fields) -> Iterator[Fault]:
    kind, ids = fields["answer_type"], fields["evidence_sentence_ids"]
    if kind == "no_answer" and (ids or fields["evidence_spans"]):
        yield fault("no_answer_with_evidence", "a question without an answer has evidence")
    if kind != "no_answer" and not ids:
        yield fault("no_evidence", "an answer without evidence_sentence_ids")
    seen: set[str] = set()
    for sentence_id in ids:
        if not _is_sentence_id(sentence_id):
            detail = f"{shown(sentence_id)} is not an id such as 0000104169_10-K_2018_section_7_142"
            yield fault("bad_evidence_id", detail)
        if sentence_id in seen:
            yield fault("duplicate_evidence_id", f"{sentence_id} is given more than once")
        seen.add(sentence_id)


def _is_sentence_id(text: str) -> bool:
    parts = text.split("_")
    if len(parts) != 6 or not all(
        part.isascii() and part.isdecimal() and len(part) <= 10
        for part in (parts[0], parts[2], parts[5])
    ):
        return False
    cik, form, year, _, item, position = parts
    try:
        return make_sentence_id(int(cik), form, int(year), item, int(position)) == text
    except ValueError:
        return False


def _label_faults(fields: Fields) -> Iterator[Fault]:
    for name, accepted in (("retrieval_scope", RETRIEVAL_SCOPES), ("difficulty", DIFFICULTIES)):
        value = fields[name]
        if value not in accepted:
            found = "missing" if value is None else shown(value)
            yield fault(f"unknown_{name}", f"{name} is {found}, expected {', '.join(accepted)}")
    category = fields["category"]
    if category is not None and category not in CATEGORIES:
        detail = f"category is {shown(category)}, expected {', '.join(CATEGORIES)} or none"
        yield fault("unknown_category", detail)
    confidence = fields["curation_confidence"]
    if confidence is not None and not 0 <= confidence <= 1:
        detail = f"curation_confidence is {confidence}, expected 0 to 1"
        yield fault("confidence_out_of_range", detail)
