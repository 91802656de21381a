"""What a text quotes, and texts as quotations are compared."""

import re


def quotation_of(question_text: str) -> str | None:
    """Return the longest text in quotation marks of a question, null where there is none."""
    found = re.findall(r"\"([^\"]+)\"|“([^”]+)”", question_text)
    quotations = [straight or curled for straight, curled in found]
    return max(quotations, key=len, default=None)


def folded(text: str) -> str:
    """Return text as quotations are compared: lower-case, single spaces, straight marks."""
    straight = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return " ".join(straight.casefold().split())
