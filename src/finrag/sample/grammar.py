"""A small phrase grammar: ``[this|that]`` chooses, ``{name}`` fills, ``{#3-9}`` draws a number."""

import random
import re
from collections.abc import Mapping
from functools import cache

from finrag.sample.reading import read_wording

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}]+)\}")
_ARTICLE = re.compile(r"\b([Aa])\(n\) (\W?)(\w)")
_VOWELS = "aeiouAEIOU8"


def expand(template: str, slots: Mapping[str, str], rng: random.Random) -> str:
    """Write one sentence from a template.

    Choices are resolved innermost first, then slots (whose values may hold choices and
    slots again). ``a(n)`` becomes the article that fits the next word; the first letter
    becomes a capital; straight apostrophes become typographic ones, as filings print them.

    Args:
        template: The sentence with its choices and slots.
        slots: Value of every named slot.
        rng: Source of every choice, so that equal generators give equal sentences.

    Raises:
        ValueError: A slot has no value; the message names slot and template.
    """
    text = template
    while True:
        before = text
        while found := _CHOICE.search(text):
            picked = rng.choice(found.group(1).split("|"))
            text = text[: found.start()] + picked + text[found.end() :]
        while found := _SLOT.search(text):
            text = (
                text[: found.start()]
                + _fill(found.group(1), slots, rng, template)
                + text[found.end() :]
            )
        if text == before:
            break
    text = _ARTICLE.sub(_article, re.sub(r" {2,}", " ", text).strip())
    text = text.replace("'", "’").replace(" ,", ",")
    return text[:1].upper() + text[1:]


# Before a number only; elsewhere "about" is a preposition.
_ABOUT = re.compile(r"\babout(?= \$?\d)")
_ABOUT_WORDS = ("about", "approximately", "roughly", "close to")


@cache
def _synonyms() -> tuple[dict[str, tuple[str, ...]], re.Pattern[str]]:
    """The words that may stand for a word, and a pattern that finds such words."""
    lists = read_wording("synonyms", tuple[tuple[str, ...], ...])
    synonyms = {words[0]: words for words in lists}
    longest_first = sorted(synonyms, key=len, reverse=True)
    return synonyms, re.compile(r"\b(" + "|".join(longest_first) + r")\b")


def vary(text: str, rng: random.Random) -> str:
    """Reword a sentence: common words are exchanged for synonyms, names are left alone."""
    text = _ABOUT.sub(lambda _: rng.choice(_ABOUT_WORDS), text)
    synonyms, replaceable = _synonyms()
    # Capitals inside a sentence belong to names; only the first word may be lowered and raised.
    varied = replaceable.sub(
        lambda found: rng.choice(synonyms[found.group(1)]), text[:1].lower() + text[1:]
    )
    return varied[:1].upper() + varied[1:]


def _fill(name: str, slots: Mapping[str, str], rng: random.Random, template: str) -> str:
    if name.startswith("#"):
        low, high = name[1:].split("-")
        number = rng.randint(int(low), int(high))
        is_year = int(low) >= 1900 and int(high) <= 2100
        return str(number) if is_year else f"{number:,}"
    if name not in slots:
        raise ValueError(f"the template {template!r} asks for {name!r}, which has no value")
    return slots[name]


def _article(found: re.Match[str]) -> str:
    article = found.group(1) + ("n" if found.group(3) in _VOWELS else "")
    return f"{article} {found.group(2)}{found.group(3)}"
