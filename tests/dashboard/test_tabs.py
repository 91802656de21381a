"""Long pages stand in tabs: a link opens the part it leads to, the keyboard reaches each part."""

import pytest

TABBED = ("/answers", "/retrieval", "/gold", "/runs", "/cost", "/agents", "/revenue-lines")
OPEN = "[role=tabpanel]:not([hidden])"


@pytest.mark.parametrize("path", TABBED)
def test_a_page_opens_on_its_first_tab_alone(visit, path):
    page = visit.open(path)

    first = page.get_by_role("tab").first
    assert first.get_attribute("aria-selected") == "true"
    assert page.locator(OPEN).evaluate_all("panels => panels.map(panel => panel.id)") == [
        first.get_attribute("aria-controls")
    ]


@pytest.mark.parametrize("path", TABBED)
def test_a_link_to_a_heading_opens_the_tab_that_holds_it(visit, path):
    page = visit.open(path)
    headings = page.locator("[role=tabpanel] :is(h2, h3)[id]").evaluate_all(
        "headings => headings.map(heading => heading.id)"
    )
    assert len(headings) >= 3

    for heading in headings:
        page.evaluate("id => { location.hash = id; }", heading)
        page.locator(f"{OPEN} [id='{heading}']:visible").wait_for()
        assert page.locator(OPEN).count() == 1


def test_an_address_from_elsewhere_opens_the_tab_of_its_heading(visit):
    page = visit.open("/answers#citations")

    assert page.locator("#citations").is_visible()
    assert not page.locator("#what-goes-wrong-and-what-helps").is_visible()


def test_arrow_keys_go_from_tab_to_tab_and_the_address_follows(visit):
    page = visit.open("/gold")
    tabs = page.get_by_role("tab")
    names = tabs.evaluate_all("tabs => tabs.map(tab => tab.getAttribute('aria-controls'))")
    tabs.first.focus()

    reached = []
    for key in (*["ArrowRight"] * len(names), "End", "Home", "ArrowLeft"):
        page.keyboard.press(key)
        reached.append(page.evaluate("() => location.hash.slice(1)"))
        assert page.evaluate("() => document.activeElement.getAttribute('aria-controls')") == (
            page.locator(OPEN).get_attribute("id")
        )

    assert reached == [*names[1:], names[0], names[-1], names[0], names[-1]]


def test_every_part_stands_in_the_page_before_any_script_runs(browser, address):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{address}/answers")
        parts = page.locator("[role=tabpanel]").evaluate_all(
            "panels => panels.map(panel => panel.textContent.trim().length)"
        )
    finally:
        context.close()

    assert len(parts) >= 3
    assert min(parts) > 100
