"""The result of a live question, step by step, ready to be shown; its texts are untrusted."""

from __future__ import annotations

from dataclasses import dataclass, field

from finrag.live.corpus import SuiteQuestion


@dataclass(frozen=True)
class Reading:
    """How a question was read; see the door ``parsed_questions``.

    Attributes:
        companies: names of the companies that were read.
        years: report years.
        kpi_labels: measures.
        risk_topics: topics of risk.
        section_names: sections hinted at.
        scope: local, cross_year or cross_company.
        answer_form: numeric, boolean, list or span.
        topic: what a search among the fitting filings looks for.
        latency_ms: time of reading.
    """

    companies: tuple[str, ...]
    years: tuple[int, ...]
    kpi_labels: tuple[str, ...]
    risk_topics: tuple[str, ...]
    section_names: tuple[str, ...]
    scope: str
    answer_form: str
    topic: str
    latency_ms: float


@dataclass(frozen=True)
class Query:
    """One part of the corpus that is searched.

    Attributes:
        where: in words: a company and year, or the whole corpus.
        n_sentences: how many sentences lie there.
    """

    where: str
    n_sentences: int


@dataclass(frozen=True)
class Step:
    """One step of a system.

    Attributes:
        name: read, embed, search, look up, fuse, expand, rerank, deduplicate, context, answer or
            trace.
        what: in words.
        n_in: what went in; None where it is not counted.
        n_out: what came out.
        latency_ms: milliseconds.
    """

    name: str
    what: str
    n_in: int | None
    n_out: int | None
    latency_ms: float | None


@dataclass(frozen=True)
class ToolCall:
    """One call of an agent; see the door ``agent_steps``.

    Attributes:
        turn: from 1; calls of one turn share it.
        tool: its name, or ``answer``, which comes last; untrusted.
        arguments: JSON text as it was called with; untrusted.
        status: ok, empty, already_read and so on; of the answer why the session stopped.
        n_found: chunks that came back; None of the answer.
        n_new: of these, chunks that were not shown before; None of the answer.
        context_tokens: tokens of the conversation after it.
        input_tokens: of the request that made this turn, at its first call; None without one.
        output_tokens: likewise.
        price_usd: likewise; None where the price is not known.
        latency_ms: milliseconds; None where it was not timed.
        failure: why it gave nothing, in one sentence.
        found: keys of the chunks that came back, best first.
    """

    turn: int
    tool: str
    arguments: str
    status: str
    n_found: int | None
    n_new: int | None
    context_tokens: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    price_usd: float | None = None
    latency_ms: float | None = None
    failure: str | None = None
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class Neighbour:
    """A sentence of a source's surroundings.

    Attributes:
        sentence_id: its key.
        text: untrusted.
        is_source: whether it is the source itself.
    """

    sentence_id: str
    text: str
    is_source: bool


@dataclass(frozen=True)
class Found:
    """A sentence in a ranking.

    Attributes:
        rank: from 1.
        sentence_id: its key.
        company: name as an analyst writes it.
        report_year: fiscal year.
        section_name: ITEM_7 and so on.
        text: untrusted.
        score: of the system.
        found_by: the paths that found it.
        is_in_context: whether the answerer read it.
        is_evidence: whether the suite names it as evidence; None where the question is not of it.
    """

    rank: int
    sentence_id: str
    company: str
    report_year: int
    section_name: str
    text: str
    score: float
    found_by: str
    is_in_context: bool
    is_evidence: bool | None


@dataclass(frozen=True)
class Passage:
    """A sentence of a context, in the order in which it was read.

    Attributes:
        tag: the mark in front of it.
        text: untrusted.
        rank: its place in the ranking.
    """

    tag: str
    text: str
    rank: int


