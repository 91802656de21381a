"""Figures that pages show, each with the query that gives it in the warehouse, and choices.

The queries read the doors that were measured, not the tables of the pages: a page that shows the
wrong row of its own table is found out as well.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal


def rounded(value, digits):
    """As JavaScript prints it: half away from zero, thousands in groups."""
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(value).quantize(step, ROUND_HALF_UP):,}"


def share(value):
    return f"{rounded(value * 100, 1)} %"


def points(value):
    return f"{rounded(value * 100, 1)} pts"


def count(value):
    return f"{value:,}"


def milliseconds(value):
    return rounded(value, 1)


@dataclass(frozen=True)
class Figure:
    """One figure: the element in which it stands, what stands beside it, and its query."""

    name: str
    page: str
    where: str
    query: str
    printed: Callable
    beside: str = ""

    def expected(self, warehouse):
        value = warehouse.value(self.query)
        assert value is not None, f"{self.name}: the warehouse has no value"
        return self.printed(value)


@dataclass(frozen=True)
class Choice:
    """A filter of a page or of one of its tabs, what is chosen, and what has to change."""

    name: str
    page: str
    shows: str
    make: Callable


def card(label):
    """The card whose label begins so; a system or its items may follow."""
    return f"section[aria-label^='{label}']"


def row_of(label, chart=None):
    """The row of a table, or of a chart's table, that bears a label."""
    inside = f"[aria-label='{chart}'] " if chart else ""
    return f"{inside}tr:has(:text-is('{label}'))"


def mean(metric, k=0, system="multi_path", gold_set="p3", slice_name="sound"):
    return f"""
        select mean from metrics.metric_summaries
        where system_id = {system if system.startswith("(") else f"'{system}'"}
          and gold_set = '{gold_set}' and metric = '{metric}' and k = {k}
          and slice_name = '{slice_name}' and slice_value = 'all'
    """


def difference(metric, k, column="mean_difference"):
    return f"""
        select {column} from metrics.comparisons
        where system_a = 'multi_path' and system_b = 'dense_open' and gold_set = 'p3'
          and metric = '{metric}' and k = {k} and slice_name = 'sound' and slice_value = 'all'
    """


MOST_RIGHT = """(
    select system_id
    from metrics.metric_summaries
    inner join retrieval.registered_systems using (system_id)
    where not is_null and gold_set = 'p3' and metric = 'answer_accuracy'
      and slice_name = 'sound'
    order by mean desc, system_id
    limit 1
)"""
MOST_ANSWERED = """(
    select system_id
    from answers.answers
    inner join retrieval.registered_systems using (system_id)
    where not is_null and gold_set = 'p3' and outcome = 'answered'
    group by system_id
    order by count(*) desc, system_id
    limit 1
)"""
COSTS = "select {} from metrics.system_costs where system_id = 'dense_open' and gold_set = 'p3'"
OF_ALL = "Systems by regime"
FIRST_ROW = "main tr:has(td)"
BUILDS = "The only recorded build"

