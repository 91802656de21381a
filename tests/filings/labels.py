"""Checks of real filings, written by others, read for what they say about items.

Left out are checks of the envelope in which their own extractor reports: `warning_*`,
`doc_status`, `confidence`, `item_field`, `boilerplate*`, `offsets_invariant_under_exclusion` and
all checks of a form that it does not support. The rest is mapped:

- an item is present if it is found, alone or under a shared heading; `omitted` also where it is
  not found, which is what they call an item that a filing may leave out and does;
- a set is complete if each of its items is present, those apart that the same case calls omitted;
- `norm_*` reads the whole document; `deterministic` reads it twice.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag.filings.html import parse_markup, read_markup
from finrag.filings.items import find_items
from finrag.filings.layout import mark_layout
from finrag.filings.model import Block, Section
from finrag.filings.plain import read_plain_blocks

LEFT_OUT = (
    "boilerplate",
    "confidence",
    "doc_status",
    "envelope_shape",
    "item_field",
    "offsets_invariant_under_exclusion",
    "warning_",
)


@dataclass(frozen=True)
class Check:
    """A check that is mapped: its case, its file, what it says and whether it holds."""

    case: str
    file: str
    said: dict[str, object]
    holds: bool


def read_document(path: Path) -> list[Block]:
    """Read the main document of a filing into blocks whose kinds are decided."""
    data = gzip.decompress(path.read_bytes())
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if path.name.endswith(".txt.gz"):
        first = re.search(r"<TEXT>(.*?)</TEXT>", text, re.DOTALL)
        blocks = read_plain_blocks(first[1] if first else text)
    else:
        encoded = text.encode()
        root, _, _ = parse_markup(encoded)
        blocks = read_markup(root, len(encoded)).blocks
    mark_layout(blocks)
    return blocks


def section_text(blocks: Sequence[Block], section: Section) -> str:
    """Text of a section: a line a block, without furniture."""
    return "\n".join(
        shown(block)
        for first, last in section.spans
        for block in blocks[first:last]
        if block.kind != "furniture"
    )


def shown(block: Block) -> str:
    """Text of a block, of a table the texts of its cells."""
    if block.text or block.grid is None:
        return block.text
    return "\t".join(cell.text for cell in block.grid.cells)


def judge(cases: Sequence[dict], folder: Path) -> Iterator[Check]:
    """Judge the mapped checks of cases whose files lie in a folder."""
    for case in cases:
        name = case["_filing_file"]
        _, form, period = name.split(".")[0].split("_")
        if form == "10KSB":
            continue
        year = int(period[:4])
        blocks = read_document(folder / name)
        sections = find_items(blocks, form.replace("10", "10-"), year)
        omitted = {
            check["item"]
            for check in case["expect"]["checks"]
            if check["type"] == "item_present" and check.get("status") == "omitted"
        }
        for check in case["expect"]["checks"]:
            if not check["type"].startswith(LEFT_OUT):
                holds = _holds(check, blocks, sections, omitted)
                if check["type"] == "deterministic":
                    again = read_document(folder / name)
                    holds = find_items(again, form.replace("10", "10-"), year) == sections
                yield Check(case["id"], name, check, holds)


def _holds(
    check: dict, blocks: Sequence[Block], sections: Sequence[Section], omitted: set[str]
) -> bool:
    kind = check["type"]
    by_item = {
        item: section for section in sections for item in (section.item, *section.combined_with)
    }
    found = by_item.get(check.get("item", ""))
    text = section_text(blocks, found) if found else ""
    if kind == "item_present":
        if check.get("status") == "omitted":
            return found is None or found.status == "omitted"
        return found is not None and check.get("status", found.status) == found.status
    if kind == "item_absent":
        return found is None
    if kind == "expected_set_complete":
        return set(check["items"]) - omitted <= set(by_item)
    if kind == "only_items":
        return set(by_item) <= set(check["items"])
    if kind == "known_items_only":
        return all(re.fullmatch(r"\d{1,2}[ABC]?", item) for item in by_item)
    if kind == "text_contains":
        return check["value"] in text
    if kind == "text_not_contains":
        return check["value"] not in text
    if kind == "min_chars":
        return len(text) >= check["value"]
    if kind == "max_chars":
        return found is not None and len(text) <= check["value"]
    if kind == "no_overlap_ordered":
        # Statements behind the signatures are a second span of an item.
        starts = [section.spans[0] for section in sections if section.spans]
        ends = [
            place for span in sorted(s for one in sections for s in one.spans) for place in span
        ]
        return starts == sorted(starts) and ends == sorted(ends)
    if kind == "no_empty_success":
        return all(
            section_text(blocks, section).strip()
            for section in sections
            if section.status == "extracted"
        )
    if kind == "verbatim":
        return all(0 <= first < last <= len(blocks) for s in sections for first, last in s.spans)
    if kind.startswith("norm_"):
        whole = "\n".join(map(shown, blocks))
        return (check["value"] in whole) == (kind == "norm_contains")
    if kind == "deterministic":
        return False
    raise ValueError(f"check {kind} is neither mapped nor left out")


def read_cases(path: Path) -> list[dict]:
    """Read the cases of a file of expectations."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_reporting(cik: str) -> bool:
    """Whether a company only reports: no rule is mended on its filings."""
    return int(hashlib.sha256(f"{int(cik):010d}".encode()).hexdigest(), 16) % 3 == 2
