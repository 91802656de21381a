"""The scripted agent on real pages whose document it is not given, where the files are at hand.

A company is held out if the SHA-256 of its ten-digit key leaves 2 when divided by 3. Its
questions are neither run nor shown here: rules are made on the others alone.
"""

import hashlib
import json
import os
import random
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest

from finrag.agents import scripted
from finrag.agents.chunked import chunk_pools
from finrag.agents.directory import Directory
from finrag.agents.planning import plan
from finrag.agents.session import Asked, known_to
from finrag.agents.toolbox import Toolbox
from finrag.answers.types import Question
from finrag.questions import read_questions
from finrag.retrieval.pools import open_set
from finrag.retrieval.queries import Query
from finrag.sources.benchmarks import open_benchmarks

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FINRAG_SHARED_DATA", ROOT.parent / "shared" / "data"))
FILES = ("financebench_pages/pages.parquet", "qa/financebench_open_source.jsonl.gz")
SEEDS = ROOT / "seeds" / "catalogues"
# As the door ``documents`` reads the years of a name.
YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
# Words alone, so that nothing need be embedded.
SYSTEM = {
    "system_id": "agent_keyword",
    "system_kind": "agent",
    "regime": "open",
    "encoder": "wordllama",
    "tools": "keyword_search+chunk_read",
    "bm25_k1": 1.5,
    "bm25_b": 0.75,
    "max_steps": 4,
    "fill_support": 0.5,
}


def seed(name):
    newlines = pyarrow.csv.ParseOptions(newlines_in_values=True)
    return pyarrow.csv.read_csv(SEEDS / f"{name}.csv", parse_options=newlines)


def is_held_out(cik):
    return int(hashlib.sha256(f"{cik:010d}".encode()).hexdigest(), 16) % 3 == 2


def page_terms(questions):
    """The words of the kinds of page that each question asks for."""
    table = pa.table(
        {
            "item_id": [one["question_id"] for one in questions],
            "gold_set": ["set"] * len(questions),
            "question_text": [one["question_text"] for one in questions],
        }
    )
    names = ("cik_int", "company_name", "display_name", "possessive_name", "aliases", "ticker")
    nobody = pa.table({name: pa.array([], pa.string()) for name in names})
    filings = pa.table({name: pa.array([], pa.int64()) for name in ("cik_int", "report_year")})
    patterns = [seed(name) for name in ("kpi_patterns", "risk_patterns", "page_cues")]
    words = {}
    for row in seed("page_terms").to_pylist():
        words.setdefault(row["page_kind"], []).append(row["term"])
    read = read_questions(table, nobody, filings, *patterns).to_pylist()
    return {row["item_id"]: [tuple(words[kind]) for kind in row["page_kinds"]] for row in read}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Questions that are not held out, with their pages; documents; the pool of all pages."""
    paths = [DATA / name for name in FILES]
    absent = [str(path) for path in paths if not path.exists()]
    if absent:
        pytest.skip(f"real pages are not at hand ({absent[0]}): set FINRAG_SHARED_DATA to the data")
    questions, judgments, passages, documents = [], {}, [], {}
    for batch in open_benchmarks([str(path) for path in paths]):
        for row in batch.to_pylist():
            questions += row["questions"]
            for one in row["judgments"]:
                judgments.setdefault(one["question_id"], set()).add(one["passage_id"])
            passages += row["passages"]
            for one in row["passages"]:
                documents[one["document_id"]] = {
                    "document_id": one["document_id"],
                    "corpus_id": "set",
                    "company_name": one["company"],
                    "title": one["title"],
                    "years": [int(year) for year in YEAR.findall(one["title"])],
                    "cik": json.loads(row["original"])["cik"],
                }
    asked = [
        one
        for one in questions
        if one["document_id"] in documents and not is_held_out(documents[one["document_id"]]["cik"])
    ]
    table = pa.table(
        {
            "passage_id": [one["passage_id"] for one in passages],
            "document_id": [one["document_id"] for one in passages],
            "position": pa.array([one["position"] for one in passages], pa.int32()),
            "passage_text": [one["text"] for one in passages],
            "unit": [one["space"] for one in passages],
        }
    )
    settings = {
        "state_dir": str(tmp_path_factory.mktemp("state")),
        "encoder_batch_size": 32,
        "encoder_threads": 1,
    }
    return asked, judgments, documents, open_set("set", table, [], settings), settings


def conversations(questions):
    terms = page_terms(questions)
    return [
        [
            Asked(
                Query(
                    one["question_id"], "set", *(one["question_text"],) * 3, (), (), frozenset(),
                    document_id=one["document_id"],
                    page_terms=tuple(terms[one["question_id"]]),
                ),
                Question(one["question_id"], one["question_text"]),
            )
        ]
        for one in questions
    ]  # fmt: skip


def recall(pages, directory, k):
    """Share of the evidence of a question among the first k pages, over questions."""
    questions, judgments, _, pools, settings = pages
    toolbox = Toolbox(chunk_pools(pools, directory), directory, SYSTEM, settings)
    traces = list(scripted.run(SYSTEM, conversations(questions), toolbox, directory, settings))
    shares = []
    for trace in traces:
        gold = judgments[trace.item_id]
        found = {passage for passage, *_ in trace.rankings.get("page", [])[:k]}
        shares.append(len(gold & found) / len(gold))
    return sum(shares) / len(shares)


def test_statements_are_found_without_being_told_the_document(pages):
    directory = Directory.of(pages[2].values())
    found = recall(pages, directory, 10)
    assert found >= 0.85


def test_another_companys_documents_are_no_use(pages):
    names = sorted({one["company_name"] for one in pages[2].values()})
    other = dict(zip(names, [*names[1:], names[0]], strict=True))
    shifted = [{**one, "company_name": other[one["company_name"]]} for one in pages[2].values()]
    found = recall(pages, Directory.of(shifted), 10)
    assert found <= 0.1


def test_pages_drawn_from_the_same_documents_are_rarely_the_right_ones(pages):
    questions, judgments, documents, pools, _ = pages
    directory = Directory.of(documents.values())
    by_document = {}
    for passage in pools[0].numbers.sentence_ids.to_pylist():
        by_document.setdefault(passage.rpartition("#")[0], []).append(passage)
    draws, shares = random.Random(7), []
    for (asked,) in conversations(questions):
        slot = plan(known_to(asked, SYSTEM), directory)[0]
        within = directory.find(slot.companies, slot.years) or by_document.keys()
        drawn = draws.sample([page for one in sorted(within) for page in by_document[one]], 10)
        gold = judgments[asked.query.item_id]
        shares.append(len(gold & set(drawn)) / len(gold))
    found = sum(shares) / len(shares)
    assert found <= 0.2
