"""The stage before dbt: the corpus over shards, where there is an engine."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from finrag.records.writing import replacing
from finrag.shards import Manifest, Store, build_shards, open_runner
from finrag.shards.listing import Cleaned, StoredBuild, is_empty, keep_for

# One name for every build, so that dbt need not read the project again.
COPY: Final = "shards.json"
_PLUGIN: Final = "finrag.warehouse.s3_plugin"
# DuckDB would look for other files.
_WILD: Final = "*?"
_NOUNS: Final = {"reading": "files"}
# Seconds between two lines, where no line can be written over.
_PAUSE: Final = 10.0


@dataclass(frozen=True)
class Sharded:
    """What a build over shards adds to a build.

    Attributes:
        variables: dbt vars.
        is_new: whether the store was empty, so that nothing a warehouse has of it is there.
        store: where the shards lie.
        manifest: which they are.
    """

    variables: Mapping[str, Any]
    is_new: bool
    store: Store
    manifest: Manifest

    def settle(self, database: Path) -> None:
        """Note that all of a warehouse is of these shards: older ones it no longer needs."""
        keep_for(self.store, database, self.manifest, is_whole=True)


def check_engine(variables: Mapping[str, Any]) -> list[str]:
    """Checks that the engine can start and the store be written to, and returns warnings.

    Args:
        variables: the merged dbt vars.

    Raises:
        ValueError: there is no such engine, it lacks what it needs, the store cannot be used, or
            the number of shards is none.
    """
    engine, place = str(variables.get("engine") or ""), str(variables.get("store") or "")
    store = Store.of(variables)
    if not engine:
        unused = f"store is '{place}', but no engine is set, so nothing is read or written "
        return [unused + "there; set ENGINE=pool or the dbt var engine"] if place else []
    n_shards = str(variables.get("shards") or 0)
    if not n_shards.isdecimal():
        raise ValueError(
            f"shards is '{n_shards}', expected a number of shards, or 0 to derive it from the "
            "size of the corpus; correct --shards or the dbt var shards"
        )
    with open_runner(engine):
        pass
    if wild := sorted(set(_WILD) & set(store.uri)):
        raise ValueError(
            f"the store '{store.uri}' has '{wild[0]}' in its name, which is a wildcard in file "
            "paths; choose another folder with STORE or the dbt var store"
        )
    store.check()
    return []


def run_shards(variables: Mapping[str, Any], database: Path, is_full: bool) -> Sharded:
    """Bring the store up to date with the corpus and the project, and print how it goes.

    Args:
        variables: the merged dbt vars, with an engine.
        database: file of the warehouse that is going to read the shards.
        is_full: whether to make again what is unchanged.

    Raises:
        ValueError: the corpus cannot be read, or a shard failed as often as it may.
    """
    store = Store.of(variables)
    is_new = is_empty(store)
    with open_runner(str(variables["engine"])) as runner:
        manifest = build_shards(runner, store, variables, Stages(), is_full)
    keep_for(store, database, manifest, is_whole=False)
    copy = Path(str(variables["state_dir"])) / COPY
    copy.parent.mkdir(parents=True, exist_ok=True)
    with replacing(copy) as hidden:
        hidden.write_text(manifest.text(), encoding="utf-8")
    if not store.is_local:
        plugin = {"module": _PLUGIN, "config": {"store": store.uri}}
        os.environ["FINRAG_PLUGINS"] = json.dumps([plugin])
    added = {"store": store.uri, "shard_manifest": str(copy)}
    return Sharded(added, is_new, store, manifest)


def builds_text(uri: str, builds: Sequence[StoredBuild]) -> str:
    """A table of the builds that a store holds.

    Args:
        uri: of the store.
        builds: the last one first.
    """
    if not builds:
        return f"no build over shards in {uri}"
    lines = [
        f"{uri}",
        f"{'manifest':<14}{'made, UTC':<18}{'shards':>8}{'filings':>10}{'sentences':>14}{'MB':>10}",
    ]
    lines += [
        f"{build.digest[:12]:<14}{build.made_at:%Y-%m-%d %H:%M}  {build.n_shards:>8,}"
        f"{build.n_filings:>10,}{build.n_sentences:>14,}{build.n_bytes / 1e6:>10,.1f}"
        f"{'  newest' if build.is_newest else ''}{_read_by(build.n_warehouses)}"
        for build in builds
    ]
    return "\n".join(lines)


def cleaned_text(uri: str, cleaned: Cleaned, is_dry: bool) -> str:
    """What was removed of a store, or would be: a line for each build, and one for the files.

    Args:
        uri: of the store.
        cleaned: what ``clean`` returned.
        is_dry: whether nothing was removed.
    """
    said = "would be removed" if is_dry else "removed"
    lines = [f"build {digest[:12]} {said}" for digest in cleaned.builds]
    n_mb = cleaned.n_bytes / 1e6
    return "\n".join([*lines, f"{cleaned.n_files:,} files, {n_mb:,.1f} MB {said} of {uri}"])


def _read_by(n_warehouses: int) -> str:
    noun = "warehouse" if n_warehouses == 1 else "warehouses"
    return f"  read by {n_warehouses} {noun}" if n_warehouses else ""


class Stages:
    """Prints how far a stage is and how long it may take, and a line at its end."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._is_terminal = self._out.isatty()
        self._stage = ""
        self._n_before = 0
        self._started = self._printed = 0.0

    def __call__(self, stage: str, n_done: int, n_all: int) -> None:
        """Take in that so many parts of a stage are done."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._n_before = stage, n_done
            self._started = self._printed = now
        if n_done == n_all:
            new, seconds = n_all - self._n_before, now - self._started
            noun = _NOUNS.get(stage, stage).removesuffix("s" if n_all == 1 else "")
            self._print(f"{stage:<10} {n_all:>4} {noun}, {new:>3} of them new, {seconds:6.1f} s\n")
        elif self._is_terminal or now - self._printed >= _PAUSE:
            self._printed = now
            end = "" if self._is_terminal else "\n"
            self._print(f"{stage:<10} {n_done:>4} of {n_all}{self._left(n_done, n_all, now)}{end}")

    def _left(self, n_done: int, n_all: int, now: float) -> str:
        n_new = n_done - self._n_before
        if not n_new:
            return ""
        minutes, seconds = divmod(round((now - self._started) / n_new * (n_all - n_done)), 60)
        return f", {minutes}:{seconds:02} left"

    def _print(self, text: str) -> None:
        self._out.write(f"\r\x1b[K{text}" if self._is_terminal else text)
        self._out.flush()
