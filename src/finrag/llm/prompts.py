"""Prompts: one file each, ``prompts/<name>.md``, versioned by the hash of its bytes.

Those of the project are there, and those of the working directory, which go before them.
A file has a part ``# system`` and a part ``# user``; what stands before them is for the reader.
``{question}``, ``{context}`` and the like are places for values; other braces are plain text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from finrag.warehouse.folder import project_file

FOLDER: Final = "prompts"
_NAME: Final = re.compile(r"[a-z0-9_]+")
_PLACE: Final = re.compile(r"\{([a-z_]+)\}")
_PARTS: Final = re.compile(r"^# system[ \t]*$(.*?)^# user[ \t]*$(.*)\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Prompt:
    """A prompt file.

    Attributes:
        name: stem of the file.
        system: instructions, with places for values.
        user: what the user says, with places for values.
        prompt_hash: first 16 hex digits of the sha256 of the file's bytes.
    """

    name: str
    system: str
    user: str
    prompt_hash: str

    @property
    def places(self) -> frozenset[str]:
        """Names of the values that the prompt has a place for."""
        return frozenset(_PLACE.findall(self.system) + _PLACE.findall(self.user))

    def render(self, **values: str) -> tuple[tuple[str, str], ...]:
        """The messages as (role, text), every place filled in one pass.

        A value that looks like a place stays as it is: what a filing says cannot pull in another
        value. Values without a place are left out.

        Raises:
            ValueError: a place has no value.
        """
        missing = sorted(self.places - values.keys())
        if missing:
            raise ValueError(
                f"prompt '{self.name}' has a place for {missing[0]}, which nothing fills here; "
                f"the values are {', '.join(sorted(values))}."
            )
        parts = (("system", self.system), ("user", self.user))
        filled = ((role, _PLACE.sub(lambda m: values[m[1]], text)) for role, text in parts)
        return tuple((role, text) for role, text in filled if text)


def load_prompt(name: str) -> Prompt:
    """Read a prompt.

    Args:
        name: stem of a file of the folder ``prompts``.

    Raises:
        ValueError: there is no such prompt (those there are get listed), or its file lacks a part.
    """
    files = _files()
    if name not in files:
        raise ValueError(f"unknown prompt '{name}'; there are {', '.join(sorted(files))}.")
    content = files[name].read_bytes()
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"prompt '{name}' is not UTF-8 text; save it as such.") from error
    parts = _PARTS.search(text)
    if parts is None or not parts[2].strip():
        raise ValueError(f"prompt '{name}' needs a line '# system', then a line '# user' and text.")
    digest = hashlib.sha256(content).hexdigest()[:16]
    return Prompt(name, parts[1].strip(), parts[2].strip(), digest)


def prompt_names() -> list[str]:
    """Names of all prompts, in alphabetical order."""
    return sorted(_files())


def _files() -> dict[str, Path]:
    """Files of prompts by name: those of the project, and of the working directory before them."""
    folders = (project_file(FOLDER), Path(FOLDER))
    paths = (path for folder in folders for path in folder.glob("*.md"))
    return {path.stem: path for path in paths if _NAME.fullmatch(path.stem)}
