"""An agent of one's own at the desk: tools within budgets, one answer a question, no gold."""

import json
import os
import signal
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.agents.corpora import directory_of
from finrag.agents.tools import tool_schemas
from finrag.command import cli
from finrag.command.settings import all_variables
from finrag.command.tools_serving.opening import open_desk
from finrag.live.corpus import load_corpus
from finrag.live.sessions import Sessions
from finrag.live.tools import open_corpus
from finrag.retrieval.queries import FILINGS
from finrag.sources.predictions import read_predictions
from finrag.warehouse import open_warehouse
from tests.unit import tools_warehouse
from tests.unit.asked_warehouse import SALES
from tests.unit.tools_warehouse import EVIDENCE, GOLD, PAGE, QUESTIONS, TABLE

TOOLS = "keyword_search+chunk_read"
CHUNK = "0007_2021_7_chunk_0"
EVIDENCE_CELL = f"{TABLE}_R0_C0"
SECRETS = (GOLD, "item_answers", "judgments", "evidence", EVIDENCE, EVIDENCE_CELL)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return tools_warehouse.write(tmp_path_factory.mktemp("warehouse") / "w.duckdb")


@pytest.fixture
def opened(database, tmp_path):
    runs = []

    def at(gold="p3", where="", limit=None, out="run.jsonl", system="", **given):
        settings = all_variables("{}") | {"state_dir": str(tmp_path / "state")}
        given = {"tools": TOOLS, **given}
        desk, run = open_desk(database, gold, where, limit, system, given, settings, tmp_path / out)
        runs.append(run)
        return desk

    yield at
    for run in runs:
        run.close()


def asked(desk):
    return json.loads(desk.call("next_question", {}).text)


def results(reply):
    return json.loads(reply.text.split("\n", 1)[1])["results"]


def stored(tmp_path, name="run.jsonl"):
    return [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]


def steps(record):
    return [(step["turn_pos"], step["tool_name"], step["status"]) for step in record["steps"]]


def close(desk):
    desk._run.close()


def test_an_answer_is_stored_with_what_was_looked_up(opened, tmp_path):
    desk = opened()
    assert asked(desk)["question"] == SALES
    (found, *_) = results(desk.call("keyword_search", {"keywords": ["net sales"], "top_k": 1}))
    (read,) = results(desk.call("chunk_read", {"chunk_ids": [found["chunk_id"]]}))
    quote = found["sentences"][0]
    assert quote in read["text"]
    answer = {"numeric_value": 120.5e6, "unit": "USD", "answer_text": "$120.5 million"}
    reply = desk.call(
        "submit_answer",
        {**answer, "citations": [{"passage_id": found["chunk_id"], "quote": quote}]},
    )
    assert json.loads(reply.text) == {"is_stored": True, "n_left": 2}

    system = {"system_id": "own", "system_kind": "external_file"}
    system |= {"predictions_path": str(tmp_path / "run.jsonl"), "predictions_format": "auto"}
    (row,) = read_predictions(pa.Table.from_pylist([system])).read_all().to_pylist()
    assert (row["item_key"], row["numeric_value"], row["faults"]) == ("p3:1", 120.5e6, [])
    written = stored(tmp_path)[0]["steps"]
    assert [{**step, "shown": []} for step in written] == row["steps"]
    assert [step["tool_name"] for step in written] == ["keyword_search", "chunk_read", "answer"]
    assert written[-1]["stop_reason"] == "finished"
    # The chunk and the words quoted lead to a passage that stands in the ranking.
    (cited,) = row["citations"]
    assert cited["passage_id"] in [source["passage_id"] for source in row["sources"]]


