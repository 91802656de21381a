"""Asks for replies of a form; one that cannot be read is asked for once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from finrag.llm.asking import Reply, Request, ask_all
from finrag.llm.calls import Call

Found = TypeVar("Found")


@dataclass(frozen=True)
class Asking(Generic[Found]):
    """How replies are asked for.

    Attributes:
        model: the model's name at the endpoint.
        stage: one of ``calls.STAGES``.
        state_dir: folder kept between builds.
        form: what a reply should be, for messages: "answer", "verdict".
        reminder: what is put behind a prompt whose reply cannot be read. It quotes nothing of
            that reply: what was wrong there must not be repeated by suggestion.
    """

    model: str
    stage: str
    state_dir: str
    form: str
    reminder: str

    def ask(
        self, requests: Sequence[Request], readers: Sequence[Callable[[str], Found]]
    ) -> list[Outcome[Found]]:
        """Ask everything, see ``asking.ask_all``, and read the replies.

        Args:
            requests: what to ask.
            readers: for each request what reads the text of its reply; they raise ValueError
                where it is not as asked.

        Returns:
            One outcome a request, in their order.
        """
        first = [
            self._outcome((reply,), read)
            for reply, read in zip(self._replies(requests), readers, strict=True)
        ]
        unread = [
            at
            for at, outcome in enumerate(first)
            if outcome.failure is not None and outcome.replies[0].text is not None
        ]
        again = self._replies([self._reminded(requests[at]) for at in unread])
        for at, reply in zip(unread, again, strict=True):
            first[at] = self._outcome((*first[at].replies, reply), readers[at])
        return first

    def _replies(self, requests: Sequence[Request]) -> list[Reply]:
        return list(ask_all(requests, self.model, self.stage, self.state_dir))

    def _reminded(self, request: Request) -> Request:
        *others, last = request.messages
        if not isinstance(last, tuple):
            reminder = ("user", self.reminder.strip())
            return replace(request, messages=(*request.messages, reminder))
        role, text = last
        return replace(request, messages=(*others, (role, f"{text}{self.reminder}")))

    def _outcome(self, replies: tuple[Reply, ...], read: Callable[[str], Found]) -> Outcome[Found]:
        last = replies[-1]
        if last.text is None:
            return Outcome(None, last.failure or "the model gave no text", replies)
        try:
            return Outcome(read(last.text), None, replies)
        except ValueError as error:
            return Outcome(None, f"the {self.form} is not as asked: {error}", replies)


@dataclass(frozen=True)
class Outcome(Generic[Found]):
    """The result of a prompt.

    Attributes:
        found: what was read; None where there is a failure.
        failure: why nothing was read, one sentence.
        replies: in the order they were asked for, one or two.
    """

    found: Found | None
    failure: str | None
    replies: tuple[Reply, ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls for the prompt, failed ones included, oldest first."""
        return tuple(call for reply in self.replies for call in (*reply.earlier, reply.call))
