"""The built site in a browser: it loads, stays at home, says what the warehouse says, and is safe.

Whatever goes wrong on a page (an error of its own, a failed request, a request to another host, a
dialog) is a fault; see ``Visit``.
"""

import re
import threading
from urllib.parse import urlencode

import pytest

from finrag.live.server import open_server
from tests.dashboard import conftest, figures
from tests.unit.asked_warehouse import SALES
from tests.unit.test_asking import engine_of

PAGES = {
    "/": "Can the answers be trusted?",
    "/retrieval": "Retrieval",
    "/answers": "Answers",
    "/questions": "Questions",
    "/agents": "Agents",
    "/compare": "Compare",
    "/cost": "Cost and latency",
    "/runs": "Runs and drift",
    "/gold": "Gold quality",
    "/filings": "Filings",
    "/revenue-lines": "Revenue lines",
    "/lineage": "Lineage",
}
# What this corpus has nothing for: its lines of revenue are planted, after the pages were chosen.
NOT_IN_NAVIGATION = {"/revenue-lines"}
QUESTIONS = ("question-planted", "question-plain")
FILING = ("filing",)
# The page of `finrag ask`: before a question, and with two answers.
ASK = ("ask", "ask-answered")
# Every kind of page, under the name that its pictures bear.
NAMES = {path.strip("/") or "overview": path for path in PAGES}
NAMES |= dict.fromkeys(QUESTIONS + FILING + ASK)


@pytest.fixture(scope="session")
def planted_page(built):
    """The question with hostile text in everything that people, filings and models wrote."""
    return f"/questions/{(built / 'planted').read_text()}"


@pytest.fixture(scope="session")
def filing_page(built):
    """The filing most asked about, with hostile text in its sentences."""
    return f"/filings/{(built / 'planted_filing').read_text()}"


@pytest.fixture(scope="session")
def other_page(sample, planted_page):
    """A question with an answer, evidence and citations as they are."""
    found = sample.rows(
        """
        select page_id, item_id, question_text
        from reports.rpt_questions
        where n_evidence > 0
        order by page_id desc
        limit 1
        """
    )[0]
    assert f"/questions/{found['page_id']}" != planted_page
    return found


def test_the_navigation_leads_to_the_pages_that_have_something_to_show(visit, address):
    page = visit.open("/")

    links = page.eval_on_selector_all(
        "aside a[href], nav a[href]", "links => links.map(link => new URL(link.href).pathname)"
    )

    assert {link.rstrip("/") or "/" for link in links} == set(PAGES) - NOT_IN_NAVIGATION


