"""A second opinion on answers by a language model, where one is configured.

``judge_answers`` asks an OpenAI-compatible endpoint, from its store where it can; ``parse_verdict``
is the pure reading of what it says. The deterministic checks stay the measure; the judge is
compared with them. Off unless configured.
"""

from finrag.scoring.judge.asking import ASPECTS, JUDGEMENT_SCHEMA, judge_answers
from finrag.scoring.judge.verdicts import VERDICTS, Verdict, VerdictError, parse_verdict

__all__ = [
    "ASPECTS",
    "JUDGEMENT_SCHEMA",
    "VERDICTS",
    "Verdict",
    "VerdictError",
    "judge_answers",
    "parse_verdict",
]
