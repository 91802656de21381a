"""What a text quotes, and texts as quotations are compared."""

import re
from typing import Final

# Dashes, apostrophes, quotation marks and spaces that keyboards and web pages put for plain ones.
MARKS: Final = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－⁃"), "-"),
    **dict.fromkeys(map(ord, "‘’‛′ʼ＇`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″＂«»"), '"'),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None),
}


def quotation_of(question_text: str) -> str | None:
    """Return the longest text in quotation marks of a question, null where there is none."""
    found = re.findall(r"\"([^\"]+)\"|“([^”]+)”", question_text)
    quotations = [straight or curled for straight, curled in found]
    return max(quotations, key=len, default=None)


def folded(text: str) -> str:
    """Return text as quotations are compared: lower-case, single spaces, straight marks."""
    straight = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return " ".join(straight.casefold().split())
