"""Files of the sample corpus: the filings, a few broken records, and the table of facts."""

import datetime
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from finrag.records.writing import replacing
from finrag.sample import discussion, sections
from finrag.sample.benchmarks import benchmark_files
from finrag.sample.companies import companies
from finrag.sample.layout import Section
from finrag.sample.ledger import keep_books
from finrag.sample.passages import FIRST_YEAR, LAST_YEAR, Claim, Line, Voice
from finrag.sample.statements import Teller

DEFAULT_SEED = 20240607
YEARS = tuple(range(FIRST_YEAR, LAST_YEAR + 1))

_ITEMS: tuple[tuple[str, Callable[[Teller], Section]], ...] = (
    ("item_1", sections.business),
    ("item_1A", sections.risks),
    ("item_2", sections.properties),
    ("item_3", sections.legal),
    ("item_5", sections.equity),
    ("item_6", sections.selected),
    ("item_7", discussion.discussion),
    ("item_7A", sections.market_risk),
    ("item_8", sections.statements),
)
SHORT_ITEMS = {
    "item_1B": ("Item 1B. Unresolved Staff Comments", "None."),
    "item_4": ("Item 4. Mine Safety Disclosures", "Not applicable."),
}
_FACT_COLUMNS = (
    *("fact_id", "cik", "company", "ticker", "fiscal_year", "period_year", "fact_kind", "label"),
    *("value", "text_value", "list_value", "unit", "scale", "is_disclosed"),
    *("is_explicit_attribution", "item", "sentence_text"),
)
_EMPTY_ITEMS = ("9", "9A", "9B", "10", "11", "12", "13", "14", "15", "16")


def write_sample(directory: Path, seed: int = DEFAULT_SEED) -> None:
    """Write the sample corpus under ``directory``.

    Files are written each whole or not at all (temporary file, then rename), the filings last:

    * ``filings/sample_10k.jsonl``: one filing per line in the shape that edgar-crawler writes
      (``cik``, ``year``, ``item_1`` … plus metadata), with five broken lines among them that a
      reader must quarantine: text that is not JSON, no ``cik``, a year that is not a number, a
      filing whose items are all empty, bytes that are not UTF-8.
    * ``facts/facts.jsonl``: one fact a line, see ``facts_of``.
    * ``benchmarks/``: small sets in the shapes of public benchmarks, see ``benchmark_files``.

    Args:
        directory: Folder to write to; made when absent.
        seed: Seed of every random draw; equal seeds give equal bytes.
    """
    filings: list[bytes] = []
    facts: list[bytes] = []
    for company in companies():
        books = keep_books(company, seed)
        for year in YEARS:
            teller = Teller(Voice(seed, company, year), books)
            built = build_items(teller)
            filings.append(_as_line(_record(teller, built)))
            facts += [_as_line(fact) for fact in facts_of(teller, built)]
    for place, line in zip((3, 14, 22, 31, 45), broken_lines(), strict=True):
        filings.insert(place, line)
    _write(directory / "facts" / "facts.jsonl", b"\n".join(facts) + b"\n")
    for name, content in benchmark_files(companies(), LAST_YEAR, seed).items():
        _write(directory / "benchmarks" / name, content)
    # Readers take the filings as a sign that the rest is there.
    _write(directory / "filings" / "sample_10k.jsonl", b"\n".join(filings) + b"\n")


def build_items(teller: Teller) -> dict[str, Section]:
    """The items of one filing that have more than a line of text."""
    return {name: build(teller) for name, build in _ITEMS}


def sample_version(seed: int = DEFAULT_SEED) -> str:
    """A fingerprint of source, wording and seed; it changes when the corpus may change."""
    digest = hashlib.sha256(str(seed).encode())
    folder = Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), *folder.glob("wording/*.yml")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def broken_lines() -> tuple[bytes, ...]:
    """The five deliberately broken lines, in the order in which they stand in the file."""
    base: dict[str, Any] = {
        "cik": "9900098",
        "company": "Ravelstone Holdings, Inc.",
        "filing_type": "10-K",
        "filename": "9900098_10K_2021.htm",
        "year": "2021",
    }
    text = {"item_1": "Item 1. Business\n\nWe make clocks in Barre, Vermont."}
    without_cik = {key: value for key, value in base.items() if key != "cik"} | text
    empty = base | {f"item_{number}": "" for number in ("1", "1A", "7", "8")}
    spoiled = _as_line(base | text).replace(b"clocks", b"clo\xff\xfecks")
    return (
        b'{"cik": "9900098", "year": "2021", "item_1": "Item 1. Business We make clo',
        _as_line(without_cik),
        _as_line(base | text | {"year": "abcd"}),
        _as_line(empty),
        spoiled,
    )


