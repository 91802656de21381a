"""Scores of meaning by models: BERTScore, cosine of embeddings, BLEURT.

What a scorer is (``resolve_*``) costs nothing to find out; the model and its packages are loaded
when there is a pair to score.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from finrag.embeddings import embed_queries, encoder_id
from finrag.embeddings.encoders import MINILM_SHA256, _stay_offline, minilm_folder

MINILM: Final = "all-MiniLM-L6-v2"
MINILM_LAYERS: Final = 6
# The layer whose scores best tell a rewording from the same statement of another year: area under
# the curve over the 16 triples of bench/scoring.py 0.57, against 0.43 of the fifth layer and 0.32
# to 0.36 of the first four.
MINILM_LAYER: Final = 6
# Mean F of that layer over 966 random pairs of gold answers, to two digits: 0.247 on the sample,
# 0.265 on 402 real filings. A constant, so that rescaled scores of two corpora can be compared.
MINILM_BASELINE: Final = 0.25
# Models whose layer and baseline the authors of BERTScore published.
PUBLISHED: Final = {
    "FacebookAI/roberta-large": (17, 0.83122575),
    "microsoft/deberta-xlarge-mnli": (40, 0.5150188),
}
DECIMALS: Final = 6
BATCH_TEXTS: Final = 16
BATCH_TOKENS: Final = 1_024
# Bounds the memory for vectors of tokens: about 1 GB of a model with 384 dimensions.
BLOCK_CHARS: Final = 3_000_000
PAIRS_PER_PART: Final = 512


class TextPair(NamedTuple):
    """An answer and the gold text it is compared with."""

    answer: str
    gold: str


class Bert(NamedTuple):
    """BERTScore of a pair: precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class BertScorer:
    """A configuration of BERTScore: two scores may be compared where ``scorer_id`` is equal.

    Attributes:
        model: name of the model, without any path.
        layers: the layer whose vectors are compared, counted from 1.
        weights: digest or commit of the weights.
        baseline: F of unrelated texts, for rescaling; None where it is not known.
        source: folder or hub name to load from; empty for the weights that are installed
            with this project.
        revision: commit on the hub; empty for a folder.
    """

    model: str
    layers: int
    weights: str
    baseline: float | None
    source: str = ""
    revision: str = ""

    @property
    def scorer_id(self) -> str:
        """Model, layer, weights and versions: all that a raw score depends on."""
        return (
            f"bert_score:{self.model}:L{self.layers}:idf=no:bert-score={version('bert-score')}"
            f":transformers={version('transformers')}:weights={self.weights}"
        )

    @property
    def rescaled_id(self) -> str:
        """The same with the baseline: rescaled scores of different baselines differ."""
        return f"{self.scorer_id}:baseline={self.baseline}"

    def rescale(self, f1: float | None) -> float | None:
        """(F - b) / (1 - b): 0 for unrelated texts, 1 for equal ones, below 0 possible.

        Returns:
            None where F or the baseline is not known.
        """
        if f1 is None or self.baseline is None:
            return None
        return round((f1 - self.baseline) / (1 - self.baseline), DECIMALS)


@dataclass(frozen=True)
class BleurtScorer:
    """BLEURT with the checkpoint in ``folder``; ``name`` is the folder's own name and digest."""

    folder: Path
    name: str

    @property
    def scorer_id(self) -> str:
        """Checkpoint and version: scores of different checkpoints are never compared."""
        return f"bleurt:{self.name}:bleurt={version('bleurt')}"


def resolve_bert_score(model: str, layers: int) -> BertScorer:
    """Resolve the name of a BERTScore, without loading it.

    Args:
        model: empty for the MiniLM that is installed with this project, a local folder, or a name
            on the hub with its owner ("microsoft/deberta-xlarge-mnli", "@revision" if wanted).
        layers: the layer to compare; 0 for the model's own, known for MiniLM and the models in
            ``PUBLISHED``.

    Raises:
        ValueError: no such folder or model, no owner before the name, a layer that MiniLM does not
            have, or no layer for a model that has no default.
    """
    name = model.strip()
    if layers < 0 or (not name and layers > MINILM_LAYERS):
        raise ValueError(
            f"bert_score_layers is {layers}; set it from 1 to the number of layers of the model "
            f"({MINILM} has {MINILM_LAYERS}), or 0 for the default"
        )
    if not name:
        layer = layers or MINILM_LAYER
        baseline = MINILM_BASELINE if layer == MINILM_LAYER else None
        return BertScorer(MINILM, layer, MINILM_SHA256[:12], baseline)
    return _named_bert_score(name, layers)


