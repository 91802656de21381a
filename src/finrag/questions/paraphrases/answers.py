"""The answers that were paid for: one append-only file, a line an answer.

A line is written and flushed to disk as soon as its answer is there, so a kill loses nothing but
what was under way. A line that a kill cut short is passed over; the next one begins anew.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from pathlib import Path
from threading import Lock

logger = logging.getLogger("finrag.questions.paraphrases")


class AnswerFile:
    """Answers by the hash of their prompt; may be used by many threads and processes."""

    def __init__(self, path: Path) -> None:
        """Read what is there; the folder is made when the first answer is added."""
        self._path = path
        self._lock = Lock()
        self._answers: dict[str, str] = {}
        n_broken = 0
        for line in path.read_bytes().split(b"\n") if path.is_file() else []:
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                self._answers.setdefault(str(row["prompt_hash"]), str(row["answer"]))
            except (ValueError, TypeError, KeyError):
                n_broken += 1
        if n_broken:
            logger.warning("%s: passed over %d broken lines", path.name, n_broken)

    def get(self, prompt_hash: str) -> str | None:
        """The answer to a prompt, None where it was never asked."""
        return self._answers.get(prompt_hash)

    def add(self, prompt_hash: str, model: str, answer: str) -> None:
        """Keep an answer; on return it is on the disk."""
        row = {"prompt_hash": prompt_hash, "model": model, "answer": answer}
        line = f"{json.dumps(row)}\n".encode()
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                size = os.fstat(handle).st_size
                is_cut = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
                rest = b"\n" + line if is_cut else line
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            self._answers[prompt_hash] = answer
