"""Tagged facts: what a tag states, and what is amiss with it."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
from collections import defaultdict
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from finrag.filings.facts import identity_facts, read_facts, read_schedule
from finrag.filings.formats import spelled_numbers, text_by_format
from finrag.filings.html import parse_markup, read_markup
from finrag.filings.model import Fact
from tests.filings.markup import filing, tagged, told

SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))
FILINGS = SHARED / "filings_html"


def only(body: str, hidden: str = "") -> Fact:
    (fact,) = read_facts(filing(body, hidden))
    return fact


# What a tag states


@pytest.mark.parametrize("is_xml", [True, False])
def test_a_number_has_value_unit_period_dimensions_and_place(is_xml: bool) -> None:
    body = (
        f"<p>Sales were ${tagged('1,234.5', format='ixt:num-dot-decimal', contextRef='north')}</p>"
    )
    (fact,) = read_facts(filing(body, is_xml=is_xml))
    assert (fact.concept, fact.value, fact.unit, fact.scale) == ("a:Sales", 1_234.5e6, "USD", 6)
    assert (fact.period_start, fact.period_end) == (date(2023, 1, 1), date(2023, 12, 31))
    assert fact.dimensions == (("a:Axis", "a:NorthMember"), ("a:Day", "2025-01-01"))
    assert (fact.value_text, fact.start, fact.end) == ("1,234.5", 12, 19)
    assert (fact.flags, fact.decimals, fact.is_hidden) == ((), -6, False)


def test_an_instant_has_no_start_and_a_quotient_both_its_units() -> None:
    fact = only(f"<p>{tagged('2.10', contextRef='end', unitRef='eps', scale='0')}</p>")
    assert (fact.period_start, fact.period_end, fact.unit) == (
        None,
        date(2023, 12, 31),
        "USD/shares",
    )
    assert fact.value == 2.1


@pytest.mark.parametrize(
    ("shown", "name", "value"),
    [
        ("1,234.5", "ixt:num-dot-decimal", 1234.5),
        ("1,234.5", "ixt:numcommadot", 1234.5),
        ("1.234,5", "ixt:num-comma-decimal", 1234.5),
        ("1 234,5", "ixt:numspacecomma", 1234.5),
        ("5 dollars 30 cents", "ixt:num-unit-decimal", 5.30),
        ("—", "ixt:fixed-zero", 0),
        ("-", "ixt:zerodash", 0),
        ("No", "ixt:fixed-zero", 0),
        ("Twenty-five", "ixt-sec:numwordsen", 25),
        ("one hundred forty-two", "ixt-sec:numwordsen", 142),
        ("none", "ixt-sec:numwordsen", 0),
        ("42", None, 42),
    ],
)
def test_a_format_says_how_a_number_is_written(shown: str, name: str | None, value: float) -> None:
    given = {} if name is None else {"format": name}
    assert only(f"<p>{tagged(shown, scale='0', **given)}</p>").value == value


def test_values_are_rounded_once() -> None:
    # 4.1 * 1e6 is not 4,100,000 in binary.
    assert only(f"<p>{tagged('4.1')}</p>").value == 4_100_000
    assert only(f"<p>{tagged('0.7', scale='-2', unitRef='pure')}</p>").value == 0.007
    assert str(only(f"<p>{tagged('0', sign='-')}</p>").value) == "0.0"


@pytest.mark.parametrize(
    ("shown", "name", "stated"),
    [
        ("December 31, 2023", "date-monthname-day-year-en", "2023-12-31"),
        ("31.12.2023", "datedoteu", "2023-12-31"),
        ("12/31/23", "dateslashus", "2023-12-31"),
        ("December 31", "date-monthname-day-en", "--12-31"),
        ("September 2023", "date-monthname-year-en", "2023-09"),
        ("30 February 2023", "date-day-monthname-year-en", "30 February 2023"),
        ("☒", "boolballotbox", "true"),
        ("☐", "boolballotbox", "false"),
        ("Yes", "fixed-true", "true"),
        ("five years and six months", "durwordsen", "P5Y6M"),
        ("3", "duryear", "P3Y"),
        ("as is", None, "as is"),
    ],
)
def test_a_format_says_what_a_text_states(shown: str, name: str | None, stated: str) -> None:
    assert text_by_format(shown, name) == stated


def test_numbers_are_spelled_in_many_ways() -> None:
    text = (
        "No cats, twenty-five dogs, three hundred and two, two three, two-thirds, one third-party"
    )
    values = [value for _, _, value in spelled_numbers(text)]
    assert values == pytest.approx([0, 25, 302, 2, 3, 2 / 3, 1])
    assert spelled_numbers("another millionaire took a million") == []


def test_texts_are_cut_and_state_no_number() -> None:
    fact = only(f"<p>{told('x' * 900, 'a:Policy')}</p>")
    assert (fact.is_numeric, fact.value, len(fact.value_text)) == (False, None, 500)


def test_a_fraction_is_a_quotient() -> None:
    parts = "<ix:numerator>1</ix:numerator>/<ix:denominator>3</ix:denominator>"
    one = f'<ix:fraction name="a:Part" contextRef="year" unitRef="pure">{parts}</ix:fraction>'
    assert only(f"<p>{one} of it</p>").value == 1 / 3


# Faults: each is a flag, no tag is lost


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        ({"contextRef": "nowhere"}, "unknown_context"),
        ({"contextRef": "bad"}, "bad_period"),
        ({"unitRef": "none"}, "unknown_unit"),
        ({"scale": "abc"}, "bad_scale"),
        ({"scale": "999"}, "bad_scale"),
        ({"decimals": "many"}, "bad_decimals"),
        ({"format": "ixt:num-of-the-moon"}, "bad_number"),
    ],
)
def test_a_faulty_attribute_is_flagged(given: dict[str, str], flag: str) -> None:
    assert only(f"<p>{tagged('5', **given)}</p>").flags == (flag,)


@pytest.mark.parametrize("shown", ["1e400", "", "five", "9" * 400, "²"])
def test_what_is_no_number_is_flagged(shown: str) -> None:
    fact = only(f"<p>a {tagged(shown, scale='0')} b</p>")
    assert (fact.value, fact.flags) == (None, ("bad_number",))


def test_nil_says_that_there_is_no_value() -> None:
    fact = only(f"<p>a {tagged('', xsi_nil='true')} b</p>")
    assert (fact.is_nil, fact.value, fact.flags, fact.is_hidden) == (True, None, (), True)


def test_tags_within_tags_are_facts_of_their_own() -> None:
    inner = tagged("7", "a:Inner", scale="0")
    facts = read_facts(
        filing(f"<p>{told('We sold ' + tagged(inner, 'a:Outer') + '.', 'a:Note')}</p>")
    )
    assert [(one.concept, one.value) for one in facts] == [
        ("a:Note", None),
        ("a:Outer", 7e6),
        ("a:Inner", 7),
    ]


def test_facts_share_a_cell_and_stand_in_labels() -> None:
    label = f"Stock, par value {tagged('0.01', 'a:Par', scale='0')}"
    both = f"{tagged('1', 'a:Low')} – {tagged('3', 'a:High')}"
    rows = f"<tr><td>{label}</td><td>{both}</td><td>9</td></tr>"
    facts = read_facts(filing(f"<table>{rows}</table>"))
    assert [(f.concept, f.value, f.row, f.column, f.start, f.end) for f in facts] == [
        ("a:Par", 0.01, 0, 0, 17, 21),
        ("a:Low", 1e6, 0, 1, 0, 1),
        ("a:High", 3e6, 0, 1, 4, 5),
    ]


def test_hidden_facts_are_read_from_the_header_and_from_what_is_not_displayed() -> None:
    unseen = f'<table><tr style="display:none"><td>{tagged("8", "a:Row")}</td></tr></table>'
    facts = read_facts(filing(f"<p>Text</p>{unseen}", tagged("9", "a:Head")))
    assert [(f.concept, f.value, f.is_hidden, f.block) for f in facts] == [
        ("a:Row", 8e6, True, -1),
        ("a:Head", 9e6, True, -1),
    ]


def test_one_key_with_two_values_conflicts_unless_rounding_explains_it() -> None:
    rounded = tagged("1.2", scale="9", decimals="-8") + " " + tagged("1,234")
    assert {one.flags for one in read_facts(filing(f"<p>{rounded}</p>"))} == {()}
    facts = read_facts(filing(f"<p>{rounded} {tagged('1,300')} {tagged('5', 'a:Other')}</p>"))
    assert [one.flags for one in facts] == [("conflicting",)] * 3 + [()]


def test_deep_nesting_is_read_in_time() -> None:
    deep = "<ix:nonNumeric>" * 1_500 + "x" + "</ix:nonNumeric>" * 1_500
    assert len(read_facts(filing("<p>a</p>", deep))) == 1_500


# What a filing says that it is


def test_identity_is_the_parents_and_never_the_year_in_focus() -> None:
    date_format = "ixt:date-monthname-day-year-en"
    other = told("Subsidiary LLC", "dei:EntityRegistrantName", contextRef="sub")
    hidden = (
        '<xbrli:context id="sub"><xbrli:entity><xbrli:segment>'
        '<xbrldi:explicitMember dimension="dei:LegalEntityAxis">a:SubMember'
        "</xbrldi:explicitMember></xbrli:segment></xbrli:entity></xbrli:context>"
        + told("2023", "dei:DocumentFiscalYearFocus")
        + told("0000000007", "dei:EntityCentralIndexKey")
        + told("false", "dei:AmendmentFlag")
    )
    body = (
        f"<p>{other} {told('Parent Co', 'dei:EntityRegistrantName')}</p>"
        f"<p>{told('10-K', 'dei:DocumentType')} for the year ended "
        f"{told('December 31, 2023', 'dei:DocumentPeriodEndDate', format=date_format)}</p>"
        f"<p>{told('PAR', 'dei:TradingSymbol')} {told('PAR 30', 'dei:TradingSymbol')}</p>"
    )
    assert identity_facts(read_facts(filing(body, hidden))) == {
        "cik": "0000000007",
        "name": "Parent Co",
        "ticker": "PAR",
        "form": "10-K",
        "is_amendment": "false",
        "period_end": "2023-12-31",
    }


def test_a_periods_end_that_is_no_date_is_left_out() -> None:
    body = f"<p>{told('the year', 'dei:DocumentPeriodEndDate')}</p>"
    assert identity_facts(read_facts(filing(body))) == {}


# Schedules of the 1990s

SCHEDULE = """<TYPE>EX-27
<ARTICLE> 5
<LEGEND>
EXTRACTED FROM THE STATEMENTS FOR 1996
</LEGEND>
<MULTIPLIER> 1,000
<S>                 <C>          <C>
<PERIOD-TYPE>       YEAR         6-MOS
<FISCAL-YEAR-END>   DEC-31-1996  DEC-31-1997
<PERIOD-END>        DEC-31-1996  JUN-30-1997<F1>
<EXCHANGE-RATE>     1            1
<CASH>              1,167        900
<DEPRECIATION>      (2,440)      n/a
<TOTAL-REVENUES>    18,127       9,000
<EPS-PRIMARY>       1.18         .60
<FN>
<F1>RESTATED 1996
</FN>
"""


def test_a_schedule_gives_a_fact_a_figure() -> None:
    facts = read_schedule(SCHEDULE)
    year, half = date(1996, 12, 31), date(1997, 6, 30)
    got = [(f.concept, f.value, f.unit, f.period_start, f.period_end, f.flags) for f in facts]
    assert got == [
        ("CASH", 1_167_000, "USD", None, year, ()),
        ("CASH", 900_000, "USD", None, half, ()),
        ("DEPRECIATION", -2_440_000, "USD", None, year, ()),
        ("DEPRECIATION", None, "USD", None, half, ("bad_number",)),
        ("TOTAL-REVENUES", 18_127_000, "USD", date(1996, 1, 1), year, ()),
        ("TOTAL-REVENUES", 9_000_000, "USD", date(1997, 1, 1), half, ()),
        ("EPS-PRIMARY", 1.18, "USD/shares", date(1996, 1, 1), year, ()),
        ("EPS-PRIMARY", 0.6, "USD/shares", date(1997, 1, 1), half, ()),
    ]
    assert {one.source for one in facts} == {"ex27"}
    assert read_schedule("no schedule") == []


# Real filings, where they are at hand


def _is_held_back(cik: str) -> bool:
    """Whether a company's figures are kept for the report and looked at by nobody."""
    return int(hashlib.sha256(f"{int(cik):010d}".encode()).hexdigest(), 16) % 3 == 2


@pytest.mark.skipif(not FILINGS.is_dir(), reason="raw filings (FINRAG_SHARED_DATA) are absent")
def test_values_that_edgar_published_are_among_the_facts() -> None:
    published = defaultdict(set)
    for row in pq.read_table(SHARED / "finrag" / "kpi_facts_edgar.parquet").to_pylist():
        published[row["accession_no"]].add((row["metric_gaap"], row["value"]))
    with (FILINGS / "filings.csv").open(encoding="utf-8") as manifest:
        rows = [row for row in csv.DictReader(manifest) if row["inline_xbrl"] == "1"]
    missing, count = [], 0
    for row in rows:
        if _is_held_back(row["cik"]) or not (wanted := published.get(row["accession"])):
            continue
        data = gzip.decompress((FILINGS / row["file"]).read_bytes())
        root, _, _ = parse_markup(data)
        assert root is not None
        document = read_markup(root, len(data))
        facts = read_facts(document)
        assert len(facts) >= len(document.tags)
        stated = {(fact.concept, fact.value) for fact in facts}
        missing += [(row["file"], *one) for one in wanted - stated]
        count += len(wanted)
    assert count > 300
    assert missing == []
