"""Sends many requests to a language model at once; each is paid for only once."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from finrag.llm.calls import STAGES, Call, Sent, total
from finrag.llm.completions import Completion, read_completion, read_usage
from finrag.llm.messages import Message, ToolUse, as_sent, digest, hashed, sound_message
from finrag.llm.store import Row, Store

if TYPE_CHECKING:
    from openai import OpenAI

    from finrag.llm.endpoints import Endpoint, EndpointError, Exchange

SETTINGS: Final = "FINRAG_LLM"
FORMATS: Final = ("json_schema", "json_object", "text")
AUTO: Final = "auto"
# Of failures that tell of the endpoint: 429, 5xx, a time-out, no answer that makes sense.
MAX_FAILURES_IN_A_ROW: Final = 8
# Of failures of any kind: what is refused for its own sake says little about the next request.
MAX_REFUSALS_IN_A_ROW: Final = 30
# Of answers that came, were paid for and are of no use: declined, or cut at the limit of tokens.
MAX_UNUSABLE_IN_A_ROW: Final = 30
# Settings are wrong: the next request would be refused as well.
HOPELESS_STATUS: Final = frozenset({401, 403, 404})
# Time-outs and too many requests: refusals that tell of the endpoint, not of the request.
UNWELL_STATUS: Final = frozenset({408, 429})
BACKOFF_S = 0.5
POLL_S: Final = 0.05
PROGRESS_INTERVAL_S: Final = 10.0

FORMAT_REFUSED_STATUS: Final = frozenset({400, 422})
_FORMAT_WORDS: Final = re.compile(r"response.?format|schema|json.?object|grammar", re.IGNORECASE)
# The limit of tokens as endpoints have it, and as newer models of the public one insist on.
OLD_LIMIT: Final = "max_tokens"
NEW_LIMIT: Final = "max_completion_tokens"


@dataclass(frozen=True)
class Request:
    """A request: everything except the model that can change the answer.

    Attributes:
        messages: (role, text) in their order; among them calls of tools and their results.
        response_format: "json_schema", "json_object", "text", or "auto" for the first of them
            that the endpoint takes.
        schema: JSON schema of the answer; needed for "json_schema", else unused.
        temperature: not sent where None: some models allow none.
        max_output_tokens: likewise.
        seed: likewise; many endpoints ignore it.
        tools: schemas of the tools that the model may call, as the API takes them; none where
            empty.
    """

    messages: tuple[Message, ...]
    response_format: str = "text"
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    max_output_tokens: int | None = None
    seed: int | None = None
    tools: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Reply:
    """The result of a request.

    Attributes:
        text: what the model wrote, "" where it only called tools; None where there is a failure.
        call: the call, as it was made when it was made.
        failure: one sentence on why there is no text. A call may be ok and its text still of no
            use: cut off, declined.
        earlier: calls of the same request that were sent before and failed, in this build or any
            other, oldest first; they may have been billed.
        tool_calls: calls of tools, in the model's order; empty where there is a failure.
    """

    text: str | None
    call: Call
    failure: str | None = None
    earlier: tuple[Call, ...] = ()
    tool_calls: tuple[ToolUse, ...] = ()


def ask_all(
    requests: Sequence[Request], model: str, stage: str, state_dir: str, settings: str = SETTINGS
) -> Iterator[Reply]:
    """Ask everything that was never answered, and give all replies in the order of the requests.

    Answers are cached in ``state_dir/cache/llm`` by the hash of model, parameters and messages:
    equal requests are sent once, in this run or any other, and where all are there, no client is
    opened and no key is needed. A request that fails is retried, then a recorded failure; the next
    run asks it again. After ``MAX_FAILURES_IN_A_ROW`` without an answer, after
    ``MAX_REFUSALS_IN_A_ROW`` failures of any kind, or at once where the endpoint refuses key or
    model, the remaining requests fail without being sent (``n_attempts`` 0). Settings: see
    ``SETTINGS`` and ``finrag.llm.endpoints``.

    Args:
        requests: what to ask.
        model: the model's name at the endpoint.
        stage: one of ``calls.STAGES``.
        state_dir: folder kept between builds.
        settings: prefix of the settings of the endpoint.

    Returns:
        One reply a request, as soon as all before it are there. With the same answers in the store
        the same replies, whatever the threads.

    Raises:
        ValueError: stage, model or response format is unknown, a request has no messages or lacks
            its schema, the store cannot be written, or something must be sent and there is no key.
    """
    if stage not in STAGES:
        raise ValueError(f"unknown stage '{stage}'; valid ones are {', '.join(STAGES)}.")
    if not model.strip():
        raise ValueError("no model is named; write openai:<model>.")
    clean = [_checked(request, at) for at, request in enumerate(requests)]
    return _replies(clean, model, stage, state_dir, settings) if clean else iter(())


def request_hash(request: Request, model: str) -> str:
    """sha256 of the canonical JSON of all that is sent: the key of the store.

    Tools enter it only where there are any, so that what was paid for before there were tools
    still has its key.
    """
    is_schema = request.response_format == "json_schema"
    content: dict[str, Any] = {
        "model": model,
        "messages": [hashed(message) for message in request.messages],
        "response_format": request.response_format,
        "schema": request.schema if is_schema else None,
        "temperature": None if request.temperature is None else float(request.temperature),
        "max_output_tokens": request.max_output_tokens,
        "seed": request.seed,
    }
    if request.tools:
        # No request chooses a tool; the field stays, so that what was paid for keeps its hash.
        content |= {"tools": request.tools, "tool_choice": None}
    return digest(content)


def _checked(request: Request, at: int) -> Request:
    valid = (AUTO, *FORMATS)
    if request.response_format not in valid:
        raise ValueError(
            f"request {at}: unknown response format '{request.response_format}'; valid ones are "
            f"{', '.join(valid)}."
        )
    if request.response_format == "json_schema" and request.schema is None:
        raise ValueError(f"request {at}: the format json_schema needs a schema.")
    if not request.messages:
        raise ValueError(f"request {at} has no messages.")
    return replace(request, messages=tuple(map(sound_message, request.messages)))


def _replies(
    requests: Sequence[Request], model: str, stage: str, state_dir: str, settings: str
) -> Iterator[Reply]:
    with Store(state_dir) as store:
        asker = _Asker(store, model, stage, settings)
        keys = [request_hash(request, model) for request in requests]
        distinct = dict(zip(keys, requests, strict=True))
        replies = {
            key: reply
            for key, request in distinct.items()
            if (reply := asker.replay(request)) is not None
        }
        missing = {key: request for key, request in distinct.items() if key not in replies}
        if not missing:
            yield from (replies[key] for key in keys)
            return
        yield from _asked(asker, keys, replies, missing)


def _asked(
    asker: _Asker,
    keys: Sequence[str],
    replies: dict[str, Reply],
    missing: Mapping[str, Request],
) -> Iterator[Reply]:
    from finrag.llm.endpoints import parallel_requests

    asker.open(len(missing), len(replies))
    # The first goes alone: what it learns of key, model and formats the others need not find out.
    first, *others = missing
    replies[first] = asker.ask(missing[first])
    with ThreadPoolExecutor(parallel_requests(asker.settings), "llm") as pool:
        futures: dict[str, Future[Reply]] = {}
        try:
            for key in others:
                futures[key] = pool.submit(asker.ask, missing[key])
            for key in keys:
                yield replies[key] if key in replies else futures[key].result()
        finally:
            pool.shutdown(cancel_futures=True)


class _Asker:
    """Asks from several threads; learns what the endpoint takes, and stops where it gives nothing.

    Attributes:
        settings: prefix of the settings of the endpoint.
        progress: tells the person at the terminal.
    """

    progress: _Progress

    def __init__(self, store: Store, model: str, stage: str, settings: str) -> None:
        self.settings = settings
        self._store = store
        self._model = model
        self._stage = stage
        self._endpoint: Endpoint | None = None
        self._lock = Lock()
        self._first_format = 0
        self._limit_name = OLD_LIMIT
        self._failures_in_a_row = 0
        self._unanswered_in_a_row = 0
        self._unusable_in_a_row = 0
        self._why_stopped = ""

    def replay(self, request: Request) -> Reply | None:
        """The reply from the store, None where there is none."""
        hashes = [request_hash(form, self._model) for form in _forms(request)]
        row = self._store.find(hashes)
        return None if row is None else self._reply(row, hashes)

    def open(self, n_missing: int, n_cached: int) -> None:
        """Make the client; nothing is sent yet, and without a client nothing will be."""
        from finrag.llm.endpoints import open_endpoint

        safe = "answers that arrived are kept"
        try:
            self._endpoint = open_endpoint(self._model, self.settings, "prompts", safe, BACKOFF_S)
        except ValueError as error:
            self._why_stopped = str(error)
        self.progress = _Progress(f"{self._stage} openai:{self._model}", n_missing, n_cached)

    def ask(self, request: Request) -> Reply:
        """Ask in the first form that the endpoint takes."""
        forms = _forms(request)
        hashes = [request_hash(form, self._model) for form in forms]
        first = self._first_format if request.response_format == AUTO else 0
        for at, form in enumerate(forms):
            if at < first and at < len(forms) - 1:
                continue
            reply, is_refused = self._ask_form(form, hashes)
            if not is_refused or at == len(forms) - 1:
                break
            with self._lock:
                self._first_format = max(self._first_format, at + 1)
        self._count(reply.call, is_usable=reply.failure is None)
        return reply

    def _ask_form(self, request: Request, hashes: Sequence[str]) -> tuple[Reply, bool]:
        """The reply, and whether the endpoint refused the response format.

        Args:
            request: in one form.
            hashes: of the request in every form.
        """
        key = request_hash(request, self._model)
        prompt_hash = digest([hashed(message) for message in request.messages])
        while True:
            if self._why_stopped:
                return self._not_sent(key, prompt_hash, hashes), False
            row = self._store.claim(key, prompt_hash, self._model, self._stage)
            if row is None:
                time.sleep(POLL_S)
            elif row.status == "ok":
                return self._reply(row, hashes), False
            else:
                return self._send(request, row, hashes)

    def _send(self, request: Request, claim: Row, hashes: Sequence[str]) -> tuple[Reply, bool]:
        start = time.perf_counter()
        done, errors = self._exchange(request)
        ended = done if done is not None else errors[-1]
        tokens = [read_usage(body) for one in (*errors, done) if one for body in one.nonsense]
        if done is not None:
            tokens.append((done.answer.input_tokens, done.answer.output_tokens))
        row = replace(
            claim,
            status="ok" if done is not None else "failed",
            error=None if done is not None else str(errors[-1]),
            http_status=ended.status_code,
            n_attempts=sum(one.n_attempts for one in (*errors, done) if one),
            input_tokens=total(count for count, _ in tokens),
            output_tokens=total(count for _, count in tokens),
            latency_ms=round((time.perf_counter() - start) * 1000, 3),
            body=None if done is None else done.body,
        )
        self._store.finish(row)
        is_refused = done is None and _refuses_format(request, errors[-1])
        return self._reply(row, hashes), is_refused

    def _exchange(
        self, request: Request
    ) -> tuple[Exchange[Completion] | None, list[EndpointError]]:
        """The answer, None where none came, and the errors before it."""
        from finrag.llm.endpoints import EndpointError

        if self._endpoint is None:
            raise ValueError("nothing can be sent before the endpoint is open.")
        errors: list[EndpointError] = []
        while True:
            limit = self._limit_name
            post = partial(_post, self._model, request, limit)
            try:
                return self._endpoint.exchange(post, read_completion), errors
            except EndpointError as error:
                errors.append(error)
                if limit != OLD_LIMIT or not _refuses_limit(error):
                    return None, errors
            self._limit_name = NEW_LIMIT

    def _not_sent(self, key: str, prompt_hash: str, hashes: Sequence[str]) -> Reply:
        error = f"not sent: {self._why_stopped}"
        call_id = f"{self._stage}:{key}:not_sent"
        failed = Sent(self._stage, self._model, prompt_hash, key, "failed", error)
        call = Call.of(failed, call_id, self._stage)
        return Reply(None, call, error, tuple(map(self._call, self._store.failed(hashes))))

    def _reply(self, row: Row, hashes: Sequence[str]) -> Reply:
        failed = self._store.failed(hashes)
        earlier = tuple(self._call(one) for one in failed if one.call_key != row.call_key)
        text, failure = None, row.error
        tool_calls: tuple[ToolUse, ...] = ()
        if row.status == "ok":
            try:
                completion = read_completion(row.body or b"")
                text, failure = completion.text, completion.problem
                tool_calls = completion.tool_calls
            except ValueError as error:
                failure = str(error)
        return Reply(text, self._call(row), failure, earlier, tool_calls)

    def _call(self, row: Row) -> Call:
        call_id = f"{self._stage}:{row.request_hash}"
        is_answer = row.status == "ok"
        return Call.of(row, call_id if is_answer else f"{call_id}:{row.called_at}", self._stage)

    def _count(self, call: Call, *, is_usable: bool) -> None:
        """Count towards the end of asking."""
        with self._lock:
            if call.status == "ok":
                self._failures_in_a_row = self._unanswered_in_a_row = 0
                self._unusable_in_a_row = 0 if is_usable else self._unusable_in_a_row + 1
                self._why_stopped = self._why_stopped or self._reason_to_stop(call)
            elif call.n_attempts:
                is_refused = _is_refused(call.http_status)
                self._failures_in_a_row += 1
                self._unanswered_in_a_row = 0 if is_refused else self._unanswered_in_a_row + 1
                self._why_stopped = self._why_stopped or self._reason_to_stop(call)
        self.progress.advance(call)

    def _reason_to_stop(self, call: Call) -> str:
        if call.http_status in HOPELESS_STATUS:
            return f"the endpoint answered {call.http_status} before"
        if self._unanswered_in_a_row >= MAX_FAILURES_IN_A_ROW:
            return f"{MAX_FAILURES_IN_A_ROW} requests in a row failed before"
        if self._failures_in_a_row >= MAX_REFUSALS_IN_A_ROW:
            return f"{MAX_REFUSALS_IN_A_ROW} requests in a row were refused or failed before"
        if self._unusable_in_a_row >= MAX_UNUSABLE_IN_A_ROW:
            return f"{MAX_UNUSABLE_IN_A_ROW} answers in a row were not usable"
        return ""


class _Progress:
    """Lines on stderr, about every ten seconds and when all are done."""

    def __init__(self, label: str, n_missing: int, n_cached: int) -> None:
        self._label = label
        self._n_missing = n_missing
        self._n_cached = n_cached
        self._n_done = self._n_failed = 0
        self._first_error = ""
        self._last = time.monotonic()
        self._lock = Lock()

    def advance(self, call: Call) -> None:
        """One request is done."""
        with self._lock:
            self._n_done += 1
            if call.status != "ok":
                self._n_failed += 1
                self._first_error = self._first_error or call.error or ""
            is_last = self._n_done == self._n_missing
            if is_last or time.monotonic() - self._last >= PROGRESS_INTERVAL_S:
                self._last = time.monotonic()
                self._say()
            if is_last and self._first_error:
                print(f"{self._label}: the first failure: {self._first_error}", file=sys.stderr)

    def _say(self) -> None:
        print(
            f"{self._label}: {self._n_done:,} of {self._n_missing:,} requests done, "
            f"{self._n_failed:,} failed, {self._n_cached:,} known before",
            file=sys.stderr,
            flush=True,
        )


def _forms(request: Request) -> list[Request]:
    """The request in each form that it may be sent in, the preferred one first."""
    if request.response_format != AUTO:
        return [request]
    usable = [name for name in FORMATS if name != "json_schema" or request.schema is not None]
    return [replace(request, response_format=name) for name in usable]


def _is_refused(status: int | None) -> bool:
    """Whether the endpoint is well and would not have this request: too long, not allowed."""
    return status is not None and 400 <= status < 500 and status not in UNWELL_STATUS


def _refuses_format(request: Request, error: EndpointError) -> bool:
    is_plain = request.response_format == "text"
    refused = error.status_code in FORMAT_REFUSED_STATUS and _FORMAT_WORDS.search(error.said)
    return bool(refused) and not is_plain


def _refuses_limit(error: EndpointError) -> bool:
    return error.status_code in FORMAT_REFUSED_STATUS and NEW_LIMIT in error.said


def _post(model: str, request: Request, limit_name: str, client: OpenAI) -> Any:
    settings: dict[str, Any] = {
        "temperature": request.temperature,
        limit_name: request.max_output_tokens,
        "seed": request.seed,
        "response_format": _response_format(request),
        "tools": list(request.tools) or None,
    }
    # The client types a message by its role as a literal; here a role is a text.
    return client.chat.completions.with_raw_response.create(
        model=model,
        messages=[as_sent(message) for message in request.messages],  # type: ignore[misc]
        **{name: value for name, value in settings.items() if value is not None},
    )


def _response_format(request: Request) -> dict[str, Any] | None:
    if request.response_format == "text":
        return None
    if request.response_format == "json_object":
        return {"type": "json_object"}
    schema = {"name": "reply", "schema": request.schema, "strict": True}
    return {"type": "json_schema", "json_schema": schema}