@dataclass(frozen=True)
class Source:
    """A cited sentence with its surroundings in the filing.

    Attributes:
        number: of the citation, from 1.
        sentence_id: as the answerer wrote it, untrusted.
        is_known: whether there is such a sentence; without one the fields below are empty.
        is_in_context: whether the answerer had been given it.
        quote: the words taken from it.
        rank: its place in the ranking; None where it is not there.
        company: name.
        report_year: fiscal year.
        section_name: ITEM_7 and so on.
        passage: the sentence with its neighbours, as they stand in the filing.
        is_evidence: as of ``Found``.
    """

    number: int
    sentence_id: str
    is_known: bool
    is_in_context: bool
    quote: str | None
    rank: int | None = None
    company: str = ""
    report_year: int | None = None
    section_name: str = ""
    passage: tuple[Neighbour, ...] = ()
    is_evidence: bool | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of an answer and what supports it; see the door ``answer_claims``."""

    kind: str
    text: str
    support: str
    reason: str
    source: int | None
    is_part: bool


@dataclass(frozen=True)
class Spent:
    """What the calls to models cost.

    Attributes:
        n_calls: calls, including those replayed from the store.
        n_sent: calls made for this question; the others had been paid for before.
        input_tokens: None where an endpoint reported none.
        output_tokens: likewise.
        price_usd: by the prices of the seed; None where a model has none.
        models: names of the models.
    """

    n_calls: int
    n_sent: int
    input_tokens: int | None
    output_tokens: int | None
    price_usd: float | None
    models: tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A value of a metric of one answer.

    Attributes:
        metric: its label.
        value: the value.
        unit: its measuring unit, of the catalogue.
    """

    metric: str
    value: float
    unit: str


@dataclass(frozen=True)
class Part:
    """What a system found of one company, where a question asks which company.

    Attributes:
        company: its name.
        question: what was asked about it.
        said: the answer in words, untrusted; empty where there is none.
        is_named: whether the answer names the company.
    """

    company: str
    question: str
    said: str
    is_named: bool


@dataclass(frozen=True)
class Verdict:
    """Whether an answer to a gold question is right; see the door ``answer_verdicts``.

    Attributes:
        is_right: None where it is undecided.
        metric: label of the metric that decides; empty where none has a value.
        values: what was measured of the answer, the deciding metric first.
    """

    is_right: bool | None
    metric: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class SystemAnswer:
    """One system's answer to the question, and how it got there.

    Attributes:
        system_id: the system.
        description: of the registry.
        outcome: answered, abstained, failed, not_asked (it asks a paid model) or ranked (it has
            no answerer).
        why: one sentence where it is not answered.
        text: the answer, untrusted.
        items: the answer's items, where it is a list.
        numeric_value: the figure in whole units.
        unit: its unit.
        support: how well the context supports the answer, 0 to 1.
        threshold: below which support it abstains; None without one.
        kind: kind of question by which the threshold was measured.
        withheld: what it would have answered without a threshold, untrusted.
        queries: where it searched.
        searched_for: with which texts.
        steps: in their order.
        tool_calls: of an agent, in their order; none for other systems.
        n_ranked: sentences in the ranking.
        ranking: its head.
        context: what the answerer read.
        n_tokens: tokens of these.
        sources: the citations.
        claims: traced to the sources.
        spent: None where no model was asked.
        as_built: whether the build's answer to this very question is the same; None where the
            build has none.
        verdict: of an answer to a gold question; None for any other.
        parts: of a question that was put about each company, what was found of each.
    """

    system_id: str
    description: str
    outcome: str
    why: str = ""
    text: str | None = None
    items: tuple[str, ...] = ()
    numeric_value: float | None = None
    unit: str | None = None
    support: float | None = None
    threshold: float | None = None
    kind: str | None = None
    withheld: str | None = None
    queries: tuple[Query, ...] = ()
    searched_for: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    n_ranked: int = 0
    ranking: tuple[Found, ...] = ()
    context: tuple[Passage, ...] = ()
    n_tokens: int = 0
    sources: tuple[Source, ...] = ()
    claims: tuple[Claim, ...] = ()
    spent: Spent | None = None
    as_built: bool | None = None
    verdict: Verdict | None = None
    parts: tuple[Part, ...] = ()
    sentence_ids: tuple[str, ...] = field(default=(), repr=False)

    @property
    def latency_ms(self) -> float:
        """Milliseconds of all its steps."""
        return sum(step.latency_ms or 0.0 for step in self.steps)


@dataclass(frozen=True)
class Asked:
    """A question and each system's answer to it.

    Attributes:
        question: as it was asked, untrusted.
        gold_set: as a question of which set it was put.
        reading: what was read from it.
        notes: warnings: a company that is not in the corpus, a year without a filing.
        suite: the same question in that set; None where it is not there.
        answers: one per system, in the order asked for.
    """

    question: str
    gold_set: str
    reading: Reading
    notes: tuple[str, ...]
    suite: SuiteQuestion | None
    answers: tuple[SystemAnswer, ...]
