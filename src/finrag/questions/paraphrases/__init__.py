"""Paraphrases of questions by a language model, accepted only where they ask the same.

``paraphrase_questions`` asks an OpenAI-compatible endpoint, from a cache where it can;
``check_paraphrase`` is the pure rule that accepts or rejects one. Off unless configured.
"""

from finrag.questions.paraphrases.asking import VARIANT_SCHEMA, paraphrase_questions
from finrag.questions.paraphrases.checks import REASONS, check_paraphrase, company_forms

__all__ = [
    "REASONS",
    "VARIANT_SCHEMA",
    "check_paraphrase",
    "company_forms",
    "paraphrase_questions",
]
