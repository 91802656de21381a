"""The scripted policy: it looks for one thing after another and stops when all are found.

A question has a *slot* for each thing to be found. A look is a turn of searches for every open
slot and a turn that reads the best chunks found. A slot is filled when what was read carries an
answer; else it is reworded and looked for again. What texts say changes no step but through the
support of an answer.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from finrag.agents.directory import Directory
from finrag.agents.page_slots import in_order_of_reading
from finrag.agents.planning import plan, widened
from finrag.agents.session import (
    Asked,
    Look,
    Observation,
    Session,
    ToolCall,
    Trace,
    best_first,
    order_seen,
    tools_of,
)
from finrag.agents.slots import Slot, Wording
from finrag.agents.steps import CHUNK_READ, KEYWORD_SEARCH, SEMANTIC_SEARCH
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import MAX_KEYWORDS, MAX_READ, QUERY_CHARACTERS
from finrag.answers.extractive import supports
from finrag.answers.types import Passage, Question
from finrag.systems.kinds import required

# Conversations that advance together: their queries are embedded in one call.
BLOCK: Final = 256
SLOTS_PER_TURN: Final = 8
CHUNKS_PER_SEARCH: Final = 5
# Sentences from which a slot is filled: as many as a context has.
SENTENCES_PER_SLOT: Final = 10
TURNS_WITHOUT_NEWS: Final = 2
# Turns in a row in which every call broke down, after which a session fails.
TURNS_FAILED: Final = 3
RRF_K: Final = 60

Conversation = Sequence[Asked]


@dataclass
class _Search:
    """One slot of a session and what became of it."""

    slot: Slot
    wording: Slot
    n_wordings: int = 0
    is_open: bool = True
    scores: dict[str, float] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    read_ids: list[str] = field(default_factory=list)


@dataclass
class _Run:
    """One session of the policy.

    A session is stopped where a budget allows no turn that is wanted, or not all of one: what
    was found without a budget in the way has the same end under any larger one.
    """

    session: Session
    searches: list[_Search]
    n_without_news: int = 0
    n_failed: int = 0
    made: dict[ToolCall, Observation] = field(default_factory=dict)
    stop_reason: str | None = None
    embedded: set[str] = field(default_factory=set)

    @property
    def is_done(self) -> bool:
        return (
            not any(one.is_open for one in self.searches)
            or self.n_without_news >= TURNS_WITHOUT_NEWS
            or self.n_failed >= TURNS_FAILED
            or self.stop_reason is not None
        )

    def take_turn(self, calls: Sequence[ToolCall]) -> list[Observation]:
        """The observations of a turn; none where it cannot be taken."""
        self.stop_reason = self.session.forced()
        if self.stop_reason is not None:
            return []
        seen = self.session.take_turn(calls)
        if self.session.is_over_budget:
            self.stop_reason = self.session.forced()
        is_failed = all(one.status == "failed" for one in seen)
        self.n_failed = self.n_failed + 1 if is_failed else 0
        return seen

    def finish(self) -> None:
        """Writes the answer step; a session of broken calls alone has failed."""
        is_failed = self.n_failed and self.n_failed in (TURNS_FAILED, self.session.n_turns)
        if is_failed and self.stop_reason is None:
            failure = f"all calls of the last turns failed: {self.n_failed} in a row"
            self.session.finish({}, "failed", failure=failure)
        else:
            self.session.stop(self.stop_reason)


def run(
    system: Mapping[str, Any],
    conversations: Sequence[Conversation],
    toolbox: Toolbox,
    directory: Directory,
    settings: Mapping[str, Any],
) -> Iterator[Trace]:
    """Traces of some conversations, in their order, turn by turn.

    Args:
        system: a system of kind ``agent``; ``fill_support`` is the support from which a slot is
            filled.
        conversations: the turns of dialogues, or single questions.
        toolbox: what is searched.
        directory: companies and years of its documents.
        settings: not read here; policies with a model need them.
    """
    del settings
    for start in range(0, len(conversations), BLOCK):
        block = conversations[start : start + BLOCK]
        finished: list[list[Session]] = [[] for _ in block]
        for turn in range(max(map(len, block))):
            places = [place for place, one in enumerate(block) if len(one) > turn]
            runs = [
                _open(system, block[place][turn], toolbox, directory, finished[place])
                for place in places
            ]
            _advance(system, runs, toolbox, directory)
            for place, one in zip(places, runs, strict=True):
                finished[place].append(one.session)
        for session in chain.from_iterable(finished):
            yield session.trace()


def _open(
    system: Mapping[str, Any],
    asked: Asked,
    toolbox: Toolbox,
    directory: Directory,
    before: Sequence[Session],
) -> _Run:
    session = Session(toolbox, asked, system, before[-1] if before else None)
    started = time.perf_counter()
    slots = plan(session.asked, directory)
    _add_plan([session], started)
    return _Run(session, [_Search(slot, slot) for slot in slots])


def _add_plan(sessions: Sequence[Session], started: float) -> None:
    """Records that time has passed; sessions that advanced together share it evenly."""
    for session in sessions:
        session.add_work("plan", 1e3 * (time.perf_counter() - started) / len(sessions))


def _advance(
    system: Mapping[str, Any], runs: Sequence[_Run], toolbox: Toolbox, directory: Directory
) -> None:
    """Takes turns in all sessions together until each is finished."""
    limit = float(required(system, "fill_support"))
    while active := [one for one in runs if not one.is_done]:
        looked = [
            (one, [search for search in one.searches if search.is_open][:SLOTS_PER_TURN])
            for one in active
        ]
        _embed(system, looked, toolbox, directory)
        for one, searches in looked:
            _look(system, one, searches, directory)
            if one.stop_reason is None:
                _read(one, searches)
        read = [(one, searches) for one, searches in looked if one.stop_reason is None]
        started = time.perf_counter()
        _fill(read, toolbox, limit)
        for _, searches in read:
            for search in searches:
                _reword(search, directory)
        _add_plan([one.session for one, _ in read], started)
    for one in runs:
        one.finish()


def _embed(
    system: Mapping[str, Any],
    looked: Sequence[tuple[_Run, Sequence[_Search]]],
    toolbox: Toolbox,
    directory: Directory,
) -> None:
    """Embeds what all sessions are about to search for by meaning."""
    started = time.perf_counter()
    wanted = []
    for one, searches in looked:
        queries = {
            query for search in searches for query in _queries(system, search.wording, directory)
        }
        wanted.append((one, sorted(queries - one.embedded)))
        one.embedded |= queries
    _add_plan([one.session for one, _ in looked], started)
    try:
        toolbox.prepare(query for _, new in wanted for query in new)
    except (OSError, ValueError) as error:
        # Each search embeds its own query then, and is the step that fails.
        print(f"agents {system['system_id']}: {error}", file=sys.stderr)
    for one, new in wanted:
        if new:
            n_usable, latency_ms = toolbox.embedding(new)
            one.session.add_work("embed", latency_ms, len(new), n_usable)


def _look(
    system: Mapping[str, Any], one: _Run, searches: Sequence[_Search], directory: Directory
) -> None:
    """A turn of searches for some slots."""
    wanted = [_calls(system, search.wording, directory) for search in searches]
    # What another slot looked for already is not looked for again.
    new = [call for call in dict.fromkeys(chain.from_iterable(wanted)) if call not in one.made]
    turn_pos = one.session.n_turns
    if new:
        seen = one.take_turn(new)
        if not seen:
            return
        one.made.update(zip(new, seen, strict=True))
        _count_news(one, seen)
    for search, calls in zip(searches, wanted, strict=True):
        for call in calls:
            _note(search, one.made[call], turn_pos)


def _note(search: _Search, observation: Observation, turn_pos: int) -> None:
    """Adds what a call found to a slot; its chunks are fused by their reciprocal ranks."""
    for rank, hit in enumerate(observation.hits, 1):
        search.scores[hit.chunk_id] = search.scores.get(hit.chunk_id, 0.0) + 1 / (RRF_K + rank)
    search.looks.append(Look(turn_pos, "", best_first(observation.hits)))


def _read(one: _Run, searches: Sequence[_Search]) -> None:
    """A turn that reads the best chunks of each slot; none where there is nothing new to read.

    The best of every slot come before the second best of any.
    """
    known = set(one.session.read_ids)
    wanted: list[str] = []
    for place in range(max(search.slot.n_read for search in searches)):
        for search in searches:
            if place >= search.slot.n_read:
                continue
            best = sorted(search.scores, key=lambda chunk: -round(search.scores[chunk], 12))
            best = in_order_of_reading(search.slot, best)
            new = [chunk for chunk in best if chunk not in known][:1]
            known.update(new)
            wanted += new
            search.read_ids += [*best[place : place + 1], *new]
    if not wanted:
        return
    calls = [
        _call(CHUNK_READ, {"chunk_ids": wanted[start : start + MAX_READ]})
        for start in range(0, len(wanted), MAX_READ)
    ]
    _count_news(one, one.take_turn(calls), is_reading=True)


def _count_news(one: _Run, seen: Sequence[Observation], is_reading: bool = False) -> None:
    """Counts turns without a new chunk: none that was not seen, or not read, before.

    A turn that broke down tells nothing of what there is.
    """
    if one.n_failed:
        return
    has_news = any(each.hits if is_reading else each.n_new for each in seen)
    one.n_without_news = 0 if has_news else one.n_without_news + 1


def _fill(looked: Sequence[tuple[_Run, Sequence[_Search]]], toolbox: Toolbox, limit: float) -> None:
    """Closes the slots that what was read fills."""
    asked: list[_Search] = []
    questions: list[Question] = []
    contexts: list[list[Passage]] = []
    for one, searches in looked:
        read = {hit.chunk_id: hit for hit in one.session.read_hits()}
        for search in searches:
            own = [read[key] for key in dict.fromkeys(search.read_ids) if key in read]
            shown = {each.passage_id: each for hit in own for each in hit.passages}
            seen = [each for each in order_seen(search.looks, own) if each in shown]
            context = [
                toolbox.passage(shown[each], rank)
                for rank, each in enumerate(seen[:SENTENCES_PER_SLOT], 1)
            ]
            asked.append(search)
            contexts.append(context)
            questions.append(_about(one.session.asked.question, search.slot, context))
    for search, support in zip(asked, supports(questions, contexts), strict=True):
        search.is_open = support < limit


def _about(question: Question, slot: Slot, context: Sequence[Passage]) -> Question:
    """The question, about one slot: its company and its year.

    Of passages that nobody can tell a company of, no company is asked.
    """
    is_unknown = all(passage.cik_int is None for passage in context)
    return replace(
        question,
        cik_ints=() if is_unknown else slot.asked_companies or question.cik_ints,
        years=slot.asked_years or question.years,
    )


def _reword(search: _Search, directory: Directory) -> None:
    """The next wording of an open slot; without one it is given up."""
    if not search.is_open:
        return
    search.n_wordings += 1
    wording = widened(search.slot, search.n_wordings, directory)
    if wording is None:
        search.is_open = False
    else:
        search.wording = wording


def _calls(system: Mapping[str, Any], slot: Slot, directory: Directory) -> list[ToolCall]:
    """The searches for a slot, by the tools that the system has."""
    tools = tools_of(system)
    has_filters = system.get("tool_filters", "on") == "on"
    filters: dict[str, Any] = {}
    if has_filters:
        filters = {
            "companies": [directory.name_of(company) for company in slot.companies],
            "years": list(slot.years),
            "sections": list(slot.sections),
        }
        filters = {name: values for name, values in filters.items() if values}
    named = _named(system, slot, directory)
    calls = []
    for wording in slot.wordings:
        limits = filters
        if has_filters and wording.sections:
            limits = {**filters, "sections": list(wording.sections)}
        if KEYWORD_SEARCH in tools and wording.keywords:
            keywords = [*named, *wording.keywords][:MAX_KEYWORDS]
            given = {"keywords": keywords, "top_k": CHUNKS_PER_SEARCH}
            calls.append(_call(KEYWORD_SEARCH, {**given, **limits}))
        if wording.query and _is_by_meaning(system, slot):
            given = {"query": _query(named, wording), "top_k": CHUNKS_PER_SEARCH}
            calls.append(_call(SEMANTIC_SEARCH, {**given, **limits}))
    return calls


def _call(name: str, arguments: Mapping[str, Any]) -> ToolCall:
    return ToolCall(name, json.dumps(arguments, ensure_ascii=False))


def _is_by_meaning(system: Mapping[str, Any], slot: Slot) -> bool:
    """Whether a slot is searched for by meaning: not where its words say all, and can be used."""
    tools = tools_of(system)
    return SEMANTIC_SEARCH in tools and not (slot.is_worded and KEYWORD_SEARCH in tools)


def _queries(system: Mapping[str, Any], slot: Slot, directory: Directory) -> list[str]:
    """What a look at a slot searches for by meaning."""
    calls = _calls(system, slot, directory)
    return [json.loads(one.arguments)["query"] for one in calls if one.name == SEMANTIC_SEARCH]


def _query(named: Sequence[str], wording: Wording) -> str:
    return " ".join([*named, wording.query])[:QUERY_CHARACTERS]


def _named(system: Mapping[str, Any], slot: Slot, directory: Directory) -> list[str]:
    """Company and year in words, for searches without filters."""
    if system.get("tool_filters", "on") == "on":
        return []
    return [*(directory.name_of(one) for one in slot.companies), *map(str, slot.years)]
