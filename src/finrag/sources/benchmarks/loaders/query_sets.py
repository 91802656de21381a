"""Question sets without page layout: two open formats of queries and five public sets."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from finrag.records.fields import (
    objects,
    optional_number,
    optional_text,
    optional_whole,
    original_json,
    parse_number,
    required_text,
    truth,
)
from finrag.records.files import RecordFaultError
from finrag.records.identity import hashed, is_missing, shown
from finrag.sources.benchmarks.loaders.nested_queries import refuse_nested
from finrag.sources.benchmarks.loaders.places import space_of
from finrag.sources.benchmarks.records import Judgment, Loaded, Passage, Question, Source
from finrag.sources.predictions.places import parse_place

QUERY_KINDS: Final = ("numeric", "attribution", "slide", "press", "text")
MAX_GRADE: Final = 3

_NUMBERS: Final = ("page", "page_num", "slide")
# Some leave out the colon; "Sources of revenue …" must stay part of an answer.
_SOURCES = re.compile(r"^[ \t]*sources?\b(?:\(s\))?[ \t]*(?::|(?=q\d|\d{4}))", re.I | re.M)
_PAGE = re.compile(r"[,;]?\s*\b(?:pg|page|p)\.?\s*(?P<page>\d{1,4})\b", re.I)
_PDF = re.compile(r"[^\",;\n]{1,200}?\.pdf", re.I)


def load_graded_queries(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a line of a graded query file.

    Fields: `query_id`, `query`, `category`, `difficulty`, `is_rejection` (no document holds the
    answer), `gold_references` (objects of `document`, `page`, `relevance` 0 to 3; empty for a
    rejection), `expected_answer_gist`. Pages count from 1 in this format, as its own one-page
    fixtures show, and from 0 in judgments. An absent relevance counts as 1.

    Raises:
        RecordFaultError: a field is missing or of a wrong kind, a rejection has references, or
            another query has none.
    """
    if "_id" in record and "query_id" not in record:
        reason = "the record has _id and no query_id, as queries in BEIR's layout have"
        advice = "name such a file queries.jsonl, in a folder that is named like the set"
        raise RecordFaultError("queries_of_beir", reason, advice)
    refuse_nested(record)
    question_id = required_text(record, "query_id")
    is_rejection = truth(record, "is_rejection") or False
    references = objects(record, "gold_references")
    if is_rejection and any(_grade(entry) > 0 for entry in references):
        reason = "is_rejection is true, and yet gold_references name relevant pages"
        raise RecordFaultError(
            "rejection_with_references", reason, "empty gold_references, or say false"
        )
    if not is_rejection and not references:
        reason = "the query has no gold_references and is not a rejection"
        raise RecordFaultError(
            "no_gold_references", reason, "name a page, or set is_rejection to true"
        )
    gist = optional_text(record, "expected_answer_gist")
    question = Question(
        question_id,
        required_text(record, "query"),
        answers=(gist,) if gist else (),
        is_answerable=not is_rejection,
        category=optional_text(record, "category"),
        difficulty=optional_text(record, "difficulty"),
    )
    judgments = tuple(_graded(question_id, entry) for entry in references)
    return Loaded(original_json(record), (question,), judgments=judgments)


def _graded(question_id: str, entry: Mapping[str, Any]) -> Judgment:
    document = required_text(entry, "document")
    page = optional_whole(entry, "page", least=1)
    if page is None:
        reason = f"the reference to {shown(document)} has no page"
        raise RecordFaultError(
            "no_page", reason, "write page as a whole number; the first page is 1"
        )
    return Judgment(
        question_id,
        f"{document}, page {page}",
        "page",
        document=document,
        page=page - 1,
        grade=_grade(entry),
    )


def _grade(entry: Mapping[str, Any]) -> int:
    grade = optional_whole(entry, "relevance")
    if grade is not None and grade > MAX_GRADE:
        reason = f"relevance is {grade}, expected 0 to {MAX_GRADE}"
        raise RecordFaultError("bad_relevance", reason, f"grade references from 0 to {MAX_GRADE}")
    return 1 if grade is None else grade


