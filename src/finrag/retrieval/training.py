"""A cross-encoder trained on gold: questions and anchors, their evidence, and hard negatives.

The model begins with the weights of the installed encoder, gets one output, and learns to put the
evidence of an item above sentences that searches ranked high and that are no evidence: sentences
of the same section, of other years of the company, of other companies. Each step sees one
evidence among its negatives, and the loss is the cross-entropy of choosing it. Companies are
divided by a hash: those that are left out of the training measure it.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

# One company in so many measures the model and is not learnt from.
HELD_OUT: Final = 5
# So many groups of companies left out are enough to measure by.
MAX_MEASURED: Final = 200
MAX_TOKENS: Final = 128
PROGRESS_S: Final = 15.0
WARM_UP: Final = 0.1


@dataclass(frozen=True, slots=True)
class Group:
    """An item with one piece of its evidence and what is none.

    Attributes:
        item_id: the item.
        company: what decides the part, such as the CIK of the evidence's company.
        query: text of the question or anchor.
        positive: text of the evidence.
        negatives: texts that searches ranked high and that are no evidence; not empty.
    """

    item_id: str
    company: str
    query: str
    positive: str
    negatives: tuple[str, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether its company measures the model."""
        digest = hashlib.sha256(self.company.encode()).hexdigest()
        return int(digest, 16) % HELD_OUT == 0


@dataclass(frozen=True, slots=True)
class Training:
    """How a model is trained.

    Attributes:
        n_negatives: negatives beside one evidence.
        n_epochs: how often each group is seen.
        batch_groups: groups in one step.
        learning_rate: at its highest.
        seed: of the draws and of the new output's weights.
        threads: processor threads.
    """

    n_negatives: int = 7
    n_epochs: int = 1
    batch_groups: int = 4
    learning_rate: float = 5e-5
    seed: int = 7
    threads: int = 2


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of it: groups, and the mean reciprocal rank on companies left out."""

    n_learnt: int
    n_held_out: int
    mrr_before: float | None
    mrr_after: float | None
    seconds: float


def train_reranker(
    groups: Sequence[Group], base: Path, target: Path, corpus_hash: str, training: Training
) -> Trained:
    """Train a cross-encoder and write it with its model card.

    Args:
        groups: in a fixed order; the same groups, seed, threads and device (a CUDA device where
            there is one) give the same weights.
        base: folder of the encoder whose weights it begins with.
        target: folder to write; it must not exist.
        corpus_hash: what the card says that it was trained on.
        training: settings.

    Returns:
        Counts and figures, which the card has too.

    Raises:
        ValueError: no group to learn from, or the folder exists.
    """
    if target.exists():
        raise ValueError(f"'{target}' exists; name a new folder, or remove this one")
    learnt = [group for group in groups if not group.is_held_out]
    held_out = [group for group in groups if group.is_held_out][:MAX_MEASURED]
    if not learnt:
        raise ValueError("there is nothing to train on; build a warehouse with P1 or P3 first")
    started = time.monotonic()
    model, tokenizer = _open(base, training)
    before = _mean_reciprocal_rank(model, tokenizer, held_out, training)
    _learn(model, tokenizer, learnt, training)
    after = _mean_reciprocal_rank(model, tokenizer, held_out, training)
    device = model.device.type
    trained = Trained(
        len(learnt), len(held_out), before, after, round(time.monotonic() - started, 1)
    )
    target.mkdir(parents=True)
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    (target / "README.md").write_text(_card(base, corpus_hash, training, trained, device), "utf-8")
    return trained


def _open(base: Path, training: Training) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    torch.manual_seed(training.seed)
    torch.set_num_threads(training.threads)
    # What CUDA's matrix products need to be the same each time.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=1)
    return model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer


def _scores(model: Any, tokenizer: Any, query: str, texts: Sequence[str]) -> Any:
    encoded = tokenizer(
        [query] * len(texts),
        list(texts),
        padding=True,
        truncation=True,
        max_length=MAX_TOKENS,
        return_tensors="pt",
    ).to(model.device)
    return model(**encoded).logits[:, 0]


def _learn(model: Any, tokenizer: Any, groups: Sequence[Group], training: Training) -> None:
    import torch

    rng = random.Random(training.seed)
    n_steps = training.n_epochs * -(-len(groups) // training.batch_groups)
    optimizer = torch.optim.AdamW(model.parameters(), lr=training.learning_rate)
    warm = max(1, int(WARM_UP * n_steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warm, max(0.0, (n_steps - step) / (n_steps - warm + 1))),
    )
    model.train()
    begun = said = time.monotonic()
    step = 0
    for _ in range(training.n_epochs):
        order = list(range(len(groups)))
        rng.shuffle(order)
        for start in range(0, len(order), training.batch_groups):
            places = order[start : start + training.batch_groups]
            for place in places:
                one = groups[place]
                drawn = list(one.negatives)
                rng.shuffle(drawn)
                texts = [one.positive, *drawn[: training.n_negatives]]
                scores = _scores(model, tokenizer, one.query, texts)
                loss = torch.logsumexp(scores, 0) - scores[0]
                (loss / len(places)).backward()
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            step += 1
            if time.monotonic() - said >= PROGRESS_S:
                said = time.monotonic()
                left = (said - begun) / step * (n_steps - step)
                print(
                    f"training: {step:,} of {n_steps:,} steps, about {left:,.0f} s left",
                    file=sys.stderr,
                    flush=True,
                )
    model.eval()


def _mean_reciprocal_rank(
    model: Any, tokenizer: Any, groups: Sequence[Group], training: Training
) -> float | None:
    """Mean of 1 / rank of the evidence among its negatives; None without groups."""
    import torch

    if not groups:
        return None
    model.eval()
    total = 0.0
    with torch.inference_mode():
        for one in groups:
            texts = [one.positive, *one.negatives[: 2 * training.n_negatives]]
            scores = _scores(model, tokenizer, one.query, texts).tolist()
            # Ties stand above it: a model that gives one score to all is no good one.
            total += 1 / sum(score >= scores[0] for score in scores)
    return round(total / len(groups), 4)


def _card(base: Path, corpus_hash: str, training: Training, trained: Trained, device: str) -> str:
    settings = {name: getattr(training, name) for name in Training.__slots__}
    shown = "\n".join(f"- {name}: {json.dumps(value)}" for name, value in settings.items())
    weights = hashlib.sha256((base / "model.safetensors").read_bytes()).hexdigest()
    return f"""# A reranker trained on gold

A cross-encoder: question and sentence in, one score out. It was trained by `finrag train-reranker`
on the P3 questions and P1 anchors of one warehouse; its negatives are sentences that searches
ranked high. It suits filings like those of that corpus. It was measured on companies that were left
out of the training; measure it on your own filings before you rely on it.

- initial weights: all-MiniLM-L6-v2, sha256 {weights}
- corpus: {corpus_hash}
- groups in the training: {trained.n_learnt}; groups of companies left out: {trained.n_held_out}
- mean reciprocal rank of the evidence on those: {trained.mrr_before} before the training,
  {trained.mrr_after} after it
- device: {device}
{shown}
"""
