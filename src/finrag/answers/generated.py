"""Answers by a language model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from finrag.answers.structured import ParsedAnswer, answer_schema, parse_answer
from finrag.answers.types import Answer, Passage, Question
from finrag.llm.asking import AUTO, Request
from finrag.llm.endpoints import model_named
from finrag.llm.prompts import Prompt, load_prompt
from finrag.llm.reading import Asking, Outcome
from finrag.text.abstentions import is_abstention

PLACES: Final = ("question", "context")
MAX_FAILURE_CHARS: Final = 600
REMINDER: Final = (
    "\n\nReply with the JSON object alone: it begins with { and ends with }, has all keys, and "
    "every value has the type that was asked for."
)
# A passage must not close the block it stands in.
_MARK: Final = re.compile(r"<(?= ?/? ?passages)", re.IGNORECASE)


@dataclass(frozen=True)
class _Item:
    """A question that is asked: its request, and the sentences that may be cited."""

    request: Request
    context_ids: frozenset[str]


def answer_with_model(
    system: Mapping[str, Any],
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
    state_dir: str,
) -> Iterator[Answer]:
    """Answer every question from its context with the model of a system.

    An answer that cannot be read is asked for once more, by a new request that quotes nothing of
    it; both calls are in ``Answer.calls``. A question with an empty context abstains unasked, and
    an answer that is nothing but a refusal in words abstains whatever its flag says.
    For retries, the store of answers and the settings see ``finrag.llm.asking.ask_all``.

    Args:
        system: a row of ``registered_systems``: ``answerer`` ("openai:<model>"), ``prompt``,
            ``prompt_hash``, ``response_format``, ``temperature``, ``max_output_tokens``,
            ``llm_seed``.
        questions: what is asked.
        contexts: for each question its passages, in the order of the prompt.
        state_dir: folder kept between builds.

    Returns:
        One answer per question, in their order: answered, abstained or failed.

    Raises:
        ValueError: as many contexts as questions are needed; the answerer has another form; the
            prompt is unknown, lacks a place for question or context, or was changed since the
            system was registered; see also ``ask_all``.
    """
    if len(questions) != len(contexts):
        raise ValueError(
            f"system {system.get('system_id')}: {len(questions)} questions and {len(contexts)} "
            f"contexts; give one context a question, empty where nothing was found."
        )
    model = model_of(system)
    prompt = prompt_of(system, "prompt", PLACES)
    items = [
        _item(system, prompt, question, context) if context else None
        for question, context in zip(questions, contexts, strict=True)
    ]
    return _answers(items, model, state_dir)


def _answers(items: Sequence[_Item | None], model: str, state_dir: str) -> Iterator[Answer]:
    asked = [item for item in items if item is not None]
    asking: Asking[ParsedAnswer] = Asking(model, "answer", state_dir, "answer", REMINDER)
    requests = [item.request for item in asked]
    readers = [partial(parse_answer, context_ids=item.context_ids) for item in asked]
    outcomes = iter(asking.ask(requests, readers))
    for item in items:
        yield Answer("abstained") if item is None else _answer(next(outcomes))


def model_of(system: Mapping[str, Any]) -> str:
    """The model of a system whose answerer is ``openai:<model>``; ValueError where it is not."""
    answerer = str(system["answerer"])
    model = model_named(answerer)
    if not model:
        raise ValueError(
            f"system {system.get('system_id')}: answerer '{answerer}' names no model; the form is "
            "openai:<model>."
        )
    return model


def prompt_of(system: Mapping[str, Any], setting: str, places: Sequence[str]) -> Prompt:
    """The prompt that a setting of a system names.

    Args:
        system: a row of ``registered_systems``, with ``prompt_hash``.
        setting: name of the setting.
        places: places that the prompt must have.

    Raises:
        ValueError: the prompt is unknown, lacks a place, or was changed since the system was
            registered.
    """
    prompt = load_prompt(str(system[setting]))
    missing = [name for name in places if name not in prompt.places]
    if missing:
        raise ValueError(f"prompt '{prompt.name}' has no place {{{missing[0]}}}; add it.")
    registered = system.get("prompt_hash")
    if registered and registered != prompt.prompt_hash:
        raise ValueError(
            f"system {system.get('system_id')}: prompt '{prompt.name}' was changed since the "
            "systems were registered; build again."
        )
    return prompt


def _item(
    system: Mapping[str, Any], prompt: Prompt, question: Question, context: Sequence[Passage]
) -> _Item:
    messages = prompt.render(
        question=_one_line(question.text), context="\n".join(_line(passage) for passage in context)
    )
    request = Request(
        messages=messages,
        response_format=str(system.get("response_format") or AUTO),
        schema=answer_schema('"reasoning"' in prompt.system),
        temperature=system.get("temperature"),
        max_output_tokens=system.get("max_output_tokens"),
        seed=system.get("llm_seed"),
    )
    return _Item(request, frozenset(passage.sentence_id for passage in context))


def _line(passage: Passage) -> str:
    """A passage on one line, so that nothing in it can pass for another passage."""
    tag = passage.tag or f"[{passage.sentence_id}]"
    return _MARK.sub("‹", f"{_one_line(tag)} {_one_line(passage.text)}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _answer(outcome: Outcome[ParsedAnswer]) -> Answer:
    parsed, calls = outcome.found, outcome.calls
    if parsed is None:
        return Answer("failed", failure=(outcome.failure or "")[:MAX_FAILURE_CHARS], calls=calls)
    # A refusal in words is one too: "abstained": false beside it is a slip of the form.
    if parsed.is_abstention or is_abstention(parsed.text, parsed.numeric_value):
        return Answer("abstained", calls=calls)
    return Answer(
        "answered",
        text=parsed.text,
        numeric_value=parsed.numeric_value,
        unit=parsed.unit,
        citations=parsed.citations,
        calls=calls,
    )
