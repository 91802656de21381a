"""Prompts that an encoder expects before a question or before a passage.

Some models were trained with them and find less without. They are part of an encoder's identity,
because another prompt gives another vector.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final, Literal, get_args
from urllib.parse import parse_qsl

from finrag.records.vocabulary import read_vocabulary

Role = Literal["query", "passage"]

_GIVEN: Final = re.compile(r"\?(?=(?:query|passage)_prompt=)")
_NAMES: Final = ("query_prompt", "passage_prompt")


@dataclass(frozen=True)
class Prompts:
    """The prompts put before a text when it is embedded.

    Attributes:
        query: before a question.
        passage: before a sentence, chunk or other passage.
    """

    query: str = ""
    passage: str = ""

    def of(self, role: Role) -> str:
        """The prompt of a role; empty for none."""
        return self.query if role == "query" else self.passage

    @property
    def differ(self) -> bool:
        """Whether one text has another vector as a question than as a passage."""
        return self.query != self.passage


NO_PROMPTS: Final = Prompts()
_VOCABULARY: Final = read_vocabulary(__file__)
# By the model's name without its owner.
KNOWN_PROMPTS: Final = tuple(
    (pattern, Prompts(**{role: _VOCABULARY.tables[role].get(name, "") for role in get_args(Role)}))
    for name, pattern in _VOCABULARY.patterns("models", re.IGNORECASE).items()
)


def known_prompts(model: str) -> Prompts:
    """The prompts that a model wants by its name; none for a model that is not in the table.

    Args:
        model: a hub name with or without its owner, or the name of a folder.
    """
    name = model.rsplit("/", 1)[-1]
    return next(
        (prompts for pattern, prompts in KNOWN_PROMPTS if pattern.fullmatch(name)), NO_PROMPTS
    )


def split_prompts(text: str) -> tuple[str, dict[str, str]]:
    """Part the name of a model from the prompts that are written behind it.

    Args:
        text: ``name`` or ``name?query_prompt=query%3A%20&passage_prompt=passage%3A%20``, the
            prompts encoded as in an address; one that is empty stands for none.

    Returns:
        The name, and the prompts that were given, by ``query`` and ``passage``.

    Raises:
        ValueError: another word than the two, or one of them twice.
    """
    match = _GIVEN.search(text)
    if match is None:
        return text, {}
    pairs = parse_qsl(text[match.end() :], keep_blank_values=True)
    names = [name for name, _ in pairs]
    wrong = sorted({name for name in names if name not in _NAMES or names.count(name) > 1})
    if wrong:
        raise ValueError(
            f"encoder '{text}': {', '.join(wrong)} is unknown or stands there twice; write "
            "?query_prompt=...&passage_prompt=... behind the name, encoded as in an address."
        )
    return text[: match.start()], {name.removesuffix("_prompt"): prompt for name, prompt in pairs}


def with_digest(identity: str, *prompts: str) -> str:
    """An identity with a digest of some prompts behind it; as it was where all are empty."""
    if not any(prompts):
        return identity
    digest = hashlib.sha256("\0".join(prompts).encode()).hexdigest()
    return f"{identity}~{digest[:8]}"
