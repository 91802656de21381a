"""Asks a language model for its opinion of answers, aspect by aspect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from finrag.scoring.judge.verdicts import VERDICT_SCHEMA, Verdict, parse_verdict

ASPECTS: Final = ("correct", "faithful")
STAGE: Final = "judge"
PLACE: Final = "case"
MAX_OUTPUT_TOKENS: Final = 400
SEED: Final = 7
REMINDER: Final = (
    '\n\nReply with one JSON object alone, {"rationale": text, "verdict": "yes" or "no" or '
    '"unclear"}.'
)

JUDGEMENT_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set", "item_id", "aspect"),
        *nullable(pa.string(), "verdict", "rationale"),
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


def judge_answers(
    batches: Iterable[pa.RecordBatch], judge: str, state_dir: str
) -> pa.RecordBatchReader:
    """Ask a judge whether answers are correct and whether they keep to what they cite.

    ``correct`` compares an answer with the gold answer, ``faithful`` with the cited sentences
    alone. Where there is no gold answer, or no cited sentence, that aspect is not asked. Question,
    gold, answer and sentences are put in as one JSON object, so that no text of theirs can end it.
    A reply that is no verdict is asked for once more, by a request that quotes nothing of it; then
    it has failed. What was answered once is never asked again, see
    ``finrag.llm.asking.ask_all``, where settings and retries are told as well.

    Args:
        batches: ``system_id``, ``gold_set``, ``item_id``, ``question_text``, ``answer_text``,
            ``gold_text`` (may be null) and ``cited_texts`` (list, may be null).
        judge: "" for none, or ``openai:<model>``.
        state_dir: folder kept between builds.

    Returns:
        A reader under ``JUDGEMENT_SCHEMA``, a row an answer and aspect that was asked, in the order
        of the answers; without rows where there is no judge. Tokens are those of all calls for
        the row, failed ones included; equal requests share a call, and each row tells its tokens.

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
                prompt = prompts[aspect]
                yield _Case(key, aspect, prompt.prompt_hash, _request(prompt, case))


def _prompt(aspect: str) -> Prompt:
    prompt = load_prompt(f"judge_{aspect}")
    if prompt.places != {PLACE}:
        raise ValueError(f"prompt '{prompt.name}' must have the one place {{{PLACE}}}; correct it.")
    return prompt


def _asked(row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    question, answer = row["question_text"], row["answer_text"]
    if row["gold_text"]:
        case = {"question": question, "reference_answer": row["gold_text"], "answer": answer}
        yield "correct", case
    cited = [text for text in row["cited_texts"] or () if text]
    if cited:
        yield "faithful", {"question": question, "answer": answer, "sentences": cited}


def _request(prompt: Prompt, case: Mapping[str, Any]) -> Request:
    # A text can end neither its JSON string nor the marks around the object.
    written = json.dumps(case, ensure_ascii=False).replace("<", "\\u003c")
    return Request(
        messages=prompt.render(**{PLACE: written}),
        response_format=AUTO,
        schema=VERDICT_SCHEMA,
        temperature=0.0,
        max_output_tokens=MAX_OUTPUT_TOKENS,
        seed=SEED,
    )


def _judged(cases: Sequence[_Case], model: str, state_dir: str) -> Iterator[dict[str, Any]]:
    asking: Asking[Verdict] = Asking(model, STAGE, state_dir, "verdict", REMINDER)
    outcomes = asking.ask([case.request for case in cases], [parse_verdict] * len(cases))
    for case, outcome in zip(cases, outcomes, strict=True):
        yield _row(case, model, outcome)


def _row(case: _Case, model: str, outcome: Outcome[Verdict]) -> dict[str, Any]:
    system_id, gold_set, item_id = case.key
    found = outcome.found
    return {
        "system_id": system_id,
        "gold_set": gold_set,
        "item_id": item_id,
        "aspect": case.aspect,
        "verdict": found and found.verdict,
        "rationale": found and found.rationale,
        "model": model,
        "prompt_hash": case.prompt_hash,
        "call_id": outcome.replies[-1].call.call_id,
        "status": "ok" if found else "failed",
        "error": outcome.failure,
        "input_tokens": total(call.input_tokens for call in outcome.calls),
        "output_tokens": total(call.output_tokens for call in outcome.calls),
        "latency_ms": total(reply.call.latency_ms for reply in outcome.replies),
    }
