"""What the figures of the table are to reach: one table of goals, judged at full size alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A bound of one figure.

    Attributes:
        bound: the least that is enough, or the most that is allowed.
        of: what the figure counts; of a ratio to a peer nothing.
        is_most: whether less is better.
    """

    bound: float
    of: str = ""
    is_most: bool = False

    def __str__(self) -> str:
        return f"{'<=' if self.is_most else '>='} {round(self.bound, 2):,} {self.of}".rstrip()

    def is_met_by(self, figure: float) -> bool:
        return figure <= self.bound if self.is_most else figure >= self.bound


# By layer. A goal without a unit is one of the ratio: by processor time where that is known.
GOALS = {
    "splitting": Goal(0.8),
    "raw filings, memory": Goal(250, "MiB", is_most=True),
    "raw filings, sec-parser": Goal(4),
    "raw filings, edgar-crawler": Goal(4),
    "raw filings, edgartools": Goal(6),
    "raw filings, ixbrlparse": Goal(6),
    "warehouse SQL": Goal(120, "s", is_most=True),
    "warehouse SQL, memory": Goal(8 * 1024, "MiB", is_most=True),
    "atlases, whole room": Goal(200_000, "a CPU second"),
    "search, dense_open": Goal(1 / 1.15),
    "search, dense_filtered": Goal(1 / 1.1),
    "search, bm25_open": Goal(0.8),
    "search, bm25_filtered": Goal(0.8),
    "search, memory": Goal(1.5, "x the vectors", is_most=True),
    "search, questions": Goal(40, "s", is_most=True),
    "metrics, values": Goal(3),
    "scoring, BERTScore": Goal(1 / 1.2),
    "scoring, rules": Goal(2_000, "a second"),
    "pages, first paint": Goal(1, "s", is_most=True),
    "scale, one process": Goal(40_000, "a core second"),
    "scale, pool of two": Goal(1.8),
    "scale, Spark local[2]": Goal(1.1, "x the pool's time", is_most=True),
    "scale, processor time of Spark": Goal(1.1, "x one process", is_most=True),
    "scale, start of Spark": Goal(15, "s", is_most=True),
    "scale, nothing new": Goal(10, "s", is_most=True),
    "scale, one new filing": Goal(60, "s", is_most=True),
    "scale, memory of a task": Goal(2 * 1024, "MiB", is_most=True),
    "scale, memory of the driver": Goal(4 * 1024, "MiB", is_most=True),
}
