"""Threads: the named initiative that runs through one passage of one year.

Real paragraphs hold together because their sentences return to one affair that few other paragraphs
mention. Without it, every sentence would resemble its own earlier versions more than its
neighbours, and a search over all filings would find nothing but those versions. Here the affair is
an internal program, review or plan with a name of its own.
"""

import random
from dataclasses import dataclass
from functools import cache

from finrag.sample.reading import read_wording


@dataclass(frozen=True)
class _Names:
    """What initiatives are called, and the forms of a first and of a later mention."""

    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    kinds: tuple[str, ...]
    first_forms: tuple[str, ...]
    later_forms: tuple[str, ...]


@cache
def _names() -> _Names:
    return read_wording("threads", _Names)


@dataclass(frozen=True)
class Thread:
    """One initiative and the mentions of it, in the order in which a passage uses them."""

    mentions: tuple[str, ...]


def draw_thread(rng: random.Random) -> Thread:
    """Draw an initiative, one of about two thousand names, and the order of its mentions."""
    names = _names()
    short = f"{rng.choice(names.first_words)} {rng.choice(names.second_words)}"
    full = f"{short} {rng.choice(names.kinds)}"
    forms = (rng.choice(names.first_forms), *rng.sample(names.later_forms, len(names.later_forms)))
    return Thread(tuple(form.format(full=full, short=short) for form in forms))


def weave(sentence: str, thread: Thread, mention: int) -> str:
    """End a sentence with a mention of the initiative.

    Args:
        sentence: A sentence that ends in a full stop.
        thread: The initiative of the passage.
        mention: How often the passage has mentioned it before; 0 names its kind as well.
    """
    return f"{sentence[:-1]}{thread.mentions[mention % len(thread.mentions)]}."
