"""A corpus in parts that can be read apart: its files, each with what a list says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from finrag.records.files import SourceFile, find_files
from finrag.records.sentence_files import SENTENCE_SUFFIXES
from finrag.sources.corpus.filings import FILING_RECORD_SCHEMA, FILING_SUFFIXES, read_files
from finrag.sources.corpus.opening import Wanted, find_corpus, open_filings, open_sentence_rows
from finrag.sources.corpus.raw import Limits, RawCorpus, list_raw, raw_rows
from finrag.sources.corpus.sentences import SENTENCE_ROW_SCHEMA, read_table


@dataclass(frozen=True)
class CorpusPart:
    """A file of a corpus, or the faulty lines of the list that describes its files.

    Attributes:
        corpus: kind of the corpus.
        name: of the file, "" for the faulty lines of a list.
        path: where it lies on this machine; None where ``said`` is all there is.
        said: what decides its rows beside its bytes.
        place: where a list speaks of it, which a remedy may name.
        raw: the filing as filed; None for records and sentence tables.
        settings: the dbt vars that decide how it is read.
    """

    corpus: str
    name: str
    path: Path | None
    said: str
    place: str
    raw: RawCorpus | None
    settings: Mapping[str, Any]

    @property
    def schema(self) -> pa.Schema:
        """Of the rows."""
        return SENTENCE_ROW_SCHEMA if self.corpus == "sentences" else FILING_RECORD_SCHEMA

    def rows(self) -> Iterator[pa.RecordBatch]:
        """What the reader of the whole corpus gives for this part, in the same order."""
        if self.raw is not None:
            state = Path(str(self.settings["state_dir"]))
            yield from raw_rows(self.raw, state, self.schema, _limits(self.settings))
        elif self.path is not None:
            file = SourceFile(self.path, self.name)
            yield from (read_table if self.corpus == "sentences" else read_files)([file])


_NAMES = (
    *("corpus", "corpus_path", "filings_path", "state_dir"),
    *("raw_max_megabytes", "raw_max_ratio", "raw_max_cells"),
    *("edgar_tickers", "edgar_years", "edgar_forms"),
)


def corpus_parts(variables: Mapping[str, Any]) -> list[CorpusPart]:
    """The parts of the configured corpus, in the order in which the whole is read.

    Args:
        variables: the dbt vars.

    Raises:
        ValueError: as the reader of the whole corpus.
    """
    settings = {name: variables[name] for name in _NAMES}
    # Whoever reads a part may work in another folder.
    for name in ("corpus_path", "filings_path", "state_dir"):
        settings[name] = str(Path(settings[name]).absolute()) if settings[name] else ""
    corpus = str(settings["corpus"])
    path, filings_path, wanted = find_corpus(
        corpus,
        str(settings["corpus_path"] or ""),
        str(settings["state_dir"]),
        str(settings["filings_path"] or ""),
        Wanted(*(settings[name] for name in ("edgar_tickers", "edgar_years", "edgar_forms"))),
    )
    if corpus in ("raw_filings", "edgar"):
        limits = str(_limits(settings))
        found = list_raw(path, filings_path, wanted).parts()
        return [_raw_part(corpus, raw, limits, settings) for raw in found]
    suffixes = SENTENCE_SUFFIXES if corpus == "sentences" else FILING_SUFFIXES
    return [
        CorpusPart(corpus, file.name, file.path, "", "", None, settings)
        for file in find_files(path, suffixes, may_leave=False)
    ]


def check_rows(variables: Mapping[str, Any]) -> None:
    """Reads the whole corpus for its error, where no part has a row that can be used.

    Raises:
        ValueError: what the reader of the whole says of such a corpus, if it refuses it.
    """
    corpus, path = str(variables["corpus"]), str(variables["corpus_path"] or "")
    state_dir = str(variables["state_dir"])
    if corpus == "sentences":
        open_sentence_rows(corpus, path)
    elif corpus in ("sample", "filings"):
        open_filings(corpus, path, state_dir)


def _limits(settings: Mapping[str, Any]) -> Limits:
    return Limits(*(int(settings[f"raw_max_{name}"]) for name in ("megabytes", "ratio", "cells")))


def _raw_part(corpus: str, raw: RawCorpus, limits: str, settings: Mapping[str, Any]) -> CorpusPart:
    if not raw.files:
        return CorpusPart(corpus, "", None, str(raw.faults.rows), "", raw, settings)
    (file,) = raw.files
    said = {name: line.identity for name, line in sorted(raw.listed.items())}
    places = [line.place for _, line in sorted(raw.listed.items())]
    described = f"{said} {sorted(raw.faults.files)} {raw.is_chosen} {limits}"
    return CorpusPart(corpus, file.name, file.path, described, str(places), raw, settings)
