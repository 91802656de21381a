"""Reading a compressed CSV file up to its last whole row, even if the file was cut."""

import io
from typing import TYPE_CHECKING, Final

from finrag.records.files import READ_ERRORS, read_some

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK: Final = 1 << 20


class WholeRows(io.RawIOBase):
    """A byte stream that ends after the last whole CSV row when the stream below breaks.

    A plain reader would hand the half row at the break to the parser, and half a sentence would
    pass for a whole one. One block is held back so that it can be cut at a row's end.

    Attributes:
        error: what the stream below raised, or null while all is well.
    """

    def __init__(self, stream: io.BufferedIOBase) -> None:
        super().__init__()
        self.error: Exception | None = None
        self._stream = stream
        self._ready = memoryview(b"")
        self._held = b""
        self._quotes = 0
        self._ended = False

    def readable(self) -> bool:
        """Return true: the stream can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill `buffer` from the start and return the number of bytes, 0 at the end."""
        while not self._ready and not self._ended:
            self._advance()
        target = memoryview(buffer)
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _advance(self) -> None:
        try:
            block = read_some(self._stream, _BLOCK)
        except READ_ERRORS as error:
            self.error = error
            self._ready = memoryview(_whole_rows(self._held, self._quotes))
            self._ended = True
            return
        self._ready = memoryview(self._held)
        self._quotes += self._held.count(b'"')
        self._held = block
        self._ended = not block


def _whole_rows(block: bytes, quotes_before: int) -> bytes:
    """Return `block` up to its last line break outside quotes.

    Outside quotes the number of quote marks so far is even, because a quote mark inside a quoted
    value is written twice.
    """
    end = len(block)
    while (end := block.rfind(b"\n", 0, end)) >= 0:
        if (quotes_before + block.count(b'"', 0, end)) % 2 == 0:
            return block[: end + 1]
    return b""
