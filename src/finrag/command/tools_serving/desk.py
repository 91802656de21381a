"""One question at a time: handed out, looked up with tools, answered once."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from finrag.agents.citations import Shelf
from finrag.agents.corpora import Corpus
from finrag.agents.session import Asked, Session, ToolCall, cut, tools_of
from finrag.agents.steps import Step
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import Id, tool_schemas
from finrag.answers.types import Citation as Cited
from finrag.answers.types import Question as AnswerQuestion
from finrag.command.tools_serving.run_file import RunFile
from finrag.llm.messages import sound
from finrag.retrieval.queries import Query

NEXT: Final = "next_question"
SUBMIT: Final = "submit_answer"
MAX_ANSWER_CHARS: Final = 20_000
MAX_QUOTE_CHARS: Final = 4_000
MAX_CITATIONS: Final = 50

_STEP_FIELDS: Final = frozenset(field.name for field in fields(Step))
_LISTS: Final = ("result_ids", "result_scores", "passage_ids")
_NO_QUESTION: Final = f"no question is open; call {NEXT}"
_ANSWERED: Final = f"its answer is already stored and cannot change; call {NEXT} to go on"


# An escaped NUL is sound JSON, and no table holds it.
Text = Annotated[str, AfterValidator(sound)]


class Citation(BaseModel):
    """What an answer rests on."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    passage_id: Annotated[Id, Field(description="Chunk that a tool returned, or a passage of it")]
    quote: Annotated[
        Text | None,
        Field(max_length=MAX_QUOTE_CHARS, description="The words of the chunk, as they stand"),
    ] = None


class NextQuestion(BaseModel):
    """Get the question to answer; the same one again until its answer is submitted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SubmitAnswer(BaseModel):
    """Answer the open question, once. Abstain where the documents do not say it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    answer_text: Annotated[
        Text | None, Field(max_length=MAX_ANSWER_CHARS, description="The answer in words")
    ] = None
    numeric_value: Annotated[
        float | None,
        Field(allow_inf_nan=False, description="The figure in whole units, where it is one"),
    ] = None
    unit: Annotated[
        Text | None, Field(max_length=80, description="Its unit, such as USD or percent")
    ] = None
    abstained: Annotated[bool, Field(description="Whether you decline to answer")] = False
    citations: Annotated[
        tuple[Citation, ...],
        Field(max_length=MAX_CITATIONS, description="What the answer rests on, best first"),
    ] = ()


@dataclass(frozen=True)
class OpenQuestion:
    """A question as it is handed out: nothing of its gold.

    Attributes:
        item_id: its key.
        text: what is asked.
        document_id: the document that a public set hands over; the tools then look only there.
        dialogue_id: its dialogue; None where it stands alone.
        history: the dialogue's earlier questions, by item and text, the first one first.
    """

    item_id: str
    text: str
    document_id: str | None = None
    dialogue_id: str | None = None
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Reply:
    """What a client is told.

    Attributes:
        text: for the agent.
        is_error: whether the call failed.
    """

    text: str
    is_error: bool = False


