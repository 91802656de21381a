"""Sentences that say what a revenue line consists of: the line is their grammatical subject."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary

MAX_SUBJECT_CHARS: Final = 140
MIN_OBJECT_WORDS: Final = 2

_VOCABULARY: Final = read_vocabulary(__file__)
VERB: Final = _VOCABULARY.pattern("verb")
WORK: Final = _VOCABULARY.pattern("work")
_LEAD = _VOCABULARY.pattern("subject_lead", re.IGNORECASE)
_RELATIVE = _VOCABULARY.pattern("relative")
_POINT_TAIL = _VOCABULARY.pattern("point_tail")
_PART = _VOCABULARY.pattern("part")
_EARNING = _VOCABULARY.pattern("earning", re.IGNORECASE)
_CHANGE = _VOCABULARY.pattern("change", re.IGNORECASE)
_BAD_OBJECT = _VOCABULARY.pattern("bad_object", re.IGNORECASE)
_OTHER_MATTER = _VOCABULARY.pattern("other_matter", re.IGNORECASE)
_OTHER_PART = _VOCABULARY.pattern("other_part", re.IGNORECASE)
_GOES_ON = _VOCABULARY.pattern("goes_on", re.IGNORECASE)
_OPENS = _VOCABULARY.pattern("opens", re.IGNORECASE)
_TELLS = _VOCABULARY.pattern("tells", re.IGNORECASE)
_DASH = _VOCABULARY.pattern("dash")
_WORD = _VOCABULARY.pattern("word")


class Subject(NamedTuple):
    """What a sentence defines.

    Attributes:
        name: Its grammatical subject.
        form: "definition", "work" ("L sells …"), "point" ("L, including …" in a list), "clause"
            ("L, which includes …") or "relative" (the same, with L at the end of the name).
        rest: What the sentence says of it.
    """

    name: str
    form: str
    rest: str


def subjects(sentence: str) -> list[Subject]:
    """Subjects that a sentence may define, best first."""
    text = " ".join(sentence.split())
    while (led := _LEAD.sub("", text, count=1)) != text:
        text = led
    found: list[Subject] = []
    for form, pattern in (("definition", VERB), ("work", WORK)):
        if verb := pattern.search(text):
            name, rest = text[: verb.start()], text[verb.end() :]
            if len(name) <= MAX_SUBJECT_CHARS:
                names = [name, _DASH.split(name)[-1]] if _DASH.search(name) else [name]
                found += [Subject(each.strip(" ,"), form, rest) for each in names]
    if earning := _EARNING.match(text):
        found.insert(0, Subject(earning["subject"], "definition", text[earning.end() :]))
    if relative := _RELATIVE.search(text):
        name, rest = text[: relative.start()], text[relative.end() :]
        found += [Subject(name, "clause", rest), Subject(name, "relative", rest)]
    if tail := _POINT_TAIL.search(text):
        found.append(Subject(text[: tail.start()], "point", text[tail.end() :]))
    return found


def parts(sentence: str) -> list[str]:
    """What stands before each clause or bracket of a sentence that tells of several lines."""
    text = " ".join(sentence.split())
    found = list(_PART.finditer(text))
    return [text[: part.start()] for part in found] if len(found) > 1 else []


def is_definition(subject: Subject) -> bool:
    """Whether what is said of a subject says what it consists of: no change, share or cost."""
    if _BAD_OBJECT.search(subject.rest) or _CHANGE.search(subject.rest):
        return False
    return len(_WORD.findall(subject.rest)) >= MIN_OBJECT_WORDS or subject.rest.endswith(":")


def opens(sentence: str) -> bool:
    """Whether a sentence may open the text under a heading: it says what is done or contained."""
    return bool(_OPENS.search(sentence)) and not tells_otherwise(sentence)


def is_other_part(headings: tuple[str, ...]) -> bool:
    """Whether the nearest headings tell of competitors, costs or risks, not of what is sold."""
    return any(_OTHER_PART.search(heading) for heading in headings[-2:])


def tells(sentence: str) -> bool:
    """Whether a sentence says what something offers or contains, and nothing of changes."""
    return bool(_TELLS.search(sentence)) and not tells_otherwise(sentence)


def tells_otherwise(sentence: str) -> bool:
    """Whether a sentence is about changes, amounts, recognition or another matter."""
    return bool(_CHANGE.search(sentence) or _OTHER_MATTER.search(sentence))


def goes_on(sentence: str) -> bool:
    """Whether a sentence may go on describing what the sentence before it describes."""
    return bool(_GOES_ON.match(sentence)) and tells(sentence)