def test_a_question_is_answered_once(opened, tmp_path):
    desk = opened()
    assert "no question is open" in desk.call("submit_answer", {"answer_text": "x"}).text
    asked(desk)
    assert not desk.call("submit_answer", {"answer_text": "first"}).is_error
    for name, given in (
        ("submit_answer", {"answer_text": "second"}),
        ("keyword_search", {"keywords": ["sales"]}),
    ):
        reply = desk.call(name, given)
        assert reply.is_error
        assert "its answer is already stored" in reply.text
    assert [record["answer"] for record in stored(tmp_path)] == ["first"]


def test_the_same_question_is_handed_out_until_it_is_answered(opened):
    desk = opened()
    first = asked(desk)
    assert asked(desk) == first
    desk.call("submit_answer", {"abstained": True})
    assert asked(desk)["question_id"] != first["question_id"]


def test_beyond_the_budget_there_is_nothing_left_but_to_answer(opened, tmp_path):
    desk = opened(max_steps=2)
    assert asked(desk)["max_tool_calls"] == 2
    for word in ("sales", "mills"):
        assert not desk.call("keyword_search", {"keywords": [word]}).is_error
    reply = desk.call("keyword_search", {"keywords": ["bread"]})
    assert reply.is_error
    assert reply.text.startswith("Error: over_budget (steps)")
    assert "submit_answer" in reply.text
    desk.call("submit_answer", {"answer_text": "x"})
    (record,) = stored(tmp_path)
    assert steps(record) == [
        *((turn, "keyword_search", "ok") for turn in (0, 1)),
        (2, "answer", "ok"),
    ]
    assert record["steps"][-1]["stop_reason"] == "forced_steps"


def test_an_agent_may_decline(opened, tmp_path):
    desk = opened()
    asked(desk)
    desk.call("submit_answer", {"abstained": True})
    (record,) = stored(tmp_path)
    assert (record["abstained"], record["steps"][-1]["stop_reason"]) == (True, "abstained")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give answer_text or numeric_value"),
        ({"answer_text": "  "}, "give answer_text or numeric_value"),
        ({"abstained": True, "answer_text": "4 USD"}, "it abstains and answers at once"),
        ({"abstained": True, "numeric_value": 0.0}, "it abstains and answers at once"),
        ({"answer_text": 4}, "answer_text"),
        ({"numeric_value": "4"}, "numeric_value"),
        ({"answer_text": "x", "citations": [{"passage_id": "a\u202eb"}]}, "citations.0.passage_id"),
        ({"answer_text": "x", "gold": True}, "a field that it does not take"),
    ],
)
def test_an_answer_of_another_shape_is_refused_and_may_be_sent_again(opened, given, said):
    desk = opened()
    asked(desk)
    reply = desk.call("submit_answer", given)
    assert reply.is_error
    assert said in reply.text
    assert desk.n_left == 3
    assert not desk.call("submit_answer", {"answer_text": "x"}).is_error


@pytest.mark.parametrize(
    ("name", "given", "status"),
    [
        ("keyword_search", {"keywords": "sales"}, "bad_arguments"),
        ("keyword_search", {"keywords": ["sales"], "top_k": 10**9}, "bad_arguments"),
        ("keyword_search", {"keywords": ["a\u202eb"]}, "bad_arguments"),
        ("keyword_search", {"keywords": ["x" * 81]}, "bad_arguments"),
        ("keyword_search", {"keywords": ["sales"], "path": "/etc/passwd"}, "bad_arguments"),
        ("keyword_search", {"keywords": ["%' or 1=1 --"]}, "empty"),
        ("keyword_search", {"keywords": [".*"]}, "empty"),
        ("chunk_read", {"chunk_ids": ["../../w.duckdb", "p3:1", GOLD]}, "empty"),
        ("chunk_read", {"chunk_ids": list(map(str, range(11)))}, "bad_arguments"),
        ("semantic_search", {"query": "sales"}, "unknown_tool"),
        ("drop table", None, "unknown_tool"),
    ],
)
def test_what_cannot_be_called_is_a_step_that_shows_nothing(opened, tmp_path, name, given, status):
    desk = opened()
    asked(desk)
    desk.call(name, given)
    desk.call("submit_answer", {"answer_text": "x"})
    (step, _) = stored(tmp_path)[0]["steps"]
    assert (step["status"], step["passage_ids"]) == (status, [])


