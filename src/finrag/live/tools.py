"""The tools of an agent over a warehouse in memory; nothing is opened once they are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from finrag.agents.corpora import Corpus, directory_of, on_sentences, on_set, on_tables
from finrag.agents.session import tools_of
from finrag.agents.steps import KEYWORD_SEARCH, SEMANTIC_SEARCH
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import KeywordSearch, SemanticSearch
from finrag.live.corpus import read_filings
from finrag.live.vectors import embedded
from finrag.retrieval.queries import FILINGS
from finrag.systems.kinds import required
from finrag.warehouse import Warehouse

TABLES: Final = "p3_tables"
_ANYTHING: Final = "total"
_DOCUMENTS: Final = "select * from sentences.documents order by document_id"
_COMPANIES: Final = "select * from sentences.companies order by cik_int"
# Sentences of filings are searched beside them, and their chunks are no passages here.
_PASSAGES: Final = """
select
    passages.corpus_id, passages.passage_id, passages.document_id, passages.parent_id,
    passages.unit, passages.position, passages.passage_text, filings.cik_int, filings.report_year
from sentences.passages
left join sentences.filings on passages.document_id = filings.filing_id
where
    passages.corpus_id = ? and passages.is_rankable
    and passages.unit not in ('sentence', 'chunk')
order by passages.passage_id
"""


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


def open_corpus(
    warehouse: Warehouse, gold_set: str, corpus_id: str, settings: Mapping[str, Any]
) -> Corpus:
    """What the questions of a gold set are answered from, as the build has it.

    Args:
        warehouse: a build that is finished.
        gold_set: questions on tables are answered from rows too.
        corpus_id: what the questions are about: the filings, or a public set.
        settings: the dbt vars of the build.

    Raises:
        ValueError: the warehouse holds no passage of the corpus.
    """
    directory = directory_of(warehouse.table(_DOCUMENTS), warehouse.table(_COMPANIES), corpus_id)
    if corpus_id == FILINGS:
        _, filings, chunk_ids = read_filings(warehouse, str(settings["state_dir"]))
        if gold_set != TABLES:
            return on_sentences(filings, chunk_ids, directory)
        passages = warehouse.table(_PASSAGES, [corpus_id])
        return on_tables(filings, chunk_ids, directory, passages, (), settings)
    passages = warehouse.table(_PASSAGES, [corpus_id])
    if not passages.num_rows:
        raise ValueError(f"the warehouse holds no passage of '{corpus_id}'; load the set and build")
    return on_set(corpus_id, directory, passages, (), settings)


def open_tools(
    corpus: Corpus, system: Mapping[str, Any], settings: Mapping[str, Any]
) -> LiveToolbox:
    """The tools over a corpus, with all that their first call would open.

    Args:
        corpus: what is searched.
        system: see ``Toolbox``.
        settings: the dbt vars of the build.
    """
    toolbox = LiveToolbox(corpus.chunked, corpus.directory, system, settings)
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
