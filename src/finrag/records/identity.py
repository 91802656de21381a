"""The parts of a filing's and a sentence's identity: CIK, form, year, item, position."""

import hashlib
import math
import re
from datetime import date
from typing import Final

ITEMS: Final[tuple[str, ...]] = (
    *("1", "1A", "1B", "1C", "2", "3", "4", "5", "6", "7", "7A", "8", "9", "9A", "9B", "9C"),
    *("10", "11", "12", "13", "14", "15", "16"),
)
FIRST_YEAR: Final = 1993  # the first year of electronic filings
LAST_YEAR: Final = 2100
MAX_CIK: Final = 9_999_999_999
MAX_POSITION: Final = 2**31 - 1

_CIK = re.compile(r"(?:CIK)?\s*([0-9]{1,10})(?:\.0+)?", re.IGNORECASE)
_YEAR = re.compile(r"([0-9]{4})(?:\.0+)?")
_FORM = re.compile(r"[A-Z0-9][A-Z0-9/-]*")
_ITEM = re.compile(r"(?:(?:ITEM|SECTION)[\s_]*)?0?([0-9]{1,2}\s?[A-C]?)(?:\(T\))?\.?")


def shown(value: object, limit: int = 60) -> str:
    """Return `value` as a short literal for a message, such as `'abcd'` or `-3`."""
    if isinstance(value, int) and abs(value) > 10**limit:
        return "a number of too many digits"  # Python refuses to print it
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_missing(value: object) -> bool:
    """Tell whether `value` says nothing: null, NaN (how pandas writes null) or blank text."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))


def parse_cik(value: object) -> int:
    """Return the company number behind one of its usual spellings.

    Args:
        value: an int, or text such as "4457", "0000004457", "CIK0000004457"; "4457.0" and 4457.0,
            which spreadsheets make of it, are read too.

    Raises:
        ValueError: the value is missing, not a number, zero, negative or over ten digits.
    """
    text = _digits_of(value)
    match = _CIK.fullmatch(text)
    if match is None or int(match[1]) == 0:
        raise ValueError(f"cik is {shown(value)}, expected up to ten digits such as 0000104169")
    return int(match[1])


def parse_company(name: object) -> str | int:
    """Return a ticker as EDGAR writes it, with a hyphen before the class of a share; or a CIK.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(name, bool):
        raise ValueError(
            f"edgar_tickers holds {name}: YAML reads ON and NO as true and false; "
            "put the ticker in quotes, as in 'ON'"
        )
    text = str(name).strip().upper().replace(".", "-")
    if text.removeprefix("CIK").isdecimal():
        return parse_cik(text)
    if not (text.isascii() and text.replace("-", "").isalnum()):
        raise ValueError(f"edgar_tickers holds {shown(name)}, expected a ticker or a CIK")
    return text


def parse_several(value: object) -> list[object]:
    """Return the values of a sequence, of a text with commas, or a single value in a list."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, list | tuple) else [value]


def parse_year(value: object, name: str = "year") -> int:
    """Return a four-digit year from 1993 (the first electronic filings) to 2100.

    Args:
        value: an int, or text such as "2021"; "2021.0" and 2021.0 are read too.
        name: what the value is called in the message.

    Raises:
        ValueError: the value is missing, not four digits, or outside 1993 to 2100.
    """
    match = _YEAR.fullmatch(_digits_of(value))
    if match is None:
        raise ValueError(f"{name} is {shown(value)}, expected four digits such as 2021")
    year = int(match[1])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"{name} is {year}, expected a year from {FIRST_YEAR} to {LAST_YEAR}")
    return year


def report_year_of(period_end: date) -> int:
    """Return the report year of a period: that of its end, 1 to 7 January being the year before.

    Years of 52 or 53 weeks that end "near 31 December" may end in the first week of the next.
    """
    return period_end.year - (period_end.month == 1 and period_end.day <= 7)


def _digits_of(value: object) -> str:
    """Return the text of a number or of a string, blank for anything else."""
    if not isinstance(value, int | float | str):
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else ""
    # A larger number is neither a CIK nor a year, and may be too long for Python to print.
    return str(value).strip() if isinstance(value, str) or abs(value) <= MAX_CIK else ""


def normalise_form(value: object) -> str:
    """Return the SEC form type in capitals with its hyphen: "10-k" and "10K" become "10-K".

    Raises:
        ValueError: the value is not text made of letters, digits, hyphens and slashes; anything
            else (an underscore above all) would make sentence ids ambiguous.
    """
    text = re.sub(r"^10([KQ])", r"10-\1", value.strip().upper()) if isinstance(value, str) else ""
    if _FORM.fullmatch(text) is None:
        raise ValueError(f"form is {shown(value)}, expected an SEC form type such as 10-K")
    return text


def canonical_item(value: str) -> str:
    """Return the item of a 10-K in its one spelling: "7", "1A", with the letter in capitals.

    "item_7a", "ITEM 7A.", "section_7A" and "07A" all give "7A"; the "9A(T)" of 2007 to 2010
    gives "9A".

    Raises:
        ValueError: the value names no item of `ITEMS`.
    """
    match = _ITEM.fullmatch(value.strip().upper())
    item = "" if match is None else re.sub(r"\s", "", match[1])
    if item not in ITEMS:
        raise ValueError(f"item is {shown(value)}, expected one of {', '.join(ITEMS)}")
    return item


def make_filing_id(cik: int, form: str, report_year: int) -> str:
    """Return `{cik, 10 digits}_{form}_{report_year}`, the form without its slashes.

    `make_filing_id(104169, "10-K/A", 2018)` is `"0000104169_10-KA_2018"`.

    Raises:
        ValueError: one of the parts is not valid on its own (see `parse_cik`, `normalise_form`,
            `parse_year`).
    """
    form_part = normalise_form(form).replace("/", "")
    return f"{parse_cik(cik):010d}_{form_part}_{parse_year(report_year, 'report_year')}"


def make_sentence_id(cik: int, form: str, report_year: int, item: str, position: int) -> str:
    """Return `{cik, 10 digits}_{form}_{report_year}_section_{item}_{position}`.

    `make_sentence_id(104169, "10-K", 2018, "7", 142)` is `"0000104169_10-K_2018_section_7_142"`.

    Args:
        cik: company number.
        form: form type; slashes are left out of the id.
        report_year: four-digit year.
        item: item in any spelling that `canonical_item` reads.
        position: 0-based position of the sentence inside (filing, item).

    Raises:
        ValueError: one of the parts is not valid on its own, or the position is negative.
    """
    if not 0 <= position <= MAX_POSITION:
        raise ValueError(f"sentence position is {shown(position)}, expected 0 or more")
    return f"{make_filing_id(cik, form, report_year)}_section_{canonical_item(item)}_{position}"


def hashed(*parts: str) -> str:
    """Return 12 hexadecimal digits that stand for some texts: the same for the same texts."""
    joined = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:12]
