"""Question texts made plain, and cut into words with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.quotations import MARKS

# Characters of full width are plain ones as well.
_PLAIN: Final = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **MARKS,
}
_VOCABULARY: Final = read_vocabulary(__file__)
_ENTITIES: Final = _VOCABULARY.tables["entities"]
_ENTITY: Final = re.compile(r"&(" + "|".join(_ENTITIES) + r");", re.IGNORECASE)
_SPACES: Final = re.compile(r"[\s\x00-\x1f\x7f]+")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?|&")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text.

    Attributes:
        start: offset of the first character.
        end: offset after the last one, a possessive ending included.
        text: the word as written.
        key: lower case without apostrophes; "and" for "&".
        stem: the key without a possessive ending; the key itself where there is none.
    """

    start: int
    end: int
    text: str
    key: str
    stem: str

    @property
    def is_possessive(self) -> bool:
        """Whether the word ends in "'s", or in "s'"."""
        return self.text.endswith("'") or self.stem != self.key


def plain_text(text: str | None) -> str:
    """The text with plain dashes, apostrophes, digits and single spaces; "" for None.

    Character references that web forms leave behind ("&amp;", "&#39;") are read; any other
    mark-up stays the text that it is.
    """
    if text is None:
        return ""
    read = _ENTITY.sub(lambda found: _ENTITIES[found[1].lower()], text)
    return _SPACES.sub(" ", read.translate(_PLAIN)).strip()


def replaced(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """The text with other words in places; places ascend, and one inside another is left out."""
    pieces: list[str] = []
    place = 0
    for start, end, words in spans:
        if start >= place:
            pieces += [text[place:start], words]
            place = end
    return "".join([*pieces, text[place:]])


def words_of(text: str) -> list[Word]:
    """The words of a plain text, in order."""
    return [_word(found) for found in _WORD.finditer(text)]


def _word(found: re.Match[str]) -> Word:
    raw = found[0]
    if raw == "&":
        return Word(found.start(), found.end(), raw, "and", "and")
    lower = raw.casefold()
    stem = lower.removesuffix("'s").replace("'", "")
    return Word(found.start(), found.end(), raw, lower.replace("'", ""), stem)
