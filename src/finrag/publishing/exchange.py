"""Gold sets of a warehouse as files for trec_eval and A-RAG, and the transcripts of agents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.agents.chunked import chunk_pools
from finrag.agents.directory import Directory
from finrag.publishing.trec import QRELS_SCHEMA, RUN_SCHEMA, write_qrels, write_run
from finrag.records.writing import replacing
from finrag.retrieval.pools import SET_UNITS, open_set
from finrag.retrieval.queries import FILINGS
from finrag.warehouse import Row, Warehouse, open_warehouse

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_WHITE_SPACE: Final = re.compile(r"\s+")
_NO_WORD: Final = re.compile(r"[^A-Za-z0-9_.-]+")

_ITEMS_WITH_GOLD: Final = """
select judgments.item_id as question_id, passages.unit as space, judgments.passage_id,
    max(judgments.grade) as grade
from gold.judgments
inner join sentences.passages on judgments.passage_id = passages.passage_id
where judgments.gold_set = $1 and judgments.evidence_kind = 'text'
group by judgments.item_id, passages.unit, judgments.passage_id
order by space, question_id, passage_id
"""

_RANKED: Final = """
select
    system_id, item_id as question_id, unit as space, passage_id,
    coalesce(score, 1.0 / rank) as score
from retrieval.rankings
where gold_set = $1
order by space, system_id, question_id, passage_id
"""


_QUESTIONS: Final = """
select items.item_id, items.gold_set, items.corpus_id, items.question_text, items.document_id,
    item_answers.answer_text, item_answers.answers, item_answers.is_answerable,
    item_answers.category
from gold.items
inner join gold.item_answers on items.item_id = item_answers.item_id
where items.gold_set = $1 and items.item_kind = 'question'
order by items.item_id
"""

_JUDGED: Final = """
select item_id, passage_id
from gold.judgments
where gold_set = $1 and grade > 0 and not is_topic
order by item_id, evidence_id, passage_id
"""

_CHUNKS: Final = """
select chunks.chunk_id, chunks.chunk_text as text,
    list(sentences.sentence_id order by sentences.sentence_pos) as passage_ids
from sentences.chunks
inner join sentences.sentences
    on chunks.section_id = sentences.section_id
    and sentences.sentence_pos between chunks.first_sentence_pos
    and chunks.first_sentence_pos + chunks.n_sentences - 1
