"""Retrieval systems: embeddings, indexes, sparse and dense search, and the random null.

Nothing here sees gold: the inputs are the systems' settings, the anchors' text and place,
and the corpus.
"""

from finrag.retrieval.embedding import embed_corpus
from finrag.retrieval.indexes import build_indexes
from finrag.retrieval.ranking import rank_anchors

__all__ = ["build_indexes", "embed_corpus", "rank_anchors"]
