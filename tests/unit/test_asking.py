"""A live question: how it is read, searched, answered and shown."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import yaml

from finrag.live.engine import MAX_QUESTION_CHARS, open_engine
from finrag.live.explanations import spent
from finrag.live.gaps import Filed, other_company, years_said
from finrag.live.page import pieces
from finrag.live.records import SystemAnswer, ToolCall
from finrag.live.terminal import _system_lines, answer_lines, plain
from finrag.live.which import MAX_COMPANIES, Measure, asks_which
from finrag.live.which import read as read_which
from finrag.llm import asking
from tests.unit import asked_warehouse
from tests.unit.asked_warehouse import SALES
from tests.unit.endpoint_stub import EndpointStub, Said, answer, by_turn, read, search

ROOT = Path(__file__).parents[2]


VARIABLES = yaml.safe_load((ROOT / "dbt_project.yml").read_text())["vars"]


def engine_of(tmp_path, **options):
    database = asked_warehouse.write(tmp_path / "live.duckdb", **options)
    return open_engine(database, {**VARIABLES, "state_dir": str(tmp_path / "state")}, ROOT)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return engine_of(tmp_path_factory.mktemp("asking"))


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setattr(asking, "BACKOFF_S", 0.001)
    with EndpointStub() as stub:
        stub.reply = lambda messages: json.dumps(
            {
                "answer": "Net sales were $120.5 million.",
                "citations": [{"sentence_id": "0007_2021_7_1", "quote": "$120.5 million"}],
                "numeric_value": 120_500_000,
                "unit": "USD",
                "abstained": False,
            }
        )
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", stub.url)
        monkeypatch.setenv("FINRAG_LLM_API_KEY", "sk-secret-of-the-test")
        yield stub


def only(asked):
    (result,) = asked.answers
    return result


# --- an answer ----------------------------------------------------------------------------------


def test_a_question_is_read_searched_and_answered(engine):
    asked = engine.ask(SALES, ["words"])
    result = only(asked)
    assert asked.reading.companies == ("Alder Works",)
    assert asked.reading.years == (2021,)
    assert [(query.where, query.n_sentences) for query in result.queries] == [
        ("Alder Works, FY2021", 4)
    ]
    assert (result.outcome, result.numeric_value, result.unit) == ("answered", 120_500_000, "USD")
    assert [step.name for step in result.steps] == ["read", "search", "context", "answer", "trace"]
    assert {claim.support for claim in result.claims} == {"supported"}


def test_a_source_stands_among_its_neighbours(engine):
    (source,) = only(engine.ask(SALES, ["words"])).sources
    assert [one.sentence_id for one in source.passage] == [
        f"0007_2021_7_{place}" for place in range(4)
    ]
    assert [one.is_source for one in source.passage] == [False, True, False, False]
    assert source.quote in source.passage[1].text


def test_an_open_system_searches_everything_for_the_whole_question(engine):
    result = only(engine.ask(SALES, ["words_open"]))
    assert [query.where for query in result.queries] == ["the whole corpus"]
    assert result.searched_for == (SALES,)


def test_a_system_without_an_answerer_ranks(engine):
    result = only(engine.ask(SALES, ["ranks_only"]))
    assert (result.outcome, result.text, result.context) == ("ranked", None, ())
    assert result.ranking[0].sentence_id == "0007_2021_7_1"


def test_the_suite_tells_what_is_expected(engine):
    asked = engine.ask(SALES, ["words"])
    assert asked.suite.answer == "$120.5 million"
    assert only(asked).sources[0].is_evidence
    assert engine.ask(SALES + "!", ["words"]).suite is None


def test_below_the_threshold_of_the_build_it_abstains_and_tells_what_it_withheld(tmp_path):
    result = only(engine_of(tmp_path, threshold=1.000001).ask(SALES, ["words"]))
    assert (result.outcome, result.text, result.sources, result.claims) == (
        "abstained",
        None,
        (),
        (),
    )
    assert "120.5" in result.withheld
    assert "below the threshold" in result.why


def test_nothing_found_is_an_abstention_with_its_reason(engine):
    result = only(engine.ask("zzzz qqqq?", ["words_open"]))
    assert (result.outcome, result.n_ranked) == ("abstained", 0)
    assert "Nothing was found" in result.why


# --- what the corpus does not hold --------------------------------------------------------------


def test_a_company_that_is_not_there_is_said_and_no_other_one_answers(engine):
    asked = engine.ask("What were the net sales of Zinnia Corp in 2021?", ["words", "looks"])
    said = (
        "The corpus holds no filing of Zinnia Corp; it holds filings of Alder Works, Birch Foods."
    )
    assert asked.notes == (said,)
    assert {(one.outcome, one.text, one.why) for one in asked.answers} == {
        ("abstained", None, said)
    }
    assert not any(one.context or one.ranking for one in asked.answers)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was Zinnia's revenue in 2021?", "Zinnia"),
        ("Did Zinnia Corp grow in 2021?", "Zinnia Corp"),
        ("What were net sales in fiscal 2021?", None),
        ("What does Item 7 say about GAAP measures in May?", None),
        ("How did the U.S. market grow?", None),
        ("Was Revenue higher by December?", None),
    ],
)
def test_a_name_is_read_only_where_a_question_uses_one(question, name):
    assert other_company(question) == name


@pytest.mark.parametrize("year", [2019, 2023, 2035])
def test_a_year_without_a_filing_is_said_and_no_other_year_answers(engine, year):
    asked = engine.ask(f"What were the net sales of Birch Foods in fiscal {year}?", ["words"])
    said = f"The corpus holds filings of Birch Foods for fiscal year 2022, none for {year}."
    assert asked.notes == (said,)
    assert (only(asked).outcome, only(asked).text, only(asked).why) == ("abstained", None, said)


@pytest.mark.parametrize("year", [2020, 2021])
def test_a_year_that_a_later_filing_may_compare_is_asked_about(engine, year):
    asked = engine.ask(f"What were the net sales of Birch Foods in fiscal {year}?", ["words"])
    assert f"none for {year}" in asked.notes[0]
    assert "no filing of the years asked about" in only(asked).queries[0].where


def test_years_are_said_as_a_span_or_one_by_one():
    assert [years_said(one) for one in ([2022], [2020, 2022], [2019, 2020, 2021], [1, 3, 5])] == [
        "2022", "2020 and 2022", "2019 to 2021", "1, 3 and 5",
    ]  # fmt: skip


# --- which company ------------------------------------------------------------------------------


def test_the_highest_figure_is_found_by_asking_about_each_company(engine):
    asked = engine.ask("Which company had the highest net sales in 2022?", ["words", "looks"])
    for result in asked.answers:
        assert (result.outcome, result.numeric_value) == ("answered", 150_000_000)
        assert result.text.startswith("Alder Works. ")
        assert "Compared among 2 of 2 companies" in result.text
        assert [(one.company, one.is_named) for one in result.parts] == [
            ("Alder Works", True),
            ("Birch Foods", False),
        ]
        assert "$80.0 million" in result.parts[1].said
        assert {one.company for one in result.sources} == {"Alder Works"}
    assert "put about each of 2 companies" in asked.notes[0]


def test_the_lowest_figure_is_another_company(engine):
    result = only(engine.ask("Which company had the lowest net sales in 2022?", ["words"]))
    assert result.text.startswith("Birch Foods. ")


def test_too_few_figures_are_not_compared(engine):
    result = only(engine.ask("Which company's net sales grew most in 2022?", ["words"]))
    assert (result.outcome, [bool(one.said) for one in result.parts]) == (
        "abstained",
        [True, False],
    )
    assert result.why == "A figure was found for 1 of 2 companies: too few to compare."


def test_companies_are_named_of_which_a_sentence_speaks(engine):
    result = only(engine.ask("Which companies mention competition in bread?", ["words"]))
    assert (result.outcome, result.items) == ("answered", ("Birch Foods",))
    none = only(engine.ask("Which companies mention submarine volcanoes?", ["words"]))
    assert (none.outcome, none.items) == ("abstained", ())
    assert "No sentence that was read says it" in none.why


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which company grew fastest?", True),
        ("Which of Alder and Birch sold more?", True),
        ("Name the companies that pay dividends.", True),
        ("What company's margin fell?", True),
        ("Which segment grew fastest?", False),
        ("What does the company sell?", False),
        ("Which company-owned stores closed?", False),
    ],
)
def test_a_question_that_asks_which_company_is_known(text, expected):
    assert asks_which(text) is expected


def test_a_change_is_compared_in_percent_and_by_its_direction():
    measures = {"revenue": Measure("revenue", False), "gross_margin": Measure("gross margin", True)}
    filed = Filed({1: "One", 2: "Two"}, {(1, 2021), (1, 2022), (2, 2022)})
    reading = {"cik_ints": [], "years": [2022], "kpi_labels": ["revenue"]}
    asked = read_which("Which company's revenue fell most in 2022?", reading, measures, filed)
    assert (asked.sign, asked.moved) == (-1, "decrease")
    assert asked.each[0].question == (
        "By what percentage did the revenue of One change from fiscal 2021 to fiscal 2022?"
    )
    margin = {**reading, "kpi_labels": ["gross_margin"]}
    asked = read_which("Which company's gross margin rose most in 2022?", margin, measures, filed)
    assert (asked.sign, asked.moved) == (1, "increase")
    assert asked.each[0].question.startswith("By how much did the gross margin of One change")


def test_of_more_companies_than_can_be_waited_for_none_is_asked_one_by_one():
    names = {cik: f"Company {cik}" for cik in range(MAX_COMPANIES + 1)}
    filed = Filed(names, {(cik, 2022) for cik in names})
    reading = {"cik_ints": [], "years": [2022], "kpi_labels": ["revenue"]}
    measures = {"revenue": Measure("revenue", False)}
    assert read_which("Which company had the most revenue?", reading, measures, filed) is None


# --- right or wrong -----------------------------------------------------------------------------


def test_an_answer_to_a_gold_question_is_judged_as_the_build_judges(engine):
    verdict = only(engine.ask(SALES, ["words"])).verdict
    assert (verdict.is_right, verdict.metric) == (True, "Answer accuracy")
    assert verdict.values[0].value == 1
    assert only(engine.ask(SALES + "!", ["words"])).verdict is None


def test_an_abstention_is_wrong_where_there_is_an_answer(tmp_path):
    verdict = only(engine_of(tmp_path, threshold=1.000001).ask(SALES, ["words"])).verdict
    assert verdict.is_right is False


def test_a_wrong_figure_is_wrong(engine, monkeypatch):
    gold = engine.corpus.gold
    place = gold.answers.schema.get_field_index("answer_numeric")
    other = gold.answers.set_column(place, "answer_numeric", pa.array([1.0]))
    wrong = replace(engine.corpus, gold=replace(gold, answers=other))
    monkeypatch.setattr(engine._answering, "_corpus", wrong)
    assert only(engine.ask(SALES, ["words"])).verdict.is_right is False


def test_a_set_that_cannot_be_asked_is_refused(engine):
    with pytest.raises(ValueError, match="no question of 'quiz' can be asked here"):
        engine.ask(SALES, ["words"], gold_set="quiz")


# --- an agent -----------------------------------------------------------------------------------


def test_an_agent_shows_every_call_and_answers_from_what_it_saw(engine):
    result = only(engine.ask(SALES, ["looks"]))
    assert (result.outcome, result.numeric_value) == ("answered", 120_500_000)
    assert [step.name for step in result.steps] == ["read", "look up", "context", "answer", "trace"]
    first, *_, last = result.tool_calls
    assert (first.turn, first.tool, first.status) == (1, "keyword_search", "ok")
    assert '"Alder Works"' in first.arguments
    assert (last.tool, last.status, last.n_found) == ("answer", "finished", None)
    assert "chunk_read" in {call.tool for call in result.tool_calls}


def test_a_recorded_session_is_not_asked_what_it_never_was(engine):
    with pytest.raises(ValueError, match="no system 'replays'"):
        engine.ask(SALES, ["replays"])


# --- refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "systems", "why"),
    [
        ("  \n", ["words"], "there is no question"),
        ("x" * (MAX_QUESTION_CHARS + 1), ["words"], "1,001 characters"),
        (SALES, ["wrods"], "no system 'wrods'"),
    ],
)
def test_what_cannot_be_asked_is_said(engine, question, systems, why):
    with pytest.raises(ValueError, match=why):
        engine.ask(question, systems)


def test_a_missing_warehouse_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="run `make build` first"):
        open_engine(tmp_path / "none.duckdb", VARIABLES, ROOT)


def test_a_warehouse_without_a_finished_build_is_one_sentence(tmp_path):
    duckdb.connect(str(tmp_path / "half.duckdb")).close()
    with pytest.raises(ValueError, match="holds no finished build"):
        open_engine(tmp_path / "half.duckdb", VARIABLES, ROOT)


def test_a_warehouse_that_a_build_writes_to_is_one_sentence(tmp_path):
    database = asked_warehouse.write(tmp_path / "live.duckdb")
    hold = (
        f"import duckdb; c = duckdb.connect({str(database)!r}); print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        writer.stdout.readline()
        with pytest.raises(ValueError, match=r"'.*live\.duckdb' cannot be read: another program"):
            open_engine(database, VARIABLES, ROOT)
        writer.communicate(b"\n")


def test_a_loaded_warehouse_can_be_written_to(tmp_path):
    engine = engine_of(tmp_path)
    with duckdb.connect(str(engine.corpus.database)) as writer:
        writer.execute("drop table sentences.sentences")
    assert only(engine.ask(SALES, ["words"])).outcome == "answered"


# --- paid for -----------------------------------------------------------------------------------


def test_a_paid_model_is_not_asked_without_leave(stub, tmp_path):
    assert only(engine_of(tmp_path).ask(SALES, ["model"])).outcome == "not_asked"
    assert stub.requests == []


def test_a_paid_model_is_asked_once_and_replayed(stub, tmp_path):
    engine = engine_of(tmp_path)
    first = only(engine.ask(SALES, ["model"], may_spend=True))
    again = only(engine_of_same(engine).ask(SALES, ["model"], may_spend=True))
    assert (first.outcome, first.text) == ("answered", "Net sales were $120.5 million.")
    assert (again.text, len(stub.requests)) == (first.text, 1)
    assert (first.spent.n_calls, first.spent.n_sent) == (1, 1)
    assert first.spent.price_usd == pytest.approx(
        (first.spent.input_tokens + 2 * first.spent.output_tokens) / 1e6
    )


LOOKED = (Said(calls=(search("net sales"),)), Said(calls=(read("0007_2021_7_0"),)))


def test_an_agent_with_a_model_is_not_asked_without_leave_and_says_its_own_answer(stub, tmp_path):
    said = Said(
        text=answer("Net sales were $120.5 million.", 120_500_000, cites=("0007_2021_7_1",))
    )
    stub.reply = by_turn(LOOKED[0], said)
    engine = engine_of(tmp_path)
    assert only(engine.ask(SALES, ["model_looks"])).outcome == "not_asked"
    assert stub.requests == []

    result = only(engine.ask(SALES, ["model_looks"], may_spend=True))

    assert (result.outcome, result.text) == ("answered", "Net sales were $120.5 million.")
    assert [call.tool for call in result.tool_calls] == ["keyword_search", "answer"]
    assert [source.is_in_context for source in result.sources] == [True]
    assert (result.spent.n_calls, len(stub.requests)) == (2, 2)
    assert any("said by the agent" in step.what for step in result.steps)


def test_an_agent_that_gives_up_at_a_budget_says_so(stub, tmp_path):
    stub.reply = by_turn(*LOOKED, Said(calls=(search("mills"),)))
    result = only(engine_of(tmp_path).ask(SALES, ["model_looks"], may_spend=True))
    assert (result.outcome, result.tool_calls[-1].status) == ("abstained", "forced_steps")
    assert result.why == "A budget was used up before an answer was found (forced steps)."


def engine_of_same(engine):
    return open_engine(engine.corpus.database, engine._settings, ROOT)


@pytest.mark.parametrize("field", ["input_tokens", "output_tokens"])
def test_a_sum_of_tokens_with_an_unknown_part_is_unknown(field):
    call = {"called_at": None, "model": "m", "price_usd": 0.5, "input_tokens": 3}
    call["output_tokens"] = 2
    assert getattr(spent([call, {**call, field: None}], None), field) is None


def test_what_a_model_has_no_price_for_has_no_known_price():
    call = {"called_at": None, "model": "m", "input_tokens": 3, "output_tokens": None}
    result = spent([{**call, "price_usd": 0.5}, {**call, "price_usd": None}], None)
    assert (result.price_usd, result.input_tokens, result.output_tokens, result.n_sent) == (
        None,
        6,
        None,
        0,
    )


# --- shown --------------------------------------------------------------------------------------


def test_a_quote_is_cut_out_of_its_sentence():
    assert pieces("a b c", "b") == [("a ", False), ("b", True), (" c", False)]
    assert pieces("a b c", "x") == [("a b c", False)]
    assert pieces("a b c", None) == [("a b c", False)]


def test_the_terminal_shows_each_call_in_one_line():
    call = ToolCall(
        **{"turn": 2, "tool": "browse\x1b[2J", "arguments": '{"q": "' + "x" * 200 + '"}'},
        **{"status": "unknown_tool", "n_found": 0, "n_new": 0, "context_tokens": 1_234},
        **{"input_tokens": 900, "failure": "there is no such tool"},
    )
    result = SystemAnswer("looks", "", "answered", tool_calls=(call,))
    (line,) = [line for line in _system_lines(result) if "browse" in line]
    assert line.startswith('    2. browse [2J {"q": "xxx')
    assert len(line) < 250
    assert line.endswith(
        "…: unknown tool (there is no such tool), 0 found, 0 new, 1,234 tokens, "
        "900 + unknown tokens of a model, –"
    )


def test_the_terminal_shows_no_control_characters(engine):
    assert plain("a\x1b[2J\u202eb\nc") == "a [2J b c"
    assert "\n".join(answer_lines(engine.ask(SALES, ["words", "ranks_only"]))).count("\x1b") == 0