group by chunks.chunk_id, chunks.chunk_text
order by chunks.chunk_id
"""

_PASSAGES: Final = """
select passage_id, document_id, unit, position, passage_text
from sentences.passages
where corpus_id = $1 and is_rankable
order by passage_id
"""

_STEPS: Final = """
select agent_steps.* exclude (agent_step_id, run_id, gold_set), items.question_text
from retrieval.agent_steps
inner join gold.items on agent_steps.item_id = items.item_id
where agent_steps.gold_set = $1
order by agent_steps.system_id, agent_steps.item_id, agent_steps.turn_pos, agent_steps.call_pos
"""

_ANSWERS: Final = """
select system_id, item_id, outcome, failure, answer_text, numeric_value, unit
from answers.answers
where gold_set = $1 and outcome <> 'not_run'
order by system_id, item_id
"""

_CITED: Final = """
select system_id, item_id, coalesce(passage_id, named) as named, quote
from answers.answer_citations
where gold_set = $1
order by system_id, item_id, citation_pos
"""

_RANKED_IN_ORDER: Final = """
select system_id, item_id, passage_id, score
from retrieval.rankings
where gold_set = $1
order by system_id, item_id, unit, rank
"""


def write_gold_set(database: Path, gold_set: str, folder: Path) -> list[Path]:
    """Write the judgments and rankings of one gold set, each kind of unit for itself.

    Args:
        database: the warehouse file.
        gold_set: p1, p2, p3 or a benchmark.
        folder: made if need be. `<set>.<space>.qrels` and `<set>.<space>.<system>.run` are
            written there; the space of p1, p2 and p3 is `sentence`. Units that stand for an
            evidence more than once have its highest grade. White space in ids and other characters
            in the name of a system become `_`; a ranking without scores gets 1 / rank for one.

    Returns:
        The files, qrels first.

    Raises:
        ValueError: the warehouse cannot be read, holds no such set, a name in it cannot be part
            of a file's name, or two systems would have the same name there.
    """
    with open_warehouse(database) as warehouse:
        gold = _by_space(warehouse, _ITEMS_WITH_GOLD, gold_set)
        ranked = _by_space(warehouse, _RANKED, gold_set)
    if not gold:
        raise ValueError(
            f"the warehouse has no judgments of '{gold_set}'; give p1, p2, p3 or a benchmark that "
            "`finrag benchmarks` lists as loaded"
        )
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for space, rows in gold.items():
        written.append(_target(folder, gold_set, space, "qrels"))
        write_qrels(_table(rows, QRELS_SCHEMA), written[-1])
    for space, rows in ranked.items():
        by_system = _grouped(rows, "system_id")
        for system, tag in _tags(by_system).items():
            written.append(_target(folder, gold_set, space, tag, "run"))
            write_run(_table(by_system[system], RUN_SCHEMA), written[-1], tag)
    return written


def write_arag(database: Path, gold_set: str, folder: Path, state_dir: str) -> list[Path]:
    """Write one gold set as A-RAG reads it, and as a folder that a build reads again.

    A chunk of the filings is one of the door `chunks`; of a public set one that the tools of
    agents show, see `finrag.agents.chunked.chunk_pools`. The evidence of a question are the chunks
    that hold one of its judged passages.

    Args:
        database: the warehouse file.
        gold_set: p3 or a public set with passages.
        folder: made if need be. `chunks.json`, a list of `id:text`, and `questions.json` are
            replaced there. The set in front of an id is left out, and a colon in it becomes `_`.
        state_dir: of the build.

    Returns:
        The two files, the chunks first.

    Raises:
        ValueError: the warehouse cannot be read, holds no questions or no passages of the set, or
            two chunks would have one id.
    """
    with open_warehouse(database) as warehouse:
        questions = warehouse.rows(_QUESTIONS, [gold_set])
        if not questions:
            raise ValueError(
                f"the warehouse has no questions of '{gold_set}'; give p3 or a benchmark that "
                "`finrag benchmarks` lists as loaded"
            )
        corpus_id = questions[0]["corpus_id"]
        chunks = _chunks_of(warehouse, corpus_id, state_dir)
        judged = warehouse.rows(_JUDGED, [gold_set])
    if not chunks:
        raise ValueError(f"the warehouse has no passages of '{gold_set}'; load them and build")
    names = _chunk_names([one["chunk_id"] for one in chunks], corpus_id)
    holding: dict[str, list[str]] = {}
    for one in chunks:
        for passage_id in one["passage_ids"]:
            holding.setdefault(passage_id, []).append(names[one["chunk_id"]])
    evidence: dict[str, dict[str, None]] = {}
    for row in judged:
        found = evidence.setdefault(row["item_id"], {})
        found.update(dict.fromkeys(holding.get(row["passage_id"], ())))
    folder.mkdir(parents=True, exist_ok=True)
    written = {
        "chunks.json": [f"{names[one['chunk_id']]}:{one['text']}" for one in chunks],
        "questions.json": [
            _question(row, corpus_id, list(evidence.get(row["item_id"], ()))) for row in questions
        ],
    }
    for name, entries in written.items():
        with replacing(folder / name) as hidden:
            hidden.write_text(json.dumps(entries, ensure_ascii=False, indent=1), "utf-8")
    return [folder / name for name in written]


def write_transcripts(database: Path, gold_set: str, folder: Path) -> list[Path]:
    """Write the transcripts of every agent that was asked the questions of a gold set.

    A line has the question, the answer with what it cites, the ranking, and `steps`: what a system
    of the kind `external_file` and an agent with the policy replay read.

    Args:
        database: the warehouse file.
        gold_set: p3, p3_tables or a public set.
        folder: made if need be; `<set>.<system>.jsonl` is replaced there.

    Returns:
        The files, by system.

    Raises:
        ValueError: the warehouse cannot be read, or holds no steps of the set.
    """
    with open_warehouse(database) as warehouse:
        steps = _grouped(warehouse.rows(_STEPS, [gold_set]), "system_id")
        said = _by_item(warehouse.rows(_ANSWERS, [gold_set]))
        cited = _by_item(warehouse.rows(_CITED, [gold_set]))
        ranked = _by_item(warehouse.rows(_RANKED_IN_ORDER, [gold_set]))
    if not steps:
        raise ValueError(
            f"the warehouse has no steps of an agent for '{gold_set}'; enable an agent and build"
        )
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for system, tag in _tags(steps).items():
        written.append(_target(folder, gold_set, tag, "jsonl"))
        lines = []
        for item_id, own in sorted(_grouped(steps[system], "item_id").items()):
            key = system, item_id
            record = {
                "item_id": item_id,
                "question": own[0]["question_text"],
                **_answered(said.get(key, []), cited.get(key, [])),
                "ranking": [_without(one, "system_id", "item_id") for one in ranked.get(key, [])],
                "steps": [_without(one, "system_id", "item_id", "question_text") for one in own],
            }
            lines.append(f"{json.dumps(record, ensure_ascii=False, default=str)}\n")
        with replacing(written[-1]) as hidden:
            hidden.write_text("".join(lines), "utf-8")
    return written


def _answered(said: list[Row], cited: list[Row]) -> Row:
    """The fields of an answer as `external_file` reads them; none where none was expected."""
    if not said:
        return {}
    (answer,) = said
    return {
        "answer": answer["answer_text"],
        "numeric_value": answer["numeric_value"],
        "unit": answer["unit"],
        "abstained": answer["outcome"] == "abstained",
        "failure": answer["failure"],
        "citations": [{"passage_id": one["named"], "quote": one["quote"]} for one in cited],
    }


def _by_item(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["system_id"], row["item_id"]), []).append(row)
    return groups


def _without(row: Row, *names: str) -> Row:
    return {name: value for name, value in row.items() if name not in names}


def _chunks_of(warehouse: Warehouse, corpus_id: str, state_dir: str) -> list[Row]:
    """Id, text and passages of the chunks of a corpus."""
    if corpus_id == FILINGS:
        return warehouse.rows(_CHUNKS)
    passages = warehouse.table(_PASSAGES, [corpus_id])
    settings = {"state_dir": state_dir, "encoder_batch_size": 1, "encoder_threads": 1}
    units = [unit for unit in SET_UNITS if unit != "table"]
    pools = open_set(corpus_id, passages, [], settings, units)
    chunked = chunk_pools(pools, Directory(()))
    ids = chunked.passage_ids
    return [
        {
            "chunk_id": chunk_id,
            "text": " ".join(chunked.text(one) for one in chunked.passages.of(number).tolist()),
            "passage_ids": [ids[one].as_py() for one in chunked.passages.of(number).tolist()],
        }
        for number, chunk_id in enumerate(chunked.chunk_ids)
    ]


def _chunk_names(chunk_ids: Iterable[str], corpus_id: str) -> dict[str, str]:
    """The id of each chunk as it is written: A-RAG ends an id at the first colon."""
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    for chunk_id in chunk_ids:
        name = _own(chunk_id, corpus_id).replace(":", "_")
        if name in taken:
            raise ValueError(
                f"the chunks '{taken[name]}' and '{chunk_id}' would both be '{name}'; rename one "
                "of their documents"
            )
        names[chunk_id], taken[name] = name, chunk_id
    return names


def _own(key: str, corpus_id: str) -> str:
    return key.removeprefix(f"{corpus_id}:")


def _question(row: Row, corpus_id: str, evidence: list[str]) -> Row:
    answers = row["answers"] or ([row["answer_text"]] if row["answer_text"] else [])
    document = row["document_id"]
    return {
        "id": row["item_id"],
        "source": row["gold_set"],
        "question": row["question_text"],
        "answer": answers[0] if len(answers) == 1 else answers or "",
        "question_type": row["category"],
        "document_id": None if document is None else _own(document, corpus_id).replace(":", "_"),
        "is_answerable": row["is_answerable"],
        "evidence_chunk_ids": evidence,
    }


def _tags(systems: Iterable[str]) -> dict[str, str]:
    """Return the tag of each system: its name as one word, for runs have no white space."""
    tags: dict[str, str] = {}
    for system in systems:
        tag = _NO_WORD.sub("_", system).strip("_.-")
        if tag in tags.values():
            first = next(name for name, known in tags.items() if known == tag)
            raise ValueError(f"'{first}' and '{system}' would both be '{tag}'; rename one of them")
        tags[system] = tag
    return tags


def _by_space(warehouse: Warehouse, query: str, gold_set: str) -> dict[str, list[Row]]:
    return _grouped(warehouse.rows(query, [gold_set]), "space")


def _grouped(rows: list[Row], field: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[field], []).append(row)
    return groups


def _table(rows: list[Row], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: _one_word(row[name]) for name in schema.names} for row in rows], schema
    )


def _one_word(value: Any) -> Any:
    return _WHITE_SPACE.sub("_", value) if isinstance(value, str) else value


def _target(folder: Path, *parts: str) -> Path:
    for part in parts:
        if not _NAME.fullmatch(part):
            raise ValueError(f"'{part}' cannot be part of a file name; use letters, digits, _.-")
    return folder / ".".join(parts)
