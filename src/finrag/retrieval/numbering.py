"""Sentences as numbers: numbers for ids, sentences of a section, sentences of a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.retrieval.vectors import Ints


@dataclass(frozen=True)
class CorpusNumbers:
    """A corpus as integers; sentence numbers follow the order of the sentence ids.

    Attributes:
        sentence_ids: ids in ascending order; the number of a sentence is its position here.
        text_of: text number of each sentence.
        section_number: number of each section by its id.
        section_members: sentence numbers, grouped by section.
        section_starts: where each section's group begins, one more than sections.
        text_members: sentence numbers, grouped by text.
        text_starts: where each text's group begins, one more than texts.
    """

    sentence_ids: pa.Array
    text_of: Ints
    section_number: dict[str, int]
    section_members: Ints
    section_starts: Ints
    text_members: Ints
    text_starts: Ints

    def members_of(self, number: int) -> Ints:
        """Sentence numbers of a section by its number, ascending."""
        return self.section_members[self.section_starts[number] : self.section_starts[number + 1]]


def number_corpus(sentences: pa.Table, text_hashes: pa.ChunkedArray) -> CorpusNumbers:
    """Numbers the sentences, sections and texts of a corpus for search.

    Args:
        sentences: ``sentence_id`` (ascending), ``section_id``, ``text_hash``.
        text_hashes: the distinct texts in the order of the vectors' rows.

    Returns:
        The numbers; an empty corpus gives empty arrays.
    """
    text_of = pc.index_in(
        sentences["text_hash"].combine_chunks(), value_set=text_hashes.combine_chunks()
    )
    texts = text_of.to_numpy(zero_copy_only=False).astype(np.int64)
    sections = sentences["section_id"].combine_chunks().dictionary_encode()
    section_of = sections.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    section_members, section_starts = _grouped(section_of, len(sections.dictionary))
    text_members, text_starts = _grouped(texts, len(text_hashes))
    return CorpusNumbers(
        sentence_ids=sentences["sentence_id"].combine_chunks(),
        text_of=texts,
        section_number={name: n for n, name in enumerate(sections.dictionary.to_pylist())},
        section_members=section_members,
        section_starts=section_starts,
        text_members=text_members,
        text_starts=text_starts,
    )


def _grouped(group_of: Ints, n_groups: int) -> tuple[Ints, Ints]:
    members = np.argsort(group_of, kind="stable").astype(np.int64)
    starts = np.zeros(n_groups + 1, np.int64)
    np.cumsum(np.bincount(group_of, minlength=n_groups), out=starts[1:])
    return members, starts
