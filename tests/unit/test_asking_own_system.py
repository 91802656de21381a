"""Your own system asked by `finrag eval`: what it is given, what it may return, what goes wrong."""

import asyncio
import functools
import io
import json
import math
import subprocess
import sys
import time
from contextlib import nullcontext
from decimal import Decimal
from types import SimpleNamespace

import pytest

from finrag.command.evaluating import asking, waiting
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.callables import (
    Question,
    asker,
    fingerprint,
    load,
    read_result,
)
from finrag.command.evaluating.conditions import read_condition
from finrag.command.evaluating.waiting import EventLoop
from finrag.sources.predictions.fields import parse_prediction

QUESTION = Question("p3:Q1", "What were net sales?", ("Alder Works",), (2021,))
# Nothing is awaited in it.
LOOP = EventLoop()


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (lambda question: question.upper(), {"answer": "WHAT WERE NET SALES?"}),
        (lambda q: f"{q}!", {"answer": "What were net sales?!"}),
        (
            lambda question, companies, years, k, history: {
                "answer": f"{companies} {years} {k} {history}",
                "abstained": False,
            },
            {"answer": "['Alder Works'] [2021] 7 []", "abstained": False},
        ),
        (lambda question, **more: {"abstained": True, **more}, {"abstained": True}),
        (lambda question: {"answer": 12.5, "id": "p3:Q9"}, {"answer": 12.5}),
        (
            lambda question: {"answer": "x", "numeric_value": math.nan, "at": {1}},
            {"answer": "x", "numeric_value": math.nan, "at": [1]},
        ),
        (
            lambda question: {"answer": None, "documents": ["Sales."]},
            {"answer": None, "documents": [{"text": "Sales.", "ids": []}]},
        ),
        (
            lambda question: {"Answer": "x", " Documents": ["Sales."], "ID": "p3:Q9"},
            {"answer": "x", "documents": [{"text": "Sales.", "ids": []}]},
        ),
        (lambda question: ["Sales."], {"documents": [{"text": "Sales.", "ids": []}]}),
    ],
)
def test_a_function_gets_what_its_signature_has(system, expected):
    assert asker(system, 7, LOOP)(QUESTION) == expected


def test_a_function_gets_the_document_and_the_earlier_turns_of_a_public_set():
    question = Question("finqa:2", "and before?", (), (), ("finqa:page_4",), ("what was it?",))
    system = asker(lambda question, documents, history: f"{documents} {history}", 7, LOOP)
    assert system(question) == {"answer": "['finqa:page_4'] ['what was it?']"}


class Client:
    """As clients of services are: made once, and bound to the event loop of the first call."""

    def __init__(self, takes_s=0.0):
        self.takes_s = takes_s
        self.loop = None
        self.n_now = self.n_at_once = 0
        self.was_cancelled = False

    async def answer(self, question):
        self.loop = self.loop or asyncio.get_running_loop()
        if asyncio.get_running_loop() is not self.loop:
            raise RuntimeError("Event loop is closed")
        self.n_now += 1
        self.n_at_once = max(self.n_at_once, self.n_now)
        try:
            await asyncio.sleep(self.takes_s)
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        finally:
            self.n_now -= 1
        return f"About {question}"


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_client_that_is_made_once_answers_every_question(tmp_path, n_threads):
    client = Client(takes_s=0.05)
    records = ask(tmp_path, client.answer, n=8, n_threads=n_threads)

    assert [one["answer"] for one in records] == [f"About Question {n}?" for n in range(8)]
    assert client.n_at_once == n_threads
    assert client.loop.is_closed()


@pytest.mark.parametrize("kind", [type("Runnable", (), {}), type("Engine", (), {})])
def test_what_an_object_returns_later_is_awaited_in_the_same_loop(tmp_path, kind):
    client = Client()
    system = kind()
    setattr(system, {"Runnable": "invoke", "Engine": "query"}[kind.__name__], client.answer)
    assert all("answer" in one for one in ask(tmp_path, system, n=4))


def test_it_works_where_a_loop_is_running(tmp_path):
    client = Client()

    async def running():
        return ask(tmp_path, client.answer, n=4)

    assert all("answer" in one for one in asyncio.run(running()))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("the index is away"), "RuntimeError: the index is away"),
        (SystemExit("gone"), "SystemExit: gone"),
        (KeyboardInterrupt(), "KeyboardInterrupt: "),
        (asyncio.CancelledError("by whom"), "CancelledError: "),
    ],
)
def test_whatever_an_async_function_raises_is_the_failure_of_its_question(tmp_path, error, words):
    client = Client()

    async def answer(question):
        if question == "Question 1?":
            raise error
        return await client.answer(question)

    records = ask(tmp_path, answer, n=4, n_threads=1)
    assert records[1]["failure"] == words
    assert ["answer" in one for one in records] == [True, False, True, True]


