"""TAT-QA: questions over a table and the paragraphs around it.

Source: github.com/NExTplusplus/TAT-QA. The set names its paragraphs by their order, counted from
1. Which cells an answer comes from it says in `mappings`, where a file has them; elsewhere cells
are found by the numbers of the derivation or by the answer. The table as a whole is evidence only
where no cell is found.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from finrag.records.fields import (
    Grid,
    Record,
    answer_texts,
    bad_field,
    missing_field,
    optional_list,
    optional_text,
    original_json,
    required_grid,
    required_list,
    required_mapping,
    required_mappings,
    required_text,
    required_whole,
    whole_number,
)
from finrag.sources.benchmarks.records import Judgment, Loaded, Question, Source
from finrag.sources.benchmarks.tables import (
    cell_id,
    table_id,
    table_passages,
    text_id,
    text_passages,
)

_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+")
# A percentage, a mean and a rate of growth bring these numbers with them.
_FACTOR = re.compile(r"[*x×]\s*100\b|/\s*[2-9]\s*$|-\s*1\s*(?=\)|$)")
_PARAGRAPH = re.compile(r"paragraph_([0-9]{1,6})")
_LIST_TYPES: Final = ("multi-span",)

Place = tuple[int, int]


def load_tatqa(record: Record, _source: Source) -> Loaded:
    """Load a context of TAT-QA with all its questions.

    Args:
        record: `table` (`uid` and the rows under `table`), `paragraphs` and `questions`.
        _source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind, or evidence names a place that
            the context does not have.
    """
    table = required_mapping(record, "table")
    document_id = required_text(table, "uid")
    grid = required_grid(table.get("table"), "table.table")
    paragraphs = _paragraphs(required_mappings(record, "paragraphs"))
    asked = required_mappings(record, "questions")
    return Loaded(
        original=original_json(
            {name: value for name, value in record.items() if name != "paragraphs"}
            | {"table": {"uid": document_id}}
        ),
        questions=tuple(_question(each, document_id) for each in asked),
        passages=(
            *text_passages(document_id, list(paragraphs.values())),
            *table_passages(document_id, [grid]),
        ),
        judgments=tuple(
            judgment
            for each in asked
            for judgment in _evidence(each, document_id, grid, list(paragraphs))
        ),
    )


def _paragraphs(entries: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the paragraphs by their order, sorted by it."""
    texts = {required_whole(entry, "order"): optional_text(entry, "text") for entry in entries}
    if len(texts) < len(entries):
        raise bad_field("paragraphs", "an order that comes twice", "paragraphs of distinct order")
    return {order: texts[order] or "" for order in sorted(texts)}


def _question(entry: Mapping[str, Any], document_id: str) -> Question:
    kind = required_text(entry, "answer_type")
    answers = answer_texts(entry.get("answer"))
    if not answers:
        raise missing_field("answer")
    scale = entry.get("scale")
    if scale is not None and not isinstance(scale, str):
        raise bad_field("scale", scale, "a text")
    return Question(
        question_id=required_text(entry, "uid"),
        question_text=required_text(entry, "question"),
        document_id=document_id,
        answers=answers,
        is_list=kind in _LIST_TYPES,
        answer_type=kind,
        scale=scale,
        program=optional_text(entry, "derivation"),
        category=optional_text(entry, "answer_from"),
    )


def _evidence(
    entry: Mapping[str, Any], document_id: str, grid: Grid, orders: Sequence[int]
) -> Iterator[Judgment]:
    question_id = required_text(entry, "uid")
    for order in _named_paragraphs(entry):
        if order not in orders:
            raise bad_field("rel_paragraphs", order, "the order of one of the paragraphs")
        passage_id = text_id(document_id, orders.index(order))
        yield Judgment(question_id, f"paragraph {order}", "text", passage_id=passage_id)
    if "table" not in required_text(entry, "answer_from"):
        return
    stated = stated_cells(entry, grid)
    found = stated or find_cells(grid, sought_texts(entry))
    for row, column in found:
        words = "mappings" if stated else "derivation"
        yield Judgment(
            question_id,
            f"{words} [{row}, {column}]",
            "cell",
            passage_id=cell_id(document_id, 0, row, column),
        )
    # A context has one table, so that every search finds it: it stands in for cells only.
    if not found:
        yield Judgment(question_id, "table", "table", passage_id=table_id(document_id, 0))


