"""What the parsers of the library find in the passages of many questions, read in one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from finrag.answers.extractive.asked import Asked
from finrag.answers.types import ROWED, SENTENCE, Passage
from finrag.atlases.causes import find_causes
from finrag.atlases.definitions import find_definitions
from finrag.atlases.enumerations import find_enumerations
from finrag.atlases.kpi import bind_kpis
from finrag.atlases.periods import find_periods
from finrag.text.measures import Measure, unshadowed
from finrag.text.words import MAX_READ_CHARACTERS, plain, readable, stems

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
# A page of a report has some 4,000 characters; of longer ones the beginning is read.
MAX_PASSAGE_CHARACTERS: Final = 20_000
_KINDS: Final = frozenset({"money", "percent", "per_share"})


@dataclass(frozen=True)
class Text:
    """One sentence, made ready.

    Attributes:
        passage: where it comes from; a page or a turn has several sentences.
        text: what of it is read: its beginning, encodable.
        lower: the same in lower case with plain apostrophes.
        stems: stems of its words.
        around: of a passage that is more than a sentence, stems of its title and of all its
            words; of a row or a table, of the title alone.
    """

    passage: Passage
    text: str
    lower: str
    stems: frozenset[str]
    around: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Findings:
    """Findings by the text of a sentence, and by measure or cause where it depends on one."""

    figures: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    definitions: Rows = field(default_factory=dict)
    periods: Rows = field(default_factory=dict)
    enumerations: Rows = field(default_factory=dict)
    attributions: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)


def prepare(context: Iterable[Passage], known: dict[str, Text]) -> list[Text]:
    """The sentences of a context, made ready; a text met before is not read again.

    Args:
        context: passages in any order; of a sentence given twice the first counts.
        known: texts read so far, added to.
    """
    texts = []
    seen: set[str] = set()
    for passage in context:
        if passage.sentence_id in seen:
            continue
        seen.add(passage.sentence_id)
        around = _around(passage)
        for text in _sentences(passage):
            same = known.get(text)
            if same is None:
                same = known[text] = Text(passage, text, plain(text), stems(text))
            texts.append(Text(passage, text, same.lower, same.stems, around))
    return texts


def _sentences(passage: Passage) -> list[str]:
    """What is read of a passage, sentence by sentence."""
    if passage.unit == SENTENCE:
        return [readable(passage.text[:MAX_READ_CHARACTERS])]
    text = readable(passage.text[:MAX_PASSAGE_CHARACTERS])
    if passage.unit in ROWED:
        return [line[:MAX_READ_CHARACTERS] for line in text.splitlines() if line.strip()]
    from finrag.text.sentences import split_spans

    return [text[start:end][:MAX_READ_CHARACTERS] for start, end in split_spans(text)]


def _around(passage: Passage) -> frozenset[str]:
    """What a sentence of a passage need not repeat, such as the company in the document's name."""
    if passage.unit == SENTENCE:
        return frozenset()
    title = readable(passage.tag).replace("_", " ")
    if passage.unit in ROWED:
        return stems(title)
    return stems(f"{title} {readable(passage.text[:MAX_PASSAGE_CHARACTERS])}")


def find_all(asked: Sequence[Asked], contexts: Sequence[Sequence[Text]]) -> Findings:
    """Run each parser once over the sentences of the questions that need it."""
    wanted: dict[str, dict[str, None]] = defaultdict(dict)
    measured: dict[tuple[str, str], None] = {}
    caused: dict[tuple[str, str], None] = {}
    measures: dict[str, Measure] = {}
    for question, context in zip(asked, contexts, strict=True):
        wanted[question.intent].update(dict.fromkeys(text.text for text in context))
        if question.measure is not None:
            measures[question.measure.label] = question.measure
            label = question.measure.label
            inside = [one.text for one in context if question.measure.is_in(one.lower)]
            measured.update({(text, label): None for text in inside})
        if question.cause:
            caused.update({(text.text, question.cause): None for text in context})
    return Findings(
        figures=_figures(measured, measures),
        definitions=_found(wanted["definition"], find_definitions),
        periods=_found(wanted["period"], find_periods),
        enumerations=_found(wanted["enumeration"], find_enumerations),
        attributions=_attributions(caused),
    )


def _texts_table(texts: Sequence[str]) -> pa.Table:
    return pa.table(
        {
            "text_hash": pa.array([f"{place:08d}" for place in range(len(texts))], pa.string()),
            "sentence_text": pa.array(texts, pa.string()),
        }
    )


def _found(texts: Iterable[str], find: Callable[[pa.Table], pa.Table]) -> Rows:
    ordered = sorted(texts)
    rows: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    if ordered:
        for row in find(_texts_table(ordered)).to_pylist():
            rows[ordered[int(row["text_hash"])]].append(row)
    return rows


def _figures(
    measured: Iterable[tuple[str, str]], measures: Mapping[str, Measure]
) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    pairs = sorted(pair for pair in measured if measures[pair[1]].kind in _KINDS)
    if not pairs:
        return {}
    patterns = pa.table(
        {
            "kpi_label": list(measures),
            "pattern": [measure.pattern for measure in measures.values()],
            "value_kind": [measure.kind for measure in measures.values()],
        }
    )
    read = [unshadowed(measures[label], text) for text, label in pairs]
    table = pa.table(
        {
            "text_hash": [f"{place:08d}" for place in range(len(pairs))],
            "sentence_text": read,
            "kpi_label": [label for _, label in pairs],
        }
    )
    found = {}
    for row in bind_kpis(table, patterns).to_pylist():
        place = int(row["text_hash"])
        found[pairs[place]] = _as_printed(row, read[place], pairs[place][0])
    return found


def _as_printed(row: Mapping[str, Any], read: str, text: str) -> Mapping[str, Any]:
    """A finding with its words as the sentence has them, where names had been blotted out."""
    if read == text:
        return row
    words = {name: value for name, value in row.items() if isinstance(value, str)}
    starts = {name: read.find(value) for name, value in words.items() if value not in text}
    printed = {
        name: text[start : start + len(words[name])] for name, start in starts.items() if start >= 0
    }
    return {**row, **printed}


def _attributions(
    caused: Iterable[tuple[str, str]],
) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    by_cause: dict[str, list[str]] = defaultdict(list)
    for text, cause in sorted(caused):
        by_cause[cause].append(text)
    found = {}
    for cause, texts in by_cause.items():
        topics = pa.table({"topic": ["cause"], "pattern": [cause]})
        for row in find_causes(_texts_table(texts), topics).to_pylist():
            found[texts[int(row["text_hash"])], cause] = row
    return found
