"""What a build over shards consists of: which files are the rows of which model."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from finrag.cache.results import content_digest
from finrag.shards.store import Store

VERSION: Final = 1
FOLDER: Final = "corpus/manifests"
# Says which manifest the last build made or used.
NEWEST: Final = "corpus/newest.json"


@dataclass(frozen=True)
class DoorFile:
    """A file of rows of one model.

    Attributes:
        file: its name in the store.
        n_rows: rows in it.
        hash: SHA-256 of its bytes; of rows as they were read, a digest of the rows.
        n_bytes: how long it is.
    """

    file: str
    n_rows: int
    hash: str
    n_bytes: int = 0


@dataclass(frozen=True)
class Manifest:
    """One build over shards; readers open what it lists, never what a folder holds.

    Attributes:
        store: URI of the store.
        plan: digest of what was run.
        n_buckets: into how many shards the companies are divided.
        doors: files by model, in order of the shards; each has at least one, perhaps of no rows.
        records: names of the records of the shards.
    """

    store: str
    plan: str
    n_buckets: int
    doors: Mapping[str, Sequence[DoorFile]]
    records: Sequence[str]

    @property
    def digest(self) -> str:
        """Digest of all that it says, but for where it lies."""
        said = [
            VERSION,
            self.plan,
            self.n_buckets,
            {name: [asdict(one) for one in files] for name, files in sorted(self.doors.items())},
        ]
        return content_digest(said)

    @property
    def name(self) -> str:
        """Of its file in the store."""
        return f"{FOLDER}/{self.digest[:32]}.json"

    def text(self) -> str:
        """As JSON."""
        said: dict[str, Any] = {"version": VERSION, "digest": self.digest, **asdict(self)}
        return json.dumps(said, sort_keys=True)


def record_of(
    store: Store,
    name: str,
    models: Collection[str] | None = None,
    found: Mapping[str, tuple[int, object]] | None = None,
) -> dict[str, DoorFile] | None:
    """What the record of a shard says; None where the shard is to be run.

    Args:
        store: the store.
        name: of the record.
        models: of which it must know a file; None for any.
        found: ``store.details("corpus")``; where it is given, each file must be there and whole.

    Returns:
        The file of each model; None where there is no record, where it is damaged, or where a file
        is missing or of another size than it was written with.
    """
    if found is not None and name not in found:
        return None
    try:
        files = {model: DoorFile(**one) for model, one in json.loads(store.read(name)).items()}
    except (FileNotFoundError, ValueError, TypeError, AttributeError):
        return None
    if models is not None and files.keys() != set(models):
        return None
    if found is not None and any(
        one.file not in found or found[one.file][0] != one.n_bytes for one in files.values()
    ):
        return None
    return files


def parse_manifest(text: str | bytes, name: str) -> Manifest:
    """The manifest that ``Manifest.text`` wrote.

    Raises:
        ValueError: it is no manifest, or one of another version.
    """
    try:
        said = json.loads(text)
        is_known = said.pop("version") == VERSION
        digest = said.pop("digest")
        doors = {
            model: [DoorFile(**one) for one in files] for model, files in said["doors"].items()
        }
        manifest = Manifest(**{**said, "doors": doors})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{name} is not a manifest of shards; build again") from error
    if not is_known or manifest.digest != digest:
        raise ValueError(f"the manifest {name} is of another version or damaged; build again")
    return manifest


def read_manifest(path: str | Path) -> Manifest:
    """A manifest on this machine; see ``parse_manifest``."""
    return parse_manifest(Path(path).read_bytes(), str(path))