def _named_paragraphs(entry: Mapping[str, Any]) -> list[int]:
    """Return the orders of the paragraphs that are evidence, each once."""
    named = required_list(entry, "rel_paragraphs")
    orders = [whole_number(order, "rel_paragraphs") for order in named]
    for mapping in _mappings(entry):
        for name in mapping:
            match = _PARAGRAPH.fullmatch(str(name))
            if match:
                orders.append(int(match[1]))
    return list(dict.fromkeys(orders))


def _mappings(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return required_mappings(entry, "mappings") if entry.get("mappings") is not None else []


def stated_cells(entry: Mapping[str, Any], grid: Grid) -> list[Place]:
    """Return the cells that the set itself names, each once."""
    places = []
    for mapping in _mappings(entry):
        place = optional_list(mapping, "table")
        if not place:
            continue
        if len(place) != 2:
            raise bad_field("mappings", place, "a row and a column")
        row, column = (whole_number(part, "mappings") for part in place)
        if row >= len(grid) or column >= len(grid[row]):
            raise bad_field("mappings", place, "the place of a cell of the table")
        places.append((row, column))
    return list(dict.fromkeys(places))


def sought_texts(entry: Mapping[str, Any]) -> list[str]:
    """Return the texts that the cells of an answer should hold."""
    derivation = optional_text(entry, "derivation")
    if derivation is None or entry.get("answer_type") not in ("arithmetic", "count"):
        return list(answer_texts(entry.get("answer")))
    if entry["answer_type"] == "count":
        return [part.strip() for part in derivation.split("##")]
    return [number[0] for number in _NUMBER.finditer(_FACTOR.sub(" ", derivation))]


def find_cells(grid: Grid, sought: Sequence[str]) -> list[Place]:
    """Return the cells that hold the sought texts, each once, in the order of the texts.

    A cell holds a text that it equals, without regard to case, blanks, currency, brackets and
    signs; where none does, a cell whose words contain it. A text that several cells hold stands in
    the one that shares a row with a cell already found, else a column, else in the first of them.
    A text that no cell holds gives none.

    Args:
        grid: rows of text cells.
        sought: numbers of a derivation, or the words of an answer.
    """
    candidates = [_holding(grid, text) for text in dict.fromkeys(sought)]
    sure = [places[0] for places in candidates if len(places) == 1]
    return list(dict.fromkeys(_nearest(places, sure) for places in candidates if places))


def _holding(grid: Grid, text: str) -> list[Place]:
    wanted = _plain(text)
    if not wanted:
        return []
    cells = [(r, c, cell) for r, row in enumerate(grid) for c, cell in enumerate(row)]
    equal = [(r, c) for r, c, cell in cells if _plain(cell) == wanted]
    if equal:
        return equal
    words = re.compile(rf"(?<!\w){re.escape(' '.join(text.lower().split()))}(?!\w|[.,][0-9])")
    return [(r, c) for r, c, cell in cells if words.search(" ".join(cell.lower().split()))]


def _nearest(places: Sequence[Place], sure: Sequence[Place]) -> Place:
    rows, columns = {row for row, _ in sure}, {column for _, column in sure}
    return min(places, key=lambda place: (place[0] not in rows, place[1] not in columns, place))


def _plain(text: str) -> str:
    """Return a number without its signs and separators, other text in lower case."""
    bare = re.sub(r"[\s$€£%(),\u2013\u2212-]", "", text.lower())
    try:
        return repr(abs(float(bare))) if _NUMBER.fullmatch(bare) else " ".join(text.lower().split())
    except ValueError:
        return bare