def test_a_run_goes_on_where_it_ended(opened, tmp_path):
    desk = opened()
    asked(desk)
    desk.call("submit_answer", {"answer_text": "first"})
    asked(desk)
    close(desk)
    # A line that broke off was never confirmed.
    with (tmp_path / "run.jsonl").open("ab") as stream:
        stream.write(b'{"item_id": "p3:2", "ans')

    again = opened()
    assert (again.n_left, asked(again)["question_id"]) == (2, "p3:2")
    again.call("submit_answer", {"answer_text": "second"})
    assert [record["answer"] for record in stored(tmp_path)] == ["first", "second"]


def test_a_question_goes_on_with_its_steps_and_what_is_left_of_its_budgets(opened, tmp_path):
    desk = opened(max_steps=3, seconds_budget=60.0)
    asked(desk)
    (found, *_) = results(desk.call("keyword_search", {"keywords": ["net sales"], "top_k": 1}))
    desk.call("chunk_read", {"chunk_ids": [found["chunk_id"]]})
    close(desk)
    with (tmp_path / "run.jsonl.open").open("ab") as stream:
        stream.write(b'{"item_id": "p3:1", "ste')
    assert stored(tmp_path) == []

    again = opened(max_steps=3, seconds_budget=60.0)
    assert asked(again)["question_id"] == "p3:1"
    (note,) = results(again.call("chunk_read", {"chunk_ids": [found["chunk_id"]]}))
    assert note["note"] == "already read"
    assert "over_budget (steps)" in again.call("keyword_search", {"keywords": ["x"]}).text
    cited = [{"passage_id": found["chunk_id"], "quote": found["sentences"][0]}]
    again.call("submit_answer", {"answer_text": "x", "citations": cited})
    (record,) = stored(tmp_path)
    assert [name for _, name, _ in steps(record)] == [
        *("keyword_search", "chunk_read", "chunk_read", "answer"),
    ]
    # What was shown before the end is known: the quote leads to a passage of its chunk.
    shown = {one["passage_id"] for one in record["ranking"]}
    assert {one["passage_id"] for one in record["citations"]} <= shown
    assert (tmp_path / "run.jsonl.open").read_bytes() == b""
    assert asked(again)["question_id"] == "p3:2"


def test_a_question_goes_on_with_the_seconds_that_are_left(opened, tmp_path):
    desk = opened(seconds_budget=60.0)
    asked(desk)
    desk.call("keyword_search", {"keywords": ["sales"]})
    close(desk)
    (line,) = stored(tmp_path, "run.jsonl.open")
    (tmp_path / "run.jsonl.open").write_text(json.dumps(line | {"seconds": 61.0}) + "\n", "utf-8")
    again = opened(seconds_budget=60.0)
    asked(again)
    assert "over_budget (seconds)" in again.call("keyword_search", {"keywords": ["x"]}).text


def test_a_call_that_cannot_be_written_is_not_made(opened, tmp_path, monkeypatch):
    desk = opened(max_steps=1)
    asked(desk)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        reply = desk.call("keyword_search", {"keywords": ["sales"]})
    assert reply.is_error
    assert "No space left on device" in reply.text
    assert results(desk.call("keyword_search", {"keywords": ["sales"]}))


