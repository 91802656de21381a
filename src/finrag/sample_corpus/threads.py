"""Threads: the named initiative that runs through one passage of one year.

Real paragraphs hold together because their sentences return to one affair that few other paragraphs
mention. Without it, every sentence would resemble its own earlier versions more than its
neighbours, and a search over all filings would find nothing but those versions. Here the affair is
an internal program, review or plan with a name of its own.
"""

import random
from dataclasses import dataclass

_FIRST_WORDS = (
    "Amber Copper Silver Granite Cedar Willow Juniper Maple Birch Hazel Scarlet Indigo Crimson "
    "Ivory Cobalt Russet Golden Winter Summer Harvest Midnight Morning Northern Southern Prairie "
    "Canyon Meadow Island Harbor Desert Glacier Thunder Velvet Paper Marble Iron Bronze Crystal "
    "Orchard Lantern"
).split()
_SECOND_WORDS = (
    "Heron Falcon Otter Badger Salmon Beetle Sparrow Panther Tortoise Walrus Pelican Antelope "
    "Cricket Dolphin Kestrel Lynx Magpie Mustang Narwhal Oriole Puffin Raven Swallow Trout Wren "
    "Bridge Compass Ladder Anchor Beacon Kettle Violin Clock Mirror Saddle Hammer Needle Candle "
    "Trumpet Basket Chimney Pendulum Windmill Staircase Telescope Carousel Drum Sundial Cathedral "
    "Fountain"
).split()
_KINDS = ("program", "review", "initiative", "plan", "project", "working group")
_FIRST_FORMS = (
    ", as noted in the records of the {full}",
    ", a subject of the {full}",
    ", a point on the agenda of the {full}",
    ", as set out under the {full}",
    ", which the {full} covers",
    ", as our board learned from the {full}",
)
_LATER_FORMS = (
    ", as the {short} team reported",
    ", according to the {short} team",
    ", another {short} topic",
    ", also part of {short}",
    ", a matter followed by {short}",
    ", which {short} covers as well",
    ", in keeping with {short}",
)


@dataclass(frozen=True)
class Thread:
    """One initiative: its short name and its kind, for example Copper Heron and review."""

    name: str
    kind: str


def draw_thread(rng: random.Random) -> Thread:
    """Draw an initiative; the names alone make two thousand."""
    name = f"{rng.choice(_FIRST_WORDS)} {rng.choice(_SECOND_WORDS)}"
    return Thread(name=name, kind=rng.choice(_KINDS))


def weave(sentence: str, thread: Thread, has_begun: bool, rng: random.Random) -> str:
    """End a sentence with a mention of the initiative, with its kind the first time.

    Args:
        sentence: A sentence that ends in a full stop.
        thread: The initiative of the passage.
        has_begun: Whether an earlier sentence of the passage has mentioned it.
        rng: Source of the choice of words.
    """
    form = rng.choice(_LATER_FORMS if has_begun else _FIRST_FORMS)
    return sentence[:-1] + form.format(full=f"{thread.name} {thread.kind}", short=thread.name) + "."
