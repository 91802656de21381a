"""Threads: the named initiative that runs through one passage of one year.

Real paragraphs hold together because their sentences return to one affair that few other paragraphs
mention. Without it, every sentence would resemble its own earlier versions more than its
neighbours, and a search over all filings would find nothing but those versions. Here the affair is
an internal program, review or plan with a name of its own.
"""

import random
from dataclasses import dataclass

_FIRST_WORDS = [
    "Amber",
    "Copper",
    "Silver",
    "Granite",
    "Cedar",
    "Willow",
    "Juniper",
    "Maple",
    "Birch",
    "Hazel",
    "Scarlet",
    "Indigo",
    "Crimson",
    "Ivory",
    "Cobalt",
    "Russet",
    "Golden",
    "Winter",
    "Summer",
    "Harvest",
    "Midnight",
    "Morning",
    "Northern",
    "Southern",
    "Prairie",
    "Canyon",
    "Meadow",
    "Island",
    "Harbor",
    "Desert",
    "Glacier",
    "Thunder",
    "Velvet",
    "Paper",
    "Marble",
    "Iron",
    "Bronze",
    "Crystal",
    "Orchard",
    "Lantern",
]
_SECOND_WORDS = [
    "Heron",
    "Falcon",
    "Otter",
    "Badger",
    "Salmon",
    "Beetle",
    "Sparrow",
    "Panther",
    "Tortoise",
    "Walrus",
    "Pelican",
    "Antelope",
    "Cricket",
    "Dolphin",
    "Kestrel",
    "Lynx",
    "Magpie",
    "Mustang",
    "Narwhal",
    "Oriole",
    "Puffin",
    "Raven",
    "Swallow",
    "Trout",
    "Wren",
    "Bridge",
    "Compass",
    "Ladder",
    "Anchor",
    "Beacon",
    "Kettle",
    "Violin",
    "Clock",
    "Mirror",
    "Saddle",
    "Hammer",
    "Needle",
    "Candle",
    "Trumpet",
    "Basket",
    "Chimney",
    "Pendulum",
    "Windmill",
    "Staircase",
    "Telescope",
    "Carousel",
    "Drum",
    "Sundial",
    "Cathedral",
    "Fountain",
]
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
    """One initiative and the mentions of it, in the order in which a passage uses them."""

    mentions: tuple[str, ...]


def draw_thread(rng: random.Random) -> Thread:
    """Draw an initiative, one of about two thousand names, and the order of its mentions."""
    short = f"{rng.choice(_FIRST_WORDS)} {rng.choice(_SECOND_WORDS)}"
    full = f"{short} {rng.choice(_KINDS)}"
    forms = (rng.choice(_FIRST_FORMS), *rng.sample(_LATER_FORMS, len(_LATER_FORMS)))
    return Thread(tuple(form.format(full=full, short=short) for form in forms))


def weave(sentence: str, thread: Thread, mention: int) -> str:
    """End a sentence with a mention of the initiative.

    Args:
        sentence: A sentence that ends in a full stop.
        thread: The initiative of the passage.
        mention: How often the passage has mentioned it before; 0 names its kind as well.
    """
    return f"{sentence[:-1]}{thread.mentions[mention % len(thread.mentions)]}."
