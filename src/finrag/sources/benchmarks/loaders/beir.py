"""Folders in BEIR's layout: a corpus, queries, and judgments as qrels."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from finrag.records.fields import optional_text, original_json, required_text
from finrag.records.files import RecordFaultError
from finrag.records.identity import shown
from finrag.sources.benchmarks.loaders.places import own_id, space_of
from finrag.sources.benchmarks.records import Judgment, Loaded, Passage, Question, Source

_ADVICE = "write query_id, corpus_id and score, or the four fields of TREC, with tabs between"


def load_beir(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load a line of a corpus or of queries: `_id`, `title`, `text`.

    The name of the file tells which one it is: `corpus.jsonl` (`finqa_corpus.jsonl` too) or
    `queries.jsonl`, packed or not.
    A passage keeps the corpus id as its own, for that is what qrels and runs name. Its text is
    title and text, as the evaluators of such sets search them.

    Raises:
        RecordFaultError: there is no `_id`, or neither text nor title (a query needs text).
    """
    record_id = required_text(record, "_id", "id")
    if _is_corpus(source):
        title = optional_text(record, "title")
        text = optional_text(record, "text")
        words = "\n".join(one for one in (title, text) if one) or required_text(record, "text")
        passage = Passage(record_id, record_id, "text", 0, words, title=title)
        return Loaded(
            original_json(record, ("title", "text")),
            passages=(passage,),
        )
    question = Question(own_id(record_id, source), required_text(record, "text"))
    return Loaded(original_json(record), questions=(question,))


def _is_corpus(source: Source) -> bool:
    name = PurePosixPath(source.file.replace("\\", "/")).name
    return name.partition(".")[0].lower().endswith("corpus")


def load_qrels(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load a judgment: a row of qrels as BEIR or as TREC writes them.

    Rows of a file with a header come by its names (`query_id` or `query-id`, `corpus_id`,
    `score`), others as `column_1`, `column_2` …: three columns are query, document and grade; four
    have TREC's iteration, which means nothing, between query and document. A single column is
    split at white space, as TREC's own files are.

    Runs (`*.run`, ranked passages) are no gold: `finrag.sources.benchmarks.loaders.rankings` reads
    them.

    Raises:
        RecordFaultError: an id is missing, there are too few or many columns, or the grade is no
            whole number.
    """
    query, document, score = _cells(record)
    named = {"query_id": query, "corpus_id": document}
    question_id = own_id(required_text(named, "query_id"), source)
    passage_id = required_text(named, "corpus_id")
    space = space_of(passage_id)
    judgment = Judgment(question_id, passage_id, space, passage_id, grade=_grade(score))
    return Loaded(original_json(record), judgments=(judgment,))


def _cells(record: Mapping[str, Any]) -> tuple[object, object, object]:
    named = {str(name).strip().lower().replace("-", "_"): cell for name, cell in record.items()}
    if "query_id" in named or "corpus_id" in named:
        return named.get("query_id"), named.get("corpus_id"), named.get("score")
    cells = [named.get(f"column_{place}") for place in range(1, len(named) + 1)]
    if len(cells) == 1:
        cells = list(str(cells[0] or "").split())
    if len(cells) == 4:
        del cells[1]
    if len(cells) != 3:
        reason = f"the row has {len(cells)} columns, qrels have three or four"
        raise RecordFaultError("bad_qrels_row", reason, _ADVICE)
    return cells[0], cells[1], cells[2]


def _grade(score: object) -> int:
    try:
        number = float(str(score).strip())
        grade = int(number)
    except (ValueError, OverflowError):
        number, grade = 0.5, 0
    if number != grade or abs(grade) > 2**31 - 1:
        reason = f"the score is {shown(score)}, expected a whole number"
        raise RecordFaultError(
            "bad_score", reason, "write the grade as a whole number; 0 is not relevant"
        )
    return grade
