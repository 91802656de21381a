"""Filings for the scale curve: real ones cut to a size, and fictional ones by the million.

Both are written as EDGAR-CORPUS has them, one JSON object a filing, in many files, so that a
runner has something to divide. What is fictional has the lengths, the figures and the repeats of
real 10-K filings: 114 characters a sentence, 43 % with a figure, 12 % rows of tables, 51 %
distinct texts, 3,000 sentences a filing.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import material

# Sentences of a filing, and filings at least: a small corpus has shorter ones.
FILING = 3_000
FEWEST = 24
YEARS, FIRST_YEAR, FIRST_CIK = 3, 2020, 9_100_001
FILINGS_A_FILE = 20
# Sections of a filing, and how much of it each holds.
SECTIONS = {"1": 0.1, "1A": 0.12, "3": 0.03, "7": 0.25, "8": 0.4, "15": 0.1}
# What sentences are: headings and other scraps, rows of tables, prose; and how many are new.
SHARES = (0.25, 0.12, 0.63)
NEW = (0.0, 0.9, 0.73)
# How many clauses a sentence of prose has: of one clause, of two …
CLAUSES = (0.36, 0.32, 0.18, 0.09, 0.05)
# How many clauses have a figure.
WITH_FIGURE = 0.25
SCRAP, ROW, PROSE = range(3)
_AMOUNT = re.compile(r"(?<![\d.,])(?!(?:19|20)\d\d\b)\d+(?:,\d{3})*(?:\.\d+)?")
_REAL = "edgar_corpus/edgar_corpus.jsonl.gz"


def shared_data() -> Path:
    """Where real filings lie, if they do: ``FINRAG_SHARED_DATA``, or beside the repository."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("FINRAG_SHARED_DATA", beside))


def has_real() -> bool:
    """Whether real filings are at hand."""
    return (shared_data() / _REAL).is_file()


def write_real(folder: str, name: str, n_characters: int) -> dict[str, Any]:
    """Writes the first real filings that hold so much text.

    Args:
        folder: of the run.
        name: the folder that is written there.
        n_characters: how much text is enough.
    """
    with gzip.open(shared_data() / _REAL, "rt", encoding="utf-8") as lines:
        return _write(Path(folder) / name, _first(lines, n_characters))


def _first(lines: Iterator[str], n_characters: int) -> Iterator[str]:
    n = 0
    for line in lines:
        if n >= n_characters:
            return
        n += len(line)
        yield line


