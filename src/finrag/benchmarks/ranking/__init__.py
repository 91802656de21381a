"""Ranks the passages of public benchmarks with the search systems that are registered.

A passage competes with the passages of its own benchmark and space (text, row, page, turn, table)
and with no others, so that a recall of rows says nothing of how rows do against paragraphs.
*Filtered* searches the passages of the item's own document, as when the right filing is known;
*open* all of the benchmark. What a score rests on:

- BM25 counts words over the distinct texts of a benchmark's space, all of it, in both regimes.
- A passage is embedded in one piece, as the encoder does it: minilm reads the first 256 word
  pieces and no more, so of a long page only the head; wordllama reads all of it.
- Cosines are worked out in double precision without BLAS, and scores are rounded before they are
  compared: the same ranks whatever the threads. Equal scores stand in the order of passage ids.
"""

from finrag.benchmarks.ranking.running import (
    BENCHMARK_RANKING_SCHEMA,
    rank_benchmarks,
    takes_part,
)

__all__ = ["BENCHMARK_RANKING_SCHEMA", "rank_benchmarks", "takes_part"]
