"""What the server answers: routes, who may use them, and their description for programs."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

import finrag
from finrag.command.serving import pages
from finrag.command.serving.guard import Guard, error_answer
from finrag.command.serving.marks import add_mark, list_questions, read_question
from finrag.command.serving.queue import FullError, Queue
from finrag.command.serving.settings import (
    REQUEST_FIELDS,
    NotAllowedError,
    Settings,
    read_request,
)
from finrag.command.serving.store import STATES, Run, shown
from finrag.publishing.export import DEFAULT_NAME

MAX_BODY_BYTES: Final = 2_000_000
RUNS_SHOWN: Final = 200
_UNKNOWN: Final = {
    "Not Found": "there is no such address; /docs lists all addresses",
    "Method Not Allowed": "this address does not accept this method; see /docs",
}

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Operation:
    """One route for programs, from which the description is written too.

    Attributes:
        method: of HTTP.
        path: with parameters in braces.
        handler: what answers.
        summary: what it does, in a sentence.
        answers: status codes and their meaning.
        body: JSON schema of what is sent; empty for nothing.
        parameters: of the query, with their meaning.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    answers: dict[int, str]
    body: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)


def create_app(settings: Settings, names: Collection[str] | None) -> Starlette:
    """The application.

    Args:
        settings: of the server.
        names: host and port as a browser on this machine may call it; None where other machines
            reach it, which the token then keeps out.

    Raises:
        ValueError: as ``Queue``.
    """
    api = _Api(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        api.queue.start()
        yield
        await run_in_threadpool(api.queue.stop)

    app = Starlette(
        routes=[
            *(Route(one.path, one.handler, methods=[one.method]) for one in api.operations),
            *api.pages(),
        ],
        exception_handlers={HTTPException: _refused, ValueError: _wrong, Exception: _broken},
        lifespan=lifespan,
    )
    app.add_middleware(Guard, token=settings.token, names=names)
    return app


class _Api:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._export = settings.state_dir / DEFAULT_NAME
        self._form_token = secrets.token_urlsafe(24)
        self.queue = Queue(settings, self._write_export)
        self.operations = self._operations()

    def _operations(self) -> list[Operation]:
        no_run = {404: "There is no such run."}
        body = {
            "type": "object",
            "required": ["candidate"],
            "additionalProperties": False,
            "properties": dict(REQUEST_FIELDS),
        }
        return [
            Operation(
                "POST",
                "/eval/run",
                self._add,
                "Queue an evaluation.",
                {
                    202: "It is queued; run_id names it.",
                    400: "The request cannot be read.",
                    403: "The candidate is not allowed.",
                    413: "The request is too long.",
                    415: "The request is not sent as JSON.",
                    429: "Too many runs are waiting.",
                },
                body,
            ),
            Operation(
                "GET",
                "/eval/runs",
                self._list,
                f"The last {RUNS_SHOWN} runs, the newest first.",
                {200: "Runs.", 400: "There is no such state."},
                parameters={"state": f"Only runs in this state: {', '.join(STATES)}."},
            ),
            Operation(
                "GET",
                "/eval/runs/{run_id}",
                self._get,
                "State, progress, gates, verdict and exit code of a run.",
                {200: "The run.", **no_run},
            ),
            Operation(
                "GET",
                "/eval/runs/{run_id}/report",
                self._report,
                "What a finished run measured, each question included.",
                {200: "The report, as JSON or Markdown.", **no_run, 409: "It measured nothing."},
                parameters={"format": "json or markdown; without it the header Accept decides."},
            ),
            Operation(
                "POST",
                "/eval/runs/{run_id}/cancel",
                self._cancel,
                "Cancel a run that waits or is running.",
                {202: "It is or will be cancelled.", **no_run, 409: "It has ended already."},
            ),
            Operation(
                "GET", "/openapi.json", self._openapi, "This description.", {200: "OpenAPI 3.1."}
            ),
        ]

    def pages(self) -> list[Route]:
        """The routes of people, which are in no description for programs."""
        question = "/questions/{page_id}"
        return [
            Route("/", self._home),
            Route("/docs", self._docs),
            Route("/questions", self._questions),
            Route(question, self._question),
            Route(question, self._mark, methods=["POST"]),
            Route("/style.css", self._style),
        ]

    # --- for programs ------------------------------------------------------------------

    async def _add(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise HTTPException(415, "send JSON, with the header Content-Type: application/json")
        try:
            given = json.loads(await _body(request))
        except (ValueError, RecursionError):
            raise HTTPException(400, "this is not JSON") from None
        try:
            run = self.queue.add(read_request(given, self._settings))
        except NotAllowedError as error:
            raise HTTPException(403, str(error)) from error
        except FullError as error:
            raise HTTPException(429, str(error)) from error
        place = f"/eval/runs/{run.run_id}"
        return JSONResponse(
            {"run_id": run.run_id, "state": run.state, "url": place}, 202, {"Location": place}
        )

    async def _list(self, request: Request) -> Response:
        state = request.query_params.get("state", "")
        if state and state not in STATES:
            raise ValueError(f"there is no such state; use one of {', '.join(STATES)}")
        found = [run for run in self.queue.runs() if state in ("", run.state)][:RUNS_SHOWN]
        return JSONResponse({"runs": [shown(run, self.queue.store) for run in found]})

    async def _get(self, request: Request) -> Response:
        return JSONResponse(shown(self._run(request), self.queue.store))

    async def _report(self, request: Request) -> Response:
        run = self._run(request)
        record = self.queue.store.record(run.run_id) if run.state == "finished" else None
        if record is None:
            raise HTTPException(409, f"this run is {run.state}: it has no report")
        wanted = request.query_params.get("format") or (
            "markdown" if "text/markdown" in request.headers.get("accept", "") else "json"
        )
        if wanted not in ("json", "markdown"):
            raise ValueError("format is json or markdown")
        state = shown(run, self.queue.store)
        if wanted == "json":
            return JSONResponse({"run": state, "items": record["items"]})
        markdown = pages.report(state, record["items"])
        return Response(markdown, media_type="text/markdown")

    async def _cancel(self, request: Request) -> Response:
        run = self._run(request)
        try:
            run = self.queue.cancel(run.run_id)
        except ValueError as error:
            raise HTTPException(409, str(error)) from error
        return JSONResponse({"run_id": run.run_id, "state": run.state}, 202)

    async def _openapi(self, _: Request) -> Response:
        return JSONResponse(self._description())

    def _description(self) -> dict[str, Any]:
        paths: dict[str, dict[str, Any]] = {}
        for one in self.operations:
            names = [part[1:-1] for part in one.path.split("/") if part.startswith("{")]
            said: dict[str, Any] = {
                "summary": one.summary,
                "parameters": [
                    *({"name": name, "in": "path", "required": True} for name in names),
                    *(
                        {"name": name, "in": "query", "description": meaning}
                        for name, meaning in one.parameters.items()
                    ),
                ],
                "responses": {str(code): {"description": why} for code, why in one.answers.items()},
            }
            for parameter in said["parameters"]:
                parameter["schema"] = {"type": "string"}
            if one.body:
                content = {"application/json": {"schema": one.body}}
                said["requestBody"] = {"required": True, "content": content}
            paths.setdefault(one.path, {})[one.method.lower()] = said
        return {
            "openapi": "3.1.0",
            "info": {"title": "finrag serve", "version": finrag.__version__},
            "paths": paths,
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
            "security": [{"token": []}] if self._settings.token else [],
        }

    # --- for people --------------------------------------------------------------------

    async def _docs(self, _: Request) -> Response:
        return _page("docs.html", operations=self.operations)

    async def _home(self, _: Request) -> Response:
        runs = [shown(run, self.queue.store) for run in self.queue.runs()[:RUNS_SHOWN]]
        return _page("runs.html", runs=runs, schedules=self._settings.schedules)

    async def _questions(self, request: Request) -> Response:
        asked = request.query_params
        words, number, due = asked.get("words", ""), asked.get("page", "0"), "due" in asked
        page = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
        found = await run_in_threadpool(list_questions, self._export, words, page, due)
        return _page("questions.html", questions=found, words=words, page=page, due=due)

    async def _question(self, request: Request) -> Response:
        return await self._question_page(request)

    async def _question_page(
        self, request: Request, error: str = "", status: int = 200
    ) -> Response:
        page_id = request.path_params["page_id"]
        reviews = self._settings.reviews
        question = await run_in_threadpool(read_question, self._export, reviews, page_id)
        if question is None:
            raise HTTPException(404, "there is no such question")
        return _page(
            "question.html",
            status,
            question=question,
            token=self._form_token,
            error=error,
            reviews=reviews,
        )

    async def _mark(self, request: Request) -> Response:
        text = (await _body(request)).decode("utf-8", "replace")
        try:
            sent = parse_qs(text, keep_blank_values=True, max_num_fields=10)
        except ValueError:
            sent = {}
        fields = {name: values[0] for name, values in sent.items()}
        if not hmac.compare_digest(fields.get("token", "").encode(), self._form_token.encode()):
            return await self._question_page(
                request,
                "This form was loaded before the server was restarted; mark the answer again.",
                403,
            )
        page_id, reviews = request.path_params["page_id"], self._settings.reviews
        question = await run_in_threadpool(read_question, self._export, reviews, page_id)
        if question is None:
            raise HTTPException(404, "there is no such question")
        marked_at = self._settings.now().isoformat(timespec="seconds")
        try:
            await run_in_threadpool(add_mark, question, reviews, fields, marked_at)
        except ValueError as error:
            return await self._question_page(request, f"Not marked: {error}.", 400)
        return RedirectResponse(f"/questions/{quote(page_id, safe='')}", HTTPStatus.SEE_OTHER)

    async def _style(self, _: Request) -> Response:
        return Response(pages.style(), media_type="text/css")

    # --- shared ------------------------------------------------------------------------

    def _run(self, request: Request) -> Run:
        run = self.queue.get(request.path_params["run_id"])
        if run is None:
            raise HTTPException(404, "there is no such run")
        return run

    def _write_export(self) -> None:
        from finrag.publishing.export import export_reports

        export_reports(self._settings.database, self._export)


async def _body(request: Request) -> bytes:
    """The body of a request, read no further than it may be long."""
    parts, total = [], 0
    async for part in request.stream():
        parts.append(part)
        total += len(part)
        if total > MAX_BODY_BYTES:
            raise HTTPException(413, f"this is longer than {MAX_BODY_BYTES:,} bytes")
    return b"".join(parts)


def _page(name: str, status: int = 200, **shown_there: Any) -> Response:
    return HTMLResponse(pages.render(name, **shown_there).encode("utf-8", "replace"), status)


async def _refused(_: Request, error: Exception) -> Response:
    status, why = 500, ""
    if isinstance(error, HTTPException):
        # Starlette's own words for what has no route are those of the protocol.
        status, why = error.status_code, _UNKNOWN.get(error.detail, error.detail)
    answer = error_answer(status, why)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        answer.headers["Connection"] = "close"
    return answer


async def _wrong(_: Request, error: Exception) -> Response:
    return error_answer(400, str(error))


async def _broken(_: Request, error: Exception) -> Response:
    return error_answer(500, f"the server failed ({type(error).__name__}); see its terminal")
