"""Asks a language model for its opinion of answers, aspect by aspect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa

from finrag.llm.asking import AUTO, Reply, Request, ask_all
from finrag.llm.prompts import Prompt, load_prompt
from finrag.records.rows import row_reader
from finrag.scoring.judge.verdicts import VERDICT_SCHEMA, Verdict, VerdictError, parse_verdict

ASPECTS: Final = ("correct", "faithful")
SCHEME: Final = "openai:"
STAGE: Final = "judge"
PLACE: Final = "case"
MAX_OUTPUT_TOKENS: Final = 400
SEED: Final = 7
# It quotes nothing of the first reply: what was wrong there must not be repeated by suggestion.
REMINDER: Final = (
    '\n\nReply with one JSON object alone, {"rationale": text, "verdict": "yes" or "no" or '
    '"unclear"}.'
)

JUDGEMENT_SCHEMA: Final = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("aspect", pa.string(), nullable=False),
        pa.field("verdict", pa.string()),
        pa.field("rationale", pa.string()),
        pa.field("model", pa.string(), nullable=False),
        pa.field("prompt_hash", pa.string(), nullable=False),
        pa.field("call_id", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("error", pa.string()),
        pa.field("input_tokens", pa.int64()),
        pa.field("output_tokens", pa.int64()),
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


def model_of_judge(judge: str) -> str:
    """The model that the setting ``judge`` names; "" for none.

    Raises:
        ValueError: the setting is neither empty nor ``openai:<model>``.
    """
    name = judge.strip()
    if not name:
        return ""
    model = name.removeprefix(SCHEME).strip()
    if not name.startswith(SCHEME) or not model:
        raise ValueError(
            f"judge is '{judge}'; leave the dbt var empty for none, or set it to {SCHEME}<model>."
        )
    return model


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
    model = model_of_judge(judge)
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
    replies = list(ask_all([case.request for case in cases], model, STAGE, state_dir))
    read = [_read(reply) for reply in replies]
    again = [
        at
        for at, (reply, found) in enumerate(zip(replies, read, strict=True))
        if reply.text is not None and isinstance(found, str)
    ]
    requests = [_reminded(cases[at].request) for at in again]
    second = dict(zip(again, ask_all(requests, model, STAGE, state_dir), strict=True))
    for at, case in enumerate(cases):
        last = second.get(at)
        sent = [replies[at]] if last is None else [replies[at], last]
        yield _row(case, model, read[at] if last is None else _read(last), sent)


def _reminded(request: Request) -> Request:
    *others, (role, text) = request.messages
    return replace(request, messages=(*others, (role, f"{text}{REMINDER}")))


def _read(reply: Reply) -> Verdict | str:
    """The verdict, or why there is none."""
    if reply.text is None:
        return reply.failure or "the model gave no text"
    try:
        return parse_verdict(reply.text)
    except VerdictError as error:
        return f"the verdict is not as asked: {error}"


def _row(case: _Case, model: str, found: Verdict | str, sent: Sequence[Reply]) -> dict[str, Any]:
    calls = [call for reply in sent for call in (*reply.earlier, reply.call)]
    is_read = isinstance(found, Verdict)
    system_id, gold_set, item_id = case.key
    return {
        "system_id": system_id,
        "gold_set": gold_set,
        "item_id": item_id,
        "aspect": case.aspect,
        "verdict": found.verdict if isinstance(found, Verdict) else None,
        "rationale": found.rationale if isinstance(found, Verdict) else None,
        "model": model,
        "prompt_hash": case.prompt_hash,
        "call_id": sent[-1].call.call_id,
        "status": "ok" if is_read else "failed",
        "error": None if isinstance(found, Verdict) else found,
        "input_tokens": _total(call.input_tokens for call in calls),
        "output_tokens": _total(call.output_tokens for call in calls),
        "latency_ms": _total(reply.call.latency_ms for reply in sent),
    }


def _total(counts: Iterable[float | None]) -> float | None:
    """The sum of what is known, of whole numbers a whole number; None where nothing is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