def _named_bert_score(name: str, layers: int) -> BertScorer:
    is_folder = Path(name).expanduser().is_dir()
    plain = name.partition("@")[0]
    if not is_folder and plain.count("/") != 1:
        raise ValueError(
            f"bert_score_model is '{name}': there is no such folder, and a name on the hub needs "
            "its owner, as in FacebookAI/roberta-large; correct the dbt var"
        )
    default, baseline = PUBLISHED.get(plain, (0, None))
    if not layers and not default:
        raise ValueError(
            f"bert_score_model is '{name}', whose best layer is not known here; set the dbt var "
            "bert_score_layers to the layer to compare"
        )
    shown, _, digest = encoder_id(f"sentence-transformers:{name}").rpartition("@")
    return BertScorer(
        model=shown,
        layers=layers or default,
        weights=digest,
        baseline=baseline if layers in (0, default) else None,
        source=str(Path(name).expanduser().resolve()) if is_folder else plain,
        revision="" if is_folder else name.partition("@")[2],
    )


def resolve_bleurt(checkpoint: str) -> BleurtScorer | None:
    """Resolve the name of a BLEURT, without loading it.

    Args:
        checkpoint: folder of a checkpoint; empty for none.

    Returns:
        None where no checkpoint is configured.

    Raises:
        ValueError: there is no such folder, it is empty, or the package bleurt is not installed.
    """
    if not checkpoint.strip():
        return None
    folder = Path(checkpoint).expanduser()
    if not folder.is_dir():
        raise ValueError(
            f"bleurt_checkpoint: no folder at '{checkpoint}'; correct the dbt var, or leave it "
            "empty to go without BLEURT"
        )
    if importlib.util.find_spec("bleurt") is None:
        raise ValueError(
            "bleurt_checkpoint is set, but the package bleurt is not installed; install it (with "
            "TensorFlow, see docs/reference/metrics.md), or leave the dbt var empty"
        )
    return BleurtScorer(folder.resolve(), encoder_id(f"sentence-transformers:{folder}"))


def cosine_scores(
    pairs: Sequence[TextPair], encoder: str, cache_dir: Path, *, batch_size: int, threads: int
) -> list[float | None]:
    """Cosine of the sentence embeddings of both texts, through the cache of embeddings.

    Args:
        pairs: any number of pairs; every distinct text is embedded once.
        encoder: an encoder name; see ``finrag.embeddings``.
        cache_dir: root of the cache.
        batch_size: texts per call of the model.
        threads: CPU threads.

    Returns:
        -1..1 for each pair, to ``DECIMALS``; None where a text is blank or has no usable vector.

    Raises:
        ValueError: as ``embed_queries``.
    """
    texts = sorted({text for pair in pairs for text in pair if text.strip()})
    matrix = embed_queries(texts, encoder, cache_dir, batch_size=batch_size, threads=threads)
    row_of = {text: row for row, text in enumerate(texts)}
    return [_cosine(pair, matrix, row_of) for pair in pairs]


def _cosine(pair: TextPair, matrix: Any, row_of: dict[str, int]) -> float | None:
    if pair.answer not in row_of or pair.gold not in row_of:
        return None
    said, wanted = (matrix[row_of[text]].astype(np.float64) for text in pair)
    norms = float(np.linalg.norm(said) * np.linalg.norm(wanted))
    if not np.isfinite(norms) or norms == 0:
        return None
    return round(float(np.clip(said @ wanted / norms, -1.0, 1.0)), DECIMALS)


def bleurt_scores(pairs: Sequence[TextPair], scorer: BleurtScorer) -> list[float]:
    """BLEURT of each pair (about 0..1), by its authors' package.

    Args:
        pairs: any number of pairs without blank texts.
        scorer: the checkpoint.
    """
    model = importlib.import_module("bleurt.score").BleurtScorer(str(scorer.folder))
    found = model.score(
        references=[pair.gold for pair in pairs],
        candidates=[pair.answer for pair in pairs],
        batch_size=BATCH_TEXTS,
    )
    return [round(float(value), DECIMALS) for value in found]