FIGURES = (
    Figure(
        "overview: right answers",
        "/",
        card("Right answers"),
        mean("answer_accuracy", system=MOST_RIGHT),
        share,
    ),
    Figure(
        "overview: evidence recall",
        "/",
        card("Evidence recall@10"),
        mean("evidence_recall", 10, system=MOST_RIGHT),
        share,
    ),
    Figure(
        "overview: a system that knows nothing",
        "/",
        row_of("random_open", "Share, by system"),
        mean("answer_accuracy", system="random_open"),
        share,
    ),
    Figure(
        "retrieval: self at 1",
        "/retrieval",
        "section[aria-label^='Self@1']",
        mean("self_at_1_tie_aware", 1, "dense_filtered", "p1", "overall"),
        share,
    ),
    Figure(
        "retrieval: neighbours",
        "/retrieval",
        "section[aria-label^='Hit@5, neighbours']",
        mean("hit", 5, "dense_filtered", "p1", "overall"),
        share,
    ),
    Figure(
        "retrieval: evidence",
        "/retrieval",
        "section[aria-label^='Evidence recall@10']",
        mean("evidence_recall", 10, "dense_filtered"),
        share,
    ),
    Figure(
        "answers: accuracy",
        "/answers",
        card("Answer accuracy"),
        mean("answer_accuracy", system=MOST_ANSWERED),
        share,
    ),
    Figure(
        "answers: citations",
        "/answers",
        card("Citation correctness"),
        mean("citation_correctness", system=MOST_ANSWERED),
        share,
    ),
    Figure(
        "answers: claims",
        "/answers",
        card("Claims supported"),
        mean("claims_supported", system=MOST_ANSWERED),
        share,
    ),
    Figure(
        "questions: all of them",
        "/questions",
        "main p:text-matches('^[0-9]+ of [0-9]+ questions')",
        "select count(*) from gold.items where gold_set = 'p3'",
        str,
    ),
    Figure(
        "questions: systems that answer",
        "/questions",
        FIRST_ROW,
        """
        select count(distinct system_id)
        from answers.answers
        inner join retrieval.registered_systems using (system_id)
        where not is_null and gold_set = 'p3'
        """,
        "of {}".format,
    ),
    Figure(
        "questions: right systems of the hardest",
        "/questions",
        FIRST_ROW,
        """
        select min(n_right) || ' of ' || max(n_systems)
        from (
            select item_id, cast(sum(value) as integer) as n_right, count(*) as n_systems
            from metrics.metric_values
            inner join retrieval.registered_systems using (system_id)
            where not is_null and metric = 'answer_accuracy' and gold_set = 'p3'
            group by item_id
        )
        """,
        str,
    ),
    Figure(
        "agents: right answers",
        "/agents",
        row_of("agent", "Right answers, by system"),
        mean("answer_accuracy", system="agent"),
        share,
    ),
    Figure(
        "agents: evidence that a tool showed first",
        "/agents",
        f"{row_of('agent', 'Evidence first shown, by tool')}:has(:text-is('semantic_search'))",
        mean("evidence_by_semantic", system="agent"),
        share,
    ),
    Figure(
        "agents: sessions that ended by themselves",
        "/agents",
        f"{row_of('agent')}:has-text('finished')",
        """
        select count(*) from retrieval.agent_steps
        where system_id = 'agent' and gold_set = 'p3' and stop_reason = 'finished'
        """,
        count,
    ),
    Figure(
        "compare: evidence",
        "/compare",
        row_of("Evidence recall@10", "A less B, metric by metric"),
        difference("evidence_recall", 10),
        points,
    ),
    Figure(
        "compare: lower end",
        "/compare",
        row_of("Evidence recall@10", "A less B, metric by metric"),
        difference("evidence_recall", 10, "ci_low"),
        lambda value: rounded(value * 100, 1),
    ),
    Figure(
        "compare: answers",
        "/compare",
        row_of("Answer accuracy", "A less B, metric by metric"),
        difference("answer_accuracy", 0),
        points,
    ),
    Figure(
        "cost: median", "/cost", row_of("dense_open"), COSTS.format("latency_p50_ms"), milliseconds
    ),
    Figure(
        "cost: 95th percentile",
        "/cost",
        row_of("dense_open"),
        COSTS.format("latency_p95_ms"),
        milliseconds,
    ),
    Figure("cost: asked", "/cost", row_of("dense_open"), COSTS.format("n_items"), count),
    Figure(
        "runs: right answers",
        "/runs",
        row_of("multi_path", BUILDS),
        mean("answer_accuracy"),
        share,
    ),
    Figure(
        "runs: right answers of another",
        "/runs",
        row_of("naive_rag", BUILDS),
        mean("answer_accuracy", system="naive_rag"),
        share,
    ),
    Figure(
        "runs: questions",
        "/runs",
        "tr:has(:text-is('wordllama'))",
        "select n_questions from metrics.recorded_runs",
        count,
    ),
    Figure(
        "gold: coverage",
        "/gold",
        "section[aria-label^='Coverage, P2']",
        mean("coverage", system="gold", gold_set="p2", slice_name="overall"),
        share,
    ),
    Figure(
        "gold: questions",
        "/gold",
        "[aria-label='Gold sets'] tr:has(td:has-text('P3'))",
        "select count(*) from gold.items where gold_set = 'p3'",
        count,
    ),
    Figure(
        "gold: judgments",
        "/gold",
        "[aria-label='Gold sets'] tr:has(td:has-text('P3'))",
        "select count(*) from gold.judgments where gold_set = 'p3'",
        count,
    ),
)


def press(name):
    """Presses a button of a group; the headings of a table are buttons too."""
    exactly = re.compile(rf"^\s*{re.escape(name)}\s*$")
    return lambda page: page.locator("button:not(th *)").filter(has_text=exactly).first.click()


def pick(title, option):
    """Opens a list of choices by its title and picks one of them."""

    def make(page):
        titled = re.compile(rf"^\s*{re.escape(title)}\s")
        page.get_by_role("combobox").filter(has_text=titled).first.click()
        # A long list draws only what is in sight: what is typed brings the rest there.
        page.keyboard.type(option)
        page.get_by_role("option", name=option, exact=True).first.click()

    return make


CHOICES = (
    Choice("overview", "/", "[aria-label='Share, by system']", press("Evidence recall@10")),
    Choice("retrieval", "/retrieval#systems", f"[aria-label='{OF_ALL}']", press("P1 neighbours")),
    Choice(
        "answers",
        "/answers#right",
        "[aria-label^='By the cut chosen']",
        pick("Cut the questions by", "Scope of the question"),
    ),
    Choice("runs", "/runs#trend", f"[aria-label='{BUILDS}']", press("Evidence recall@10")),
    Choice("cost", "/cost", "[aria-label='Cost of every system'] table", press("P1 neighbours")),
    Choice("gold", "/gold#slices", "[aria-label='Items by slice'] tbody", press("P1, neighbours")),
    Choice(
        "questions",
        "/questions",
        "[aria-label='Questions found'] tbody",
        pick("Difficulty", "hard"),
    ),
    Choice(
        "compare",
        "/compare",
        "[aria-label='A less B, metric by metric']",
        pick("B", "bm25_filtered"),
    ),
)
