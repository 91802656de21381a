"""Asks the user's own services, system by system, and caches their answers.

A service is asked by ``POST {service_url}/{service_path}`` with the question, the companies and
years that were read from it, the document that a public set hands over with it, and how many
sources are wanted; ``service_fields`` gives its own names for these and for what it answers (see
`mapping`). With a ``service_tool`` that address is a server of the Model Context Protocol, and the
same fields are the arguments of its tool of that name (see `tools`). What it answered is cached in
the store of `finrag.llm` by the hash of system, version, address and request, so that no question
is asked twice; a question that failed is asked again by the next run, and a version of another name
is asked everything.

Settings from the environment: ``FINRAG_SERVICE_TOKEN_<SYSTEM_ID>`` or ``FINRAG_SERVICE_TOKEN``
(sent as a bearer token, never stored; see `tokens`), ``FINRAG_SERVICE_TIMEOUT_S`` (60),
``FINRAG_SERVICE_RETRIES`` (5), ``FINRAG_SERVICE_PARALLEL`` (4).
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pyarrow as pa

from finrag.records.files import RecordFaultError, visible
from finrag.records.rows import Row, row_reader
from finrag.services.client import ServiceClient, ServiceError
from finrag.services.mapping import NONE, FieldMapping, read_mapping
from finrag.services.tokens import own_token, token_names
from finrag.services.tools import ToolClient
from finrag.sources.predictions.fields import ALIASES, parse_prediction
from finrag.sources.predictions.schema import PREDICTION_SCHEMA

if TYPE_CHECKING:
    from finrag.llm.store import Row as StoredRow
    from finrag.llm.store import Store

SETTINGS: Final = "FINRAG_SERVICE"
STAGE: Final = "service"
# Values of the setting answer_sets: public sets beside the questions on the filings, or alone.
EVERY_SET: Final = "all"
PUBLIC_SETS: Final = "public"
DEFAULT_PATH: Final = "query"
# What an answer may consist of.
_SAID: Final = ("answer_text", "numeric_value", "program", "speaker", "role", "failure")
MAX_FAILURES_IN_A_ROW: Final = 8
# Settings are wrong: the next question would be refused as well.
HOPELESS_STATUS: Final = frozenset({401, 403, 404})
BACKOFF_S = 0.5
POLL_S: Final = 0.05


@dataclass(frozen=True)
class _Question:
    """One request: its place among the questions, its item and its body."""

    place: int
    item_id: str
    body: bytes
    request_hash: str


def ask_services(
    systems: pa.Table, questions: pa.Table, companies: pa.Table, state_dir: str
) -> pa.RecordBatchReader:
    """Ask every service every question that it has not answered yet.

    Args:
        systems: registered systems with ``system_id``, ``system_kind``, ``service_url``,
            ``depth`` (how many sources are wanted) and ``answer_sets`` (``all``: public sets too;
            ``public``: these alone);
            where they differ from their defaults ``service_path``, ``service_fields``,
            ``service_tool`` and ``system_version``.
            Rows of another kind than ``external_http`` are passed over.
        questions: ``item_id``, ``is_filings``, ``question_text``, and, where they are known,
            ``cik_ints``, ``years`` and ``document_id``: the filters that are sent.
        companies: ``cik_int`` and ``company_name``, to name the companies of the filters.
        state_dir: folder kept between builds.

    Returns:
        A reader of ``PREDICTION_SCHEMA``, one row per system and question, by system, then item_id.
        ``source_file`` is the address and ``source_line`` the place of the question. A question
        that got no usable answer is a row with its ``failure``. The same answers in the store give
        the same rows.

    Raises:
        ValueError: a system has no address, or one that is not http or https, or that holds a
            secret; a token would go where it should not; a setting is not a number; the store
            cannot be written.
    """
    mine = [row for row in systems.to_pylist() if row["system_kind"] == "external_http"]
    mine.sort(key=lambda row: str(row["system_id"]))
    addresses = {
        str(row["system_id"]): check_address(row["system_id"], row["service_url"]) for row in mine
    }
    tokens = token_names(addresses)
    asked = sorted(questions.to_pylist(), key=lambda row: str(row["item_id"]))
    names = dict(
        zip(companies["cik_int"].to_pylist(), companies["company_name"].to_pylist(), strict=True)
    )
    rows = _all_rows(mine, asked, names, tokens, state_dir) if mine and asked else iter(())
    return row_reader(rows, PREDICTION_SCHEMA)


def check_address(system_id: str, service_url: str | None) -> str:
    """Return the address of a service without a slash at its end.

    Raises:
        ValueError: there is none, it is not http or https, or it holds a user or parameters, which
            would end up in tables; the message does not repeat it.
    """
    parts = urlsplit((service_url or "").strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(
            f"system {system_id}: service_url is not an address; write http://host:port or https://host"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            f"system {system_id}: service_url holds more than an address; leave out user, "
            f"password and parameters, and set {own_token(system_id)} in the environment"
        )
    return parts.geturl().rstrip("/")


def service_address(system_id: str, system: Mapping[str, Any]) -> str:
    """Return the whole address that a system is asked at, its path included.

    Raises:
        ValueError: as ``check_address``, or the path holds more than a path.
    """
    path = str(system.get("service_path") or DEFAULT_PATH).strip("/")
    if urlsplit(f"/{path}").path != f"/{path}" or any(sign.isspace() for sign in path):
        raise ValueError(
            f"system {system_id}: service_path is '{path}'; write a path such as search or v1/query"
        )
    return f"{check_address(system_id, system['service_url'])}/{path}"


def _all_rows(
    systems: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    names: Mapping[int, str | None],
    tokens: Mapping[str, str],
    state_dir: str,
) -> Iterator[Row]:
    from finrag.llm.store import Store

    with Store(state_dir) as store:
        for system in systems:
            token_name = tokens[str(system["system_id"])]
            yield from _rows(system, questions, names, token_name, store)


def _rows(
    system: dict[str, Any],
    questions: list[dict[str, Any]],
    names: Mapping[int, str | None],
    token_name: str,
    store: Store,
) -> Iterator[Row]:
    from finrag.llm.endpoints import parallel_requests

    system_id = str(system["system_id"])
    url = service_address(system_id, system)
    mapping = read_mapping(system.get("service_fields"))
    # What has no name leaves the keys of earlier answers as they were.
    more = {name: system.get(name) or NONE for name in ("service_tool", "system_version")}
    named = {name: value for name, value in more.items() if value != NONE}
    identity = [system_id, url, *([named] if named else [])]
    sets = system.get("answer_sets")
    wanted = [
        _question(place, row, names, identity, mapping, int(system["depth"]))
        for place, row in enumerate(questions, start=1)
        if sets == EVERY_SET or row["is_filings"] != (sets == PUBLIC_SETS)
    ]
    asker = _Asker(store, system_id, url, named.get("service_tool", ""), token_name, mapping)
    with ThreadPoolExecutor(parallel_requests(SETTINGS), STAGE) as pool:
        try:
            for question, (stored, failure) in zip(
                wanted, pool.map(asker.ask, wanted), strict=True
            ):
                fields = _failed(failure) if stored is None else _read(stored.body, mapping)
                yield _row(system_id, url, question, stored, fields)
        finally:
            pool.shutdown(cancel_futures=True)
    asker.tell()


def _question(
    place: int,
    row: Mapping[str, Any],
    names: Mapping[int, str | None],
    identity: list[Any],
    mapping: FieldMapping,
    top_k: int,
) -> _Question:
    """Return the request for a question: the same bytes whatever the order of its fields."""
    filters: dict[str, Any] = {
        "companies": [{"cik": cik, "name": names.get(cik)} for cik in row.get("cik_ints") or []],
        "years": list(row.get("years") or []),
    }
    if row.get("document_id") is not None:
        filters["documents"] = [row["document_id"]]
    fields = {"question": row["question_text"], "filters": filters, "top_k": top_k}
    request = mapping.request(fields)
    body = json.dumps(request, sort_keys=True, separators=(",", ":")).encode()
    key = json.dumps(identity).encode() + b"\n" + body
    return _Question(place, str(row["item_id"]), body, hashlib.sha256(key).hexdigest())


class _Asker:
    """Asks one service from several threads, and stops where it gives nothing."""

    def __init__(
        self,
        store: Store,
        system_id: str,
        url: str,
        tool: str,
        token_name: str,
        mapping: FieldMapping,
    ) -> None:
        self._store = store
        self._system_id = system_id
        self._url = url
        self._tool = tool
        self._token_name = token_name
        self._mapping = mapping
        self._client: ServiceClient | None = None
        self._lock = Lock()
        self._n_known = self._n_asked = self._n_failed = 0
        self._first_failure = self._why_stopped = ""
        self._failures_in_a_row = 0

    def ask(self, question: _Question) -> tuple[StoredRow | None, str | None]:
        """Return the stored answer, or what went wrong."""
        while True:
            row = self._store.find([question.request_hash])
            if row is None and self._why_stopped:
                return None, f"not sent: {self._why_stopped}"
            if row is None:
                row = self._claim(question)
            if row is None:
                time.sleep(POLL_S)
            elif row.status == "ok":
                with self._lock:
                    self._n_known += 1
                return row, None
            else:
                return self._send(question, row)

    def _claim(self, question: _Question) -> StoredRow | None:
        prompt_hash = hashlib.sha256(question.body).hexdigest()
        return self._store.claim(question.request_hash, prompt_hash, self._system_id, STAGE)

    def tell(self) -> None:
        """Say on stderr how it went."""
        print(
            f"service {self._system_id}: {self._n_asked:,} questions asked, {self._n_failed:,} "
            f"failed, {self._n_known:,} known before"
            + (f"; the first failure: {self._first_failure}" if self._first_failure else ""),
            file=sys.stderr,
        )

    def _send(self, question: _Question, claim: StoredRow) -> tuple[StoredRow | None, str | None]:
        start = time.perf_counter()
        try:
            sent = self._open().post(question.body, lambda body: read_answer(body, self._mapping))
        except Exception as error:
            took = round((time.perf_counter() - start) * 1000, 3)
            known = error if isinstance(error, ServiceError) else None
            # Others may wait for this claim: it must end, whatever went wrong.
            self._store.finish(
                replace(
                    claim,
                    status="failed",
                    error=str(known or type(error).__name__),
                    http_status=known.status_code if known else None,
                    n_attempts=known.n_attempts if known else 0,
                    latency_ms=took,
                )
            )
            if known is None:
                raise
            self._count(known)
            return None, str(known)
        row = replace(
            claim,
            status="ok",
            http_status=sent.status_code,
            n_attempts=sent.n_attempts,
            latency_ms=sent.latency_ms,
            body=sent.body,
        )
        self._store.finish(row)
        self._count(None)
        return row, None

    def _open(self) -> ServiceClient:
        """Return the client, made when the first question must be sent."""
        with self._lock:
            if self._client is None:
                given = (SETTINGS, self._token_name, BACKOFF_S)
                self._client = (
                    ToolClient(self._url, self._tool, *given)
                    if self._tool
                    else ServiceClient(self._url, *given)
                )
            return self._client

    def _count(self, error: ServiceError | None) -> None:
        with self._lock:
            self._n_asked += 1
            if error is None:
                self._failures_in_a_row = 0
                return
            self._n_failed += 1
            self._failures_in_a_row += 1
            self._first_failure = self._first_failure or str(error)
            if error.status_code in HOPELESS_STATUS:
                self._why_stopped = f"the service answered {error.status_code} before"
            elif self._failures_in_a_row >= MAX_FAILURES_IN_A_ROW:
                self._why_stopped = f"{MAX_FAILURES_IN_A_ROW} questions in a row failed before"


def read_answer(body: bytes, mapping: FieldMapping) -> Row:
    """Return the fields of a service's answer.

    Raises:
        ValueError: it is not a JSON object, or holds neither an answer nor sources; an answer in
            which nothing stands is none.
    """
    value = mapping.answer(json.loads(body))
    if not isinstance(value, dict):
        raise ValueError(f"it is a JSON {type(value).__name__}, expected an object")
    # The service was asked this question: an id of its own does not say otherwise.
    keys = {*ALIASES["item_key"], *ALIASES["question_text"]}
    own = {name: item for name, item in value.items() if str(name).strip().lower() not in keys}
    fields = parse_prediction({"item_id": "asked", **own})
    said = (*_SAID, "sources") if not fields["is_abstained"] else ()
    if said and all(fields[name] is None for name in said):
        raise ValueError("it holds neither answer nor sources")
    return fields


def _row(
    system_id: str,
    url: str,
    question: _Question,
    stored: StoredRow | None,
    fields: Row,
) -> Row:
    head = {
        "system_id": system_id,
        "source_file": url,
        "source_line": question.place,
        "record_status": "read",
    }
    body = b"" if stored is None else stored.body or b""
    # What was measured here, not what the service says of itself.
    if stored is not None:
        fields["latency_ms"] = stored.latency_ms
    return {
        **head,
        **fields,
        "raw_excerpt": visible(body[:1000].decode("utf-8", "replace")),
        "item_key": question.item_id,
    }


def _read(body: bytes | None, mapping: FieldMapping) -> Row:
    try:
        return read_answer(body or b"", mapping)
    except (ValueError, RecursionError, RecordFaultError) as error:
        return _failed(f"the answer cannot be read: {error}")


def _failed(failure: str | None) -> Row:
    return {
        "record_form": "prediction",
        "has_answer": True,
        "is_cut": False,
        "failure": failure,
        "faults": [],
    }