@pytest.mark.parametrize("planted", ["\ud800", "\0"])
def test_what_no_file_can_hold_is_replaced(opened, tmp_path, planted):
    desk = opened()
    asked(desk)
    desk.call("keyword_search", {"keywords": [f"a{planted}"], planted: planted})
    desk.call(f"tool{planted}", {})
    cited = [{"passage_id": CHUNK, "quote": f"q{planted}"}]
    answer = {"answer_text": f"x{planted}", "unit": f"u{planted}", "citations": cited}
    assert not desk.call("submit_answer", answer).is_error
    (record,) = stored(tmp_path)
    assert record["answer"] != f"x{planted}"
    assert planted not in json.dumps(record, ensure_ascii=False)
    assert "\\u0000" not in json.dumps([record[name] for name in ("answer", "unit", "citations")])


def test_a_run_that_is_done_says_so(opened):
    desk = opened(limit=1)
    asked(desk)
    desk.call("submit_answer", {"answer_text": "x"})
    assert asked(desk)["is_done"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no JSON", "line 1: it is not an answer of a run; give another --out"),
        ('{"item_id": "p3:1", "configuration": "max_steps=3"}', "line 1: it was asked with"),
    ],
)
def test_a_file_of_another_run_is_left_alone(opened, tmp_path, line, said):
    (tmp_path / "run.jsonl").write_text(f"{line}\n", "utf-8")
    with pytest.raises(ValueError, match=said):
        opened()
    assert (tmp_path / "run.jsonl").read_text("utf-8") == f"{line}\n"


def test_a_file_of_another_gold_set_is_refused(opened):
    desk = opened("pub")
    asked(desk)
    desk.call("submit_answer", {"answer_text": "x"})
    close(desk)
    with pytest.raises(ValueError, match=r"it was asked with 'gold=pub; .* this run has 'gold=p3"):
        opened("p3")


@pytest.mark.parametrize("out", [".", "a_file/run.jsonl"])
def test_a_file_that_cannot_be_written_is_refused_before_the_warehouse_is_read(tmp_path, out):
    (tmp_path / "a_file").touch()
    with pytest.raises(ValueError, match=r"answers cannot be written to .* give as --out a file"):
        open_desk(tmp_path / "none.duckdb", "p3", "", None, "", {}, {}, tmp_path / out)


def test_a_run_that_cannot_start_leaves_no_file(opened, tmp_path):
    with pytest.raises(ValueError, match="there is no gold set"):
        opened("nosuch")
    assert not (tmp_path / "run.jsonl").exists()


def test_turns_of_another_run_are_left_alone(opened, tmp_path):
    opened(max_steps=2)
    line = '{"item_id": "p3:1", "configuration": "max_steps=3", "seconds": 1, "steps": []}\n'
    (tmp_path / "other.jsonl.open").write_text(line, "utf-8")
    with pytest.raises(ValueError, match="line 1: it was asked with"):
        opened(out="other.jsonl")
    assert (tmp_path / "other.jsonl.open").read_text("utf-8") == line


def test_two_servers_do_not_write_to_one_file(opened):
    opened()
    with pytest.raises(ValueError, match=r"another finrag mcp writes to .*run\.jsonl"):
        opened()


def test_an_answer_that_cannot_be_written_waits(opened, tmp_path, monkeypatch):
    desk = opened()
    asked(desk)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        reply = desk.call("submit_answer", {"answer_text": "x"})
    assert (reply.is_error, stored(tmp_path)) == (True, [])
    assert "No space left on device" in reply.text
    desk.call("submit_answer", {"answer_text": "x"})
    assert [record["answer"] for record in stored(tmp_path)] == ["x"]


def test_turns_of_a_dialogue_follow_and_what_was_read_stays_read(opened, tmp_path):
    desk = opened("pub", history="answers")
    assert asked(desk)["history"] == []
    (found, *_) = results(desk.call("keyword_search", {"keywords": ["rails"]}))
    # The tools look in the document of the question alone.
    assert found["sentences"] == ["Rails grew by 4 percent."]
    desk.call("chunk_read", {"chunk_ids": [found["chunk_id"]]})
    desk.call("submit_answer", {"answer_text": "4 percent"})
    close(desk)

    for desk in (opened("pub", history="answers"),):
        told = asked(desk)
        assert told["history"] == [
            {"question": "What was the growth of rails?", "your_answer": "4 percent"}
        ]
        reply = desk.call("chunk_read", {"chunk_ids": [found["chunk_id"]]})
        assert results(reply) == [{"chunk_id": found["chunk_id"], "note": "already read"}]
        desk.call("submit_answer", {"answer_text": "9 percent"})
    second = stored(tmp_path)[1]
    assert steps(second)[0] == (0, "chunk_read", "already_read")
    assert f"{PAGE}#text-1" in [one["passage_id"] for one in second["ranking"]]


