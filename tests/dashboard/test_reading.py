"""The checks of `reading` themselves: each finds a planted fault, and lets be what is well."""

import pytest

from tests.dashboard import conftest, reading

HEAD = "<!doctype html><meta charset=utf-8><body style='margin:20px;font:16px/1.4 sans-serif'>"
LONG = "Net sales of the segment in fiscal 2021"
SCREEN_READER = "position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap"
NARROW = "width:90px;overflow:hidden;white-space:nowrap"
PLACED = "position:absolute;left:20px;top:40px;margin:0"

# By check: pages that break its rule, with a word of what is found.
FAULTY = {
    "wider": {"a wide block": ("<p style='width:900px'>wide</p>", "sideways")},
    "clipped": {
        "an ellipsis": (
            f"<p style='{NARROW};text-overflow:ellipsis'>{LONG}",
            LONG,
        ),
        "a low box": (f"<div style='width:90px;height:30px;overflow:hidden'>{LONG}</div>", LONG),
        "so many lines": (
            "<p style='width:90px;display:-webkit-box;-webkit-line-clamp:1;"
            f"-webkit-box-orient:vertical;overflow:hidden'>{LONG}",
            LONG,
        ),
        "a cut far up": (
            f"<div style='{NARROW}'><b><i>{LONG}</i></b></div>",
            LONG,
        ),
        "a drawing": (
            "<svg width=60 height=20><text x=30 y=15>percent of sales</text></svg>",
            "percent of sales",
        ),
        "the edge of the window": (f"<p style='margin-left:-60px'>{LONG}", LONG),
        "a narrow column": (
            f"<p style='width:20px;overflow-wrap:anywhere'>{LONG}",
            "fallen apart",
        ),
        "a field": (f"<input value='{LONG}' style='width:60px'>", LONG),
    },
    "colliding": {
        "two texts": (
            f"<p style='{PLACED}'>{LONG}</p><p style='{PLACED};left:60px'>Other",
            "Other",
        ),
        "a button over a text": (
            f"<p style='{PLACED}'>{LONG}</p><button style='{PLACED};left:80px'>Press</button>",
            "Press",
        ),
        "ticks of an axis": (
            "<svg width=90 height=20><text x=0 y=15>2,021</text><text x=20 y=15>2,022</text></svg>",
            "2,022",
        ),
        "a column that stands still and is not opaque": (
            "<div tabindex=0 style='overflow-x:auto;width:100px'><table><tr>"
            f"<th style='position:sticky;left:0'>Name</th><td>{LONG.replace(' ', '&nbsp;')}"
            "</table></div>",
            "seen through",
        ),
    },
    "headings": {
        "a level left out": ("<h1>One</h1><h3>Three</h3>", "Three"),
        "no first": ("<h2>Two</h2>", "0 headings"),
        "two firsts": ("<h1>One</h1><h1>Another</h1>", "2 headings"),
    },
    "unreached": {
        "a place that scrolls": (
            f"<div style='overflow:auto;height:30px;width:90px'>{LONG}</div>",
            "scrolls",
        ),
        "a button left out": ("<button tabindex=-1>Sort</button>", "Sort"),
        "one before its turn": ("<a href=#x>First</a><button tabindex=3>Sort</button>", "Sort"),
    },
    "nameless": {"a button": ("<button><svg></svg></button>", "<button>")},
    "pictures": {"an image": ("<img src='data:,'>", "<img")},
    "faint": {"grey on white": ("<p style='color:#999'>faint</p>", "faint")},
}
SOUND = {
    "text that scrolls": (
        f"<h1>One</h1><div tabindex=0 style='overflow:auto;height:30px;width:90px'>{LONG}</div>"
    ),
    "text for screen readers": f"<h1>One</h1><p style='{SCREEN_READER}'>{LONG}</p>",
    "what a title says in full": (f"<h1>One</h1><p title='{LONG}' style='{NARROW}'>{LONG}"),
    "what lies outside a box that does not hold it": (
        "<h1>One</h1><div style='overflow:hidden;height:20px'>in"
        f"<p style='{PLACED};top:300px'>{LONG}</p></div>"
    ),
    "a closed fold": f"<h1>One</h1><details><summary>More</summary>{LONG}</details><p>{LONG}</p>",
    "a word in a word": f"<h1>One <small>and</small></h1><p>{LONG} <b>so</b> <a href=#x>it</a> is.",
    "headings in order": "<h1>One</h1><h2>Two</h2><h3>Three</h3><h2>Two</h2>",
    "tabs of which one is a stop": (
        "<h1>One</h1><div role=tablist><button role=tab>A</button>"
        "<button role=tab tabindex=-1>B</button></div>"
    ),
    "a column that stands still and hides what passes": (
        "<h1>One</h1><div tabindex=0 style='overflow-x:auto;width:100px'><table><tr>"
        "<th style='position:sticky;left:0;background:#fff'>Name</th>"
        f"<td>{LONG.replace(' ', '&nbsp;')}</table></div>"
    ),
}
CASES = [(check, name) for check, cases in FAULTY.items() for name in cases]


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(viewport={"width": 600, "height": 400})
    yield page
    page.close()


