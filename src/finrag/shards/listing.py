"""What a store holds: builds over shards by their manifests, and files that the newest lacks."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from finrag.shards.manifest import FOLDER, Manifest, parse_manifest
from finrag.shards.store import Store

NEWEST: Final = "corpus/newest.json"
# Vectors are found again by the texts they are of, whatever the build: they stay.
_CLEANED: Final = ("corpus", "deal")
_ALWAYS: Final = (NEWEST, "deal/files.json")
# Models with a row per filing and per sentence: the first that lies in shards is counted.
_FILINGS: Final = ("filings", "int_filings_named", "stg_corpus__filings")
_SENTENCES: Final = ("sentences", "int_sentences_flagged", "stg_corpus__sentences")


@dataclass(frozen=True)
class StoredBuild:
    """A build over shards.

    Attributes:
        digest: of its manifest.
        made_at: when the manifest was written, in UTC.
        is_newest: whether the last build made or used it.
        n_shards: shards with rows.
        n_filings: filings in them.
        n_sentences: sentences in them.
        n_bytes: of all files that it lists.
    """

    digest: str
    made_at: datetime.datetime
    is_newest: bool
    n_shards: int
    n_filings: int
    n_sentences: int
    n_bytes: int


def is_empty(store: Store) -> bool:
    """Whether no build over shards ended with this store."""
    return not store.exists(NEWEST)


def stored_builds(store: Store) -> list[StoredBuild]:
    """All builds whose manifests a store holds, the last one made first.

    Raises:
        ValueError: a manifest is damaged, or of another version.
    """
    newest = "" if is_empty(store) else _newest(store).name
    found = store.details()
    builds = []
    for name in (name for name in found if name.startswith(f"{FOLDER}/") and "/." not in name):
        manifest = parse_manifest(store.read(name), name)
        builds.append(
            StoredBuild(
                digest=manifest.digest,
                made_at=found[name][1],
                is_newest=name == newest,
                n_shards=len(manifest.records),
                n_filings=_n_rows(manifest, _FILINGS),
                n_sentences=_n_rows(manifest, _SENTENCES),
                n_bytes=sum(found[file][0] for file in _files(manifest) if file in found),
            )
        )
    return sorted(builds, key=lambda build: (build.made_at, build.digest), reverse=True)


def clean(store: Store, is_dry: bool = False) -> tuple[int, int]:
    """Remove what the newest manifest does not list; vectors stay.

    No build may use the store meanwhile.

    Args:
        store: the store.
        is_dry: whether to leave everything as it is.

    Returns:
        How many files that are, and how many bytes.

    Raises:
        ValueError: there is no manifest, or it is damaged.
    """
    if is_empty(store):
        raise ValueError(
            f"the store {store.uri} has no build over shards, so that there is nothing to compare "
            "its files with; name another store, or build with an engine first"
        )
    kept = _kept(store, _newest(store))
    found = {
        name: details[0]
        for folder in _CLEANED
        for name, details in store.details(folder).items()
        if name not in kept
    }
    if not is_dry:
        for name in found:
            store.remove(name)
    return len(found), sum(found.values())


def _newest(store: Store) -> Manifest:
    name = str(json.loads(store.read(NEWEST))["manifest"])
    return parse_manifest(store.read(name), name)


def _kept(store: Store, manifest: Manifest) -> set[str]:
    """What a manifest lists, and all that its records do.

    A later build of other companies may list a file that this one leaves out because it is empty.
    """
    return _files(manifest).union(
        one["file"]
        for record in manifest.records
        for one in json.loads(store.read(record)).values()
    )


def _files(manifest: Manifest) -> set[str]:
    """All that a manifest speaks of, with records and itself; a plan only serves one build."""
    rows = {one.file for files in manifest.doors.values() for one in files}
    dealt = {name.replace(".parquet", ".json") for name in rows if name.startswith("deal/")}
    return {*_ALWAYS, manifest.name, *manifest.records, *rows, *dealt}


def _n_rows(manifest: Manifest, models: Sequence[str]) -> int:
    model = next((name for name in models if name in manifest.doors), None)
    return sum(one.n_rows for one in manifest.doors[model]) if model else 0