def bert_scores(
    pairs: Sequence[TextPair], scorer: BertScorer, threads: int
) -> Iterator[dict[TextPair, Bert]]:
    """BERTScore of distinct pairs, without idf weights, in parts as they get ready.

    Vectors and their matching come from the package bert-score (Zhang et al., 2020): each token of
    the answer is matched with the nearest of gold (precision), and the other way round (recall).
    The order of work is ours: every distinct text is encoded once, beside texts of its own
    number of tokens, by a thread of its own; the same pair so gets the same bits whatever is scored
    with it and however many threads there are.

    Args:
        pairs: any number of pairs; repeats are scored once.
        scorer: what to score with.
        threads: CPU threads.

    Yields:
        Scores to ``DECIMALS``, of up to ``PAIRS_PER_PART`` pairs at a time. A pair with a text
        that holds no token (blank, or nothing that the tokenizer knows) has no score and is left
        out. Texts beyond the model's length (512 tokens for MiniLM) are cut there.

    Raises:
        ValueError: weights that are not the pinned ones, a layer that the model does not have.
    """
    wanted = sorted(
        {pair for pair in pairs if pair.answer.strip() and pair.gold.strip()},
        key=lambda pair: (pair.gold, pair.answer),
    )
    if not wanted:
        return
    model = _load(scorer)
    progress = _Progress(len(wanted))
    with _one_thread_each() as limit, ThreadPoolExecutor(threads, initializer=limit) as pool:
        for block in _blocks(wanted):
            ready: dict[TextPair, Bert] = {}
            for pair, score in model.score_block(block, pool):
                ready[pair] = score
                if len(ready) == PAIRS_PER_PART:
                    yield ready
                    progress.advance(len(ready))
                    ready = {}
            if ready:
                yield ready
                progress.advance(len(ready))


def _blocks(pairs: Sequence[TextPair]) -> Iterator[list[TextPair]]:
    """Runs of pairs whose distinct texts fit in memory together."""
    block: list[TextPair] = []
    texts: set[str] = set()
    n_chars = 0
    for pair in pairs:
        n_chars += sum(len(text) for text in set(pair) - texts)
        texts.update(pair)
        block.append(pair)
        if n_chars >= BLOCK_CHARS:
            yield block
            block, texts, n_chars = [], set(), 0
    if block:
        yield block