def test_an_open_search_looks_in_all_of_a_set(opened):
    desk = opened("pub", regime="open")
    asked(desk)
    found = results(desk.call("keyword_search", {"keywords": ["rails"]}))
    assert "Rails shrank elsewhere." in [text for one in found for text in one["sentences"]]


def test_a_question_on_tables_ranks_the_cells_of_the_rows_that_were_seen(opened, tmp_path):
    desk = opened("p3_tables")
    asked(desk)
    desk.call("keyword_search", {"keywords": ["rails"]})
    desk.call("chunk_read", {"chunk_ids": [TABLE]})
    desk.call("submit_answer", {"answer_text": "40.2"})
    ranked = [one["passage_id"] for one in stored(tmp_path)[0]["ranking"]]
    first, second = (
        [f"{TABLE}_R0", f"{TABLE}_R1"],
        [f"{TABLE}_R0_C0", f"{TABLE}_R0_C1", f"{TABLE}_R1_C0"],
    )
    assert [one for one in ranked if one in first] == first
    assert [one for one in ranked if one in second] == second


def test_ask_and_the_server_search_the_same(database, tmp_path):
    settings = all_variables("{}") | {"state_dir": str(tmp_path / "state")}
    loaded = load_corpus(database, settings["state_dir"])
    asks = Sessions(loaded, None, settings).open(loaded.systems["looks"])
    with open_warehouse(database, "build it") as warehouse:
        served = open_corpus(warehouse, "p3", FILINGS, settings)
        tables = [
            warehouse.table(f"select * from sentences.{name}")
            for name in ("documents", "companies")
        ]
    assert asks.directory == served.directory == directory_of(*tables, FILINGS)
    assert asks.chunked.chunk_ids == served.chunked.chunk_ids
    # A company goes by each of its names.
    assert {one.names for one in served.directory.documents} == {
        ("Alder Works", "Alder"),
        ("Birch Foods", "Birch"),
    }


def leaks(desk, questions):
    """What responses to every question hold that no tool returned."""
    texts = {item: text for item, _, _, text, *_ in questions}
    found = []
    while True:
        reply = desk.call("next_question", {})
        told = json.loads(reply.text)
        if told["is_done"]:
            return found
        own = {"is_done", "question_id", "question", "history", "n_left", "max_tool_calls"}
        is_plain = told["question"] == texts[told["question_id"]] and told.keys() == own
        said = [reply.text]
        if not is_plain:
            found.append(reply.text)
        words = [word for word in told["question"].split() if len(word) > 3][:8]
        reply = desk.call("keyword_search", {"keywords": words, "top_k": 20})
        hits = results(reply)
        said.append(reply.text)
        ids = [hit["chunk_id"] for hit in hits][:10]
        if ids:
            said.append(desk.call("chunk_read", {"chunk_ids": ids}).text)
        for hidden in (EVIDENCE, EVIDENCE_CELL):
            said.append(desk.call("chunk_read", {"chunk_ids": [hidden]}).text)
        said.append(desk.call("submit_answer", {"answer_text": "x"}).text)
        found += [text for text in said if any(secret in text for secret in SECRETS)]


@pytest.mark.parametrize("gold", ["p3", "p3_tables", "pub"])
def test_no_response_holds_gold(opened, gold):
    questions = [one for one in QUESTIONS if one[1] == gold]
    assert leaks(opened(gold), questions) == []