@pytest.fixture(scope="session")
def asking(tmp_path_factory):
    """The address of the page of `finrag ask` over a few sentences."""
    server = open_server(engine_of(tmp_path_factory.mktemp("asking")), 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.url
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def show(read, address, asking, planted_page, other_page, filing_page):
    """Gives the reading of a page by its name or its path on the site."""
    asked = {"question": SALES, "a": "words", "b": "looks"}
    urls = {
        **{name: address + path for name, path in NAMES.items() if path},
        "question-planted": address + planted_page,
        "question-plain": f"{address}/questions/{other_page['page_id']}",
        "filing": address + filing_page,
        "ask": f"{asking}/",
        "ask-answered": f"{asking}/ask?{urlencode(asked)}",
    }
    names = {path: name for name, path in NAMES.items()}
    return lambda page: read(urls[names.get(page, page)], names.get(page, page))


@pytest.fixture(params=NAMES)
def read_page(request, show):
    return show(request.param)


def test_a_page_loads_without_a_fault(read_page):
    assert read_page.faults == []


def test_a_page_has_no_broken_value(read_page):
    assert not {"NaN", "undefined", "[object"} & set(read_page.shown.text.split())


def test_a_page_has_its_own_heading(show, other_page):
    headings = {path: show(path).shown.heading for path in [*PAGES, "question-plain"]}

    assert headings == {**PAGES, "question-plain": other_page["question_text"]}


@pytest.mark.parametrize("figure", figures.FIGURES, ids=lambda figure: figure.name)
def test_a_figure_is_that_of_the_warehouse(show, sample, figure):
    found = show(figure.page).shown.figures[figure.name]
    assert found, f"nothing stands at {figure.where}"

    expected, shown = figure.expected(sample), " ".join(found[0].split())
    # A figure stands by itself: 1.2 is not in 11.25.
    assert re.search(rf"(?<![\d.,]){re.escape(expected)}(?![\d.,]*\d)", shown), (expected, shown)


def test_every_page_has_three_figures_under_test():
    counted = dict.fromkeys(PAGES, 0)
    for figure in figures.FIGURES:
        counted[figure.page] += 1
    # The sample brings its items as text: the one table on the page of filings is planted, and so
    # are the lines on that of revenue lines. Lineage draws the project.
    del counted["/revenue-lines"], counted["/filings"], counted["/lineage"]
    assert {path: n for path, n in counted.items() if n < 3} == {}


def test_lines_of_revenue_are_shown_from_the_cell_to_the_fact(show):
    rows = show("/revenue-lines").shown.rows

    (line,) = [row for row in rows if "t:r1c1" in row]
    assert {"leaf", "1,200", "40.0 %", "us-gaap:Revenues"} <= set(line)
    assert any("difference" in " ".join(row).lower() for row in rows)


@pytest.mark.parametrize(("metric", "k"), [("answer_accuracy", 0), ("hit", 5), ("mrr", 30)])
def test_a_question_shows_its_own_scores(show, sample, other_page, metric, k):
    values = sample.rows(
        f"""
        select system_id, value from metrics.metric_values
        where item_id = '{other_page["item_id"]}' and metric = '{metric}' and k = {k}
        """
    )
    expected = {row["system_id"]: row["value"] for row in values}
    rows = show("question-plain").shown.rows

    systems = next(row[1:] for row in rows if row[0] == "Metric")
    name = metric.replace("_", " ") + (f"@{k}" if k else "")
    shown = dict(zip(systems, next(row[1:] for row in rows if row[0] == name), strict=True))

    assert any(value is not None for value in expected.values())
    assert {
        system: None if value == "–" else float(value) for system, value in shown.items()
    } == pytest.approx({system: expected.get(system) for system in systems}, abs=5e-4)


@pytest.mark.parametrize("choice", figures.CHOICES, ids=lambda choice: choice.name)
def test_a_choice_changes_what_is_shown(visit, choice):
    page = visit.open(choice.page)
    visit.reveal(choice.shows)
    before = page.locator(choice.shows).first.inner_text()

    choice.make(page)
    visit.settle()

    page.wait_for_function(
        # While its rows are read anew it may be gone.
        "([where, before]) => ![undefined, before].includes("
        "document.querySelector(where)?.innerText)",
        arg=[choice.shows, before],
        timeout=60_000,
    )


def test_a_question_opens_from_the_search_by_keyboard_alone(visit, other_page):
    page = visit.open("/questions")

    tab_to(page, "input[type=search], input[placeholder*=earch]")
    page.keyboard.type(other_page["question_text"])
    visit.settle()
    tab_to(page, f"a[href*='{other_page['page_id']}'], [data-href*='{other_page['page_id']}']")
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/questions/{other_page['page_id']}**", wait_until="commit")
    visit.settle()
    assert other_page["question_text"] in page.locator("h1").first.inner_text()


def tab_to(page, selector, limit=150):
    """Moves the focus by the tabulator until it is on a thing that fits."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("where => document.activeElement?.matches(where)", selector):
            return
    raise AssertionError(f"the tabulator never reaches {selector}")


HOSTILE_AT = {
    "an answer": ".q-card",
    "a question": "h1",
    "a sentence of a filing": "mark",
    "a call of an agent": ".q-arguments",
    "a cell of a table": ".filing-table td.gold",
    "a caption": ".filing-table caption",
}


@pytest.mark.parametrize("kind", HOSTILE_AT)
def test_hostile_text_stands_there_as_text_and_runs_nothing(visit, planted_page, kind):
    where = HOSTILE_AT[kind]
    page = visit.open(planted_page)

    found = page.locator(where).filter(has_text="<script>window.planted")
    assert "onerror=" in found.first.inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("() => window.planted === undefined")


def test_hostile_text_runs_nothing_where_questions_are_listed(visit):
    page = visit.open("/questions")

    tab_to(page, "input[type=search], input[placeholder*=earch]")
    page.keyboard.type("window.planted")

    page.locator("main :text('<script>window.planted'):visible").first.wait_for()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("() => window.planted === undefined")


@pytest.mark.parametrize("where", ["mark", ".f-section", ".q-facts", ".f-list"])
def test_hostile_text_stands_in_a_filing_as_text_and_runs_nothing(visit, filing_page, where):
    page = visit.open(filing_page)

    found = page.locator(where).filter(has_text="<script>window.planted")
    assert "onerror=" in found.first.inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("() => window.planted === undefined")


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/filings#filed", ".filing-table td"),
        ("/filings#filed", ".filing-table th.label"),
        ("/filings#filed", "main table td"),
        ("/revenue-lines", "main table td"),
    ],
)
def test_hostile_text_of_a_filing_runs_nothing_on_its_page(visit, path, where):
    page = visit.open(path)
    visit.reveal(where)

    found = page.locator(where).filter(has_text="<script>window.planted")
    assert "onerror=" in found.first.inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("() => window.planted === undefined")


def test_a_cell_says_in_words_what_its_marks_mean(visit, planted_page):
    page = visit.open(planted_page)

    said = page.locator(".filing-table td.gold").text_content()
    for words in ("★ gold", "◆ cell ranked first by a", "(tag: sign differs)"):
        assert words in said


# What each check of `reading` is about, in the words of the report of a failure.
RULES = {
    "wider": "nothing is wider than the window",
    "clipped": "no text is cut off",
    "colliding": "no text lies on another",
    "charts": "the labels of charts are whole and apart",
    "faint": "text stands out from its ground",
    "headings": "headings leave out no level",
    "unreached": "every control and every place that scrolls is reached by keys",
    "stops": "the tabulator goes through the page in order, and shows where it is",
    "nameless": "every control has a name",
    "pictures": "every picture has a text",
}


@pytest.mark.parametrize("rule", RULES)
def test_a_page_can_be_read_in_every_window(read_page, rule):
    assert read_page.breaches[rule] == {}, RULES[rule]


def test_every_check_is_a_rule():
    assert set(RULES) == {*conftest.CHECKS, "stops"}


MOST_BYTES = 3_000_000


def of_engine(sizes):
    return [url for url in sizes if conftest.ENGINE.search(url)]


def test_a_page_is_light(read_page):
    """Before anybody filters: everything that the page fetches, not packed for the way."""
    heavy = sorted(((size, url) for url, size in read_page.sizes.items()), reverse=True)[:5]
    counted = set(read_page.sizes) - set(of_engine(read_page.sizes))
    assert sum(read_page.sizes[url] for url in counted) <= MOST_BYTES, heavy


def test_a_page_shows_its_figures_without_the_database(read_page):
    """Until somebody filters: the pages of an address with filters may start it."""
    assert of_engine(read_page.sizes) == []
