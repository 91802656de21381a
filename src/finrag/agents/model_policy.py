"""The policy of a language model: it calls the tools itself, and answers when it knows enough.

All conversations advance together: each round sends one request a conversation, side by side,
through the store of answers. A run that was killed asks only what was never answered, and a system
with a smaller budget repeats the requests of one with a larger one up to its last, because no
prompt names a budget.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from finrag.agents.citations import Shelf
from finrag.agents.directory import Directory
from finrag.agents.session import Asked, Budgets, Session, ToolCall, Trace, Usage, tools_of
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import tool_schemas
from finrag.answers.generated import MAX_FAILURE_CHARS, REMINDER, model_of, prompt_of
from finrag.answers.structured import AnswerError, ParsedAnswer, answer_schema, parse_answer
from finrag.llm.asking import AUTO, Reply, Request, ask_all
from finrag.llm.calls import Call
from finrag.llm.completions import CUT_OFF
from finrag.llm.messages import CallingMessage, Message, ToolResult
from finrag.llm.prompts import Prompt
from finrag.text.abstentions import is_abstention

STAGE: Final = "agent"
MAX_BAD_TURNS: Final = 3
# Statuses of calls that no tool could run, or that broke down.
BAD_STATUSES: Final = frozenset({"unknown_tool", "bad_arguments", "failed"})
CLOSING: Final = (
    "No more tools can be called. Answer the question now from what you have read, or abstain "
    "where it does not say."
)
BRIEFER: Final = (
    "Your last reply was cut off before its end, so none of it counts. Be much briefer: call the "
    "tools, or reply with the JSON object alone, without reasons."
)
# Tokens of a request that no estimate counts: closing words, forms of messages.
OVERHEAD_TOKENS: Final = 100
LEFT_OUT: Final = "Left out: the conversation had become too long for the model."

TOO_LONG_STATUS: Final = frozenset({400, 413, 422})
_TOO_LONG: Final = re.compile(r"context|too (?:long|large|many tokens)|maximum.{0,20}length", re.I)
Price = tuple[float, float]


@dataclass(frozen=True)
class _Policy:
    """What all conversations of a system share.

    Attributes:
        system: as it was registered, without a limit of seconds: a session would measure those of
            this machine, where the recorded ones of the model count.
        budgets: of the system, that limit included.
        price: USD a million input and output tokens; None where it is not known.
    """

    system: Mapping[str, Any]
    toolbox: Toolbox
    budgets: Budgets
    model: str
    prompt: Prompt
    tools: tuple[Mapping[str, Any], ...]
    price: Price | None

    @property
    def history(self) -> str:
        """What a dialogue passes on: none, questions or answers."""
        return str(self.system.get("history") or "questions")

    @property
    def most_output(self) -> int:
        """Tokens of a reply at most; 0 where there is no limit."""
        return int(self.system.get("max_output_tokens") or 0)

    def request(self, messages: tuple[Message, ...], *, is_last: bool) -> Request:
        """A request with the tools, or the last one, without them and for a structured answer."""
        asked = Request(
            messages=messages,
            temperature=self.system.get("temperature"),
            max_output_tokens=self.system.get("max_output_tokens"),
            seed=self.system.get("llm_seed"),
        )
        if not is_last:
            return replace(asked, tools=self.tools)
        form = str(self.system.get("response_format") or AUTO)
        schema = answer_schema('"reasoning"' in self.prompt.system)
        return replace(asked, response_format=form, schema=schema)

    def opening(self, asked: Asked) -> tuple[tuple[str, str], ...]:
        """The prompt with a question."""
        return self.prompt.render(question=" ".join(asked.question.text.split()))


def run(
    system: Mapping[str, Any],
    conversations: Sequence[Sequence[Asked]],
    toolbox: Toolbox,
    directory: Directory,
    settings: Mapping[str, Any],
) -> Iterator[Trace]:
    """Traces of some conversations, in their order, turn by turn of each.

    Errors of a call are its result, which the model reads. A session fails where a request fails,
    where three turns in a row hold no call that a tool could run, or where the answer cannot be
    read, asked for once more if the budget allows it. At a budget one last request goes without
    tools; ``on_budget=abstain`` saves it. Results that make this request too long, for the model
    or for what is left of the budget, are left out of it.

    A budget of seconds counts those of the model's replies, as they were recorded: a second build
    stops where the first did.

    Args:
        system: a row of ``registered_systems`` with policy llm.
        conversations: for each the turns of its dialogue, or one question.
        toolbox: what is searched.
        directory: not used; the model names companies and years itself.
        settings: ``state_dir``, a folder kept between builds; ``llm_prices``, rows with ``model``,
            ``input_usd_per_million`` and ``output_usd_per_million``.

    Raises:
        ValueError: the answerer names no model, the prompt is unknown, was changed or has no place
            for the question, or there is a budget of costs and the model has no price; see also
            ``finrag.llm.asking.ask_all``.
    """
    del directory
    policy = _policy_of(system, toolbox, settings.get("llm_prices") or ())
    return _traces(policy, conversations, str(settings["state_dir"]))


def _policy_of(
    system: Mapping[str, Any], toolbox: Toolbox, prices: Iterable[Mapping[str, Any]]
) -> _Policy:
    return _Policy(
        system={**system, "seconds_budget": None},
        toolbox=toolbox,
        budgets=Budgets.of(system),
        model=model_of(system),
        prompt=prompt_of(system, "agent_prompt", ("question",)),
        tools=tuple(tool_schemas(tools_of(system), system.get("tool_filters", "on") == "on")),
        price=system_price(system, prices),
    )


def system_price(system: Mapping[str, Any], prices: Iterable[Mapping[str, Any]]) -> Price | None:
    """USD a million input and output tokens of a system's model; None where no row has it.

    Args:
        system: a row of ``registered_systems`` with policy llm.
        prices: rows of the seed ``llm_prices``.

    Raises:
        ValueError: the answerer names no model, or there is a budget of costs and no price.
    """
    model, limit = model_of(system), system.get("cost_budget")
    price = price_of(model, prices)
    if limit is not None and price is None:
        raise ValueError(
            f"system {system.get('system_id')}: cost_budget is {limit:g} and the "
            f"price of '{model}' is not known; add a row to seeds/catalogues/llm_prices.csv, or "
            "set cost_budget=off and limit token_budget."
        )
    return price


def price_of(model: str, prices: Iterable[Mapping[str, Any]]) -> Price | None:
    """USD a million input and output tokens of a model; None where no row has it."""
    for row in prices:
        if row["model"] == model:
            return float(row["input_usd_per_million"]), float(row["output_usd_per_million"])
    return None


def _traces(
    policy: _Policy, conversations: Sequence[Sequence[Asked]], state_dir: str
) -> Iterator[Trace]:
    dialogues = [_Dialogue(policy, turns) for turns in conversations]
    while asking := [one for one in dialogues if one.is_open]:
        requests = [one.request() for one in asking]
        replies = ask_all(requests, policy.model, STAGE, state_dir)
        for dialogue, reply in zip(asking, replies, strict=True):
            dialogue.take(reply)
    for dialogue in dialogues:
        yield from dialogue.traces


class _Dialogue:
    """The turns of a dialogue, or one question: one open session at a time.

    Attributes:
        traces: of the finished sessions.
        is_open: whether there is something to ask.
    """

    def __init__(self, policy: _Policy, turns: Sequence[Asked]) -> None:
        self.traces: list[Trace] = []
        self.is_open = True
        self._policy = policy
        self._waiting = list(turns)
        self._messages: tuple[Message, ...] = ()
        self._shelf = Shelf()
        self._session: Session | None = None
        # Of the requests since the last step; None where there were none.
        self._usage: Usage | None = None
        self._next_session()

    def request(self) -> Request:
        """The next request."""
        if not self._stop_reason:
            return self._policy.request(self._messages, is_last=False)
        note: Message = ("user", f"{CLOSING}{REMINDER}" if self._is_reminded else CLOSING)
        return self._policy.request((*self._messages, note), is_last=True)

    def take(self, reply: Reply) -> None:
        """Take the reply to the request."""
        self._calls += [*reply.earlier, reply.call]
        self._usage = self._used(reply)
        if reply.text is None:
            self._take_failure(reply)
        elif reply.tool_calls and not self._stop_reason:
            self._take_turn(reply)
        else:
            self._take_answer(reply.text)

    # --- sessions -----------------------------------------------------------------------

    def _next_session(self) -> None:
        """Open the session of the next question, if there is one that needs a request."""
        if not self._waiting:
            self.is_open = False
            return
        asked = self._waiting.pop(0)
        previous = self._session if self._policy.history != "none" else None
        opening = self._policy.opening(asked)
        if previous is None:
            system = [one for one in opening if one[0] == "system"]
            user = [one for one in opening if one[0] != "system"]
            self._messages = (*system, *self._earlier(asked), *user)
            self._shelf = Shelf()
        else:
            self._messages += tuple(one for one in opening if one[0] != "system")
        self._current = Session(self._policy.toolbox, asked, self._policy.system, previous)
        self._calls: list[Call] = []
        self._usage = None
        self._spent_tokens, self._spent_usd, self._seconds = 0, 0.0, 0.0
        self._n_bad = 0
        # Set once the next request is the last: the reason that its answer is recorded with.
        self._stop_reason = ""
        self._is_reminded = self._is_shortened = False
        self._check_budgets()

    def _earlier(self, asked: Asked) -> Iterator[Message]:
        """Turns of the dialogue that were not asked here."""
        for question, answer in asked.history if self._policy.history != "none" else ():
            yield "user", question
            if answer is not None and self._policy.history == "answers":
                yield "assistant", answer

    def _finish(
        self, arguments: Mapping[str, Any], reason: str, failure: str | None = None
    ) -> None:
        short = None if failure is None else failure[:MAX_FAILURE_CHARS]
        self._current.finish(arguments, reason, self._usage, short)
        self.traces.append(self._current.trace(self._calls))
        self._session = self._current
        self._next_session()

    def _fail(self, failure: str) -> None:
        self._finish({}, "failed", failure)

    # --- replies ------------------------------------------------------------------------

    def _take_failure(self, reply: Reply) -> None:
        failure = reply.failure or "the model gave no text"
        if reply.failure == CUT_OFF:
            self._take_cut_off(failure)
        elif self._can_shorten(reply):
            self._shorten()
        else:
            self._fail(failure)

    def _take_cut_off(self, failure: str) -> None:
        """The same request would be cut off again: the next one says that it was."""
        if self._stop_reason:
            self._remind(failure)
            return
        self._messages += (("user", BRIEFER),)
        self._count_bad(failure)

    def _can_shorten(self, reply: Reply) -> bool:
        has_results = any(isinstance(one, ToolResult) for one in self._messages)
        is_too_long = reply.call.http_status in TOO_LONG_STATUS and _TOO_LONG.search(
            reply.failure or ""
        )
        return bool(is_too_long) and has_results and not self._is_shortened

    def _shorten(self) -> None:
        """Leave out the latest results, and make the next request the last."""
        last = max(
            (at for at, one in enumerate(self._messages) if isinstance(one, CallingMessage)),
            default=0,
        )
        self._messages = tuple(
            replace(one, text=LEFT_OUT) if at > last and isinstance(one, ToolResult) else one
            for at, one in enumerate(self._messages)
        )
        self._is_shortened = True
        self._stop_reason = self._stop_reason or "forced_tokens"

    def _take_turn(self, reply: Reply) -> None:
        calls = [ToolCall(one.name, one.arguments, one.call_ref) for one in reply.tool_calls]
        observations = self._current.take_turn(calls, self._usage)
        self._usage = None
        self._messages += (
            CallingMessage(reply.tool_calls, reply.text or ""),
            *(
                ToolResult(call.call_ref, seen.text)
                for call, seen in zip(reply.tool_calls, observations, strict=True)
            ),
        )
        for seen in observations:
            self._shelf.add(seen.hits)
        if all(seen.status in BAD_STATUSES for seen in observations):
            self._count_bad(observations[-1].failure or observations[-1].status)
        else:
            self._n_bad = 0
            self._check_budgets()

    def _count_bad(self, problem: str) -> None:
        self._n_bad += 1
        if self._n_bad >= MAX_BAD_TURNS:
            self._fail(f"{MAX_BAD_TURNS} turns in a row could not be used; the last one: {problem}")
        else:
            self._check_budgets()

    def _take_answer(self, text: str) -> None:
        try:
            parsed = parse_answer(text, self._shelf.known_ids)
        except AnswerError as error:
            self._remind(f"the answer is not as asked: {error}")
            return
        if self._policy.history == "answers":
            self._messages += (("assistant", text),)
        if parsed.is_abstention or is_abstention(parsed.text, parsed.numeric_value):
            is_forced = self._stop_reason.startswith("forced")
            self._finish({"abstained": True}, self._stop_reason if is_forced else "abstained")
        else:
            self._finish(self._written(parsed), self._stop_reason or "finished")

    def _remind(self, failure: str) -> None:
        """Ask for the answer once more, without tools and with the form that it must have.

        Not where a budget does not allow it.
        """
        if self._is_reminded or self._outspent(1):
            self._fail(failure)
            return
        self._is_reminded = True
        self._stop_reason = self._stop_reason or "finished"

    def _written(self, parsed: ParsedAnswer) -> dict[str, Any]:
        """The answer as the step holds it."""
        citations = self._shelf.passages_cited(parsed.citations)
        return {
            "answer_text": parsed.text,
            "numeric_value": parsed.numeric_value,
            "unit": parsed.unit,
            "abstained": False,
            "citations": [
                {"passage_id": passage_id, "quote": quote} for passage_id, quote in citations
            ],
        }

    # --- budgets ------------------------------------------------------------------------

    def _used(self, reply: Reply) -> Usage:
        """What was used since the last step; the sums over all requests grow by the reply's."""
        call = reply.call
        sent_before = [self._usage_of(one) for one in reply.earlier]
        for one in sent_before:
            self._spend(one.input_tokens or 0, one.output_tokens or 0)
        # An endpoint that counts nothing is counted here, roughly: no budget is without an end.
        n_input = self._n_context if call.input_tokens is None else call.input_tokens
        self._spend(n_input, call.output_tokens or 0)
        self._seconds += (call.latency_ms or 0.0) / 1e3
        before = (*self._usage.earlier, replace(self._usage, earlier=())) if self._usage else ()
        return replace(self._usage_of(call), earlier=(*before, *sent_before))

    def _usage_of(self, call: Call) -> Usage:
        usd = None
        if call.input_tokens is not None and call.output_tokens is not None and self._policy.price:
            usd = self._usd(call.input_tokens, call.output_tokens)
        return Usage(call.input_tokens, call.output_tokens, usd, call.call_id)

    def _spend(self, n_input: int, n_output: int) -> None:
        self._spent_tokens += n_input + n_output
        self._spent_usd += self._usd(n_input, n_output)

    def _usd(self, n_input: int, n_output: int) -> float:
        """The price of a request; 0 where none is known, for then no budget limits it."""
        input_usd, output_usd = self._policy.price or (0.0, 0.0)
        return (n_input * input_usd + n_output * output_usd) / 1e6

    @property
    def _n_context(self) -> int:
        """Tokens of the conversation, as far as they are known."""
        steps, calls = self._current.steps, self._calls
        last_input = (calls[-1].input_tokens or 0) if calls else 0
        return max(steps[-1].context_tokens if steps else 0, last_input)

    def _check_budgets(self) -> None:
        """Make the next request the last one where a budget allows no further turn."""
        reason = self._forced()
        if reason is None:
            return
        if self._policy.budgets.on_budget == "abstain":
            self._finish({"abstained": True}, reason)
        else:
            self._stop_reason = reason
            if self._outspent(1):
                self._shorten()

    def _forced(self) -> str | None:
        """Why no further turn may be taken.

        A turn is taken only where its request and the last one are within the budget, each
        counted as no longer than the conversation is now: where the turn's results make the last
        one longer than that, it goes without them.
        """
        budgets = self._policy.budgets
        reason = self._current.forced()
        if reason is not None:
            return reason
        outspent = self._outspent(2)
        if outspent is not None:
            return outspent
        if budgets.seconds_budget is not None and self._seconds >= budgets.seconds_budget:
            return "forced_seconds"
        return None

    def _outspent(self, n_requests: int) -> str | None:
        """The budget that is too small for some more requests, each as long as the conversation."""
        if not self._calls:
            return None
        budgets, n_output = self._policy.budgets, self._policy.most_output
        n_input = self._n_context + OVERHEAD_TOKENS
        n_tokens = n_requests * (n_input + n_output)
        if self._spent_tokens + n_tokens > budgets.token_budget:
            return "forced_tokens"
        usd = n_requests * self._usd(n_input, n_output)
        if budgets.cost_budget is not None and self._spent_usd + usd > budgets.cost_budget:
            return "forced_cost"
        return None
