"""Which blocks of a filing a system reads for a line: those of its tiers, or those near a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from finrag import embeddings
from finrag.embeddings.prompts import Role
from finrag.records.vocabulary import read_vocabulary
from finrag.retrieval.diversity import keep_distinct, mmr_order, unit_range
from finrag.revenue.composing import names
from finrag.revenue.filings import FULL, LOCAL, Filing, Line
from finrag.revenue.pages import Block
from finrag.systems.algorithm import SCORE_DECIMALS

TIERS: Final = {"local": (LOCAL,), "full": (FULL,), "both": (LOCAL, FULL)}
_VOCABULARY: Final = read_vocabulary(__file__)
_PREFERRED_ITEMS: Final = _VOCABULARY.words["preferred_items"]
_AVOIDED_ITEMS: Final = _VOCABULARY.words["avoided_items"]
_AVOIDED_HEADING = _VOCABULARY.pattern("avoided_heading", re.IGNORECASE)
# Weights of a block's cosine outside the table's own blocks.
PREFERRED_WEIGHT: Final = 1.1
AVOIDED_WEIGHT: Final = 0.8
# Thresholds from noise: its quantile, its distance from good scores, and the least by tier.
NOISE_QUANTILE: Final = 0.9
GOOD_MARGIN: Final = 0.05
FLOORS: Final = {LOCAL: 0.50, FULL: 0.45}

Scores = NDArray[np.float64]
Embedded = Mapping[tuple[Role, str], NDArray[np.float32]]


@dataclass(frozen=True)
class Candidate:
    """A block that may be read for a line.

    Attributes:
        place: of the block in the filing.
        tier: 1 for the table's own blocks, 2 for the rest of the filing.
        score: weighted cosine with the query; None where nothing was searched.
        threshold: the least score of its tier; None likewise.
    """

    place: int
    tier: int
    score: float | None = None
    threshold: float | None = None


def is_searched(system: Mapping[str, Any]) -> bool:
    """Whether a system reads only blocks near its query."""
    return system.get("search") == "embedding"


def embed_filings(
    systems: Iterable[Mapping[str, Any]], filings: Sequence[Filing], settings: Mapping[str, Any]
) -> dict[str, Embedded]:
    """Vectors of queries and blocks, by encoder; nothing where no system searches.

    Args:
        systems: as registered.
        filings: what is searched in.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.

    Raises:
        ValueError: see ``embeddings.embed_texts``.
    """
    forms: dict[str, set[str]] = {}
    for system in systems:
        if is_searched(system):
            forms.setdefault(system["encoder"], set()).add(system["query"])
    passages = {filing.blocks[place].text for filing in filings for place in filing.texts}
    return {
        encoder: {
            **_vectors(encoder, _queries(filings, wanted), "query", settings),
            **_vectors(encoder, passages, "passage", settings),
        }
        for encoder, wanted in sorted(forms.items())
    }


def candidates(
    system: Mapping[str, Any], filing: Filing, embedded: Embedded
) -> dict[str, list[Candidate]]:
    """The blocks that a system reads for each line of a filing.

    Args:
        system: as registered.
        filing: with its lines and blocks.
        embedded: vectors of the system's encoder; empty where it does not search.

    Returns:
        By line, the local tier first; without a search in reading order, else best first. No
        block stands twice.
    """
    tiers = TIERS[str(system.get("tiers") or "both")]
    if not is_searched(system):
        return {
            line.leaf.line_id: [
                Candidate(place, tier)
                for tier in tiers
                for place, is_in in zip(filing.texts, _is_in(tier, filing, line), strict=True)
                if is_in
            ]
            for line in filing.lines
        }
    pools = [_Pool(system, filing, tier, embedded) for tier in tiers]
    return {
        line.leaf.line_id: [one for pool in pools for one in pool.nearest(at)]
        for at, line in enumerate(filing.lines)
    }


def noise_threshold(noise: Scores, good: Scores, tier: int, default: float) -> float:
    """The least score of a tier, from what is known to be noise and known to be good.

    max(floor, min(90th percentile of noise, lowest good score - 0.05)), without the part of which
    there is nothing; the default where there is neither.
    """
    limits = [float(np.quantile(noise, NOISE_QUANTILE))] if len(noise) else []
    limits += [float(good.min()) - GOOD_MARGIN] if len(good) else []
    return round(max(FLOORS[tier], min(limits)), SCORE_DECIMALS) if limits else default


class _Pool:
    """The blocks of one tier of a filing, compared with the queries of all its lines."""

    def __init__(
        self, system: Mapping[str, Any], filing: Filing, tier: int, embedded: Embedded
    ) -> None:
        self._system, self._tier, self._filing = system, tier, filing
        blocks = [filing.blocks[place] for place in filing.texts]
        queries = [embedded["query", line.query(system["query"])] for line in filing.lines]
        vectors = [embedded["passage", block.text] for block in blocks]
        self._vectors = np.array(vectors, np.float32).reshape(len(blocks), -1)
        weights = np.array([1.0 if tier == LOCAL else _weight(block) for block in blocks])
        # einsum, not @: a BLAS sums in an order that depends on its number of threads.
        cosines = np.array(
            [np.einsum("ij,j->i", self._vectors, query.astype(np.float64)) for query in queries]
        ).reshape(len(queries), len(blocks))
        self._scores = np.round(cosines * weights, SCORE_DECIMALS)
        self._is_in = np.array([_is_in(tier, filing, line) for line in filing.lines], bool)
        self._is_in = self._is_in.reshape(self._scores.shape)
        self._threshold = self._least()

    def nearest(self, at: int) -> list[Candidate]:
        """The candidates of the line at a position, best first."""
        scores = self._scores[at]
        found = np.flatnonzero(self._is_in[at] & (scores >= self._threshold))
        found = found[np.argsort(-scores[found], kind="stable")]
        limit = self._system.get("near_duplicate_cosine")
        if limit is not None:
            found = found[keep_distinct(self._vectors[found], float(limit))]
        depth = int(self._system["depth"])
        mmr_lambda = self._system.get("mmr_lambda")
        if mmr_lambda is not None and len(found):
            relevance = unit_range(scores[found])
            order, _ = mmr_order(relevance, self._vectors[found], float(mmr_lambda), depth)
            found = found[order]
        places = self._filing.texts
        return [
            Candidate(places[one], self._tier, float(scores[one]), self._threshold)
            for one in found[:depth]
        ]

    def _least(self) -> float:
        default = float(self._system[f"tier_{self._tier}_threshold"])
        if self._system["calibration"] != "noise":
            return default
        texts = [self._filing.blocks[place].text for place in self._filing.texts]
        labels = [line.leaf.label for line in self._filing.lines]
        named = np.array([[names(text, label) for text in texts] for label in labels], bool)
        named = named.reshape(self._scores.shape)
        noise = self._scores[self._is_in & ~named.any(axis=0)]
        good = [
            row[mine].max()
            for row, mine in zip(self._scores, self._is_in & named, strict=True)
            if mine.any()
        ]
        return noise_threshold(noise, np.array(good), self._tier, default)


def _weight(block: Block) -> float:
    is_avoided = any(map(_AVOIDED_HEADING.search, block.heading_path))
    if is_avoided or block.section_item in _AVOIDED_ITEMS:
        return AVOIDED_WEIGHT
    is_noted = block.note_kind is not None or block.section_item in _PREFERRED_ITEMS
    return PREFERRED_WEIGHT if is_noted else 1.0


def _is_in(tier: int, filing: Filing, line: Line) -> list[bool]:
    own = filing.own(line)
    return [(place in own) == (tier == LOCAL) for place in filing.texts]


def _queries(filings: Sequence[Filing], forms: Iterable[str]) -> set[str]:
    return {line.query(form) for form in forms for filing in filings for line in filing.lines}


def _vectors(
    encoder: str, texts: set[str], role: Role, settings: Mapping[str, Any]
) -> dict[tuple[Role, str], NDArray[np.float32]]:
    distinct = sorted(text for text in texts if text.strip())
    matrix = embeddings.embed_queries(
        distinct,
        encoder,
        Path(settings["state_dir"]) / "cache",
        batch_size=int(settings["encoder_batch_size"]),
        threads=int(settings["encoder_threads"]),
        role=role,
    )
    return {(role, text): vector for text, vector in zip(distinct, matrix, strict=True)}
