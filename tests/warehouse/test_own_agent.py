"""An agent of one's own on the sample: every question without a word of gold, then the verdict."""

import json
import sys

import pytest

from finrag.command.settings import all_variables
from finrag.command.tools_serving.opening import open_desk
from tests.warehouse.test_own_system import finrag

pytest.importorskip("mcp")

ANSWERS = """
select items.item_id, items.question_text, item_answers.answer_text,
    list(judgments.passage_id order by judgments.passage_id) as evidence
from gold.items
inner join gold.item_answers on items.item_id = item_answers.item_id
left join gold.judgments on items.item_id = judgments.item_id
where items.gold_set = 'p3'
group by items.item_id, items.question_text, item_answers.answer_text
order by items.item_id
"""
TOLD = {"is_done", "question_id", "question", "history", "n_left", "max_tool_calls"}
# Shorter answers, such as "2021" or "yes", stand in any text.
LONG = 12


def session(desk, gold):
    """Answers the next question from what the tools return; what a response holds of its gold."""
    reply = desk.call("next_question", {})
    told = json.loads(reply.text)
    if told["is_done"]:
        return None
    own = gold[told["question_id"]]
    plain = [reply.text.replace(json.dumps(told["question"], ensure_ascii=False), "")]
    found = desk.call("semantic_search", {"query": told["question"][:500]})
    results = json.loads(found.text.split("\n", 1)[1])["results"]
    read = desk.call("chunk_read", {"chunk_ids": [one["chunk_id"] for one in results[:2]]})
    answer = {"answer_text": results[0]["sentences"][0]} if results else {"abstained": True}
    plain.append(desk.call("submit_answer", answer).text)
    problems = [] if told.keys() == TOLD and told["question"] == own["question_text"] else [told]
    text = own["answer_text"] or ""
    problems += [one for one in plain if len(text) > LONG and text in one]
    # Tools return chunks and their text, never the id of a passage.
    evidence = own["evidence"]
    problems += [
        one
        for one in (*plain, found.text, read.text)
        if any(f'"{key}"' in one for key in (*evidence, "answer_text", "evidence", "judgments"))
    ]
    return problems


def answered(desk, gold):
    problems = []
    while (found := session(desk, gold)) is not None:
        problems += found
    return problems


@pytest.fixture(scope="module")
def own(sample, tmp_path_factory):
    return sample.copy(tmp_path_factory.mktemp("agent") / "own")


@pytest.fixture(scope="module")
def run(own):
    settings = all_variables("{}") | own.variables | {"state_dir": str(own.state)}
    gold = {row["item_id"]: row for row in own.rows(ANSWERS)}
    out = own.folder / "my_agent.jsonl"
    desk, file = open_desk(own.database, "p3", "", None, "", {}, settings, out)
    opened = []
    is_watched = True

    def watch(event, arguments):
        if is_watched and event == "open":
            opened.append(arguments[0])

    with file:
        session(desk, gold)
        sys.addaudithook(watch)
        problems = answered(desk, gold)
        is_watched = False
    return out, gold, problems, opened


def test_no_response_to_any_question_holds_gold(run):
    out, gold, problems, _ = run
    assert len(out.read_text("utf-8").splitlines()) == len(gold) > 600
    assert problems == []


def test_no_file_is_opened_once_the_tools_are_there(run):
    assert run[3] == []


def test_gold_that_is_planted_in_a_question_is_seen(own, run, monkeypatch):
    gold = run[1]
    settings = all_variables("{}") | own.variables | {"state_dir": str(own.state)}
    out = own.folder / "planted.jsonl"
    desk, file = open_desk(own.database, "p3", "", 5, "", {}, settings, out)
    call = desk.call

    def leaking(name, given):
        reply = call(name, given)
        if name != "next_question" or json.loads(reply.text)["is_done"]:
            return reply
        key = json.loads(reply.text)["question_id"]
        hint = json.dumps((gold[key]["evidence"] or ["evidence"])[:1])
        return type(reply)(reply.text.replace('"history": []', f'"history": {hint}'))

    monkeypatch.setattr(desk, "call", leaking)
    with file:
        assert answered(desk, gold)


def test_the_run_comes_in_as_a_candidate(own, run):
    options = ["--gold", "p3", "--limit", "40", "--vars", json.dumps(own.variables)]
    status, screen = finrag(own, "eval", run[0].name, *options)
    assert status in (1, 3), screen
    assert "Smoke run of my_agent on 40 of" in screen
    assert "not used" not in screen
    assert "not run" not in screen.split("asked 40 = ")[1].splitlines()[0]
