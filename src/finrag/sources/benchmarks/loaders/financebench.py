"""FinanceBench: questions on filings, evidence by document and page, answers judged by people.

Source: github.com/patronus-ai/financebench. Pages of the evidence are counted from 0.
"""

from finrag.records.fields import (
    Record,
    answer_texts,
    missing_field,
    optional_text,
    original_json,
    required_mappings,
    required_text,
    required_whole,
)
from finrag.sources.benchmarks.loaders.predictions import prediction_row
from finrag.sources.benchmarks.records import (
    Judgment,
    Loaded,
    Passage,
    Question,
    Source,
)
from finrag.sources.benchmarks.tables import page_id


def load_financebench(record: Record, _source: Source) -> Loaded:
    """Load a question of FinanceBench with the pages that hold its evidence.

    Args:
        record: `financebench_id`, `question`, `answer`, `doc_name`, `evidence`; an entry of
            `evidence` has `evidence_page_num` and mostly its own `doc_name`.
        _source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind.
    """
    question_id = required_text(record, "financebench_id")
    document_id = required_text(record, "doc_name")
    answers = answer_texts(record.get("answer"))
    if not answers:
        raise missing_field("answer")
    question = Question(
        question_id=question_id,
        question_text=required_text(record, "question"),
        document_id=document_id,
        answers=answers,
        answer_type=optional_text(record, "question_reasoning"),
        category=optional_text(record, "question_type"),
    )
    # Two quotes of one page are one reference.
    pages = {
        (
            optional_text(entry, "doc_name", "evidence_doc_name") or document_id,
            required_whole(entry, "evidence_page_num"),
        ): None
        for entry in required_mappings(record, "evidence")
    }
    return Loaded(
        original=original_json(record),
        questions=(question,),
        judgments=tuple(_page(question_id, name, page) for name, page in pages),
    )


def _page(question_id: str, document: str, page: int) -> Judgment:
    return Judgment(
        question_id=question_id,
        reference=f"{document}, evidence_page_num {page}",
        space="page",
        passage_id=page_id(document, page),
        document=document,
        page=page,
    )


def load_financebench_documents(record: Record, _source: Source) -> Loaded:
    """Load a row of the list of filings, of which only the original fields are stored.

    Raises:
        RecordFaultError: the filing has no name.
    """
    required_text(record, "doc_name")
    return Loaded(original=original_json(record))


def load_page_table(record: Record, _source: Source) -> Loaded:
    """Load a page of a filing from a table with one row per page.

    Args:
        record: `text`; `doc_name` or `file`; `page_num`, counted from 0, or `page`, from 1;
            perhaps `company`.
        _source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind; a page without words is none.
    """
    document_id = required_text(record, "doc_name", "file", "document")
    if record.get("page_num") is None and record.get("page") is None:
        raise missing_field("page_num", "page")
    if record.get("page_num") is not None:
        page = required_whole(record, "page_num")
    else:
        page = required_whole(record, "page", least=1) - 1
    if "text" not in record:
        raise missing_field("text")
    passage = Passage(
        passage_id=page_id(document_id, page),
        document_id=document_id,
        space="page",
        position=page,
        text=optional_text(record, "text") or "",
        page=page,
        title=document_id,
        company=optional_text(record, "company"),
    )
    return Loaded(original=original_json(record, ("text",)), passages=(passage,))


def load_financebench_answers(record: Record, source: Source) -> Loaded:
    """Load an answer of a system to a question of FinanceBench with the verdict of a person.

    Args:
        record: `financebench_id`, `model_name`, `eval_mode`, `model_answer`, `label`.
        source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind.
    """
    if "model_answer" not in record:
        raise missing_field("model_answer")
    own = {
        "question_id": required_text(record, "financebench_id"),
        "system": required_text(record, "model_name"),
        "configuration": required_text(record, "eval_mode"),
        "answer": record["model_answer"],
        "label": required_text(record, "label"),
        "label_by": "human",
    }
    return Loaded(original=original_json(record), predictions=(prediction_row(own, source),))