def write_fictional(
    folder: str, name: str, n_sentences: int, seed: int = material.SEED
) -> dict[str, Any]:
    """Writes fictional filings that hold so many sentences.

    Args:
        folder: of the run; holds the ``sentences.parquet`` whose words are used.
        name: the folder that is written there.
        n_sentences: of all filings together.
        seed: of every draw.
    """
    n_filings = max(FEWEST, round(n_sentences / FILING))
    lines = _fictional(folder, n_filings, -(-n_sentences // n_filings), seed)
    return _write(Path(folder) / name, lines)


def write_one_more(folder: str, name: str) -> dict[str, Any]:
    """Writes a filing of a year to come of the company that files first, in a file of its own."""
    path = Path(folder) / name
    with (path / "part-00000.jsonl").open(encoding="utf-8") as lines:
        filing = json.loads(lines.readline())
    filing |= {"year": "2031", "filename": f"{filing['cik']}_2031.htm"}
    (path / "one-more.jsonl").write_text(json.dumps(filing) + "\n", encoding="utf-8")
    return {"cik": int(filing["cik"])}


def _write(path: Path, lines: Iterator[str]) -> dict[str, Any]:
    path.mkdir()
    n_filings = n_bytes = 0
    part: list[str] = []

    def close() -> None:
        number = (n_filings - 1) // FILINGS_A_FILE
        (path / f"part-{number:05d}.jsonl").write_text("".join(part), encoding="utf-8")
        part.clear()

    for line in lines:
        part.append(line)
        n_filings += 1
        n_bytes += len(line)
        if len(part) == FILINGS_A_FILE:
            close()
    if part:
        close()
    return {"n_filings": n_filings, "n_characters": n_bytes}


def _fictional(folder: str, n_filings: int, n_sentences: int, seed: int) -> Iterator[str]:
    import numpy as np

    rng = np.random.default_rng(seed)
    words = _Words(folder)
    before: list[list[str]] = []
    for number in range(n_filings):
        company, year = divmod(number, YEARS)
        if year == 0:
            before = words.boilerplate
        sentences, before = words.filing(rng, n_sentences, before)
        cik = FIRST_CIK + company
        filing = {
            "filename": f"{cik}_{FIRST_YEAR + year}.htm",
            "cik": str(cik),
            "company": f"{words.names[company % len(words.names)]} {company + 1} Corp.",
            "year": str(FIRST_YEAR + year),
            **_sections(sentences),
        }
        yield json.dumps(filing) + "\n"


def _sections(sentences: Sequence[str]) -> dict[str, str]:
    sections, start = {}, 0
    for item, share in SECTIONS.items():
        end = start + round(share * len(sentences))
        sections[f"section_{item}"] = f"Item {item}.\n" + "".join(sentences[start:end])
        start = end
    return sections


class _Words:
    """What sentences are made of: clauses with and without figures, labels of rows, names."""

    def __init__(self, folder: str) -> None:
        import numpy as np

        heads, tails = material._halves(folder)
        slots = map(_slotted, heads.to_pylist())
        clauses = list(zip(slots, tails.to_pylist(), strict=True))
        # A clause as the head of a sentence and as what goes on, by whether it has a figure.
        self.figured = [(head, n, _slotted(tail)[0]) for (head, n), tail in clauses if n]
        self.plain = [
            (tail[0].upper() + tail[1:-1], 0, tail)
            for _, tail in clauses
            if not any(map(str.isdigit, tail))
        ]
        rng = np.random.default_rng(material.SEED)
        drawn = np.exp(rng.uniform(0, np.log(90_000), 100_000))
        self.amounts = [f"{x:,.1f}" if x < 100 else f"{x:,.0f}" for x in drawn.tolist()]
        labels = {" ".join(head.split()[:3]) for head, _, _ in self.plain}
        self.labels = sorted(label for label in labels if 5 < len(label) < 40)
        self.names = [label.title() for label in self.labels]
        scraps = [*self.names[:1_500], *map(str, range(1, 200))]
        prose = self._prose(rng, 3_000)
        self.boilerplate = [scraps, self._rows(rng, 500), prose]

    def filing(
        self, rng: Any, n: int, before: list[list[str]]
    ) -> tuple[list[str], list[list[str]]]:
        """Sentences of a filing with what parts them, and the same by kind for the next year."""
        kinds = rng.choice(len(SHARES), n, p=SHARES)
        is_new = rng.random(n) < [NEW[kind] for kind in kinds.tolist()]
        fresh = {
            ROW: iter(self._rows(rng, int(((kinds == ROW) & is_new).sum()))),
            PROSE: iter(self._prose(rng, int(((kinds == PROSE) & is_new).sum()))),
        }
        places = rng.integers(0, 1 << 30, n).tolist()
        breaks = (rng.random(n) < 0.25).tolist()
        written: list[str] = []
        held: list[list[str]] = [before[SCRAP], [], []]
        for kind, new, place, ends in zip(
            kinds.tolist(), is_new.tolist(), places, breaks, strict=True
        ):
            text = next(fresh[kind]) if new else before[kind][place % len(before[kind])]
            if kind == PROSE:
                written.append(f"{text}\n\n" if ends else f"{text} ")
            else:
                written.append(f"\n{text}\n")
            if kind != SCRAP:
                held[kind].append(text)
        return written, held

    def _rows(self, rng: Any, n: int) -> list[str]:
        labels = rng.integers(0, len(self.labels), n).tolist()
        amounts = rng.integers(0, len(self.amounts), 3 * n).tolist()
        return [
            f"{self.labels[label].capitalize()} $ {self.amounts[amounts[3 * i]]} "
            f"{self.amounts[amounts[3 * i + 1]]} {self.amounts[amounts[3 * i + 2]]}"
            for i, label in enumerate(labels)
        ]

    def _prose(self, rng: Any, n: int) -> list[str]:
        counts = (rng.choice(len(CLAUSES), n, p=CLAUSES) + 1).tolist()
        n_clauses = sum(counts)
        is_figured = iter((rng.random(n_clauses) < WITH_FIGURE).tolist())
        places = iter(rng.integers(0, 1 << 30, n_clauses).tolist())
        amounts = self.amounts
        found = []
        for count in counts:
            parts = []
            for first in range(count):
                pool = self.figured if next(is_figured) else self.plain
                place = next(places)
                head, n_slots, tail = pool[place % len(pool)]
                text = tail[:-1] if first else head
                if n_slots:
                    text %= tuple(amounts[(place + 7 * i) % len(amounts)] for i in range(n_slots))
                parts.append(text)
            found.append(", while ".join(parts) + ".")
        return found


def _slotted(text: str) -> tuple[str, int]:
    """A text with a slot for each amount, and how many there are; years stay."""
    return _AMOUNT.subn("%s", text.replace("%", "%%"))
