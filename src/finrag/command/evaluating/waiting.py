"""What a system returns later: all of it is awaited in one event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from concurrent.futures import Future
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Final, Self

# What does not end when it is cancelled is left behind in its thread.
PATIENCE_S: Final = 2.0


class EventLoop:
    """One event loop in a thread of its own, which starts when something is first awaited.

    A client that a system makes once is bound to the loop that it was first used in, and works in
    no other. Whoever closes the loop cancels what still runs in it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._loop: Future[asyncio.AbstractEventLoop] = Future()
        self._closing: asyncio.Event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def wait(self, result: Any) -> Any:
        """A result, awaited where it is awaitable; any thread but the loop's own may call this.

        Raises:
            BaseException: what the awaitable raised.
        """
        if not inspect.isawaitable(result):
            return result
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True)
                self._thread.start()
        value, error = asyncio.run_coroutine_threadsafe(
            _ended(result), self._loop.result()
        ).result()
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        """End the loop and its thread, unless nothing was awaited."""
        if self._thread is not None:
            self._loop.result().call_soon_threadsafe(self._closing.set)
            self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        # It cancels at its end what was not awaited to its own.
        with asyncio.Runner() as runner:
            runner.run(self._until_closed())

    async def _until_closed(self) -> None:
        self._closing = asyncio.Event()
        self._loop.set_result(asyncio.get_running_loop())
        await self._closing.wait()


async def _ended(awaited: Awaitable[Any]) -> tuple[Any, BaseException | None]:
    """What came of an awaitable; an exit that is raised in a task would end the loop itself."""
    try:
        return await awaited, None
    except (SystemExit, KeyboardInterrupt) as error:
        return None, error