def test_an_async_function_that_hangs_is_given_up_and_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "_POLL_S", 0.01)
    client = Client(takes_s=30)

    start = time.monotonic()
    records = ask(tmp_path, client.answer, n=2, timeout_s=0.05)
    assert time.monotonic() - start < 5
    assert {one["failure"] for one in records} == {"no answer within 0.05 s"}
    assert client.was_cancelled
    assert client.loop.is_closed()


def test_a_loop_that_cannot_be_ended_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "_POLL_S", 0.01)
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.05)

    async def answer(question):
        time.sleep(3)

    start = time.monotonic()
    records = ask(tmp_path, answer, n=1, timeout_s=0.05)
    assert time.monotonic() - start < 2
    assert records[0]["failure"] == "no answer within 0.05 s"


def test_runs_of_one_loop_share_a_client(tmp_path):
    client = Client()
    with EventLoop() as loop:
        for name in ("first", "second"):
            assert all("answer" in one for one in ask(tmp_path / name, client.answer, loop=loop))
        assert not client.loop.is_closed()
    assert client.loop.is_closed()


class Runnable:
    """As LangChain's: a chain that returns a message and documents."""

    def invoke(self, given):
        document = SimpleNamespace(page_content="Net sales rose.", metadata={"sentence_id": "S1"})
        message = SimpleNamespace(content=f"About {given}", usage_metadata={"input_tokens": 9})
        return {"answer": message, "context": [document]}


class Engine:
    """As LlamaIndex's: a response with nodes that have scores."""

    def query(self, text):
        node = SimpleNamespace(text="Net sales rose.", metadata={})
        nodes = [SimpleNamespace(node=node, score=0.5)]
        return SimpleNamespace(response=f"About {text}", source_nodes=nodes)


class Module:
    """As DSPy's: called by name, and a prediction that is no mapping."""

    def __call__(self, question):
        return SimpleNamespace(answer=f"About {question}", context=["Net sales rose."])


def test_objects_are_recognised_by_what_they_have():
    about = "About What were net sales?"
    text = "Net sales rose."
    assert asker(Runnable(), 5, LOOP)(QUESTION) == {
        "answer": about,
        "documents": [{"text": text, "ids": ["S1"]}],
        "usage": {"input_tokens": 9},
    }
    silent = SimpleNamespace(response=None, source_nodes=[SimpleNamespace(text=text)])
    assert read_result(silent) == {"answer": None, "documents": [{"text": text, "ids": []}]}
    for system in (Engine(), Module()):
        assert asker(system, 5, LOOP)(QUESTION) == {
            "answer": about,
            "documents": [{"text": text, "ids": []}],
        }


def test_a_runnable_with_a_named_input_gets_it_by_name():
    class Named(Runnable):
        def get_input_schema(self):
            schema = {"type": "object", "properties": {"input": {}}}
            return SimpleNamespace(model_json_schema=lambda: schema)

    assert asker(Named(), 5, LOOP)(QUESTION)["answer"] == "About {'input': 'What were net sales?'}"


