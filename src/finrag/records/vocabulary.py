"""The words and patterns by which a module reads text, in a YAML file beside the module.

A file has up to four parts, each optional::

    words:                      # sets of words, parted by white space
      negators: not no never
    tables:                     # one text by another
      names: {hldgs: Holdings}
    patterns:                   # regular expressions: pieces that are joined without a gap
      year: ['(?:19|20)[0-9]{2}']
      years: ['{year}', '(?: and {year})?']
    pattern_tables:             # regular expressions by a name or by another expression
      periods: {annual: ['in {year}']}

A name in braces stands for the pattern of that name, which stands further up, or for a text that
the module supplies. Counts such as ``{2}`` and ``{1,4}`` stay as they are.
"""

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from finrag.records.typed_yaml import read_typed

_NAMED: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclasses.dataclass(frozen=True)
class _File:
    words: dict[str, str] = dataclasses.field(default_factory=dict)
    tables: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    patterns: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    pattern_tables: dict[str, dict[str, tuple[str, ...]]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Vocabulary:
    """What a vocabulary file holds.

    Attributes:
        words: Sets of words, by name.
        tables: One text by another, by name; tables of patterns too.
        texts: Regular expressions as text, with all names in braces resolved, by name.
    """

    words: Mapping[str, frozenset[str]]
    tables: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, str]

    def pattern(self, name: str, flags: int = 0) -> re.Pattern[str]:
        """The pattern of a name, compiled."""
        return re.compile(self.texts[name], flags)

    def patterns(self, table: str, flags: int = 0) -> Mapping[str, re.Pattern[str]]:
        """The patterns of a table, compiled, by their names."""
        return {name: re.compile(text, flags) for name, text in self.tables[table].items()}


def read_vocabulary(module: str, **supplied: str) -> Vocabulary:
    """Read the vocabulary of a module.

    Args:
        module: ``__file__`` of the module; the vocabulary lies beside it and ends in ``.yml``.
        supplied: Texts that patterns may name in braces.

    Raises:
        ValueError: The file is absent or is no vocabulary, or a pattern names another one that
            does not stand further up.
    """
    path = Path(module).with_suffix(".yml")
    file = read_typed(path, _File)
    texts = dict(supplied)

    def resolved(name: str, pieces: tuple[str, ...]) -> str:
        joined = "".join(pieces)
        if missing := sorted(set(_NAMED.findall(joined)) - set(texts)):
            raise ValueError(f"{path.name}: pattern {name} names {missing[0]}, not defined above")
        return _NAMED.sub(lambda found: texts[found[1]], joined)

    for name, pieces in file.patterns.items():
        texts[name] = resolved(name, pieces)
    words = {name: frozenset(listed.split()) for name, listed in file.words.items()}
    pattern_tables = {
        name: {key: resolved(f"{name}.{key}", pieces) for key, pieces in table.items()}
        for name, table in file.pattern_tables.items()
    }
    return Vocabulary(words, {**file.tables, **pattern_tables}, texts)
