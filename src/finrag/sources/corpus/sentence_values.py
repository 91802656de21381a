"""Parsing and checking the columns of sentence tables, a batch at a time."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.records.identity import FIRST_YEAR, ITEMS, LAST_YEAR, MAX_CIK, MAX_POSITION
from finrag.records.sentence_files import ALIASES

# What Python calls white space; RE2's \s knows the ASCII part only.
_SPACES: Final = (
    r"\t-\r\x{1c}-\x{1f}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}"
    r"\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
)
_UNTIDY: Final = rf"^ | $|  |[{_SPACES}]"
_ID: Final = (
    r"^(?P<cik_int>[0-9]{10})_(?P<form>[A-Z0-9][A-Z0-9-]*)_(?P<report_year>[0-9]{4})"
    r"_section_(?P<item>[0-9]{1,2}[A-C]?)_(?P<sentence_pos>[0-9]{1,10})$"
)
_NUMBER: Final = r"^(?P<part>[0-9]{1,10})(?:\.0+)?$"
_CIK_TEXT: Final = r"^(?i:CIK)?\s*(?P<part>[0-9]{1,10})(?:\.0+)?$"
_ITEM_TEXT: Final = r"^(?:(?:ITEM|SECTION)[\s_]*)?0?(?P<part>[0-9]{1,2}\s?[A-C]?)(?:\(T\))?\.?$"
_ITEM_LIKE: Final = r"(?i)^\s*(?:ITEM|SECTION)?[\s_]*[0-9]"

Columns = dict[str, pa.Array]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


def plain_columns(raw: pa.RecordBatch, plan: Mapping[str, str]) -> tuple[Columns, Mask]:
    """Return every column as text, whole numbers or floats, and which rows are not UTF-8.

    Columns that the file lacks are null throughout; of a list (tickers) the first entry counts.
    """
    not_utf8 = np.zeros(raw.num_rows, dtype=bool)
    columns: Columns = {}
    for column in ALIASES:
        if column not in plan:
            columns[column] = pa.nulls(raw.num_rows, pa.string())
            continue
        array = raw.column(plan[column])
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            first = pc.list_slice(array, 0, 1, return_fixed_size_list=True)
            array = pc.list_element(first, 0)
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
            array, wrong = _as_text(array)
            not_utf8 |= wrong
        columns[column] = array
    if plan.get("item", "").strip().lower() == "section_name" and "sentence_id" in plan:
        # In some tables that column holds titles ("Risk Factors"); the item is in the id then.
        is_item = pc.match_substring_regex(columns["item"].cast(pa.string()), _ITEM_LIKE)
        columns["item"] = pc.if_else(is_item, columns["item"], None)
    return columns, not_utf8


def _as_text(array: pa.Array) -> tuple[pa.Array, Mask]:
    """Return `array` as strings, null where its bytes are not UTF-8, and the mask of those."""
    none_wrong = np.zeros(len(array), dtype=bool)
    if not is_text(array.type):
        return array.cast(pa.string()), none_wrong
    raw = array.cast(pa.binary())
    try:
        return raw.cast(pa.string()), none_wrong
    except pa.ArrowInvalid:
        wrong = np.array([not _is_utf8(value) for value in raw.to_pylist()], dtype=bool)
        return pc.if_else(pa.array(wrong), None, raw).cast(pa.string()), wrong


def is_text(kind: pa.DataType) -> bool:
    """Tell whether an Arrow type holds text, or bytes that ought to be text."""
    kinds = (pa.string(), pa.large_string(), pa.string_view())
    return kind in (*kinds, pa.binary(), pa.large_binary(), pa.binary_view())


def _is_utf8(value: bytes | None) -> bool:
    try:
        (value or b"").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def checked_values(given: Columns, count: int) -> tuple[Columns, dict[str, Mask]]:
    """Return the parsed content columns, and for every kind of fault the rows that have it."""
    faults: dict[str, Mask] = {}
    own_id = _trimmed(given["sentence_id"])
    cik, bad_cik = _whole(given["cik_int"], _CIK_TEXT)
    year, bad_year = _whole(given["report_year"], _NUMBER)
    position, bad_position = _whole(given["sentence_pos"], _NUMBER)
    item = _per_distinct(given["item"], _item)
    bad_item = _mask(pc.and_(_trimmed(given["item"]).is_valid(), item.is_null()))
    form = _per_distinct(given["form"], _form)

    if any(values.null_count for values in (cik, year, position, item, form)):
        parts = pc.extract_regex(own_id, _ID)
        cik = pc.coalesce(cik, pc.struct_field(parts, "cik_int").cast(pa.int64()))
        year = pc.coalesce(year, pc.struct_field(parts, "report_year").cast(pa.int64()))
        position = pc.coalesce(position, pc.struct_field(parts, "sentence_pos").cast(pa.int64()))
        item = pc.coalesce(item, pc.struct_field(parts, "item"))
        form = pc.coalesce(form, pc.struct_field(parts, "form"), pa.scalar("10-K"))

    faults["bad_cik"] = bad_cik | _outside(cik, 1, MAX_CIK)
    faults["bad_year"] = bad_year | _outside(year, FIRST_YEAR, LAST_YEAR)
    faults["bad_position"] = bad_position | _outside(position, 0, MAX_POSITION)
    faults["bad_item"] = bad_item | ~_mask(pc.is_in(item, pa.array(ITEMS)))
    faults["bad_form"] = ~_mask(pc.match_substring_regex(form, "^[A-Z0-9][A-Z0-9/-]*$"))

    text = _collapsed(given["sentence_text"].cast(pa.string()))
    faults["blank_text"] = ~_mask(pc.not_equal(text, ""))
    start, bad_start = _whole(given["char_start"], _NUMBER)
    end, bad_end = _whole(given["char_end"], _NUMBER)
    faults["bad_char_range"] = (
        bad_start
        | bad_end
        | _mask(pc.or_kleene(pc.less(start, 0), pc.less(end, 0)))
        | _mask(pc.or_kleene(pc.greater(start, MAX_POSITION), pc.greater(end, MAX_POSITION)))
        | _mask(pc.less(end, start))
    )

    built = _ids(cik, form, year, item, position)
    differs = _mask(own_id.is_valid()) & ~_mask(pc.equal(own_id, built))
    faults["malformed_id"] = faults["contradicting_id"] = np.zeros(count, dtype=bool)
    if differs.any():
        well_formed = _mask(pc.match_substring_regex(own_id, _ID))
        faults["malformed_id"] = differs & ~well_formed
        faults["contradicting_id"] = differs & well_formed

    keep = ~np.logical_or.reduce(list(faults.values()))
    values = {
        "sentence_id": built,
        "cik_int": cik,
        "company_name": _trimmed(given["company_name"]),
        "ticker": _trimmed(given["ticker"]),
        "form": form,
        "report_year": year,
        "fiscal_year_end": _per_distinct(given["fiscal_year_end"], _dates),
        "item": item,
        "sentence_pos": position,
        "sentence_text": text,
        "char_start": start,
        "char_end": end,
    }
    if not keep.all():
        # Numbers out of range would not fit the types of the schema.
        values = {name: pc.if_else(pa.array(keep), array, None) for name, array in values.items()}
    return values, faults


def _mask(flags: pa.Array) -> Mask:
    """Return Arrow flags as a numpy mask, false where null."""
    return np.asarray(flags.fill_null(False).to_numpy(zero_copy_only=False), dtype=bool)


def _outside(values: pa.Array, low: int, high: int) -> Mask:
    """Return which values are missing or not from `low` to `high`."""
    return ~_mask(pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high)))


def _trimmed(array: pa.Array) -> pa.Array:
    """Return text without white space at its ends, null where nothing is left."""
    text = pc.utf8_trim_whitespace(array.cast(pa.string()))
    return pc.if_else(pc.equal(text, ""), None, text)


def _per_distinct(array: pa.Array, parse: Callable[[pa.Array], pa.Array]) -> pa.Array:
    """Apply `parse` to the distinct texts of a column only; blank ones become null."""
    coded = _trimmed(array).dictionary_encode()
    return parse(coded.dictionary).take(coded.indices)


def _whole(array: pa.Array, pattern: str) -> tuple[pa.Array, Mask]:
    """Return whole numbers, null where missing, and which values are there but no number."""
    if pa.types.is_integer(array.type):
        # Only a number beyond 64 bits with a sign changes here: it turns negative, hence faulty.
        return array.cast(pa.int64(), safe=False), np.zeros(len(array), dtype=bool)
    if pa.types.is_floating(array.type):
        present = pc.if_else(pc.is_nan(array), None, array.cast(pa.float64()))
        is_whole = pc.and_(pc.equal(pc.floor(present), present), pc.less(pc.abs(present), 2.0**53))
        numbers = pc.if_else(is_whole, present, None).cast(pa.int64())
    else:
        present = _trimmed(array)
        numbers = _per_distinct(
            array,
            lambda texts: _captured(texts, pattern).cast(pa.int64()),
        )
    return numbers, _mask(pc.and_(present.is_valid(), numbers.is_null()))


def _captured(texts: pa.Array, pattern: str) -> pa.Array:
    """Return the group `part` of each text, null where the pattern does not match."""
    # Unlike the method `field`, this function carries the nulls of the match over to the group.
    return pc.struct_field(pc.extract_regex(texts, pattern), "part")


def _item(texts: pa.Array) -> pa.Array:
    matched = _captured(pc.utf8_upper(texts), _ITEM_TEXT)
    return pc.replace_substring_regex(matched, r"\s", "")


def _form(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(pc.utf8_upper(texts), "^10([KQ])", r"10-\1")


def _dates(texts: pa.Array) -> pa.Array:
    day = pc.utf8_slice_codeunits(texts, 0, 10)
    parsed = pc.strptime(day, format="%Y-%m-%d", unit="s", error_is_null=True)
    # The parser rolls 31 February over into March.
    same = pc.equal(pc.strftime(parsed, format="%Y-%m-%d"), day)
    return pc.if_else(same, parsed, None).cast(pa.date32())


def _collapsed(text: pa.Array) -> pa.Array:
    """Return text with every run of white space as one space, none at the ends."""
    untidy = pc.match_substring_regex(text, _UNTIDY).fill_null(False)
    if not pc.any(untidy).as_py():
        return text
    tidy = pc.replace_substring_regex(text.filter(untidy), f"[ {_SPACES}]+", " ")
    return pc.replace_with_mask(text, untidy, pc.utf8_trim(tidy, " "))


def _ids(
    cik: pa.Array, form: pa.Array, year: pa.Array, item: pa.Array, position: pa.Array
) -> pa.Array:
    """Return `{cik, 10 digits}_{form}_{year}_section_{item}_{position}`, null where one is null."""
    ten_digits = pc.utf8_lpad(cik.cast(pa.string()), 10, "0")
    form_part = pc.replace_substring(form, "/", "")
    return pc.binary_join_element_wise(
        ten_digits,
        form_part,
        year.cast(pa.string()),
        "section",
        item,
        position.cast(pa.string()),
        "_",
    )
