"""Slots of a question whose document is handed over: its topic, and what was asked before it.

A follow-up such as "and in 2008?" says little by itself; earlier questions of the dialogue say
what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from finrag.agents.session import Asked
from finrag.agents.slots import Slot, Wording, packed
from finrag.agents.tools import QUERY_CHARACTERS
from finrag.questions.texts import plain_text
from finrag.questions.topics import topic_text

CHUNKS_READ: Final = 2
# Earlier questions that are searched for with a question.
QUESTIONS_BEFORE: Final = 3


def context_slots(asked: Asked) -> list[Slot]:
    """One slot: the words of the question, then those of the last questions before it.

    Years stay, as figures are stated with them. Where that fills nothing, the question is looked
    for without those before it, and then the measures that it names, in the words of reports.

    Args:
        asked: the question; its history is empty where earlier questions are not to be used.
    """
    texts = [asked.query.text, *reversed([text for text, _ in asked.history[-QUESTIONS_BEFORE:]])]
    topics = [topic_text(plain_text(text), (), ()) for text in texts]
    # The question itself stands last, and is never cut off.
    query = " ".join(reversed(texts))[-QUERY_CHARACTERS:]
    return [
        Slot(
            companies=(),
            years=(),
            sections=(),
            keywords=packed(" ".join(topics)),
            query=query,
            n_read=CHUNKS_READ,
            again=tuple(_again(asked, topics[0])),
        )
    ]


def _again(asked: Asked, topic: str) -> Iterator[Wording]:
    """The question alone, if there are others before it; its measures, if it names any."""
    if asked.history:
        yield Wording(packed(topic), asked.query.text[:QUERY_CHARACTERS])
    measures = " ".join(asked.query.measures)
    if measures:
        yield Wording(packed(measures), measures[:QUERY_CHARACTERS])