class Desk:
    """Hands out questions, lets their tools be called within the budgets, and stores answers."""

    def __init__(
        self,
        questions: Sequence[OpenQuestion],
        gold_set: str,
        corpus: Corpus,
        toolbox: Toolbox,
        system: Mapping[str, Any],
        run: RunFile,
    ) -> None:
        """Takes what a run needs.

        Args:
            questions: in their order; turns of a dialogue follow one another.
            gold_set: their gold set.
            corpus: what they are answered from.
            toolbox: what searches it.
            system: ``tools``, ``tool_filters``, ``regime``, ``history`` and the budgets.
            run: where answers go; questions that it answers are not asked.
        """
        self._questions = tuple(questions)
        self._gold_set = gold_set
        self._corpus = corpus
        self._toolbox = toolbox
        self._system = system
        self._run = run
        self._open: OpenQuestion | None = None
        self._last: OpenQuestion | None = None
        self._session: Session | None = None
        self._shelf = Shelf()
        self._opened = 0.0
        # An answer whose line could not be written yet.
        self._unwritten: dict[str, Any] | None = None
        # Of the dialogue that is asked just now.
        self._dialogue: tuple[str, Session] | None = None

    @property
    def n_left(self) -> int:
        """Questions without an answer, the open one among them."""
        return sum(one.item_id not in self._run.records for one in self._questions)

    def schemas(self) -> list[dict[str, Any]]:
        """Name, description and input schema of every tool."""
        has_filters = self._system.get("tool_filters", "on") == "on"
        offered = tool_schemas(tools_of(self._system), has_filters)
        return [
            _described(NEXT, NextQuestion),
            _described(SUBMIT, SubmitAnswer),
            *(
                {
                    "name": one["function"]["name"],
                    "description": one["function"]["description"],
                    "input_schema": one["function"]["parameters"],
                }
                for one in offered
            ),
        ]

    def call(self, name: str, arguments: Mapping[str, Any] | None) -> Reply:
        """Makes one call; what is wrong with it is said to the agent.

        Args:
            name: of the tool, untrusted.
            arguments: untrusted.
        """
        given = dict(arguments or {})
        if name == NEXT:
            return self._next(given)
        if self._open is None or self._session is None:
            return _error(_NO_QUESTION if self._last is None else f"{_ANSWERED}.")
        if name == SUBMIT:
            return self._submit(given, self._open, self._session)
        return self._use(sound(name), given, self._open, self._session)

    def _next(self, given: Mapping[str, Any]) -> Reply:
        if given:
            return _error(f"{NEXT} takes no arguments")
        if self._open is None:
            waiting = [one for one in self._questions if one.item_id not in self._run.records]
            begun = (one for one in waiting if one.item_id in self._run.open_items)
            found = next(begun, waiting[0] if waiting else None)
            if found is None:
                return _json({"is_done": True, "message": "every question is answered"})
            self._start(found)
            self._open = found
        question = self._open
        budgets = self._session.budgets if self._session else None
        return _json(
            {
                "is_done": False,
                "question_id": question.item_id,
                "question": question.text,
                "history": self._history_of(question),
                "n_left": self.n_left,
                "max_tool_calls": budgets.max_steps if budgets else None,
            }
        )

    def _history_of(self, question: OpenQuestion) -> list[dict[str, Any]]:
        """The earlier turns of a dialogue: the questions, and what the agent itself answered."""
        history = self._system.get("history") or "questions"
        if history == "none":
            return []
        turns: list[dict[str, Any]] = [{"question": text} for _, text in question.history]
        if history == "answers":
            for turn, (item_id, _) in zip(turns, question.history, strict=True):
                turn["your_answer"] = (self._run.records.get(item_id) or {}).get("answer")
        return turns

    def _start(self, question: OpenQuestion) -> None:
        self._shelf = Shelf()
        session = self._new_session(question, self._previous(question))
        # What was called before the server was started again.
        seconds, taken = self._run.turns(question.item_id)
        for seen in session.resume([_step(one) for one in taken], seconds):
            self._shelf.add(seen.hits)
        self._session = session
        self._opened = time.perf_counter() - seconds

    def _new_session(self, question: OpenQuestion, previous: Session | None) -> Session:
        query = Query(
            item_id=question.item_id,
            gold_set=self._gold_set,
            text=question.text,
            topic=question.text,
            plain=question.text,
            companies=(),
            years=(),
            section_names=frozenset(),
            document_id=question.document_id,
        )
        earlier = tuple((text, None) for _, text in question.history)
        asked = Asked(query, AnswerQuestion(question.item_id, question.text), earlier)
        session = Session(self._toolbox, asked, self._system, previous)
        if previous is not None:
            self._shelf.add(previous.read_hits())
        return session

    def _previous(self, question: OpenQuestion) -> Session | None:
        """The session of the dialogue's turn before; after a restart it is made again."""
        if question.dialogue_id is None or not question.history:
            return None
        if self._dialogue is not None and self._dialogue[0] == question.dialogue_id:
            return self._dialogue[1]
        session: Session | None = None
        by_id = {one.item_id: one for one in self._questions}
        for item_id, text in question.history:
            record = self._run.records.get(item_id)
            if record is not None:
                earlier = by_id.get(item_id, OpenQuestion(item_id, text, question.document_id))
                again = self._new_session(earlier, session)
                cut([_step(one) for one in record["steps"]], again)
                session = again
        return session

    def _use(
        self, name: str, given: Mapping[str, Any], question: OpenQuestion, session: Session
    ) -> Reply:
        reason = session.forced()
        if reason is not None:
            return _error(
                f"over_budget ({reason.removeprefix('forced_')}): no further call is possible; "
                f"call {SUBMIT} now with what was found, or abstain"
            )
        (seen,) = session.take_turn([ToolCall(name, _text(given))])
        seconds = time.perf_counter() - self._opened
        try:
            self._run.add_turn(question.item_id, seconds, [asdict(session.steps[-1])])
        except OSError as error:
            # Without the call: the session is again what is written of it.
            self._start(question)
            return _error(
                f"the call is not made: '{self._run.open_path}' cannot be written "
                f"({error.strerror}); make room and call again"
            )
        self._shelf.add(seen.hits)
        return Reply(seen.text, is_error=seen.failure is not None)

    def _submit(self, given: Mapping[str, Any], question: OpenQuestion, session: Session) -> Reply:
        try:
            answer = SubmitAnswer.model_validate_json(_text(given))
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            places = [
                f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}"
                if one["type"] != "extra_forbidden"
                else f"there is a field that it does not take; it takes "
                f"{', '.join(SubmitAnswer.model_fields)}"
                for one in problems[:3]
            ]
            return _error(f"the answer is not stored: {'; '.join(places)}")
        words = (answer.answer_text or "").strip()
        if not words and answer.numeric_value is None and not answer.abstained:
            return _error(
                "the answer is not stored: give answer_text or numeric_value, or abstained = true"
            )
        if answer.abstained and (words or answer.numeric_value is not None):
            return _error(
                "the answer is not stored: it abstains and answers at once; leave out abstained, "
                "or answer_text and numeric_value"
            )
        if self._unwritten is None:
            self._unwritten = self._record(answer, question, session)
        try:
            self._run.append(self._unwritten)
        except OSError as error:
            return _error(
                f"the answer is not stored: '{self._run.path}' cannot be written "
                f"({error.strerror}); make room and submit it again"
            )
        self._unwritten = None
        if question.dialogue_id is not None:
            self._dialogue = (question.dialogue_id, session)
        self._last, self._open, self._session = question, None, None
        return _json({"is_stored": True, "n_left": self.n_left})

    def _record(
        self, answer: SubmitAnswer, question: OpenQuestion, session: Session
    ) -> dict[str, Any]:
        """The line of a run file; the session is finished with it."""
        named = [Cited(one.passage_id, True, one.quote) for one in answer.citations]
        citations = [
            {"passage_id": passage_id, "quote": quote}
            for passage_id, quote in self._shelf.passages_cited(named)
        ]
        said = {
            "answer_text": answer.answer_text,
            "numeric_value": answer.numeric_value,
            "unit": answer.unit,
            "abstained": answer.abstained,
            "citations": citations,
        }
        session.finish(said, session.forced() or ("abstained" if answer.abstained else "finished"))
        ranking = [
            {"passage_id": passage_id, "score": score}
            for ranked in self._corpus.rankings(session.ranking(), question.text).values()
            for passage_id, score, _ in ranked
        ]
        return {
            "item_id": question.item_id,
            "question": question.text,
            "configuration": configuration_of(self._gold_set, self._system),
            "answer": answer.answer_text,
            **{name: said[name] for name in ("numeric_value", "unit", "abstained", "citations")},
            "ranking": ranking,
            "latency_ms": 1e3 * (time.perf_counter() - self._opened),
            "steps": [asdict(step) for step in session.steps],
        }


def configuration_of(gold_set: str, system: Mapping[str, Any]) -> str:
    """What is asked and how, as a run file says it: the set, and settings that change an answer."""
    names = (
        *("regime", "tools", "tool_filters", "keyword_score", "encoder", "history"),
        *("max_steps", "context_budget", "token_budget", "seconds_budget"),
    )
    given = [f"{name}={system[name]}" for name in names if system.get(name) is not None]
    return "; ".join([f"gold={gold_set}", *given])


def _step(written: Mapping[str, Any]) -> Step:
    """A step as a run file has it."""
    values = {name: value for name, value in written.items() if name in _STEP_FIELDS}
    return Step(**{**values, **{name: tuple(values[name]) for name in _LISTS}})


def _text(given: Mapping[str, Any]) -> str:
    """Arguments as JSON that a file can hold."""
    return sound(json.dumps(given, ensure_ascii=False))


def _described(name: str, model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    description = schema.pop("description")
    schema.pop("title", None)
    return {"name": name, "description": description, "input_schema": schema}


def _json(value: Mapping[str, Any]) -> Reply:
    return Reply(json.dumps(value, ensure_ascii=False))


def _error(reason: str) -> Reply:
    return Reply(f"Error: {reason}.".replace("..", "."), is_error=True)
