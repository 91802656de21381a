"""Asks a language model for its opinion of answers and of contexts, aspect by aspect."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from finrag.llm.asking import AUTO, Request
from finrag.llm.calls import total
from finrag.llm.endpoints import chosen_model
from finrag.llm.prompts import Prompt, load_prompt
from finrag.llm.reading import Asking, Outcome
from finrag.records.columns import nullable, required
from finrag.records.rows import row_reader
from finrag.scoring.judge.verdicts import (
    SCORE_SCHEMA,
    SHARE_SCHEMA,
    USEFUL_SCHEMA,
    VERDICT_SCHEMA,
    Reader,
    Score,
    Verdict,
    parse_score,
    parse_share,
    parse_useful,
    parse_verdict,
)

STAGE: Final = "judge"
PLACE: Final = "case"
MAX_OUTPUT_TOKENS: Final = 400
TOKENS_PER_PASSAGE: Final = 4
SEED: Final = 7


@dataclass(frozen=True)
class _Form:
    """What a reply has to be.

    Attributes:
        schema: JSON schema of the reply.
        reminder: what is put behind a prompt whose reply cannot be read.
        reader: what reads a reply, for a number of passages.
    """

    schema: Mapping[str, Any]
    reminder: str
    reader: Callable[[int], Reader]


def _reminder(fields: str) -> str:
    return f'\n\nReply with one JSON object alone, {{"rationale": text, {fields}}}.'


_VERDICT: Final = _Form(
    VERDICT_SCHEMA,
    _reminder('"verdict": "yes" or "no" or "unclear"'),
    lambda _: parse_verdict,
)
_FORMS: Final[Mapping[str, _Form]] = {
    "correct": _VERDICT,
    "faithful": _VERDICT,
    "context_recall": _Form(
        SHARE_SCHEMA, _reminder('"statements": count, "supported": count'), lambda _: parse_share
    ),
    "context_precision": _Form(
        USEFUL_SCHEMA,
        _reminder('"useful": list of numbers of passages'),
        lambda n_passages: functools.partial(parse_useful, n_passages=n_passages),
    ),
    "context_sufficient": _Form(
        SCORE_SCHEMA, _reminder('"score": number from 0 to 1'), lambda _: parse_score
    ),
}
ASPECTS: Final = tuple(_FORMS)

JUDGEMENT_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set", "item_id", "aspect"),
        *nullable(pa.string(), "verdict", "rationale"),
        pa.field("score", pa.float64()),
        *required(pa.string(), "model", "prompt_hash", "call_id", "status"),
        pa.field("error", pa.string()),
        *nullable(pa.int64(), "input_tokens", "output_tokens"),
        pa.field("latency_ms", pa.float64()),
    ]
)


@dataclass(frozen=True)
class _Case:
    """One opinion that is asked for."""

    key: tuple[str, str, str]
    aspect: str
    prompt_hash: str
    request: Request
    reader: Reader


def judge_answers(
    batches: Iterable[pa.RecordBatch], judge: str, state_dir: str
) -> pa.RecordBatchReader:
    """Ask a judge whether answers are correct and keep to what they cite, and of contexts.

    ``correct`` compares an answer with the gold answer, ``faithful`` with the cited sentences
    alone; both give a verdict. Of a context ``context_recall`` is the share of the gold answer's
    statements that it supports, ``context_precision`` whether its useful passages come first, and
    ``context_sufficient`` whether it can answer the question, from 0 to 1; the last two see the
    gold answer where there is one. An aspect is not asked where what it compares is missing.
    All texts are put in as one JSON object, so that no text of theirs can end it.
    A reply that is not as asked is asked for once more, by a request that quotes nothing of it;
    then it has failed. What was answered once is never asked again, see
    ``finrag.llm.asking.ask_all``, which describes settings and retries as well.

    Args:
        batches: ``system_id``, ``gold_set``, ``item_id``, ``question_text``, ``answer_text`` (may
            be null), ``gold_text`` (may be null), ``cited_texts`` and ``context_texts`` (lists in
            the order that was read, may be null).
        judge: "" for none, or ``openai:<model>``.
        state_dir: folder kept between builds.

    Returns:
        A reader under ``JUDGEMENT_SCHEMA``, a row per answer and aspect asked about, in the order
        of the answers, a verdict with 1 for yes and 0 for no as its score; without rows where there
        is no judge. Tokens are those of all calls for the row, failed ones included; equal requests
        share a call, and each row tells its tokens.

    Raises:
        ValueError: the judge has no valid form; see also ``ask_all``.
    """
    model = chosen_model("judge", judge)
    rows = _judged(list(_cases(batches)), model, state_dir) if model else iter(())
    return row_reader(rows, JUDGEMENT_SCHEMA)


def _cases(batches: Iterable[pa.RecordBatch]) -> Iterator[_Case]:
    prompts = {aspect: _prompt(aspect) for aspect in ASPECTS}
    for batch in batches:
        for row in batch.to_pylist():
            key = row["system_id"], row["gold_set"], row["item_id"]
            for aspect, case in _asked(row):
                prompt, n_passages = prompts[aspect], len(case.get("passages", ()))
                request = _request(prompt, aspect, case, n_passages)
                reader = _FORMS[aspect].reader(n_passages)
                yield _Case(key, aspect, prompt.prompt_hash, request, reader)


def _prompt(aspect: str) -> Prompt:
    prompt = load_prompt(f"judge_{aspect}")
    if prompt.places != {PLACE}:
        raise ValueError(
            f"prompt '{prompt.name}' must have {{{PLACE}}} as its only placeholder; correct it."
        )
    return prompt


def _asked(row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    question, answer, gold = row["question_text"], row["answer_text"], row["gold_text"]
    reference = {"reference_answer": gold} if gold else {}
    cited = [text for text in row["cited_texts"] or () if text]
    if answer and gold:
        yield "correct", {"question": question, **reference, "answer": answer}
    if answer and cited:
        yield "faithful", {"question": question, "answer": answer, "sentences": cited}
    texts = [text for text in row["context_texts"] or () if text]
    if texts:
        passages = [{"number": number, "text": text} for number, text in enumerate(texts, 1)]
        context = {"question": question, **reference, "passages": passages}
        if gold:
            yield "context_recall", context
        yield "context_precision", context
        yield "context_sufficient", context


def _request(prompt: Prompt, aspect: str, case: Mapping[str, Any], n_passages: int) -> Request:
    # A text can end neither its JSON string nor the marks around the object.
    written = json.dumps(case, ensure_ascii=False).replace("<", "\\u003c")
    return Request(
        messages=prompt.render(**{PLACE: written}),
        response_format=AUTO,
        schema=_FORMS[aspect].schema,
        temperature=0.0,
        max_output_tokens=MAX_OUTPUT_TOKENS + TOKENS_PER_PASSAGE * n_passages,
        seed=SEED,
    )


def _judged(cases: Sequence[_Case], model: str, state_dir: str) -> Iterator[dict[str, Any]]:
    outcomes: dict[int, Outcome[Verdict | Score]] = {}
    for aspect, form in _FORMS.items():
        places = [place for place, case in enumerate(cases) if case.aspect == aspect]
        asking: Asking[Verdict | Score] = Asking(model, STAGE, state_dir, "verdict", form.reminder)
        found = asking.ask(
            [cases[place].request for place in places], [cases[place].reader for place in places]
        )
        outcomes.update(zip(places, found, strict=True))
    for place, case in enumerate(cases):
        yield _row(case, model, outcomes[place])


def _row(case: _Case, model: str, outcome: Outcome[Verdict | Score]) -> dict[str, Any]:
    system_id, gold_set, item_id = case.key
    found = outcome.found
    return {
        "system_id": system_id,
        "gold_set": gold_set,
        "item_id": item_id,
        "aspect": case.aspect,
        "verdict": found and found.verdict,
        "rationale": found and found.rationale,
        "score": found and found.score,
        "model": model,
        "prompt_hash": case.prompt_hash,
        "call_id": outcome.replies[-1].call.call_id,
        "status": "ok" if found else "failed",
        "error": outcome.failure,
        "input_tokens": total(call.input_tokens for call in outcome.calls),
        "output_tokens": total(call.output_tokens for call in outcome.calls),
        "latency_ms": total(reply.call.latency_ms for reply in outcome.replies),
    }
