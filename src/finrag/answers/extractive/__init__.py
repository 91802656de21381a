"""Answers without a language model: evidence is picked, trimmed and, where it is a figure, read.

Every answer is made of words of the context. Support, 0 to 1, says how well the context supports
it; below a threshold the answerer abstains (see ``finrag.answers.calibration``).
"""

from finrag.answers.extractive.answering import measured_answers, supports

__all__ = ["measured_answers", "supports"]
