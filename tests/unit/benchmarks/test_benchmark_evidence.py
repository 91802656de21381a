"""Evidence of the real sets leads to passages, where their files are at hand."""

import gzip
import json
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

from finrag.sources.benchmarks import open_benchmarks
from finrag.sources.benchmarks.loaders import tatqa

BESIDE = Path(__file__).parents[4] / "shared" / "data"
DATA = Path(os.environ.get("FINRAG_SHARED_DATA", BESIDE))

# Filings of FinanceBench without page texts: the questions that are asked of them.
WITHOUT_PAGES = {
    "3M_2023Q2_10Q": {"00807", "00941", "01858"},
    "AES_2022_10K": {"01319", "00540", "10420"},
    "AMCOR_2020_10K": {"03882"},
    "COCACOLA_2021_10K": {"09724"},
    "COCACOLA_2022_10K": {"06272"},
    "ULTABEAUTY_2023_10K": {"00746", "00521"},
    "WALMART_2019_10K": {"04784"},
}


def read(*names):
    """Return the questions, the passages and the judgments of files, the passages by id."""
    paths = [DATA / name for name in names]
    absent = [str(path) for path in paths if not path.exists()]
    if absent:
        pytest.skip(f"real sets are not at hand ({absent[0]}): set FINRAG_SHARED_DATA to the data")
    questions, passages, judgments, faults = [], {}, [], []
    for batch in open_benchmarks([str(path) for path in paths]):
        for row in batch.to_pylist():
            if row["record_status"] == "quarantined":
                faults.append((row["reason_code"], row["reason"]))
                continue
            questions += row["questions"]
            judgments += row["judgments"]
            for passage in row["passages"]:
                deduplicator = passages.setdefault(passage["passage_id"], passage)
                assert deduplicator == passage, "two texts under one id"
    return questions, passages, judgments, faults


def raw(name):
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_every_evidence_of_finqa_is_the_sentence_that_the_set_quotes():
    names = ("finqa_train100", "finqa_dev200", "finqa_test100")
    questions, passages, judgments, faults = read(*(f"qa/{name}.jsonl.gz" for name in names))
    assert faults == []
    assert {each["passage_id"] for each in judgments} <= passages.keys()
    assert {each["question_id"] for each in judgments} == {
        question["question_id"] for question in questions
    }
    quoted = {
        (record["id"], place): quote
        for name in names
        for record in raw(f"qa/{name}.jsonl.gz")
        for place, quote in record["qa"]["gold_inds"].items()
    }
    texts = [each for each in judgments if each["space"] == "text"]
    assert len(texts) > 100
    assert [
        each
        for each in texts
        if passages[each["passage_id"]]["text"] != quoted[each["question_id"], each["reference"]]
    ] == []


def test_simplified_finqa_has_the_contexts_of_the_original():
    _, _, _, faults = read("qa/finqa_test100.jsonl.gz", "qa/finqa_test500_simplified.jsonl.gz")
    assert {code for code, _ in faults} == {"duplicate_question_id"}


def test_both_forms_of_convfinqa_are_read():
    questions, _, _, faults = read(
        "qa/convfinqa_dev421.jsonl.gz", "qa/convfinqa_test434_no_answers.jsonl.gz"
    )
    assert faults == []
    answered = [question for question in questions if question["answers"]]
    assert {question["program"] is None for question in answered} == {False}
    assert 0 < len(answered) < len(questions)


def test_every_evidence_cell_of_multihiertt_resolves():
    questions, passages, judgments, faults = read("qa/multihiertt_train_sample.jsonl.gz")
    assert faults == []
    assert len(questions) == 22
    assert [each["reference"] for each in judgments if each["passage_id"] not in passages] == []


def test_the_operands_of_multihiertt_stand_in_its_evidence_or_in_the_question():
    questions, passages, judgments, _ = read("qa/multihiertt_train_sample.jsonl.gz")
    evidence = {question["question_id"]: question["question_text"] for question in questions}
    for each in judgments:
        evidence[each["question_id"]] += " " + passages[each["passage_id"]]["text"]
    lacking = [
        question["question_id"]
        for question in questions
        for number in re.findall(r"(?<![#\w.])[0-9][0-9.]*", question["program"] or "")
        if number.removesuffix(".0") not in evidence[question["question_id"]].replace(",", "")
    ]
    assert lacking == []


def test_every_evidence_of_tatqa_leads_to_a_passage():
    questions, passages, judgments, faults = read(
        "qa/tatqa_dev.jsonl.gz", "qa/tatqa_test_gold.jsonl.gz"
    )
    assert faults == []
    assert {each["passage_id"] for each in judgments} <= passages.keys()
    assert {each["question_id"] for each in judgments} == {
        question["question_id"] for question in questions
    }


def test_cells_found_for_tatqa_are_those_that_annotators_marked():
    """Where the set states the cells, finding them by the numbers gives the same ones."""
    read("qa/tatqa_test_gold.jsonl.gz")
    both = n_found = n_stated = 0
    for record in raw("qa/tatqa_test_gold.jsonl.gz"):
        grid = record["table"]["table"]
        for question in record["questions"]:
            if "table" in question["answer_from"]:
                stated = set(tatqa.stated_cells(question, grid))
                found = set(tatqa.find_cells(grid, tatqa.sought_texts(question)))
                both += len(stated & found)
                n_found += len(found)
                n_stated += len(stated)
    print(f"found {n_found}, stated {n_stated}, both {both}")
    assert both >= 0.95 * n_found
    assert both >= 0.95 * n_stated


def financebench():
    return read("qa/financebench_open_source.jsonl.gz", "financebench_pages/pages.parquet")


def test_every_question_of_financebench_has_pages_or_is_listed_with_the_reason():
    questions, passages, judgments, faults = financebench()
    assert faults == []
    assert len(questions) == 103
    documents = {passage["document_id"] for passage in passages.values()}
    listed = defaultdict(set)
    for each in judgments:
        if each["passage_id"] not in passages:
            assert each["document"] not in documents, "the filing is there and the page is not"
            listed[each["document"]].add(each["question_id"].removeprefix("financebench_id_"))
    for document, ids in sorted(listed.items()):
        print(f"{document} has no page texts: {', '.join(sorted(ids))}")
    assert listed == WITHOUT_PAGES
    assert {each["question_id"] for each in judgments} == {
        question["question_id"] for question in questions
    }


def test_the_evidence_of_financebench_stands_on_its_page_and_on_no_neighbour():
    """Pages count from 0: one page off, the words of the quote would fit the neighbour better."""
    _, passages, _, _ = financebench()
    shares = []
    records = raw("qa/financebench_open_source.jsonl.gz")
    for entry in (entry for record in records for entry in record["evidence"]):
        document, page = entry["doc_name"], entry["evidence_page_num"]
        if f"{document}#page-{page}" in passages:
            near = (f"{document}#page-{page + step}" for step in (-2, -1, 0, 1, 2))
            shares.append([_share(entry["evidence_text"], passages.get(id_)) for id_ in near])
    off = [share for share in shares if max(share) > share[2]]
    print(f"{len(shares)} quotes, lowest share of words on their page {min(s[2] for s in shares)}")
    assert off == []
    assert len(shares) == 114


def _share(quote: str, passage) -> float:
    words = set(re.findall(r"\w+", quote.lower()))
    there = set(re.findall(r"\w+", passage["text"].lower())) if passage else set()
    return round(len(words & there) / len(words), 2)
