"""Corpora and questions of A-RAG: `chunks.json` and `questions.json` in a folder of the set."""

from typing import Final

from finrag.records.fields import (
    Record,
    answer_texts,
    optional_text,
    original_json,
    required_text,
    truth,
)
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.sources.benchmarks.loaders.places import own_id, space_of
from finrag.sources.benchmarks.records import Judgment, Loaded, Passage, Question, Source

# The field of an entry that is plain text.
ENTRY: Final = "entry"
_EVIDENCE: Final = "evidence_chunk_ids"


def load_arag_chunk(record: Record, source: Source) -> Loaded:
    """Load an entry of `chunks.json`: the text `id:text`, or an object with `id` and `text`.

    The id ends at the first colon. What stands before a `#` in it is the document, as in files
    that this project writes; another chunk is a document of its own.

    Raises:
        RecordFaultError: there is no id, or no text.
    """
    if ENTRY in record:
        chunk_id, colon, text = str(record[ENTRY]).partition(":")
        if not colon or not chunk_id.strip() or not text.strip():
            reason = f"the entry is {shown(record[ENTRY])}, expected an id, a colon and a text"
            raise RecordFaultError("bad_chunk", reason, 'write each chunk as "id:text"')
    else:
        chunk_id, text = required_text(record, "id", "chunk_id"), required_text(record, "text")
    chunk_id = chunk_id.strip()
    document_id = chunk_id.rpartition("#")[0] or chunk_id
    space = space_of(chunk_id)
    position = source.number - 1
    passage = Passage(chunk_id, document_id, space, position, text.strip())
    return Loaded(original_json(record, (ENTRY, "text")), passages=(passage,))


def load_arag_question(record: Record, source: Source) -> Loaded:
    """Load an entry of `questions.json`.

    Fields: `id` or `qid`, `question`, `answer` or `gold_answer` (a text, or a list of texts that
    are each right; blank where the set holds it back), `question_type`. Files that this project
    writes have three more, which A-RAG passes over: `document_id`, `is_answerable` and
    `evidence_chunk_ids`.

    Raises:
        RecordFaultError: id or question is missing, or a field is of a wrong kind.
    """
    question_id = own_id(required_text(record, "id", "qid"), source)
    given = next(
        (record[name] for name in ("answer", "gold_answer") if not is_missing(record.get(name))),
        None,
    )
    question = Question(
        question_id,
        required_text(record, "question"),
        document_id=optional_text(record, "document_id"),
        answers=answer_texts(given),
        is_answerable=truth(record, "is_answerable") is not False,
        category=optional_text(record, "question_type"),
    )
    chunks = answer_texts(record.get(_EVIDENCE), _EVIDENCE)
    judgments = tuple(Judgment(question_id, one, space_of(one), one) for one in chunks)
    return Loaded(original_json(record), (question,), judgments=judgments)
