"""MultiHiertt: questions over several tables and the text of a report.

Source: github.com/psunlpgroup/MultiHiertt. Evidence is the place of a paragraph, or a cell as
`table-row-column`, all counted from 0. The original file has its tables as HTML.
"""

import re
from html.parser import HTMLParser

from finrag.records.fields import (
    Grid,
    Record,
    answer_texts,
    bad_field,
    missing_field,
    optional_text,
    original_json,
    required_grid,
    required_list,
    required_mapping,
    required_text,
    required_texts,
    whole_number,
)
from finrag.sources.benchmarks.records import Judgment, Loaded, Question, Source
from finrag.sources.benchmarks.tables import cell_id, table_passages, text_id, text_passages

_CELL = re.compile(r"([0-9]{1,6})-([0-9]{1,6})-([0-9]{1,6})")
_TABLE_MARK = re.compile(r"\s*## Table [0-9]+ ##\s*")
_MAX_SPAN = 1000


def load_multihiertt(record: Record, _source: Source) -> Loaded:
    """Load a question of MultiHiertt with its paragraphs and tables.

    A paragraph that only marks the place of a table becomes no passage.

    Args:
        record: `uid`, `paragraphs`, `tables` (HTML or rows of cells) and `qa`.
        _source: where it comes from.

    Raises:
        RecordFaultError: a field is lacking or of another kind, or evidence names a place that
            the record does not have.
    """
    uid = required_text(record, "uid")
    paragraphs = required_texts(record, "paragraphs")
    grids = [
        _grid(table, f"tables[{place}]")
        for place, table in enumerate(required_list(record, "tables"))
    ]
    qa = required_mapping(record, "qa")
    answers = answer_texts(qa.get("answer"))
    if not answers:
        raise missing_field("answer")
    question = Question(
        question_id=uid,
        question_text=required_text(qa, "question"),
        document_id=uid,
        answers=answers,
        answer_type=optional_text(qa, "question_type"),
        program=optional_text(qa, "program"),
    )
    texts = ["" if _TABLE_MARK.fullmatch(text) else text for text in paragraphs]
    return Loaded(
        original=original_json(record, ("paragraphs", "tables")),
        questions=(question,),
        passages=(*text_passages(uid, texts), *table_passages(uid, grids)),
        judgments=(
            *(_text_evidence(uid, place, texts) for place in required_list(qa, "text_evidence")),
            *(_cell_evidence(uid, place, grids) for place in required_list(qa, "table_evidence")),
        ),
    )


def _text_evidence(uid: str, place: object, texts: list[str]) -> Judgment:
    index = whole_number(place, "text_evidence")
    if index >= len(texts):
        raise bad_field("text_evidence", place, f"a place below {len(texts)}")
    return Judgment(uid, str(index), "text", passage_id=text_id(uid, index))


def _cell_evidence(uid: str, place: object, grids: list[Grid]) -> Judgment:
    match = _CELL.fullmatch(place) if isinstance(place, str) else None
    if match is None:
        raise bad_field("table_evidence", place, "a place such as 1-2-2")
    table, row, column = (int(part) for part in match.groups())
    if table >= len(grids) or row >= len(grids[table]) or column >= len(grids[table][row]):
        raise bad_field("table_evidence", place, "the place of a cell of the tables")
    return Judgment(uid, match[0], "cell", passage_id=cell_id(uid, table, row, column))


def _grid(table: object, name: str) -> Grid:
    if not isinstance(table, str):
        return required_grid(table, name)
    reader = _TableReader()
    reader.feed(table)
    reader.close()
    if not reader.rows:
        raise bad_field(name, table, "an HTML table with rows, or rows of cells")
    return reader.rows


class _TableReader(HTMLParser):
    """The rows of an HTML table; a cell over several columns leaves the further ones empty."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Grid = []
        self._span = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        if tag == "tr":
            self._close_cell()
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self._close_cell()
            span = dict(attrs).get("colspan") or "1"
            self._span = min(int(span), _MAX_SPAN) if span.isdecimal() else 1
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        if tag in ("td", "th", "tr", "table"):
            self._close_cell()

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self._span:
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {data}".split())

    def _close_cell(self) -> None:
        if self._span > 1:
            self.rows[-1] += [""] * (self._span - 1)
        self._span = 0