def show(page, body):
    # Nothing is left of the page before.
    page.goto("about:blank")
    page.set_content(HEAD + body)


def found(page, body):
    show(page, body)
    return page.evaluate(conftest.ALL_CHECKS)


@pytest.mark.parametrize(("check", "name"), CASES, ids=[": ".join(case) for case in CASES])
def test_a_planted_fault_is_found(page, check, name):
    body, word = FAULTY[check][name]
    assert word in " ".join(found(page, body)[check])


@pytest.mark.parametrize("name", SOUND)
def test_what_is_well_is_let_be(page, name):
    assert {check: faults for check, faults in found(page, SOUND[name]).items() if faults} == {}


def test_every_check_is_seen_to_fail():
    # A chart needs its library, see below.
    assert set(FAULTY) == set(conftest.CHECKS) - {"charts"}


# A chart as far as the check looks at one: its labels with their boxes.
CHART = """<h1>One</h1><div id=c aria-label='Sales' style='width:200px;height:100px'></div><script>
    const label = ([text, x, y, width, slope, fill]) => ({type: 'tspan',
        style: {text, fill: fill ?? '#333'},
        transform: [1, slope ?? 0, 0, 1, 0, 0], getBoundingRect: () => ({x, y, width, height: 12,
            clone() { return {...this}; }, applyTransform() {}})});
    window[Symbol.for('__evidence-chart-window-debug__')] = {one: {isDisposed: () => false,
        getDom: () => document.getElementById('c'), getWidth: () => 200, getHeight: () => 100,
        getZr: () => ({storage: {getDisplayList: () => LABELS.map(label)}})}};
</script>"""


@pytest.mark.parametrize(
    ("labels", "faults"),
    [
        ("[['2021', 10, 80, 30], ['2022', 50, 80, 30]]", []),
        ("[['2021', 10, 80, 30], ['2022', 30, 80, 30]]", ["Sales: 2021 | 2022"]),
        ("[['2021', 10, 80, 30, 0.7], ['2022', 30, 80, 30, 0.7]]", []),
        ("[['percent', 180, 80, 40]]", ["Sales: cut off: percent"]),
        ("[['2021', 10, 80, 30, 0, '#aaa']]", ["Sales: 2.32 #aaa on 255,255,255: 2021"]),
        ("[['a long na...', 10, 80, 60]]", ["Sales: shortened: a long na..."]),
    ],
)
def test_labels_of_a_chart_are_whole_and_apart(page, labels, faults):
    assert found(page, CHART.replace("LABELS", labels))["charts"] == faults


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<a href=#x>A</a><button>B</button><input aria-label=C>", []),
        ("<a href=#x>A</a><textarea autofocus aria-label=B></textarea>", []),
        ("<a href=#x style='outline:none'>A</a>", ["focus does not show: <a> A"]),
        (
            "<style>a{outline:none} a:focus{box-shadow:0 0 0 2px blue}</style><a href=#x>A</a>",
            [],
        ),
        (
            "<button onkeydown='event.preventDefault()'>A</button><button>B</button>",
            ["never reached: <button> B", "a trap: <button> A"],
        ),
        (
            "<a href=#x style='position:absolute;left:-999px'>A</a><a href=#y>B</a>",
            ["focused out of sight: <a> A"],
        ),
        (
            "<a href=#x id=a>A</a><button onkeydown='event.preventDefault(); a.focus()'>B</button>"
            "<a href=#y>C</a>",
            ["never reached: <a> C", "out of order: <a> A"],
        ),
        (
            "<div role=tablist><button role=tab>A</button>"
            "<button role=tab tabindex=-1>B</button></div>",
            ["the arrows lead to no other tab than A"],
        ),
    ],
)
def test_the_way_of_the_tabulator_is_watched(page, body, words):
    show(page, body)

    assert conftest.walk(page) == words


def test_motion_ends_at_once(page):
    show(page, "<p style='transition:opacity 60s'>A</p>")
    page.evaluate("() => document.querySelector('p').offsetWidth")
    page.evaluate("() => { document.querySelector('p').style.opacity = 0 }")

    page.evaluate(reading.STILL)

    assert page.evaluate("() => getComputedStyle(document.querySelector('p')).opacity") == "0"
