"""What a store holds: builds over shards by their manifests, who reads them, and other files.

A warehouse over shards is views of their files, so a store knows each warehouse by a small file:
which builds its views may be of. Two may share a store, or one may still be of an older build.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.shards.manifest import FOLDER, NEWEST, Manifest, parse_manifest, record_of
from finrag.shards.store import Store

# Vectors are found again by the texts they are of, whatever the build: they stay, but for files
# that a killed worker left half written.
_CLEANED: Final = ("corpus", "rows")
_VECTORS: Final = "vectors"
_ALWAYS: Final = (NEWEST, "rows/files.json")
_WAREHOUSES: Final = "corpus/warehouses"
# What is younger may belong to a build that runs just now.
_YOUNG: Final = datetime.timedelta(days=1)
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
        n_warehouses: how many read it, or parts of it.
        n_shards: shards with rows.
        n_filings: filings in them.
        n_sentences: sentences in them.
        n_bytes: of all files that it lists.
    """

    digest: str
    made_at: datetime.datetime
    is_newest: bool
    n_warehouses: int
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
    found = store.details("corpus") | store.details("rows")
    readers = [_warehouse(store, name) for name in found if _is_in(name, _WAREHOUSES)]
    readers = [one for one in readers if not _is_gone(one)]
    builds = []
    for name in (name for name in found if _is_in(name, FOLDER)):
        manifest = parse_manifest(store.read(name), name)
        builds.append(
            StoredBuild(
                digest=manifest.digest,
                made_at=found[name][1],
                is_newest=name == newest,
                n_warehouses=sum(name in one["manifests"] for one in readers),
                n_shards=len(manifest.records),
                n_filings=_n_rows(manifest, _FILINGS),
                n_sentences=_n_rows(manifest, _SENTENCES),
                n_bytes=sum(found[file][0] for file in _files(manifest) if file in found),
            )
        )
    return sorted(builds, key=lambda build: (build.made_at, build.digest), reverse=True)


@dataclass(frozen=True)
class Cleaned:
    """What was removed of a store, or would be.

    Attributes:
        builds: digests of the builds that are gone.
        n_files: how many files.
        n_bytes: of them all.
    """

    builds: Sequence[str]
    n_files: int
    n_bytes: int


def keep_for(store: Store, database: Path, manifest: Manifest, is_whole: bool) -> None:
    """Note that a warehouse reads a build, so that its files stay.

    Args:
        store: the store.
        database: file of the warehouse.
        manifest: of the build.
        is_whole: whether all of the warehouse is of this build; else what it read before stays too.
    """
    place = [platform.node(), str(database.absolute())]
    name = f"{_WAREHOUSES}/{hashlib.sha256(json.dumps(place).encode()).hexdigest()[:12]}.json"
    before = _warehouse(store, name)["manifests"] if store.exists(name) and not is_whole else []
    said = {
        "machine": place[0],
        "database": place[1],
        "manifests": sorted({*before, manifest.name}),
    }
    store.write(name, json.dumps(said, sort_keys=True).encode())


def clean(store: Store, is_dry: bool = False, is_all: bool = False) -> Cleaned:
    """Remove what neither the newest build nor one that a warehouse reads lists; vectors stay.

    A warehouse of this machine whose file is gone reads nothing.

    Args:
        store: the store.
        is_dry: whether to leave everything as it is.
        is_all: whether to remove files and builds of the last day, too; then no build may use the
            store meanwhile.

    Raises:
        ValueError: there is no build, or what the store says of one is damaged.
    """
    if is_empty(store):
        raise ValueError(
            f"the store {store.uri} has no sharded build to compare its files with; name another "
            "store, or build with an engine first"
        )
    found = {name: said for folder in _CLEANED for name, said in store.details(folder).items()}
    found |= {name: said for name, said in store.details(_VECTORS).items() if "/." in name}
    now = datetime.datetime.now(datetime.UTC)
    young = {name for name, (_, time) in found.items() if not is_all and now - time < _YOUNG}
    notes = {name: _warehouse(store, name) for name in found if _is_in(name, _WAREHOUSES)}
    readers = {name: one for name, one in notes.items() if name in young or not _is_gone(one)}
    kept = {*_ALWAYS, *readers, *young}
    names = {_newest(store).name, *(name for name in young if _is_in(name, FOLDER))}
    names |= {name for one in readers.values() for name in one["manifests"]}
    records: set[str] = set()
    for name in sorted(names & found.keys()):
        manifest = parse_manifest(store.read(name), name)
        kept |= _files(manifest)
        records.update(manifest.records)
    # A later build of other companies may list a file that these leave out because it is empty.
    for name in sorted(records):
        kept.update(one.file for one in (record_of(store, name) or {}).values())
    gone = sorted(found.keys() - kept, key=_order)
    if not is_dry:
        for name in gone:
            store.remove(name)
    builds = [Path(name).stem for name in gone if _is_in(name, FOLDER)]
    return Cleaned(builds, len(gone), sum(found[name][0] for name in gone))


def _order(name: str) -> tuple[bool, str]:
    """What makes files count goes before the files, if the cleaning is broken off."""
    return not name.endswith(".json"), name


def _is_in(name: str, folder: str) -> bool:
    return name.startswith(f"{folder}/") and "/." not in name


def _warehouse(store: Store, name: str) -> dict[str, Any]:
    try:
        said = json.loads(store.read(name))
        return {key: said[key] for key in ("machine", "database", "manifests")}
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{name} in the store {store.uri} does not say which build a warehouse reads; remove "
            "the file and build that warehouse again"
        ) from error


def _is_gone(warehouse: dict[str, Any]) -> bool:
    is_here = warehouse["machine"] == platform.node()
    return is_here and not Path(warehouse["database"]).exists()


def _newest(store: Store) -> Manifest:
    name = str(json.loads(store.read(NEWEST))["manifest"])
    return parse_manifest(store.read(name), name)


def _files(manifest: Manifest) -> set[str]:
    """All that a manifest speaks of, with records and itself; a plan only serves one build."""
    rows = {one.file for files in manifest.doors.values() for one in files}
    records = {name.replace(".parquet", ".json") for name in rows if name.startswith("rows/")}
    return {manifest.name, *manifest.records, *rows, *records}


def _n_rows(manifest: Manifest, models: Sequence[str]) -> int:
    model = next((name for name in models if name in manifest.doors), None)
    return sum(one.n_rows for one in manifest.doors[model]) if model else 0
