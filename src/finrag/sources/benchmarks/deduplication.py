"""Finds records that repeat an earlier one."""

import hashlib

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.records import Loaded, Passage, Source


class Deduplicator:
    """The records read so far: no question may come twice.

    A page comes with every question that is asked of it; each passage is stored only once.
    """

    def __init__(self) -> None:
        self._passages: set[bytes] = set()
        self._questions: dict[tuple[str, str], str] = {}

    def add(self, loaded: Loaded, source: Source, unit: str) -> None:
        """Note the questions of a record.

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
        self._questions.update({(source.benchmark, question_id): here for question_id in ids})

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