@pytest.mark.parametrize("planted", [GOLD, EVIDENCE, EVIDENCE_CELL])
def test_gold_that_is_planted_in_a_response_is_seen(opened, monkeypatch, planted):
    desk = opened()
    call = desk.call

    def leaking(name, given):
        reply = call(name, given)
        return type(reply)(reply.text.replace('"n_left"', f'"note": "{planted}", "n_left"'))

    monkeypatch.setattr(desk, "call", leaking)
    assert leaks(desk, [one for one in QUESTIONS if one[1] == "p3"])


def test_no_file_is_opened_while_questions_are_answered(opened, tmp_path):
    desk = opened()
    asked(desk)
    seen = []
    is_watched = True

    def watch(event, arguments):
        if is_watched and event == "open":
            seen.append(arguments[0])

    sys.addaudithook(watch)
    desk.call("keyword_search", {"keywords": ["sales"]})
    desk.call("chunk_read", {"chunk_ids": [CHUNK]})
    desk.call("submit_answer", {"answer_text": "x"})
    asked(desk)
    is_watched = False
    assert seen == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--gold", "nosuch"], "there is no gold set 'nosuch'"),
        (["--where", "answer = 'x'"], "expected a column"),
        (["--system", "nobody"], "the warehouse has no agent 'nobody'"),
        (["--tools", "grep"], "tools is 'grep': name one or more of keyword_search"),
        (["--tools", "keyword_search"], "an agent uses chunk_read to read what a search found"),
        (["--max-steps", "0"], "max_steps is '0': use a whole number from 1"),
        (["--seconds-budget", "nan"], "seconds_budget is 'nan': use a number from 0"),
        (["--seconds-budget", "inf"], "seconds_budget is 'inf': use a number from 0"),
        (
            ["--tools", "semantic_search+chunk_read", "--keyword-score", "arag"],
            "--keyword-score has no effect with the other settings",
        ),
    ],
)
def test_what_cannot_be_served_is_said_in_one_sentence(database, tmp_path, capsys, options, said):
    pytest.importorskip("mcp")
    out = str(tmp_path / "run.jsonl")
    assert cli.main(["mcp", "--database", str(database), "--out", out, *options]) == 2
    captured = capsys.readouterr()
    assert said in captured.err.splitlines()[-1]
    assert captured.out == ""


# --- over standard input and output, by the protocol's own client ---------------------------------


