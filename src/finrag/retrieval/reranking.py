"""Rerankers: they score the head of a ranking again, each text together with the question.

A reranker is named by the system's setting: ``late_interaction`` works with the installed weights,
``cross_encoder`` with a model the user has, ``llm`` with any OpenAI-compatible endpoint.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from finrag.retrieval.ordering import Scores
from finrag.retrieval.reranked import Reranked, Reranker, check_lengths
from finrag.systems.rerankers import CROSS_ENCODER, LATE_INTERACTION, LLM, check_reranker

# What a system does with a query whose reranking failed: fail, or keep the order it was given.
ON_FAILURE: Final = ("fail", "keep")
CROSS_ENCODER_BATCH: Final = 32
PROGRESS_INTERVAL_S: Final = 10.0


def open_reranker(name: str, corpus_texts: pa.Array, settings: Mapping[str, Any]) -> Reranker:
    """Loads a reranker.

    Args:
        name: one of ``VALID_FORMS``; ``none`` keeps the order of the candidates.
        corpus_texts: the corpus' distinct texts; late interaction counts words in them.
        settings: ``encoder_threads`` (cross-encoder, default 1); ``on_rerank_failure``, one of
            ``ON_FAILURE`` (default fail); for late interaction ``state_dir``, where it caches how
            many texts have a word; for ``llm`` ``state_dir`` and what ``LlmReranker`` takes.
            Others are ignored.

    Raises:
        ValueError: as ``check_reranker``; its model cannot be loaded, its prompt is missing, or
            ``on_rerank_failure`` is none of those there are.
    """
    check_reranker(name)
    on_failure = str(settings.get("on_rerank_failure") or ON_FAILURE[0])
    if on_failure not in ON_FAILURE:
        raise ValueError(
            f"on_rerank_failure is '{on_failure}'; use one of {', '.join(ON_FAILURE)}."
        )
    reranker = _opened(name, corpus_texts, settings)
    return reranker if on_failure == ON_FAILURE[0] else _Keeping(reranker)


def _opened(name: str, corpus_texts: pa.Array, settings: Mapping[str, Any]) -> Reranker:
    kind, _, argument = name.partition(":")
    if kind == LATE_INTERACTION:
        from finrag.retrieval.late_interaction import LateInteraction

        return LateInteraction(corpus_texts, settings.get("state_dir"))
    if kind == CROSS_ENCODER:
        return _load_cross_encoder(argument.strip(), int(settings.get("encoder_threads") or 1))
    if kind == LLM:
        from finrag.llm.prompts import load_prompt
        from finrag.retrieval.llm_reranker import LlmReranker

        prompt = load_prompt(str(settings.get("rerank_prompt") or "rerank"))
        return LlmReranker(argument.strip(), prompt, settings)
    return _AsFound()


class _AsFound:
    """Keeps the order: scores fall from 0 by one a position."""

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        check_lengths(queries, texts)
        return (Reranked(_order_of(group), (), 0.0, None) for group in texts)


@dataclass(frozen=True)
class _Keeping:
    """Another reranker, whose failures leave the order as it was."""

    reranker: Reranker

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        found = self.reranker.rerank(queries, texts)
        return (
            one
            if one.failure is None
            else replace(one, scores=_order_of(group), failure=None, ignored_failure=one.failure)
            for one, group in zip(found, texts, strict=True)
        )


def _order_of(texts: Sequence[str]) -> Scores:
    return -np.arange(len(texts), dtype=np.float64)


# --- cross-encoder ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _CrossEncoder:
    """A sentence-transformers CrossEncoder that gives one score per pair."""

    name: str
    model: Any
    threads: int

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        check_lengths(queries, texts)
        return self._each(queries, texts)

    def _each(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        begun = said = time.monotonic()
        for n_done, (query, group) in enumerate(zip(queries, texts, strict=True), 1):
            start = time.perf_counter()
            scores = self._scores(query, group)
            is_finite = bool(np.isfinite(scores).all())
            failure = None if is_finite else f"{self.name} gave a score that is not finite."
            latency_ms = (time.perf_counter() - start) * 1000.0
            yield Reranked(scores if is_finite else None, (), latency_ms, failure)
            if time.monotonic() - said >= PROGRESS_INTERVAL_S:
                said = time.monotonic()
                _say(self.name, n_done, len(queries), said - begun)

    def _scores(self, query: str, texts: Sequence[str]) -> Scores:
        import torch

        if not texts:
            return np.empty(0, np.float64)
        # Distinct texts by length: little padding, and batches that depend on nothing else.
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        # Set on each call: the number is global to the process and other models set it too.
        torch.set_num_threads(self.threads)
        with torch.inference_mode():
            found = self.model.predict(
                [(query, text) for text in distinct],
                batch_size=CROSS_ENCODER_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        scores = dict(zip(distinct, np.asarray(found, np.float64).tolist(), strict=True))
        return np.array([scores[text] for text in texts], np.float64)


def _say(name: str, n_done: int, n_queries: int, seconds: float) -> None:
    left = seconds / n_done * (n_queries - n_done)
    print(
        f"reranking with {name}: {n_done:,} of {n_queries:,} queries, about {left:,.0f} s left",
        file=sys.stderr,
        flush=True,
    )


def _load_cross_encoder(name: str, threads: int) -> _CrossEncoder:
    # As for encoders: no look-ups on the hub unless the user says so, and no threads that spin.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from sentence_transformers import CrossEncoder
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    folder = str(Path(name).expanduser())
    try:
        model = CrossEncoder(folder, device="cpu", trust_remote_code=False)
    # A damaged folder can fail anywhere in three packages, with errors of their own.
    except Exception as error:
        raise ValueError(
            f"{CROSS_ENCODER}:{name} cannot be loaded ({type(error).__name__}). Give the path of a "
            "folder with a cross-encoder, or a hub name and set HF_HUB_OFFLINE=0 for its download."
        ) from error
    if model.num_labels != 1:
        raise ValueError(
            f"{CROSS_ENCODER}:{name} gives {model.num_labels} scores a pair; use "
            "a model that gives one."
        )
    model.eval()
    return _CrossEncoder(name, model, threads)
