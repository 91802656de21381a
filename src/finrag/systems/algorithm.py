"""Constants of the methods that no setting of a system names, and their version.

They change results as settings do. ``ALGORITHM_VERSION`` represents them in the hash of a system's
settings: raise it with every change of a constant or of a method that uses one, or else two
methods would share one hash.
"""

from typing import Final

ALGORITHM_VERSION: Final = "5"

# Decimals of a cosine and of a BM25 score: above the noise of single precision.
SCORE_DECIMALS: Final = 6
# Decimals of a fused score: neighbouring reciprocal ranks differ from the seventh on, the noise
# of a sum from the sixteenth.
FUSED_DECIMALS: Final = 12

# Candidates passed from the search to the reranking stage, where the system does not say.
POOL: Final = 100
# Candidates taken from an index beyond the depth: exact scores may reorder near-ties.
CANDIDATE_MARGIN: Final = 50

# Words of a chunk where a set has no chunks of its own; its documents are short.
CHUNK_WORDS: Final = 200
# Results per question of a public set; a system with a smaller depth returns fewer here too.
SET_DEPTH: Final = 30

# Factor on the fused score of a sentence in a section that the question hints at: worth a few
# ranks, no more.
HINTED_SECTION: Final = 1.2
# Factor on the fused score of a heading, a line of a table of contents or a pointer elsewhere.
FURNITURE_WEIGHT: Final = 0.5
# Factor on the fused score of a sentence that states what is asked for: a figure of a measure, a
# cause, a definition. Accounts and policies name the measure or the term as often and have it
# nearer the head.
STATED: Final = 1.5
# Sections that put one subject in many wordings. A question about them alone is searched
# for by the vector of its topic: BM25 and the question's other words bring up sentences that
# name the subject before those that say something about it. In sections with figures it is the
# other way round: name and year stand beside the figure.
THEMATIC_SECTIONS: Final = frozenset({"ITEM_1A"})
# Hits of each cell whose neighbours are looked at.
EXPANDED_HITS: Final = 3
# Of the score of a hit, the most that its neighbour gets by it: next, not before it.
BEHIND: Final = 0.999