class _BertModel:
    """A loaded model, cut off after the layer that is compared."""

    def __init__(self, scorer: BertScorer) -> None:
        # Threads that spin while they wait slow a shared machine down tenfold; must be set before
        # torch loads its OpenMP runtime.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        if Path(scorer.source).is_dir():
            _stay_offline()
        import torch
        from bert_score import utils
        from transformers import AutoConfig, AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        source = scorer.source or str(minilm_folder())
        at = {"revision": scorer.revision} if scorer.revision else {}
        config = AutoConfig.from_pretrained(source, **at)
        if scorer.layers > config.num_hidden_layers:
            raise ValueError(
                f"bert_score_layers is {scorer.layers}, but {scorer.model} has "
                f"{config.num_hidden_layers} layers; correct the dbt var"
            )
        config.num_hidden_layers = scorer.layers
        with _quiet(logging):
            self._model = AutoModel.from_pretrained(
                source, config=config, dtype=torch.float32, **at
            )
        self._model.eval()
        self._tokenizer = AutoTokenizer.from_pretrained(source, **at)
        # A tokenizer without a limit of its own would let a long text past the model's.
        taken = config.pad_token_id + 1 if "roberta" in config.model_type else 0
        longest = config.max_position_embeddings - taken
        self._tokenizer.model_max_length = min(self._tokenizer.model_max_length, longest)
        self._unweighted = {self._tokenizer.cls_token_id, self._tokenizer.sep_token_id}
        self._torch, self._utils = torch, utils

    def score_block(
        self, pairs: Sequence[TextPair], pool: ThreadPoolExecutor
    ) -> Iterator[tuple[TextPair, Bert]]:
        """Score each pair as soon as both its texts are encoded, shortest texts first."""
        tokens = {text: self._tokens(text) for text in sorted({t for pair in pairs for t in pair})}
        by_length = sorted((len(ids), text) for text, ids in tokens.items() if ids)
        place = {text: at for at, (_, text) in enumerate(by_length)}
        scored = sorted(
            (max(place[pair.answer], place[pair.gold]), pair)
            for pair in pairs
            if pair.answer in place and pair.gold in place
        )
        batches = list(_batches(by_length))
        vectors: dict[str, Any] = {}
        n_scored = 0
        encoded = pool.map(lambda texts: self._encode([tokens[text] for text in texts]), batches)
        for texts, matrix in zip(batches, encoded, strict=True):
            vectors.update(zip(texts, matrix, strict=True))
            while n_scored < len(scored) and scored[n_scored][0] < len(vectors):
                pair = scored[n_scored][1]
                yield pair, self._compare(pair, tokens, vectors)
                n_scored += 1

    def _tokens(self, text: str) -> list[int]:
        ids = list(self._utils.sent_encode(self._tokenizer, text))
        return ids if set(ids) - self._unweighted else []

    def _encode(self, ids: list[list[int]]) -> Any:
        batch = self._torch.tensor(ids)
        return self._utils.bert_encode(self._model, batch, self._torch.ones_like(batch))

    def _compare(
        self, pair: TextPair, tokens: dict[str, list[int]], vectors: dict[str, Any]
    ) -> Bert:
        torch = self._torch

        def sides(text: str) -> tuple[Any, Any, Any]:
            ids = tokens[text]
            weights = [0.0 if one in self._unweighted else 1.0 for one in ids]
            # One place of padding: in the package's batches a token without any positive match
            # counts 0 wherever the pair is padded, which is nearly always; here always. New
            # tensors, because the package scales what it is given in place.
            padding = torch.full((1, vectors[text].shape[1]), 2.0)
            embedding = torch.cat([vectors[text], padding]).unsqueeze(0)
            mask = torch.tensor([[1.0] * len(ids) + [0.0]])
            return embedding, mask, torch.tensor([[*weights, 0.0]])

        with self._torch.inference_mode():
            found = self._utils.greedy_cos_idf(*sides(pair.gold), *sides(pair.answer))
        return Bert(*(round(float(one), DECIMALS) for one in found))


# One model stays loaded, as for encoders: a load takes seconds.
@lru_cache(maxsize=1)
def _load(scorer: BertScorer) -> _BertModel:
    return _BertModel(scorer)


def _batches(by_length: Sequence[tuple[int, str]]) -> Iterator[list[str]]:
    """Texts of one length each: nothing is padded, so no text's bits depend on its neighbours."""
    for length, group in groupby(by_length, key=lambda one: one[0]):
        texts = [text for _, text in group]
        size = max(1, min(BATCH_TEXTS, BATCH_TOKENS // length))
        for start in range(0, len(texts), size):
            yield texts[start : start + size]


@contextmanager
def _one_thread_each() -> Iterator[Callable[[], None]]:
    """Let torch compute each batch with one thread; batches run side by side instead.

    A matrix product that is shared by several threads is cut up by their number, and its last bits
    with it. Yields what a new thread has to call.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield partial(torch.set_num_threads, 1)
    finally:
        torch.set_num_threads(before)


@contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """No warning that the layers beyond the last one compared are not used."""
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)


class _Progress:
    """A line on stderr about every ten seconds."""

    INTERVAL_S: Final = 10.0

    def __init__(self, n_pairs: int) -> None:
        self._n_pairs, self._n_done = n_pairs, 0
        self._started = self._last = time.monotonic()
        print(
            f"wording: {n_pairs:,} answers to compare with a model (BERTScore)",
            file=sys.stderr,
            flush=True,
        )

    def advance(self, n_pairs: int) -> None:
        self._n_done += n_pairs
        now = time.monotonic()
        if now - self._last >= self.INTERVAL_S:
            self._last = now
            rate = self._n_done / (now - self._started)
            line = f"BERTScore: {self._n_done:,} of {self._n_pairs:,} pairs, {rate:,.0f} a second"
            print(line, file=sys.stderr, flush=True)
