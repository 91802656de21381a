"""A second opinion on answers and contexts by a language model, where one is configured.

``judge_answers`` asks an OpenAI-compatible endpoint, from its store where it can; ``parse_verdict``
and its like are the pure reading of what it says. The deterministic checks stay the measure; the
judge is compared with them. Off unless configured.
"""

from finrag.scoring.judge.asking import ASPECTS, JUDGEMENT_SCHEMA, judge_answers
from finrag.scoring.judge.verdicts import (
    VERDICTS,
    Score,
    Verdict,
    VerdictError,
    parse_score,
    parse_share,
    parse_useful,
    parse_verdict,
)

__all__ = [
    "ASPECTS",
    "JUDGEMENT_SCHEMA",
    "VERDICTS",
    "Score",
    "Verdict",
    "VerdictError",
    "judge_answers",
    "parse_score",
    "parse_share",
    "parse_useful",
    "parse_verdict",
]