def facts_of(teller: Teller, built: dict[str, Section]) -> list[dict[str, Any]]:
    """The rows of the fact table for one filing.

    Columns: ``fact_id, cik, company, ticker, fiscal_year`` (of the filing), ``period_year`` (the
    year the fact is about), ``fact_kind, label, value`` (in whole units: USD, percent, people),
    ``text_value, list_value, unit, scale`` (as printed), ``is_disclosed``,
    ``is_explicit_attribution`` (null where no attribution is made), ``item`` (for example
    ``item_7``) and ``sentence_text``. A fact that is not disclosed has no item and no sentence.

    Raises:
        ValueError: Two facts of one filing would get the same identity.
    """
    company, year = teller.voice.company, teller.voice.year
    rows: list[dict[str, Any]] = []
    for item, section in built.items():
        for line in (line for paragraph in section for line in paragraph):
            rows += [_fact(teller, item, line, claim) for claim in line.claims]
    hidden = list(company.undisclosed)
    if year not in company.reports_headcount:
        hidden.append("headcount")
    for label in hidden:
        kind = "headcount" if label == "headcount" else "not_disclosed"
        rows.append(_fact_row(teller, kind, label) | {"is_disclosed": False})
    for index, row in enumerate(rows):
        row["fact_id"] = f"{company.cik}_{year}_{index:03d}_{row['label']}".replace(" ", "_")
    if len({row["fact_id"] for row in rows}) != len(rows):
        raise ValueError(f"two facts of filing {company.cik} {year} share an id: rename a label")
    return rows


def _fact(teller: Teller, item: str, line: Line, claim: Claim) -> dict[str, Any]:
    stated = asdict(claim) | {
        "list_value": list(claim.list_value),
        "period_year": claim.period_year or teller.voice.year,
        "is_disclosed": True,
        "item": item,
        "sentence_text": " ".join(line.text.split()),
    }
    row = _fact_row(teller, claim.kind, claim.label)
    return {column: stated.get(column, value) for column, value in row.items()}


def _fact_row(teller: Teller, kind: str, label: str) -> dict[str, Any]:
    company, year = teller.voice.company, teller.voice.year
    empty = dict.fromkeys(_FACT_COLUMNS) | {"list_value": []}
    return empty | {
        "fact_id": "",
        "cik": str(company.cik),
        "company": company.name,
        "ticker": company.ticker,
        "fiscal_year": year,
        "period_year": year,
        "fact_kind": kind,
        "label": label,
    }


def _record(teller: Teller, built: dict[str, Section]) -> dict[str, Any]:
    company, year = teller.voice.company, teller.voice.year
    end = datetime.date(year, *company.fye)
    filed = end + datetime.timedelta(days=teller.voice.yearly("filed").randint(48, 74))
    record: dict[str, Any] = {
        "cik": str(company.cik),
        "company": company.name,
        "filing_type": "10-K",
        "filing_date": filed.isoformat(),
        "period_of_report": end.isoformat(),
        "sic": str(company.sic),
        "state_of_inc": company.state,
        "state_location": company.state,
        "fiscal_year_end": end.strftime("%m%d"),
        "filename": f"{company.cik}_10K_{year}.htm",
        "year": str(year),
        "ticker": company.ticker,
    }
    texts = {name: section_text(section) for name, section in built.items()}
    texts |= {name: "\n\n".join(lines) for name, lines in SHORT_ITEMS.items()}
    order = ("1", "1A", "1B", "2", "3", "4", "5", "6", "7", "7A", "8")
    record |= {f"item_{number}": texts[f"item_{number}"] for number in order}
    return record | {f"item_{number}": "" for number in _EMPTY_ITEMS}


def section_text(section: Section) -> str:
    """The text of an item: sentences joined by spaces, paragraphs by blank lines."""
    return "\n\n".join(
        " ".join(line.text for line in paragraph) for paragraph in section if paragraph
    )


def _as_line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as hidden:
        hidden.write_bytes(content)
