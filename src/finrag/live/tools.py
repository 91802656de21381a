"""The tools of an agent over a warehouse in memory; nothing is opened once they are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.agents.chunked import chunk_pools
from finrag.agents.directory import Directory
from finrag.agents.session import tools_of
from finrag.agents.steps import KEYWORD_SEARCH, SEMANTIC_SEARCH
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import KeywordSearch, SemanticSearch
from finrag.live.corpus import read_filings
from finrag.live.vectors import embedded
from finrag.retrieval.pools import SET_UNITS, Pool, open_set
from finrag.retrieval.queries import FILINGS
from finrag.systems.kinds import required
from finrag.warehouse import Warehouse

TABLES: Final = "p3_tables"
# A table's text is that of its rows.
_UNITS: Final = tuple(unit for unit in SET_UNITS if unit != "table")
_ROW: Final = "row"
_ANYTHING: Final = "total"
_DOCUMENTS: Final = """
select
    documents.document_id, documents.title, documents.form, documents.cik_int,
    documents.company_name, documents.report_year, documents.years,
    list_concat([companies.display_name], companies.aliases) as company_names
from sentences.documents
left join sentences.companies on documents.cik_int = companies.cik_int
where documents.corpus_id = ?
order by documents.document_id
"""
_PASSAGES: Final = """
select
    passages.passage_id, passages.document_id, passages.parent_id, passages.unit,
    passages.position, passages.passage_text, filings.cik_int, filings.report_year
from sentences.passages
left join sentences.filings on passages.document_id = filings.filing_id
where
    passages.corpus_id = ? and passages.is_rankable
    and list_contains(cast(? as varchar[]), passages.unit)
order by passages.passage_id
"""
_CHUNK_IDS: Final = "select chunk_id from sentences.chunks order by chunk_id"


class LiveToolbox(Toolbox):
    """Tools that embed a query in memory: they read no cache and write none."""

    def prepare(self, queries: Iterable[str]) -> None:
        """See ``Toolbox``; a text that the build embedded has the build's vector."""
        new = sorted({text for text in queries if text.strip()} - self._vectors.keys())
        if not new or not self.chunked.pools:
            return
        encoder = required(self.system, "encoder")
        for text in new:
            known = self._known(encoder, text)
            self._vectors[text] = (
                embedded([text], encoder, self._settings)[0] if known is None else known
            )


def open_tools(
    warehouse: Warehouse,
    gold_set: str,
    corpus_id: str,
    system: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> LiveToolbox:
    """The tools for one gold set, with all that their first call would open.

    Args:
        warehouse: a build that is finished.
        gold_set: questions on tables are answered from rows too.
        corpus_id: what the questions are about: the filings, or a public set.
        system: see ``Toolbox``.
        settings: the dbt vars of the build.

    Raises:
        ValueError: the warehouse holds no passage of the corpus.
    """
    directory = Directory.of(warehouse.table(_DOCUMENTS, [corpus_id]).to_pylist())
    pools: list[Pool] = []
    chunk_ids: list[str] = []
    tables: dict[str, str] = {}
    if corpus_id == FILINGS:
        pools.append(read_filings(warehouse, str(settings["state_dir"]))[1])
        chunk_ids = warehouse.table(_CHUNK_IDS)["chunk_id"].to_pylist()
    if corpus_id != FILINGS or gold_set == TABLES:
        units = (_ROW,) if corpus_id == FILINGS else _UNITS
        passages = warehouse.table(_PASSAGES, [corpus_id, list(units)])
        owners = _owners(passages) if corpus_id == FILINGS else None
        pools += open_set(corpus_id, passages, [], settings, units, owners)
        rows = passages.filter(pc.equal(passages["unit"], _ROW))
        if corpus_id == FILINGS:
            ids = (rows[name].to_pylist() for name in ("passage_id", "parent_id"))
            tables = dict(zip(*ids, strict=True))
    if not pools:
        raise ValueError(f"the warehouse holds no passage of '{corpus_id}'; load the set and build")
    toolbox = LiveToolbox(
        chunk_pools(pools, directory, chunk_ids, tables), directory, system, settings
    )
    _warm(toolbox, settings)
    return toolbox


def _warm(toolbox: Toolbox, settings: Mapping[str, Any]) -> None:
    """Makes one search of each kind: indexes, vectors and the encoder are then in memory."""
    offered = tools_of(toolbox.system)
    if KEYWORD_SEARCH in offered:
        toolbox.keyword_search(KeywordSearch(keywords=(_ANYTHING,)))
    if SEMANTIC_SEARCH in offered:
        # The build may know a text's vector; the next text needs the model.
        embedded([_ANYTHING], required(toolbox.system, "encoder"), settings)
        toolbox.semantic_search(SemanticSearch(query=_ANYTHING))


def _owners(passages: pa.Table) -> dict[str, tuple[int, int]]:
    names = ["document_id", "cik_int", "report_year"]
    rows = passages.select(names).group_by(names).aggregate([]).to_pylist()
    return {row["document_id"]: (row["cik_int"], row["report_year"]) for row in rows}
