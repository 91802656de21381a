"""Every wording score of every pair of answer and gold: Arrow in, Arrow out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.cache.results import ResultCache
from finrag.embeddings import encoder_id
from finrag.records.columns import nullable, required
from finrag.scoring import semantic
from finrag.scoring.score_cache import ScoreCache, pair_key
from finrag.scoring.semantic import Bert, BertScorer, BleurtScorer, TextPair
from finrag.text.wording import Wording

SCORES_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "pair_id", "metric"),
        pa.field("value", pa.float64()),
        pa.field("scorer_id", pa.string()),
    ]
)
SCORERS_SCHEMA: Final = pa.schema(
    [
        pa.field("metric", pa.string(), nullable=False),
        *nullable(pa.string(), "scorer_id", "model"),
        pa.field("layers", pa.int32()),
        pa.field("is_configured", pa.bool_(), nullable=False),
        pa.field("baseline", pa.float64()),
        pa.field("version", pa.string()),
        pa.field("description", pa.string(), nullable=False),
    ]
)

Values = list[float | None]
_MEANING: Final = "It compares meaning, not facts: a wrong sign, year or figure changes it little."
_DESCRIPTIONS: Final = {
    "bert_score": f"F of BERTScore (Zhang et al., 2020), raw, without idf weights. {_MEANING}",
    "bert_score_precision": "Share of the answer's tokens that gold has too, by the nearest token.",
    "bert_score_recall": "Share of gold's tokens that the answer has too, by the nearest token.",
    "bert_score_rescaled": "F with unrelated texts at 0 and equal texts at 1; may be below 0. "
    "Null for a model whose baseline is not known.",
    "bleurt": "A trained model of wording; measured where a checkpoint is configured.",
    "cosine": f"Cosine of both texts under the build's encoder. {_MEANING}",
}


@dataclass(frozen=True)
class _Scorers:
    encoder: str
    bert: BertScorer
    bleurt: BleurtScorer | None

    @property
    def cosine_id(self) -> str:
        return f"cosine:{encoder_id(self.encoder)}"


def score_text_pairs(pairs: pa.Table, settings: Mapping[str, Any]) -> pa.Table:
    """Score the wording of answers; what a model scored before comes from the cache.

    Args:
        pairs: ``pair_id``, ``answer_text``, ``gold_text`` and ``answer_type``, one row per pair.
        settings: ``encoder``, ``encoder_batch_size``, ``encoder_threads``, ``state_dir``,
            ``bert_score_model``, ``bert_score_layers`` and ``bleurt_checkpoint``.

    Returns:
        Rows under ``SCORES_SCHEMA``, in order of pair_id and metric, every metric for every pair
        (``bleurt`` only where it is configured). ``scorer_id`` is null for rules. The value is null
        where there is nothing to score: ``boolean_match`` and ``list_jaccard`` of other answer
        types or where no boolean or no list can be read, models where a text is blank, the rescaled
        BERTScore where the baseline is not known. No pairs, no rows.

    Raises:
        ValueError: a pair without id or text, an id twice, or a model that is not there.
    """
    scorers = _resolve(settings)
    cache = ResultCache(
        Path(str(settings["state_dir"])) / "cache" / "scores" / "builds", SCORES_SCHEMA, []
    )
    return cache.table(
        [pairs, _rows(scorers)], lambda: iter(_score(pairs, scorers, settings).to_batches())
    )


def _score(pairs: pa.Table, scorers: _Scorers, settings: Mapping[str, Any]) -> pa.Table:
    ids, texts, types = _read_pairs(pairs)
    values = {**_rule_values(texts, types), **_model_values(texts, scorers, settings)}
    return _table(ids, values, {row["metric"]: row["scorer_id"] for row in _rows(scorers)})


def _table(
    ids: Sequence[str], values: Mapping[str, Values], scorer_ids: Mapping[str, str | None]
) -> pa.Table:
    names = sorted(values)
    order = sorted(range(len(ids)), key=ids.__getitem__)
    return pa.table(
        {
            "pair_id": [ids[at] for at in order for _ in names],
            "metric": names * len(order),
            "value": [values[name][at] for at in order for name in names],
            "scorer_id": [scorer_ids.get(name) for name in names] * len(order),
        },
        schema=SCORES_SCHEMA,
    )


def score_by_rules(pairs: pa.Table) -> pa.Table:
    """The scores of ``score_text_pairs`` that need no model.

    Args:
        pairs: as for ``score_text_pairs``.

    Returns:
        Rows under ``SCORES_SCHEMA``, in order of pair_id and metric.

    Raises:
        ValueError: a pair without id or text, or an id twice.
    """
    ids, texts, types = _read_pairs(pairs)
    return _table(ids, _rule_values(texts, types), {})


def describe_scorers(settings: Mapping[str, Any]) -> pa.Table:
    """What each metric that a model makes is made with.

    Args:
        settings: as for ``score_text_pairs``.

    Returns:
        Rows under ``SCORERS_SCHEMA``, in order of metric; BLEURT also where it is not configured.

    Raises:
        ValueError: a model that is not there.
    """
    return pa.Table.from_pylist(_rows(_resolve(settings)), schema=SCORERS_SCHEMA)


def check_scorers(settings: Mapping[str, Any]) -> None:
    """Check that the scorers of a build are there, without loading one.

    Args:
        settings: as for ``score_text_pairs``; a scorer that is not named is the default.

    Raises:
        ValueError: as ``resolve_bert_score`` and ``resolve_bleurt``.
    """
    unnamed = {"bert_score_model": "", "bert_score_layers": 0, "bleurt_checkpoint": ""}
    _resolve({**unnamed, **settings})


def _resolve(settings: Mapping[str, Any]) -> _Scorers:
    layers = settings["bert_score_layers"]
    return _Scorers(
        encoder=str(settings["encoder"]),
        bert=semantic.resolve_bert_score(str(settings["bert_score_model"] or ""), int(layers or 0)),
        bleurt=semantic.resolve_bleurt(str(settings["bleurt_checkpoint"] or "")),
    )


def _rows(scorers: _Scorers) -> list[dict[str, Any]]:
    bert, bleurt = scorers.bert, scorers.bleurt
    rows: list[dict[str, Any]] = [
        {
            "metric": metric,
            "scorer_id": bert.rescaled_id if metric.endswith("rescaled") else bert.scorer_id,
            "model": bert.model,
            "layers": bert.layers,
            "baseline": bert.baseline if metric.endswith("rescaled") else None,
            "version": version("bert-score"),
        }
        for metric in sorted(_DESCRIPTIONS)
        if metric.startswith("bert_score")
    ]
    rows.append(
        {
            "metric": "bleurt",
            "scorer_id": bleurt.scorer_id if bleurt else None,
            "model": bleurt.name if bleurt else None,
            "version": version("bleurt") if bleurt else None,
            "is_configured": bleurt is not None,
        }
    )
    rows.append(
        {
            "metric": "cosine",
            "scorer_id": scorers.cosine_id,
            "model": scorers.cosine_id.removeprefix("cosine:"),
        }
    )
    shared = {"layers": None, "baseline": None, "version": None, "is_configured": True}
    return [{**shared, **row, "description": _DESCRIPTIONS[row["metric"]]} for row in rows]


def _read_pairs(pairs: pa.Table) -> tuple[list[str], list[TextPair], list[str | None]]:
    ids = pairs["pair_id"].to_pylist()
    answers, golds = pairs["answer_text"].to_pylist(), pairs["gold_text"].to_pylist()
    seen: set[str] = set()
    for pair_id, answer, gold in zip(ids, answers, golds, strict=True):
        if pair_id is None or pair_id in seen:
            raise ValueError(f"pair {pair_id} has no id or occurs twice; pass each pair once")
        if answer is None or gold is None:
            raise ValueError(f"pair {pair_id} lacks a text; leave out pairs without answer or gold")
        seen.add(pair_id)
    return ids, list(map(TextPair, answers, golds)), pairs["answer_type"].to_pylist()


def _rule_values(texts: Sequence[TextPair], types: Sequence[str | None]) -> dict[str, Values]:
    if not texts:
        return {}
    wording = Wording()

    def of_type(wanted: str, score: Callable[[str, str], float | None]) -> Values:
        return [
            score(*pair) if kind == wanted else None
            for pair, kind in zip(texts, types, strict=True)
        ]

    return {
        "rouge_l": [wording.rouge_l(*pair) for pair in texts],
        "contain_match": [wording.contain_match(*pair) for pair in texts],
        "boolean_match": of_type("boolean", wording.boolean_match),
        "list_jaccard": of_type("list", wording.list_jaccard),
    }


def _model_values(
    texts: Sequence[TextPair], scorers: _Scorers, settings: Mapping[str, Any]
) -> dict[str, Values]:
    state_dir, threads = Path(settings["state_dir"]), int(settings["encoder_threads"])
    cosine = semantic.cosine_scores(
        texts,
        scorers.encoder,
        state_dir / "cache",
        batch_size=int(settings["encoder_batch_size"]),
        threads=threads,
    )
    cache = ScoreCache(state_dir)
    berts = _cached_bert_scores(texts, scorers.bert, cache, threads)
    bleurts = _cached_bleurt_scores(texts, scorers.bleurt, cache)
    f1s = [bert.f1 if bert else None for bert in berts]
    values: dict[str, Values] = {
        "cosine": cosine,
        "bert_score_precision": [bert.precision if bert else None for bert in berts],
        "bert_score_recall": [bert.recall if bert else None for bert in berts],
        "bert_score": f1s,
        "bert_score_rescaled": [scorers.bert.rescale(f1) for f1 in f1s],
    }
    return values if scorers.bleurt is None else {**values, "bleurt": bleurts}


def _cached_bert_scores(
    texts: Sequence[TextPair], scorer: BertScorer, cache: ScoreCache, threads: int
) -> list[Bert | None]:
    keys = {pair: pair_key(*pair) for pair in texts}
    cached = cache.find(scorer.scorer_id, sorted(keys.values()))
    missing = [pair for pair, key in keys.items() if key not in cached]
    for part in semantic.bert_scores(missing, scorer, threads):
        new = {keys[pair]: score for pair, score in part.items()}
        cache.add(scorer.scorer_id, new)
        cached.update(new)
    return [Bert(*cached[key]) if (key := keys[pair]) in cached else None for pair in texts]


def _cached_bleurt_scores(
    texts: Sequence[TextPair], scorer: BleurtScorer | None, cache: ScoreCache
) -> Values:
    if scorer is None:
        return []
    keys = {pair: pair_key(*pair) for pair in texts if pair.answer.strip() and pair.gold.strip()}
    cached = cache.find(scorer.scorer_id, sorted(keys.values()))
    missing = sorted(pair for pair, key in keys.items() if key not in cached)
    for start in range(0, len(missing), semantic.PAIRS_PER_PART):
        part = missing[start : start + semantic.PAIRS_PER_PART]
        found = zip(part, semantic.bleurt_scores(part, scorer), strict=True)
        new = {keys[pair]: (score,) for pair, score in found}
        cache.add(scorer.scorer_id, new)
        cached.update(new)
    return [cached[keys[pair]][0] if pair in keys else None for pair in texts]
