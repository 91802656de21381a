"""Retrieval systems: embeddings, indexes, searches of every kind, and the random null.

Nothing here sees gold: the inputs are the systems' settings, the text and place of anchors,
the text of questions with what was read from it, and the corpus.
"""

from finrag.retrieval.embedding import embed_corpus, embed_search_texts
from finrag.retrieval.indexes import build_indexes
from finrag.retrieval.ranking import rank_items

__all__ = [
    "build_indexes",
    "embed_corpus",
    "embed_search_texts",
    "rank_items",
]
