"""How well questions are read in other words: ``python -m bench.rewordings WAREHOUSE``.

P3's questions are reworded by rule, and companies and years read from each wording are compared
with the question's own. A wording is *right* where both are the same, *harmful* where a company or
year is read that was not asked about, and *unread* where only something is missing: without a
company or year more is searched, with a wrong one the right filing is never seen.

What is expected of a relative year: filings are all that is known of today, so "last year" is the
latest fiscal year that the company filed and "the year before last" the one before that. A
question without any year is about no year in particular: none is to be read. A question of a
company that the corpus does not hold is asked of a corpus without that company: no company is to
be read.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from finrag.questions import read_questions
from finrag.text.company_names import possessive

SEED = 20260101
AS_ASKED = "as asked"
NOT_HELD = "company not in the corpus"
MIN_TYPO_LETTERS = 5
YEAR = r"(?<![0-9])((?:19|20)[0-9]{2})(?![0-9])"
STYLES = {
    "FY21": "FY{short}",
    "FY 2021": "FY {year}",
    "fiscal year 2021": "fiscal year {year}",
    "calendar 2021": "calendar {year}",
    "the year ended December 2021": "the year ended December {year}",
    "the year ended September 30, 2021": "the fiscal year ended September 30, {year}",
}
# One slip in a word of small letters, at a place.
SLIPS: dict[str, Callable[[str, int], str]] = {
    "two letters swapped": lambda word, at: word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
    "a letter missing": lambda word, at: word[:at] + word[at + 1 :],
    "a letter doubled": lambda word, at: word[: at + 1] + word[at:],
    "another letter": lambda word, at: (
        word[:at] + ("e" if word[at] != "e" else "i") + word[at + 1 :]
    ),
}
# A year as questions give it, and the same as somebody asks who counts from today.
RELATIVE = {
    "last year": (
        (r"\b{year} (10-Ks?|risk factors)", r"\1 of last year"),
        (r"\b(?:in|for|during) (?:fiscal )?{year}\b", "last year"),
    ),
    "the latest fiscal year": (
        (r"\b{year} (10-Ks?|risk factors)", r"latest \1"),
        (r"\b(in|for|during) (?:fiscal )?{year}\b", r"\1 the most recent fiscal year"),
    ),
    "no year": (
        (r"\b{year} (10-Ks?|risk factors)", r"\1"),
        (r"(?:^| |\b)(?:in|for|during) (?:fiscal )?{year}\b,?", ""),
    ),
}
BEFORE_LAST = (
    (r"\b{year} (10-Ks?|risk factors)", r"\1 of the year before last"),
    (r"\b(?:in|for|during) (?:fiscal )?{year}\b", "the year before last"),
)


@dataclass(frozen=True)
class Asked:
    """One wording of a question, and what is to be read from it."""

    kind: str
    text: str
    ciks: tuple[int, ...]
    years: tuple[int, ...]


def reword(
    question: Mapping[str, Any], companies: Mapping[int, Mapping[str, Any]], seed: int = SEED
) -> Iterator[Asked]:
    """All wordings of one question, itself first; a kind that does not fit it is left out.

    Args:
        question: a row of ``gold_p3``: ``question_id``, ``question_text``, ``cik_int``, ``years``.
        companies: rows of ``companies`` by ``cik_int``.
        seed: of the letters that are misspelt.
    """
    text = question["question_text"]
    ciks, years = tuple(sorted(question["cik_int"])), tuple(sorted(question["years"] or ()))
    yield Asked(AS_ASKED, text, ciks, years)
    asked_of = [companies[cik] for cik in ciks if cik in companies]
    if not ciks or len(asked_of) < len(ciks):
        return
    chance = random.Random(f"{seed} {question['question_id']}")
    for kind, called in _names(asked_of, companies, chance).items():
        renamed = _renamed(text, called) if all(called.values()) else text
        if renamed != text:
            yield Asked(kind, renamed, ciks, years)
    yield Asked("all in small letters", text.lower(), ciks, years)
    for kind, reworded, asked_years in _years(text, years, [row["last_year"] for row in asked_of]):
        if reworded != text:
            yield Asked(kind, reworded, ciks, asked_years)


def _names(
    asked_of: Sequence[Mapping[str, Any]],
    companies: Mapping[int, Mapping[str, Any]],
    chance: random.Random,
) -> dict[str, dict[str, str | None]]:
    """What each company is called instead of its display name, by kind of rewording."""
    kinds: dict[str, dict[str, str | None]] = defaultdict(dict)
    displays = [row["display_name"] for row in companies.values()]
    for row in asked_of:
        name = row["display_name"]
        kinds["ticker"][name] = row["ticker"]
        others = [
            n
            for n in row["aliases"]
            if n.lower() not in {name.lower(), (row["ticker"] or "").lower()}
        ]
        kinds["another name"][name] = chance.choice(others) if others else None
        kinds["name in small letters"][name] = name.lower()
        for kind, slip in SLIPS.items():
            kinds[kind][name] = _misspelt(name, slip, chance)
        short = name.rpartition(" ")[0]
        is_unique = sum(f"{other} ".startswith(f"{short} ") for other in displays) == 1
        is_name = bool(short) and short.split()[-1] not in ("&", "and")
        kinds["without its last word"][name] = short if is_unique and is_name else None
    return kinds


def _renamed(text: str, called: Mapping[str, str | None]) -> str:
    """The text with other names, possessives included."""
    named = {name: new for name, new in called.items() if new}
    forms = {**named, **{possessive(name): possessive(new) for name, new in named.items()}}
    longest_first = sorted(map(re.escape, forms), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?![\w'])")
    return pattern.sub(lambda found: forms[found[0]], text)


def _misspelt(name: str, slip: Callable[[str, int], str], chance: random.Random) -> str | None:
    """The name with one slip in one of its longer words."""
    long = [w for w in re.finditer(r"[^\W\d_]+", name) if len(w[0]) >= MIN_TYPO_LETTERS]
    if not long:
        return None
    word = chance.choice(long)
    typed = word[0].lower()
    slipped = chance.choice([slip(typed, n) for n in range(len(typed)) if slip(typed, n) != typed])
    if word[0].isupper():
        slipped = slipped.upper()
    elif word[0][0].isupper():
        slipped = slipped.capitalize()
    return f"{name[: word.start()]}{slipped}{name[word.end() :]}"


def _years(
    text: str, years: tuple[int, ...], latest: Sequence[int]
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Kind, text and years to be read; terms in quotation marks are nobody's years."""
    if not years or re.search(rf'["“][^"“”]*{YEAR}', text):
        return
    for kind, style in STYLES.items():
        named = re.sub(rf"{YEAR} (10-Ks?|risk factors)", r"\2 for \1", text)
        parts = re.split(rf"(?:fiscal )?{YEAR}", named if "ended" in kind else text)
        parts[1::2] = [style.format(year=year, short=year[2:]) for year in parts[1::2]]
        yield kind, "".join(parts), years
    yield "2021", re.sub(rf"fiscal {YEAR}", r"\1", text), years
    if len(years) == 2 and years[0] + 1 == years[1]:
        yield "the year before", text.replace(
            f"than in fiscal {years[0]}", "than in the year before"
        ), years  # fmt: skip
    if len(years) > 1:
        return
    none: tuple[int, ...] = ()
    relative = [("no year", RELATIVE["no year"], none)]
    if set(latest) == set(years):
        relative += [(kind, RELATIVE[kind], years) for kind in RELATIVE if kind != "no year"]
    if {year - 1 for year in latest} == set(years):
        relative.append(("the year before last", BEFORE_LAST, years))
    for kind, patterns, expected in relative:
        for pattern, new in patterns:
            reworded, n = re.subn(pattern.format(year=years[0]), new, text)
            if n == 1 and not re.search(YEAR, reworded):
                yield kind, reworded.strip(), expected
                break