def served(database, folder, client):
    """What an agent, given a connected client and the server's process id, returns."""
    mcp = pytest.importorskip("mcp")
    import asyncio

    script = (
        "import os, sys; from finrag.command import cli; "
        "open(sys.argv[1], 'w').write(str(os.getpid())); sys.exit(cli.main(sys.argv[2:]))"
    )
    pid = folder / "pid"
    state = json.dumps({"state_dir": str(folder / "state")})
    arguments = ["mcp", "--database", str(database), "--out", str(folder / "run.jsonl")]
    arguments += ["--tools", TOOLS, "--vars", state]
    paths = os.pathsep.join([str(Path(cli.__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    started = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-c", script, str(pid), *arguments],
        env={**os.environ, "PYTHONPATH": paths},
    )

    async def run():
        # What is captured of a test's own stderr is no file that a process could write to.
        with (folder / "said").open("a") as said:
            transport = mcp.stdio_client(started, errlog=said)
            async with mcp.Client(transport) as connected:
                return await client(connected, lambda: int(pid.read_text()))

    return asyncio.run(run())


def test_the_protocols_own_client_answers_questions(database, tmp_path):
    async def agent(client, pid):
        names = [tool.name for tool in (await client.list_tools()).tools]
        told = json.loads((await client.call_tool("next_question", {})).content[0].text)
        found = await client.call_tool("keyword_search", {"keywords": ["net sales"]})
        bad = await client.call_tool("keyword_search", {"keywords": 4})
        stored = await client.call_tool("submit_answer", {"answer_text": "$120.5 million"})
        return names, told, found, bad, stored

    names, told, found, bad, kept = served(database, tmp_path, agent)
    assert names == ["next_question", "submit_answer", "keyword_search", "chunk_read"]
    assert told["question"] == SALES
    assert "net sales" in found.content[0].text
    assert (found.is_error, bad.is_error, kept.is_error) == (False, True, False)
    (record,) = stored(tmp_path)
    assert steps(record) == [
        (0, "keyword_search", "ok"),
        (1, "keyword_search", "bad_arguments"),
        (2, "answer", "ok"),
    ]


ALL_TOOLS = "keyword_search+semantic_search+chunk_read"
# What the published limits say: each field as (the least, the most, of each one, has a default).
LIMITS = {
    "keyword_search": {"keywords": (1, 8, 80, False), "top_k": (1, 20, None, True)},
    "semantic_search": {"query": (None, 500, None, False), "top_k": (1, 20, None, True)},
    "chunk_read": {"chunk_ids": (1, 10, 200, False)},
}
FILTERS = {
    "companies": (None, 20, 80, True),
    "years": (None, 20, None, True),
    "sections": (None, 20, 80, True),
}


def limits(schema):
    """Of each field the least, the most, the most of each one in it, and whether it may lack."""
    return {
        name: (
            field.get("minItems", field.get("minimum")),
            field.get("maxItems", field.get("maximum", field.get("maxLength"))),
            field.get("items", {}).get("maxLength"),
            name not in schema.get("required", ()),
        )
        for name, field in schema["properties"].items()
    }


@pytest.mark.parametrize("tool_filters", ["on", "off"])
def test_the_protocols_own_client_reads_the_schemas_that_validate(opened, tool_filters):
    mcp = pytest.importorskip("mcp")
    import asyncio

    from finrag.command.tools_serving.server import open_server

    desk = opened(tools=ALL_TOOLS, tool_filters=tool_filters, encoder="wordllama")

    async def listed():
        async with mcp.Client(open_server(desk)) as client:
            return (await client.list_tools()).tools

    seen = {tool.name: tool for tool in asyncio.run(listed())}
    has_filters = tool_filters == "on"
    functions = [one["function"] for one in tool_schemas(ALL_TOOLS.split("+"), has_filters)]
    assert [one["name"] for one in functions] == list(seen)[2:] == list(LIMITS)
    for one in functions:
        tool = seen[one["name"]]
        assert (tool.description, tool.input_schema) == (one["description"], one["parameters"])
        assert tool.input_schema["additionalProperties"] is False
        filters = FILTERS if has_filters and one["name"] != "chunk_read" else {}
        assert limits(tool.input_schema) == LIMITS[one["name"]] | filters


def test_a_server_that_is_killed_loses_no_answer(database, tmp_path):
    async def killed(client, pid):
        await client.call_tool("next_question", {})
        await client.call_tool("submit_answer", {"answer_text": "first"})
        await client.call_tool("next_question", {})
        await client.call_tool("keyword_search", {"keywords": ["bread"]})
        os.kill(pid(), signal.SIGKILL)

    async def rest(client, pid):
        told = json.loads((await client.call_tool("next_question", {})).content[0].text)
        await client.call_tool("keyword_search", {"keywords": ["bread"]})
        await client.call_tool("submit_answer", {"answer_text": "second"})
        return told

    served(database, tmp_path, killed)
    told = served(database, tmp_path, rest)
    assert (told["question_id"], told["n_left"]) == ("p3:2", 2)
    assert [record["answer"] for record in stored(tmp_path)] == ["first", "second"]
    # The call before the kill counts: the same search is a repeat.
    assert [status for *_, status in steps(stored(tmp_path)[1])] == ["ok", "repeated", "ok"]
