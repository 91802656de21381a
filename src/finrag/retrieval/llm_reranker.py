"""A language model as reranker: it is given numbered passages and orders or scores them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from finrag.llm.asking import Reply, Request, ask_all
from finrag.llm.prompts import Prompt
from finrag.retrieval.llm_scores import read_scores, schema_of
from finrag.retrieval.ordering import Scores
from finrag.retrieval.reranked import Reranked, Spread, check_lengths

STAGE: Final = "rerank"
SCHEMA: Final = {
    "type": "object",
    "properties": {"order": {"type": "array", "items": {"type": "integer"}}},
    "required": ["order"],
    "additionalProperties": False,
}
MAX_PASSAGE_CHARS: Final = 1_000
ORDER: Final = "order"
# What an answer about n passages may take, where the answers' limit would cut it off.
TOKENS_AT_LEAST: Final = 64
TOKENS_PER_NUMBER: Final = {ORDER: 6, "scores": 20, "verdicts": 28}
MAX_STARTS: Final = 50
# Scores that differ by less are one.
ENTROPY_DECIMALS: Final = 6

_NUMBER: Final = re.compile(r"\[?([0-9]{1,6})\]?")


@dataclass(frozen=True)
class LlmReranker:
    """Asks a model for the order or the scores of the candidates; see ``reranking.Reranker``.

    The model sees numbers, not ids, and passages as JSON strings of one line each: whatever a
    passage says, it stays inside its string, and the answer can only put the numbers in another
    order. An order's scores are (n - place) / n with places from 0: 1 for the first. Fewer than
    two distinct candidates have one order only, and nothing is asked.

    Attributes:
        model: the model's name at the endpoint.
        prompt: with the places {question} and {context}.
        settings: ``state_dir`` and the reranker's own ``rerank_answer`` (order if absent; else
            scores or verdicts, see ``llm_scores``), ``rerank_response_format``,
            ``rerank_temperature``, ``rerank_seed`` and ``rerank_max_output_tokens``, which is
            raised where an order of all candidates would not fit; what is missing is not sent.
            ``n_repeats`` (1 if absent): how often each query is asked, every time with another
            seed; the scores are the mean of the replies that can be used.
    """

    model: str
    prompt: Prompt
    settings: Mapping[str, Any]

    @property
    def form(self) -> str:
        """What the model is asked for."""
        return str(self.settings.get("rerank_answer") or ORDER)

    @property
    def n_repeats(self) -> int:
        """How often each query is asked."""
        return int(self.settings.get("n_repeats") or 1)

    def __post_init__(self) -> None:
        """Refuses a prompt with places that nothing fills."""
        self.prompt.render(question="", context="")

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        """See ``reranking.Reranker``; a reply that cannot be used is a failure of its query."""
        check_lengths(queries, texts)
        distinct = [list(dict.fromkeys(group)) for group in texts]
        requests = [
            self._request(query, group, repeat)
            for query, group in zip(queries, distinct, strict=True)
            if len(group) > 1
            for repeat in range(self.n_repeats)
        ]
        replies = ask_all(requests, self.model, STAGE, str(self.settings["state_dir"]))
        return self._each(texts, distinct, replies)

    def _each(
        self,
        texts: Sequence[Sequence[str]],
        distinct: Sequence[list[str]],
        replies: Iterator[Reply],
    ) -> Iterator[Reranked]:
        for group, asked in zip(texts, distinct, strict=True):
            if len(asked) > 1:
                repeated = [next(replies) for _ in range(self.n_repeats)]
                yield _reranked(group, asked, repeated, self.form)
            else:
                yield Reranked(np.ones(len(group)), (), 0.0, None)

    def _request(self, query: str, passages: Sequence[str], repeat: int) -> Request:
        limit = self.settings.get("rerank_max_output_tokens")
        needed = TOKENS_AT_LEAST + TOKENS_PER_NUMBER[self.form] * len(passages)
        temperature = self.settings.get("rerank_temperature")
        seed = self.settings.get("rerank_seed")
        # Equal requests are sent once: a repeated one has a seed of its own.
        if repeat:
            seed = int(seed or 0) + repeat
        return Request(
            messages=self.prompt.render(question=_line(query), context=numbered(passages)),
            response_format=str(self.settings.get("rerank_response_format") or "auto"),
            schema=SCHEMA if self.form == ORDER else schema_of(self.form),
            temperature=None if temperature is None else float(temperature),
            max_output_tokens=None if limit is None else max(int(limit), needed),
            seed=None if seed is None else int(seed),
        )


def numbered(passages: Sequence[str]) -> str:
    """The passages as the model sees them: one JSON object a line, numbers from 1."""
    return "\n".join(
        json.dumps({"number": number, "text": _line(text)}, ensure_ascii=False)
        for number, text in enumerate(passages, 1)
    )


def read_order(answer: str, n_passages: int) -> list[int]:
    """Reads the order out of a model's answer.

    It looks for {"order": [...]}, or else for the first list of numbers. Numbers that are no
    passage's are passed over, of a repeated one the first counts, and passages that are not named
    follow in the order they were given in.

    Args:
        answer: what the model wrote, untrusted.
        n_passages: how many passages it was given.

    Returns:
        Every position from 0 once, best first.

    Raises:
        ValueError: the answer holds no order, or an order that names none of the passages.
    """
    found = _list_in(answer)
    if found is None:
        raise ValueError("the answer holds no list of passage numbers.")
    numbers = [number for number in map(_number, found) if 1 <= number <= n_passages]
    if not numbers:
        raise ValueError(f"the answer names none of the {n_passages} passages.")
    return list(dict.fromkeys([number - 1 for number in numbers] + list(range(n_passages))))


def _reranked(
    texts: Sequence[str], asked: Sequence[str], replies: Sequence[Reply], form: str
) -> Reranked:
    calls = tuple(call for reply in replies for call in (*reply.earlier, reply.call))
    latency_ms = math.fsum(reply.call.latency_ms or 0.0 for reply in replies)
    read, failures = [], []
    for reply in replies:
        try:
            read.append(_scores(reply, form, len(asked)))
        except ValueError as error:
            failures.append(str(error))
    if not read:
        return Reranked(None, calls, latency_ms, failures[0])
    repeated = np.stack(read)
    score = dict(zip(asked, repeated.mean(axis=0), strict=True))
    scores = np.array([score[text] for text in texts], np.float64)
    return Reranked(scores, calls, latency_ms, None, spread=spread_of(repeated))


def _scores(reply: Reply, form: str, n_passages: int) -> Scores:
    if reply.text is None:
        raise ValueError(reply.failure or "the model gave no text")
    return _read(reply.text, form, n_passages)


def spread_of(repeated: Scores) -> Spread:
    """Mean variance and entropy of scores; see ``Spread``.

    Args:
        repeated: float64, replies x candidates.
    """
    largest = float(np.abs(repeated).max())
    scaled = repeated / largest if largest else repeated
    variance = float(scaled.var(axis=0).mean()) if len(scaled) > 1 else None
    _, counts = np.unique(np.round(scaled, ENTROPY_DECIMALS), return_counts=True)
    shares = counts / counts.sum()
    entropy = max(0.0, -math.fsum((shares * np.log2(shares)).tolist()))
    return Spread(len(scaled), variance, entropy)


def _read(answer: str, form: str, n_passages: int) -> Scores:
    """Scores of the distinct passages, in their order."""
    if form != ORDER:
        return read_scores(answer, form, n_passages)
    order = read_order(answer, n_passages)
    scores = np.empty(n_passages, np.float64)
    scores[order] = [1.0 - place / n_passages for place in range(n_passages)]
    return scores


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_PASSAGE_CHARS]


def _list_in(answer: str) -> list[Any] | None:
    """The list under "order", else the first list of numbers that stands in the text."""
    decoder = json.JSONDecoder()
    lists: list[list[Any]] = []
    for start in _starts(answer):
        try:
            value, _ = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("order"), list):
            order: list[Any] = value["order"]
            return order
        if isinstance(value, list) and any(_number(item) > 0 for item in value):
            lists.append(value)
    return lists[0] if lists else None


def _starts(answer: str) -> list[int]:
    """Where a JSON object or list may begin; as many as a sensible answer can have."""
    return [match.start() for match in re.finditer(r"[\[{]", answer)][:MAX_STARTS]


def _number(item: Any) -> int:
    """A passage number as models write it: 3, "3", "[3]"; 0 for anything else."""
    if isinstance(item, int) and not isinstance(item, bool):
        return item
    match = _NUMBER.fullmatch(item.strip()) if isinstance(item, str) else None
    return int(match[1]) if match else 0
