"""What a public benchmark holds, in one shape for all of them.

A raw record of a file (a line, a row, an entry of an array) becomes questions, the passages that
they can be answered from, judgments that say which passage is evidence, and answers and rankings
that some system gave: none, one or many of each. A loader is a function from the raw record to
`Loaded`.
"""

from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from finrag.records.columns import nullable
from finrag.records.rows import FOUND_FIELDS, Row
from finrag.sources.predictions.schema import PREDICTION_FIELDS

SPACES: Final = ("text", "table", "row", "cell", "page", "turn")


@dataclass(frozen=True)
class Question:
    """One question with its gold answer.

    Attributes:
        question_id: id in the benchmark, unique there; given by the file wherever it gives one.
        question_text: as it is asked, for a dialogue with `turn` the words of that turn.
        document_id: the context, page or filing it is asked of; null when it is open.
        answers: gold answers as text, each acceptable, or the parts of a list (`is_list`); empty
            where the set holds none back.
        is_list: `answers` are the parts of one answer.
        is_answerable: false where the set says that there is no answer.
        answer_type: the set's own word (`arithmetic`, `span`, `numeric` …), else null.
        scale: the set's own word (`thousand`, `percent` …), empty for none, null where unknown.
        program: gold program as the set writes it, else null.
        executed_answer: gold result of the program as JSON text (`0.2` or `"yes"`), else null.
        tolerance: relative tolerance that the set allows, else null.
        category, difficulty: the set's own words, else null.
        asks: of an attribution what is asked for, `speaker` or `role`; else null.
        dialogue_id, turn: the conversation and the 0-based place in it, else null.
    """

    question_id: str
    question_text: str
    document_id: str | None = None
    answers: tuple[str, ...] = ()
    is_list: bool = False
    is_answerable: bool = True
    answer_type: str | None = None
    scale: str | None = None
    program: str | None = None
    executed_answer: str | None = None
    tolerance: float | None = None
    category: str | None = None
    difficulty: str | None = None
    asks: str | None = None
    dialogue_id: str | None = None
    turn: int | None = None


@dataclass(frozen=True)
class Passage:
    """One unit that a retrieval system can return, or a cell of such a unit.

    Attributes:
        passage_id: unique in the benchmark: `<document_id>#text-3`, `#row-0-2` (table, row),
            `#cell-0-2-1` (table, row, column), `#page-59`, `#turn-7`.
        document_id: the context or filing it belongs to.
        space: one of `SPACES`.
        position: 0-based place among the units of its document and space.
        text: as written; a row with its column headings, as `heading: value; …`.
        parent_id: passage_id of the row of a cell, else null.
        table, row, column, page: 0-based places, null where they mean nothing.
        title: title of the document, else null.
        company: company that the document is of, else null.
        speaker, role: of a turn of a call, else null.
    """

    passage_id: str
    document_id: str
    space: str
    position: int
    text: str
    parent_id: str | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    page: int | None = None
    title: str | None = None
    company: str | None = None
    speaker: str | None = None
    role: str | None = None


@dataclass(frozen=True)
class Judgment:
    """Evidence of a question as the set names it.

    Attributes:
        question_id: the question.
        reference: the set's own words for the place, such as `table_2` or `1-2-2`.
        space: one of `SPACES`.
        passage_id: the passage it names, whether or not that passage was loaded; null where the
            set names a document and a page, or a document alone.
        document: name of the document for references by page, else null.
        page: 0-based page for references by page, else null.
        grade: relevance, 1 unless the set grades it; 0 or less is not relevant.
    """

    question_id: str
    reference: str
    space: str
    passage_id: str | None = None
    document: str | None = None
    page: int | None = None
    grade: int = 1


@dataclass(frozen=True)
class Loaded:
    """All that one raw record holds.

    Attributes:
        original: JSON text of the record's own fields, without those that became passages.
        predictions: answers, verdicts and rankings, each the name of its `system` and the fields
            of `finrag.sources.predictions.fields.parse_prediction`.
    """

    original: str
    questions: tuple[Question, ...] = ()
    passages: tuple[Passage, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    predictions: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Source:
    """Where a record comes from, for loaders that need to know.

    Attributes:
        benchmark: id of the set, such as `finqa`.
        file: path of the file as it is shown.
        number: 1-based line or place of the record in it.
    """

    benchmark: str
    file: str
    number: int


_QUESTION: Final = pa.struct(
    [
        *nullable(pa.string(), "question_id", "question_text", "document_id", "document_key"),
        ("answers", pa.list_(pa.string())),
        *nullable(pa.bool_(), "is_list", "is_answerable"),
        *nullable(pa.string(), "answer_type", "scale", "program", "executed_answer"),
        ("tolerance", pa.float64()),
        *nullable(pa.string(), "category", "difficulty", "asks", "dialogue_id"),
        ("turn", pa.int32()),
    ]
)
_PASSAGE: Final = pa.struct(
    [
        *nullable(pa.string(), "passage_id", "document_id", "document_key"),
        ("document_words", pa.list_(pa.string())),
        ("space", pa.string()),
        ("position", pa.int32()),
        *nullable(pa.string(), "text", "parent_id"),
        *nullable(pa.int32(), "table", "row", "column", "page"),
        *nullable(pa.string(), "title", "company", "speaker", "role"),
    ]
)
_JUDGMENT: Final = pa.struct(
    [
        *nullable(pa.string(), "question_id", "reference", "space", "passage_id"),
        *nullable(pa.string(), "document", "document_key"),
        ("document_words", pa.list_(pa.string())),
        *nullable(pa.int32(), "page", "grade"),
    ]
)
_PREDICTION: Final = pa.struct([("system", pa.string()), *PREDICTION_FIELDS])

# One row per raw record, good or bad; the lists are null in a quarantined one. ``document_key`` is
# the name of the document as names are compared, ``document_words`` the words of it: see
# `finrag.text.references`. Rankings are predictions too.
RECORD_SCHEMA: Final = pa.schema(
    [
        pa.field("benchmark", pa.string(), nullable=False),
        *FOUND_FIELDS,
        ("original", pa.string()),
        ("questions", pa.list_(_QUESTION)),
        ("passages", pa.list_(_PASSAGE)),
        ("judgments", pa.list_(_JUDGMENT)),
        ("predictions", pa.list_(_PREDICTION)),
    ]
)
