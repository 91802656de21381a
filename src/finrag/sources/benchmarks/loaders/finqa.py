"""FinQA, ConvFinQA and DocFinQA: reports of companies with a program as gold answer.

Sources: github.com/czyssrs/FinQA, github.com/czyssrs/ConvFinQA and the paper of DocFinQA
(arXiv 2401.06915). Evidence of FinQA is named `text_i`, a sentence of `pre_text` followed by
`post_text`, or `table_i`, a row of the table with the heading as row 0.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from finrag.records.fields import (
    Grid,
    Record,
    answer_texts,
    as_json,
    bad_field,
    missing_field,
    optional_text,
    original_json,
    parallel,
    required_grid,
    required_list,
    required_mapping,
    required_text,
    required_texts,
    required_whole,
    value_text,
)
from finrag.sources.benchmarks.records import Judgment, Loaded, Passage, Question, Source
from finrag.sources.benchmarks.tables import row_id, table_passages, text_id, text_passages

_PLACE = re.compile(r"(text|table)_([0-9]{1,6})")
_NUMBER_OF_QUESTION = re.compile(r"-[0-9]+$")
_KIND_OF_DIALOGUE = re.compile(r"^(?:Single|Double)_")
# The cleaned form joins the sentences of a context, each of which ends in a stop of its own.
_SENTENCE_END = re.compile(r"(?<=[ ][.?!])[ ]+")
_CONTEXT_FIELDS: Final = ("pre_text", "post_text", "table")
_PASSAGE_CHARS: Final = 1500


def load_finqa(record: Record, _source: Source) -> Loaded:
    """Load a row of FinQA in its original nesting, or in the flat one without evidence.

    Args:
        record: with `qa`, or with `question`, `answer` and `program` beside the context.
        _source: where the row comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind.
    """
    question_id = required_text(record, "id")
    document_id = optional_text(record, "filename") or _NUMBER_OF_QUESTION.sub("", question_id)
    passages = _context(record, document_id)
    if "qa" in record:
        question, judgments = _original(required_mapping(record, "qa"), question_id, document_id)
    else:
        question, judgments = _simplified(record, question_id, document_id), []
    return Loaded(
        original=original_json(record, _CONTEXT_FIELDS),
        questions=(question,),
        passages=tuple(passages),
        judgments=tuple(judgments),
    )


def _context(record: Record, document_id: str) -> list[Passage]:
    texts = [*required_texts(record, "pre_text"), *required_texts(record, "post_text")]
    grid = required_grid(record.get("table"), "table")
    return [
        *text_passages(document_id, texts),
        *table_passages(document_id, [grid], n_headings=1),
    ]


def _original(
    qa: Mapping[str, Any], question_id: str, document_id: str
) -> tuple[Question, list[Judgment]]:
    if qa.get("exe_ans") is None:
        raise missing_field("exe_ans")
    question = Question(
        question_id=question_id,
        question_text=required_text(qa, "question"),
        document_id=document_id,
        # A few answers are blank in the set; the result of the program stands in for them.
        answers=answer_texts(qa.get("answer")) or answer_texts(qa["exe_ans"]),
        program=required_text(qa, "program"),
        executed_answer=_executed(qa["exe_ans"], "exe_ans"),
    )
    return question, _evidence(required_mapping(qa, "gold_inds"), question_id, document_id)


def _simplified(record: Record, question_id: str, document_id: str) -> Question:
    if record.get("question") is None:
        raise missing_field("qa", "question")
    if record.get("answer") is None:
        raise missing_field("answer")
    return Question(
        question_id=question_id,
        question_text=required_text(record, "question"),
        document_id=document_id,
        answers=answer_texts(record["answer"]),
        program=required_text(record, "program"),
        executed_answer=_executed(record["answer"], "answer"),
    )


def _executed(value: object, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise bad_field(name, value, "a number or a word")
    return as_json(value)


def _evidence(places: Mapping[str, Any], question_id: str, document_id: str) -> list[Judgment]:
    """Return the evidence that `text_i` and `table_i` name."""
    judgments = []
    for place in places:
        match = _PLACE.fullmatch(place)
        if match is None:
            raise bad_field("gold_inds", place, "places such as text_3 or table_2")
        kind, index = match[1], int(match[2])
        is_text = kind == "text"
        judgments.append(
            Judgment(
                question_id=question_id,
                reference=place,
                space="text" if is_text else "row",
                passage_id=text_id(document_id, index)
                if is_text
                else row_id(document_id, 0, index),
            )
        )
    return judgments


def load_convfinqa(record: Record, _source: Source) -> Loaded:
    """Load a conversation of ConvFinQA, one question per turn.

    Three forms are known: the cleaned one (`doc` and `dialogue`), the original one of whole
    conversations, and the original one of single turns (`annotation` with `cur_dial`). The private
    test set has no answers; its questions have none either.

    Args:
        record: one conversation, or one turn of it.
        _source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind.
    """
    dialogue_id = required_text(record, "id")
    if "dialogue" in record or "doc" in record:
        return _cleaned_dialogue(record, dialogue_id)
    annotation = required_mapping(record, "annotation")
    if "cur_dial" in annotation:
        return _single_turn(record, annotation, dialogue_id)
    return _original_dialogue(record, annotation, dialogue_id)


def _dialogue_document(record: Record, dialogue_id: str) -> str:
    without = _NUMBER_OF_QUESTION.sub("", _KIND_OF_DIALOGUE.sub("", dialogue_id))
    return optional_text(record, "filename") or without


def _cleaned_dialogue(record: Record, dialogue_id: str) -> Loaded:
    document_id = _dialogue_document(record, dialogue_id)
    doc, dialogue = required_mapping(record, "doc"), required_mapping(record, "dialogue")
    texts = [
        *_SENTENCE_END.split(optional_text(doc, "pre_text") or ""),
        *_SENTENCE_END.split(optional_text(doc, "post_text") or ""),
    ]
    grid = _grid_of_columns(required_mapping(doc, "table"))
    words = [text for text in texts if text.strip()]
    questions = _turns(
        dialogue_id,
        document_id,
        required_texts(dialogue, "conv_questions"),
        answers=required_list(dialogue, "conv_answers"),
        programs=required_texts(dialogue, "turn_program"),
        executed=required_list(dialogue, "executed_answers"),
    )
    return Loaded(
        original=original_json(record, ("doc",)),
        questions=tuple(questions),
        passages=(
            *text_passages(document_id, words),
            *table_passages(document_id, [grid], n_headings=1),
        ),
    )


def _grid_of_columns(columns: Mapping[str, Any]) -> Grid:
    """Return a table given as `{column: {row: value}}` as rows of cells, the headings first."""
    labels: dict[str, None] = {}
    for name, column in columns.items():
        if not isinstance(column, Mapping):
            raise bad_field(f"table.{name}", column, "an object from row to value")
        labels.update(dict.fromkeys(column))
    rows = [["", *columns]]
    for label in labels:
        cells = (column.get(label) for column in columns.values())
        rows.append([label, *("" if cell is None else value_text(cell) for cell in cells)])
    return rows


def _original_dialogue(record: Record, annotation: Mapping[str, Any], dialogue_id: str) -> Loaded:
    document_id = _dialogue_document(record, dialogue_id)
    texts = required_texts(annotation, "dialogue_break")
    questions = _turns(
        dialogue_id,
        document_id,
        texts,
        answers=annotation.get("exe_ans_list"),
        programs=annotation.get("turn_program"),
        executed=annotation.get("exe_ans_list"),
    )
    splits = parallel(annotation.get("qa_split"), len(texts), "qa_split")
    judgments = [
        judgment
        for question, split in zip(questions, splits, strict=True)
        for judgment in _turn_evidence(record, question, split, document_id)
    ]
    return Loaded(
        original=original_json(record, _CONTEXT_FIELDS),
        questions=tuple(questions),
        passages=tuple(_context(record, document_id)),
        judgments=tuple(judgments),
    )


def _turn_evidence(
    record: Record, question: Question, split: object, document_id: str
) -> list[Judgment]:
    """Return the evidence of the FinQA question that a turn was taken from, where it is given."""
    name = "qa" if "qa" in record else f"qa_{int(bool(split))}"
    if record.get(name) is None:
        return []
    places = required_mapping(record, name).get("gold_inds") or {}
    return _evidence(places, question.question_id, document_id)


def _single_turn(record: Record, annotation: Mapping[str, Any], turn_id: str) -> Loaded:
    turn = required_whole(annotation, "turn_ind")
    dialogue_id = turn_id.removesuffix(f"_{turn}")
    document_id = _dialogue_document(record, dialogue_id)
    asked = required_texts(annotation, "cur_dial")
    if not asked:
        raise bad_field("cur_dial", asked, "the questions up to this one")
    executed = annotation.get("exe_ans")
    question = _turn(
        dialogue_id,
        document_id,
        turn,
        asked[-1],
        (executed, optional_text(annotation, "cur_program"), executed),
    )
    places = annotation.get("gold_ind") or {}
    if not isinstance(places, Mapping):
        raise bad_field("gold_ind", places, "an object")
    return Loaded(
        original=original_json(record, _CONTEXT_FIELDS),
        questions=(question,),
        passages=tuple(_context(record, document_id)),
        judgments=tuple(_evidence(places, question.question_id, document_id)),
    )


def _turns(
    dialogue_id: str,
    document_id: str,
    texts: Sequence[str],
    *,
    answers: Sequence[Any] | None,
    programs: Sequence[Any] | None,
    executed: Sequence[Any] | None,
) -> list[Question]:
    if not texts:
        raise bad_field("the conversation", texts, "at least one question")
    golds = zip(
        parallel(answers, len(texts), "the answers"),
        parallel(programs, len(texts), "turn_program"),
        parallel(executed, len(texts), "the executed answers"),
        strict=True,
    )
    return [
        _turn(dialogue_id, document_id, turn, text, gold)
        for turn, (text, gold) in enumerate(zip(texts, golds, strict=True))
    ]


def _turn(
    dialogue_id: str, document_id: str, turn: int, text: str, gold: tuple[Any, Any, Any]
) -> Question:
    answer, program, executed = gold
    if not text.strip():
        raise missing_field(f"text of question {turn + 1}")
    return Question(
        question_id=f"{dialogue_id}#{turn}",
        question_text=text.strip(),
        document_id=document_id,
        answers=answer_texts(answer) or answer_texts(executed),
        program=optional_text({"turn_program": program}, "turn_program"),
        executed_answer=None if executed is None else _executed(executed, "executed answer"),
        dialogue_id=dialogue_id,
        turn=turn,
    )


def load_docfinqa(record: Record, source: Source) -> Loaded:
    """Load a question of DocFinQA with the whole report it is asked of.

    The set gives no ids: a question is named after its file and place, a report after its text.
    The program is Python; it is stored as text and never run.

    Args:
        record: `Context`, `Question`, `Program`, `Answer`, in any case.
        source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind.
    """
    fields = {str(name).lower(): value for name, value in record.items()}
    context = required_text(fields, "context")
    answers = answer_texts(fields.get("answer"))
    if not answers:
        raise missing_field("Answer")
    document_id = f"docfinqa-{hashlib.sha256(context.encode()).hexdigest()[:16]}"
    question = Question(
        question_id=f"{source.file.rsplit('/', 1)[-1].split('.', 1)[0]}-{source.number}",
        question_text=required_text(fields, "question"),
        document_id=document_id,
        answers=answers,
        program=optional_text(fields, "program"),
    )
    given = {str(name): value for name, value in record.items()}
    return Loaded(
        original=original_json(given, [name for name in given if name.lower() == "context"]),
        questions=(question,),
        passages=tuple(text_passages(document_id, split_passages(context))),
    )


def split_passages(text: str, most: int = _PASSAGE_CHARS) -> list[str]:
    """Split a report into passages of a bounded size, at paragraphs wherever that is possible.

    Args:
        text: the report; a paragraph ends at a blank line.
        most: largest number of characters of a passage; a longer paragraph is cut between lines,
            a longer line between words, a longer word where the limit is.

    Returns:
        The passages in order; no word of the text is lost.
    """
    paragraphs = (part.strip() for part in re.split(r"\n\s*\n", text))
    pieces = [piece for part in paragraphs if part for piece in _pieces(part, most, "\n ")]
    return _packed(pieces, "\n", most)


def _pieces(text: str, most: int, separators: str) -> list[str]:
    """Return a text in pieces of a bounded size, cut at the first separator that is enough."""
    if len(text) <= most:
        return [text]
    if not separators:
        return [text[at : at + most] for at in range(0, len(text), most)]
    parts = (part.strip() for part in text.split(separators[0]))
    pieces = [piece for part in parts if part for piece in _pieces(part, most, separators[1:])]
    return _packed(pieces, separators[0], most)


def _packed(pieces: Sequence[str], glue: str, most: int) -> list[str]:
    """Return pieces glued together as long as they fit."""
    packed: list[str] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(glue) + len(piece) <= most:
            packed[-1] += glue + piece
        else:
            packed.append(piece)
    return packed