def verdict(asked: Asked, reading: Mapping[str, Any]) -> str:
    """``right``, ``harmful`` or ``unread``."""
    ciks, years = set(reading["cik_ints"]), set(reading["years"])
    if ciks == set(asked.ciks) and years == set(asked.years):
        return "right"
    return "unread" if ciks <= set(asked.ciks) and years <= set(asked.years) else "harmful"


def read_wordings(wordings: Sequence[Asked], tables: Sequence[pa.Table]) -> list[dict[str, Any]]:
    """A reading for each wording; tables as ``read_questions`` takes them."""
    questions = pa.table(
        {
            "item_id": [str(n) for n in range(len(wordings))],
            "gold_set": pa.repeat("p3", len(wordings)),
            "question_text": [asked.text for asked in wordings],
        }
    )
    readings: list[dict[str, Any]] = read_questions(questions, *tables).to_pylist()
    return readings


def judge(
    questions: Iterable[Mapping[str, Any]], tables: Sequence[pa.Table], seed: int = SEED
) -> Iterator[tuple[Asked, dict[str, Any], str]]:
    """Every wording with its reading and verdict, those of absent companies last."""
    companies = {row["cik_int"]: row for row in tables[0].to_pylist()}
    wordings = [asked for row in questions for asked in reword(row, companies, seed)]
    for asked, reading in zip(wordings, read_wordings(wordings, tables), strict=True):
        yield asked, reading, verdict(asked, reading)
    by_company = defaultdict(list)
    for asked in wordings:
        if asked.kind == AS_ASKED and len(asked.ciks) == 1:
            by_company[asked.ciks[0]].append(Asked(NOT_HELD, asked.text, (), asked.years))
    for cik, absent in by_company.items():
        fewer = [table.filter(pc.not_equal(table["cik_int"], cik)) for table in tables[:2]]
        readings = read_wordings(absent, [*fewer, *tables[2:]])
        for asked, reading in zip(absent, readings, strict=True):
            yield asked, reading, verdict(asked, reading)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.rewordings", description=__doc__)
    parser.add_argument("warehouse", type=Path, help="a built warehouse; it is only read")
    parser.add_argument("--seed", type=int, default=SEED, help="of the misspelt letters")
    parser.add_argument("--show", metavar="KIND", help="print what is not right of one kind")
    options = parser.parse_args()
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    questions, tables = _tables(options.warehouse)
    for asked, reading, found in judge(questions, tables, options.seed):
        counts[asked.kind][found] += 1
        if asked.kind == options.show and found != "right":
            print(f"{found}: {asked.text}  {reading['cik_ints']} {reading['years']}")
    print(f"{'wording':<36}{'n':>7}{'right':>9}{'harmful':>9}{'unread':>9}")
    for kind, of in counts.items():
        n = sum(of.values())
        shares = "".join(f"{of[name] / n:>9.3f}" for name in ("right", "harmful", "unread"))
        print(f"{kind:<36}{n:>7,}{shares}")
    return 0


def _tables(warehouse: Path) -> tuple[list[dict[str, Any]], list[pa.Table]]:
    import duckdb

    with duckdb.connect(str(warehouse), read_only=True) as connection:
        found = connection.sql("select table_schema, table_name from information_schema.tables")
        schemas = {name: schema for schema, name in found.fetchall()}

        def table(name: str, order: str) -> pa.Table:
            source = f"select * from {schemas[name]}.{name} order by {order}"
            return connection.sql(source).to_arrow_table()

        questions = table("gold_p3", "question_id").to_pylist()
        return questions, [
            table("companies", "cik_int"),
            table("filings", "filing_id"),
            table("kpi_patterns", "kpi_label, pattern"),
            table("risk_patterns", "risk_topic, pattern"),
            table("page_cues", "page_kind, pattern"),
        ]


if __name__ == "__main__":
    raise SystemExit(main())