def load_query_file(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a line of a query file, this project's own format.

    Fields of a line:
        query_id: unique in the file; required.
        query: the question; required.
        kind: one of `QUERY_KINDS`; required. `slide` and `press` say where the answer stands.
        answer: the right answer: a number (or text that reads as one) where kind is numeric, else
            text or a list of texts, each acceptable. Required unless `is_answerable` is false, or
            kind is attribution and a speaker or a role is given.
        unit: of a numeric answer, such as `USD millions` or `percent`.
        tolerance: relative tolerance of a numeric answer, such as 0.01.
        speaker, role: who said it and as what; an attribution needs one of them at least. With a
            speaker that is the answer asked for, else the role is; `answer` beside it is words.
        category, difficulty: free words.
        is_answerable: false where no document holds the answer; true if absent.
        citations: objects with `document` and one of `page` (0-based), `slide` (the number on it,
            from 1), `passage_id`, `sentence_id`; the last two need no document, and a document
            may stand alone. `relevance` 0 to 3 grades one.

    Raises:
        RecordFaultError: a field is missing or of a wrong kind.
    """
    refuse_nested(record)
    question_id = required_text(record, "query_id", "question_id")
    kind = required_text(record, "kind").lower()
    if kind not in QUERY_KINDS:
        reason = f"kind is {shown(kind)}, expected one of {', '.join(QUERY_KINDS)}"
        raise RecordFaultError("bad_kind", reason, f"write one of {', '.join(QUERY_KINDS)}")
    is_answerable = truth(record, "is_answerable") is not False
    citations = objects(record, "citations")
    question = Question(
        question_id,
        required_text(record, "query", "question"),
        document_id=_only_document(citations),
        answers=_query_answers(record, kind, is_answerable),
        is_answerable=is_answerable,
        answer_type="speaker" if kind == "attribution" else kind,
        scale=optional_text(record, "unit"),
        tolerance=optional_number(record, "tolerance"),
        category=optional_text(record, "category") or _asked(record, kind),
        asks=_asked(record, kind),
        difficulty=optional_text(record, "difficulty"),
    )
    judgments = tuple(_citation(question_id, entry) for entry in citations)
    return Loaded(original_json(record), (question,), judgments=judgments)


def _query_answers(record: Mapping[str, Any], kind: str, is_answerable: bool) -> tuple[str, ...]:
    given = record.get("answer")
    entries = given if isinstance(given, list) else [given]
    answers = [optional_text({"answer": entry}, "answer") for entry in entries]
    found = tuple(answer for answer in answers if answer is not None)
    if kind == "attribution":
        asked = optional_text(record, "speaker") or optional_text(record, "role")
        if asked is None and is_answerable:
            reason = "the attribution question has neither speaker nor role"
            raise RecordFaultError("no_speaker", reason, "write speaker, role or both")
        return (asked,) if asked else ()
    if not found and is_answerable:
        reason = "the query has no answer"
        raise RecordFaultError("no_answer", reason, "write answer, or set is_answerable to false")
    if kind == "numeric":
        for answer in found:
            _check_number(answer)
    return found


def _check_number(answer: str) -> None:
    try:
        parse_number(answer)
    except ValueError as error:
        reason = f"answer is {shown(answer)}, expected a number because kind is numeric"
        raise RecordFaultError(
            "bad_answer", reason, "write the number alone and its unit in unit"
        ) from error


def _asked(record: Mapping[str, Any], kind: str) -> str | None:
    """Return what an attribution asks for: the speaker if there is one, else the role."""
    if kind != "attribution":
        return None
    return "role" if optional_text(record, "speaker") is None else "speaker"


def _only_document(citations: list[Mapping[str, Any]]) -> str | None:
    documents = {optional_text(entry, "document") for entry in citations}
    return documents.pop() if len(documents) == 1 else None


def _citation(question_id: str, entry: Mapping[str, Any]) -> Judgment:
    place, grade = parse_place(entry, "citations"), _grade(entry)
    if place.passage_id is not None:
        space = space_of(place.passage_id)
        return Judgment(question_id, place.passage_id, space, place.passage_id, grade=grade)
    named = next((name for name in _NUMBERS if not is_missing(entry.get(name))), None)
    document = required_text(entry, "document")
    reference = f"{document}, {named} {entry[named]}" if named else document
    page = place.page
    return Judgment(question_id, reference, "page", document=document, page=page, grade=grade)


def load_kgrag(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a question of the Docugami sets: `Question`, `Answer`, optionally `Source Docs`.

    The end of the answer names its sources (`Source: Q1 2023 Earnings Call, pg 2`, or a list of
    files); it is taken off the answer. A judgment follows for each, with the page where one is
    given: 1-based there, 0-based here. Without sources the pattern in `Source Docs` serves, its
    stars taken off. `Source: N/A` marks a question without an answer. The names are words for
    files, not file names: `finrag.text.references.name_words` tells which of the
    loaded files they fit. An id is made of the question's words and stays unique over both sets.

    Raises:
        RecordFaultError: the question or the answer is missing, or a page is 0.
    """
    question_text, answer = required_text(record, "Question"), required_text(record, "Answer")
    pattern = optional_text(record, "Source Docs") or ""
    kind = optional_text(record, "Question Type")
    question_id = f"q-{hashed(question_text, pattern, answer)}"
    answer_text, named = _split_sources(answer)
    is_answerable = named.strip(" .").lower() not in ("n/a", "none", "na")
    references = list(_named_sources(named)) if is_answerable else []
    document = pattern.strip("* ")
    if is_answerable and not references and document:
        references = [(pattern, document, None)]
    question = Question(
        question_id,
        question_text,
        document_id=document if document and str(kind).startswith("Single-Doc") else None,
        answers=(answer_text,),
        is_answerable=is_answerable,
        answer_type=optional_text(record, "Source Chunk Type"),
        category=kind,
    )
    judgments = tuple(
        Judgment(question_id, reference, "page", document=name, page=page)
        for reference, name, page in dict.fromkeys(references)
    )
    return Loaded(original_json(record), (question,), judgments=judgments)


def _split_sources(answer: str) -> tuple[str, str]:
    """Return an answer without the sources at its end, and the text that names them."""
    found = list(_SOURCES.finditer(answer))
    before = answer[: found[-1].start()].strip() if found else ""
    return (before, answer[found[-1].end() :].strip()) if before else (answer, "")


def _named_sources(named: str) -> Iterator[tuple[str, str, int | None]]:
    """Yield the reference as written, the document and the 0-based page of each source."""
    files = [file.strip(" '()[]") for file in _PDF.findall(named)]
    for reference in files or [line.strip(" .-") for line in named.splitlines()]:
        if not reference:
            continue
        match = _PAGE.search(reference)
        if match is None:
            yield reference, reference, None
            continue
        document = (reference[: match.start()] + reference[match.end() :]).strip(" ,;")
        page = optional_whole({"page": match["page"]}, "page", least=1)
        yield reference, document, None if page is None else page - 1


def load_finder(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a question of FinDER, in its own shape or in that of runs on it.

    Own shape: `_id`, `text`, `answer`, `references` (texts: each becomes a passage and a
    judgment), `category`, `type`. Runs: `id`, `question`, `ground_truth`, without evidence.

    Raises:
        RecordFaultError: id, question or answer is missing, or a reference is not text.
    """
    question_id = required_text(record, "_id", "id")
    question = Question(
        question_id,
        required_text(record, "text", "question"),
        answers=(required_text(record, "answer", "ground_truth"),),
        category=optional_text(record, "category"),
        answer_type=optional_text(record, "type"),
    )
    passages = tuple(
        Passage(f"{question_id}#text-{place}", question_id, "text", place, words)
        for place, words in enumerate(_texts(record, "references"))
    )
    judgments = tuple(
        Judgment(question_id, f"references[{passage.position}]", "text", passage.passage_id)
        for passage in passages
    )
    return Loaded(original_json(record, ("references",)), (question,), passages, judgments)


def _texts(record: Mapping[str, Any], name: str) -> list[str]:
    value = record.get(name)
    entries = [] if is_missing(value) else value if isinstance(value, list) else [value]
    return [required_text({name: entry}, name) for entry in entries]


def load_finance_agent(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a question of the Finance Agent Benchmark.

    `question`, `answer`, `question_type`; `rubric` (objects of `operator` and `criteria`) and
    `expert_time_minutes` stay in the original fields. The filings are not part of the set, and
    its answers are long: neither evidence nor a figure can be read from them. An id is made of the
    question's words.

    Raises:
        RecordFaultError: question or answer is missing, or `rubric` is not a list of objects.
    """
    objects(record, "rubric")
    question_text = required_text(record, "question")
    question = Question(
        f"q-{hashed(question_text)}",
        question_text,
        answers=(required_text(record, "answer"),),
        category=optional_text(record, "question_type"),
    )
    return Loaded(original_json(record), (question,))


def load_multihop_rag(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a query of MultiHop-RAG, or an article of its corpus.

    Query: `query`, `answer`, `question_type`, `evidence_list` (objects of `fact`, `url`, `title`,
    …). A fact becomes a passage of the article, with an id made of its words, for the set does
    not say where in the article it stands (position 0). Queries of type `null_query` have no
    answer. Article: `body`, `url`, `title`; one passage.

    Raises:
        RecordFaultError: query or answer is missing, a fact has no words or no article, or a
            query that is no `null_query` has no evidence.
    """
    if is_missing(record.get("query")) and not is_missing(record.get("body")):
        return _article(record)
    query, answer = required_text(record, "query"), required_text(record, "answer")
    kind = optional_text(record, "question_type")
    question_id = f"q-{hashed(query)}"
    evidence = objects(record, "evidence_list")
    if not evidence and kind != "null_query":
        reason = "the query has no evidence and is no null_query"
        raise RecordFaultError(
            "no_evidence_list", reason, "restore evidence_list from the public file"
        )
    passages = tuple(dict.fromkeys(_fact(entry) for entry in evidence))
    question = Question(
        question_id,
        query,
        answers=(answer,),
        is_answerable=kind != "null_query",
        category=kind,
    )
    judgments = tuple(
        Judgment(question_id, passage.document_id, "text", passage.passage_id)
        for passage in passages
    )
    return Loaded(original_json(record), (question,), passages, judgments)


def _fact(entry: Mapping[str, Any]) -> Passage:
    words, document = required_text(entry, "fact"), required_text(entry, "url", "title")
    passage_id = f"{document}#text-{hashed(words)}"
    return Passage(passage_id, document, "text", 0, words, title=optional_text(entry, "title"))


def _article(record: Mapping[str, Any]) -> Loaded:
    document = required_text(record, "url", "title")
    title = optional_text(record, "title")
    body = Passage(
        f"{document}#text-0", document, "text", 0, required_text(record, "body"), title=title
    )
    return Loaded(original_json(record, ("body",)), passages=(body,))


def load_fintextqa(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a question of FinTextQA: `question`, `answer`, `document` or `context`, `type`.

    The document (a text, or a list of them) becomes passages that all count as relevant.

    Raises:
        RecordFaultError: question or answer is missing, or a context is not text.
    """
    question_text, answer = required_text(record, "question"), required_text(record, "answer")
    name = next((name for name in ("context", "document", "documents") if record.get(name)), "")
    contexts = _texts(record, name) if name else []
    given_id = optional_text(record, "id", "_id")
    question_id = given_id or f"q-{hashed(question_text, answer, *contexts)}"
    document_id = f"d-{hashed(*contexts)}" if contexts else None
    question = Question(
        question_id,
        question_text,
        document_id=document_id,
        answers=(answer,),
        category=optional_text(record, "type", "question_type"),
    )
    passages = tuple(
        Passage(f"{document_id}#text-{place}", str(document_id), "text", place, words)
        for place, words in enumerate(contexts)
    )
    judgments = tuple(
        Judgment(question_id, f"{name}[{passage.position}]", "text", passage.passage_id)
        for passage in passages
    )
    return Loaded(original_json(record, (name,)), (question,), passages, judgments)


def load_financial_qa_10k(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a question of Financial-QA-10k: `question`, `answer`, `context`, `ticker`, `filing`.

    The context becomes a passage of the filing and counts as relevant. Its id is made of its
    words, for the set does not say where in the filing it stands (position 0), so that questions
    on one context share the passage.

    Raises:
        RecordFaultError: one of the five fields is missing.
    """
    question_text, answer = required_text(record, "question"), required_text(record, "answer")
    context = required_text(record, "context")
    document_id = f"{required_text(record, 'ticker')}_{required_text(record, 'filing')}"
    question_id = f"q-{hashed(document_id, question_text, answer, context)}"
    passage_id = f"{document_id}#text-{hashed(context)}"
    question = Question(question_id, question_text, document_id, answers=(answer,))
    passage = Passage(passage_id, document_id, "text", 0, context, title=document_id)
    judgment = Judgment(question_id, "context", "text", passage_id)
    return Loaded(original_json(record, ("context",)), (question,), (passage,), (judgment,))