@pytest.mark.parametrize("nothing", [None, {}, {"citations": ["S1"]}, SimpleNamespace()])
def test_nothing_is_no_answer(nothing):
    with pytest.raises(ValueError, match="neither an answer nor passages"):
        read_result(nothing)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (("It rose.", ["Sales rose."]), "a tuple; return a mapping with answer and documents"),
        ({"answer": "x", "Answer": "y"}, "answer twice, in different capitals"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(result, words):
    with pytest.raises(ValueError, match=words):
        read_result(result)


@pytest.mark.parametrize("system", [object(), Runnable, 3])
def test_what_cannot_be_asked_is_refused(system):
    with pytest.raises(ValueError, match=r"cannot be asked|is a class"):
        asker(system, 5, LOOP)


@pytest.mark.parametrize(
    "place", ["json", "json:nosuch", "no.such:thing", "os:system('x')", "../x:y", ":x"]
)
def test_a_place_that_leads_nowhere_says_so(place):
    with pytest.raises(ValueError, match=r"cannot be loaded|does not name an object"):
        load(place)


CHAIN = """
import functools
from wrapping import Chain

def answer(question, prompt=""):
    return "yes"

chain = Chain(answer)
part = functools.partial(answer, prompt="Be brief.")
plain = answer
"""


@pytest.mark.parametrize("name", ["plain", "chain", "part"])
def test_an_edited_system_has_another_fingerprint(tmp_path, monkeypatch, name):
    """Whether it is named by its place, or an object that wraps a function of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    wrapping = "class Chain:\n    def __init__(self, func):\n        self.func = func\n"
    (tmp_path / "wrapping.py").write_text(wrapping)
    found = []
    for text in (CHAIN, CHAIN, CHAIN.replace("yes", "no")):
        (tmp_path / "chains.py").write_text(text)
        monkeypatch.delitem(sys.modules, "chains", raising=False)
        system = load(f"chains:{name}")
        found.append((fingerprint(system), fingerprint(system, f"chains:{name}")))
    assert found[0] == found[1]
    assert found[0][0] != found[2][0]
    assert found[0][1] != found[2][1]


def test_a_partial_of_other_values_has_another_fingerprint():
    given = [
        {"prompt": "Be brief."},
        {"prompt": "Be right."},
        {"k": 3},
        {"k": 3, "client": object()},
    ]
    found = [fingerprint(functools.partial(ask, **one)) for one in given]
    assert len(set(found)) == 3
    # An object has no value that another process would find again.
    assert found[2] == found[3]


def test_an_edited_module_that_makes_an_object_of_a_package_has_another_fingerprint(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    found = set()
    for prompt in ("Be brief.", "Be right."):
        text = f"from types import SimpleNamespace\nengine = SimpleNamespace(prompt={prompt!r})\n"
        (tmp_path / "engines.py").write_text(text)
        monkeypatch.delitem(sys.modules, "engines", raising=False)
        found.add(fingerprint(load("engines:engine"), "engines:engine"))
    assert len(found) == 2


def ask(folder, system, n=3, identity="v1", timeout_s=5.0, n_threads=2, loop=None):
    questions = [Question(f"p3:Q{number}", f"Question {number}?") for number in range(n)]
    with EventLoop() if loop is None else nullcontext(loop) as shared:
        asked = asker(system, 5, shared)
        return ask_all(questions, asked, folder, identity, n_threads, timeout_s, io.StringIO())


def test_nothing_answered_is_asked_twice(tmp_path):
    asked = []

    def answer(question):
        asked.append(question)
        if question == "Question 1?" and len(asked) < 4:
            raise RuntimeError("the index is away \ud800")
        return f"About {question}"

    first = ask(tmp_path, answer)
    assert [record["id"] for record in first] == ["p3:Q0", "p3:Q1", "p3:Q2"]
    assert first[1]["failure"] == "RuntimeError: the index is away ?"
    assert len(asked) == 3

    again = ask(tmp_path, answer)
    assert asked[3:] == ["Question 1?"]
    assert again[0] == first[0]
    assert again[1]["answer"] == "About Question 1?"

    ask(tmp_path, answer, identity="v2")
    assert len(asked) == 7


def test_whatever_a_system_does_is_a_failure_with_its_text(tmp_path):
    def leave(question):
        raise SystemExit("gone")

    assert {one["failure"] for one in ask(tmp_path, leave)} == {"SystemExit: gone"}


@pytest.mark.parametrize(
    "number",
    [10**5000, -(10**5000), 10**400, 1e308, Decimal("1e400")],
    ids=["10**5000", "-10**5000", "10**400", "1e308", "Decimal"],
)
def test_a_number_that_cannot_be_written_spoils_one_answer(tmp_path, number):
    def system(question):
        return {"answer": "$5", "numeric_value": number if question == "Q1" else 5}

    asked = [Question(f"p3:{text}", text) for text in ("Q1", "Q2")]
    first, second = ask_all(asked, asker(system, 5, LOOP), tmp_path, "v1", 1, 9.0, io.StringIO())

    assert (second["answer"], second["numeric_value"]) == ("$5", 5)
    assert first["answer"] == "$5"
    row = parse_prediction(json.loads(json.dumps(first)))
    assert row["numeric_value"] in (1e308, None)


@pytest.mark.parametrize(
    "said",
    [
        {"latency_ms": 1},
        {"Latency_ms": 1},
        {"processing_time_ms": 1},
        {"usage": {"latency_ms": 1, "input_tokens": 5}},
    ],
)
def test_a_system_cannot_state_its_own_latency(tmp_path, said):
    def answer(question):
        time.sleep(0.2)
        return {"answer": "yes", **said}

    (record,) = ask(tmp_path, answer, n=1)
    parsed = parse_prediction(record)
    assert parsed["latency_ms"] >= 150
    assert parsed["input_tokens"] == (5 if "usage" in said else None)


def test_a_system_that_hangs_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "MAX_TIMEOUTS_IN_A_ROW", 2)
    monkeypatch.setattr(asking, "_POLL_S", 0.01)

    start = time.monotonic()
    records = ask(tmp_path, lambda question: time.sleep(30), n=4, timeout_s=0.05, n_threads=1)
    assert time.monotonic() - start < 5
    assert [one["failure"] for one in records] == ["no answer within 0.05 s"] * 2 + [
        "not asked: 2 questions in a row took too long before"
    ] * 2


KILLED = """
import sys, time
from pathlib import Path
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.callables import Question
folder = Path(sys.argv[1])

def ask(question):
    with (folder / "asked").open("a") as asked:
        asked.write(f"{question.item_id}\\n")
    time.sleep(0.03)
    return {"answer": "yes"}

questions = [Question(f"p3:Q{number:02}", "Why?") for number in range(40)]
assert len(ask_all(questions, ask, folder / "answers", "v1", 1, 5.0)) == 40
"""


def test_after_a_kill_only_what_was_not_answered_is_asked(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while len(list(tmp_path.glob("answers/*.json"))) < 5:
        time.sleep(0.01)
    running.kill()
    running.communicate()
    n_stored = len(list(tmp_path.glob("answers/[!.]*.json")))

    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    asked = (tmp_path / "asked").read_text().split()
    assert len(set(asked)) == 40
    # Whatever was under way when it was killed is asked again, and nothing else.
    assert 40 <= len(asked) <= 41
    assert n_stored < 40


ROW = {
    "question_id": "Q1",
    "question": "What's it?",
    "category": "A",
    "difficulty": "hard",
    "company": ["Alder Works", "Birch Foods"],
    "year": [2021, 2022],
    "section": None,
}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", True),
        ("category = 'A'", True),
        ("CATEGORY = 'a'", False),
        ("category <> 'A' or difficulty = 'hard'", True),
        ("category = 'B' or category = 'A' and difficulty = 'easy'", False),
        ("(category = 'B' or category = 'A') and not difficulty = 'easy'", True),
        ("company = 'Birch Foods' and year > 2021", True),
        ("year in (2019, 2021)", True),
        ("category not in ('A', 'B')", False),
        ("company like 'Alder%'", True),
        ("company like '%Foods' and question = 'What''s it?'", True),
        ("company not like '%r%'", False),
        ("section is null and category is not null", True),
        ("question like '%or%'", False),
        ("section != 'x'", False),
        ("section not in ('x')", False),
        ("section not like 'x%'", False),
        ("company not in ('Cedar Bank')", True),
    ],
)
def test_a_condition_is_read_as_sql_would(condition, expected):
    assert read_condition(condition)(ROW) is expected


def test_a_condition_may_name_every_question_of_a_large_suite():
    ids = [f"P3-{number:06d}-{'x' * 30}" for number in range(16_000)]
    listed = ", ".join(f"'{one}'" for one in ids)
    fits = read_condition(f"question_id in ({listed}) and category = 'A'")
    assert fits({"question_id": ids[-1], "category": "A"})
    assert not fits({"question_id": "P3-none", "category": "A"})
    ored = " or ".join(f"question_id = '{one}'" for one in ids)
    assert read_condition(ored)({"question_id": ids[-1]})
    with pytest.raises(ValueError, match="name fewer questions") as refused:
        read_condition(listed * 3)
    # Of a long condition a message quotes the beginning.
    with pytest.raises(ValueError, match="expected") as unread:
        read_condition(f"question_id in ({listed}")
    assert max(len(str(one.value)) for one in (refused, unread)) < 300


@pytest.mark.parametrize(
    "condition",
    [
        "category",
        "category = A",
        "answer_text = '5'",
        "category = 'A'; drop table x",
        "1 = 1",
        "year = '2021'",
        "category = 'A' union select 1",
        "read_csv('/etc/passwd') is null",
        "category = 'A' --",
        "not",
        "(category = 'A'",
        "(" * 400 + "category = 'A'",
        "category in ()",
        "category = 'A" + "x" * 2000,
        "year = 1e5",
    ],
)
def test_anything_else_is_no_condition(condition):
    with pytest.raises(ValueError, match="condition"):
        read_condition(condition)
