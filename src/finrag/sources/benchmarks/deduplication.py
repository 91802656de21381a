"""Finds records that repeat an earlier one, or mix the rankings of two files."""

import hashlib

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.places import space_of
from finrag.sources.benchmarks.records import Loaded, Passage, RankedPlace, Source

# Set, system, question, and the kind of unit: one file may rank rows and another one sentences.
_ListKey = tuple[str, str, str, str]


class Deduplicator:
    """The records read so far: no question may come twice and no ranking from two files.

    A page comes with every question that is asked of it; each passage is stored only once.
    """

    def __init__(self) -> None:
        self._passages: set[bytes] = set()
        self._questions: dict[tuple[str, str], str] = {}
        self._lists: dict[_ListKey, str] = {}
        self._ranked: dict[bytes, int] = {}
        self._rankings: dict[tuple[str, str, str], str] = {}

    def add(self, loaded: Loaded, source: Source, unit: str) -> None:
        """Note the questions and ranked places of a record.

        Raises:
            RecordFaultError: one of them was read before.
        """
        here = f"{source.file}, {unit} {source.number}"
        ids = [question.question_id for question in loaded.questions]
        for place, question_id in enumerate(ids):
            first = self._questions.get((source.benchmark, question_id))
            if first is None and question_id in ids[:place]:
                first = "the same record"
            if first is not None:
                reason = (
                    f"question_id {question_id} was read before ({first}); the first one is kept"
                )
                advice = "give the question an id of its own, or remove it"
                raise RecordFaultError("duplicate_question_id", reason, advice)
        for ranked in loaded.rankings:
            self._check_ranked(ranked, source, loaded.is_part)
        self._questions.update({(source.benchmark, question_id): here for question_id in ids})
        for ranked in loaded.rankings:
            self._lists[_list_key(ranked, source)] = source.file
            self._ranked[_place_key(ranked, source)] = source.number
            self._rankings[source.benchmark, ranked.system, ranked.question_id] = here

    def new_passages(self, loaded: Loaded, source: Source) -> list[Passage]:
        """Return the passages of a record that were not read before in this set, word for word."""
        new = []
        for passage in loaded.passages:
            written = f"{source.benchmark}\0{passage!r}".encode("utf-8", "surrogatepass")
            digest = hashlib.blake2b(written, digest_size=16).digest()
            if digest not in self._passages:
                self._passages.add(digest)
                new.append(passage)
        return new

    def _check_ranked(self, ranked: RankedPlace, source: Source, is_part: bool) -> None:
        who = f"system {ranked.system}, question {ranked.question_id}"
        file = self._lists.get(_list_key(ranked, source), source.file)
        if file != source.file:
            reason = f"{who} has a ranking in {file} already; two files are not mixed"
            advice = "give every run a tag (or `system`) of its own"
            raise RecordFaultError("ranking_in_two_files", reason, advice)
        first = self._rankings.get((source.benchmark, ranked.system, ranked.question_id))
        if not is_part and first is not None:
            reason = f"{who} has a ranking already ({first}); the first one is kept"
            raise RecordFaultError("duplicate_ranking", reason, "keep one ranking per question")
        number = self._ranked.get(_place_key(ranked, source))
        if number is not None:
            page = "" if ranked.page is None else f", page {ranked.page} (from 0)"
            shown = ranked.passage_id or f"{ranked.document}{page}"
            reason = f"{shown} was ranked before for {who} ({source.file}, number {number})"
            raise RecordFaultError("repeated_place", reason, "keep the better place of the two")


def _list_key(ranked: RankedPlace, source: Source) -> _ListKey:
    space = "page" if ranked.passage_id is None else space_of(ranked.passage_id)
    # A cell is ranked as its row.
    space = "row" if space == "cell" else space
    return source.benchmark, ranked.system, ranked.question_id, space


def _place_key(ranked: RankedPlace, source: Source) -> bytes:
    """Return a short key: a run has a line per place, and there may be millions."""
    place = (ranked.passage_id, ranked.document, ranked.page)
    written = f"{(source.benchmark, ranked.system, ranked.question_id)!r}{place!r}"
    return hashlib.blake2b(written.encode("utf-8", "surrogatepass"), digest_size=16).digest()
