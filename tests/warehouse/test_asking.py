"""A live question of the suite gets the build's own ranking, answer, citations and claims."""

import random
from pathlib import Path

import pytest
import yaml

from finrag.command.preflight import merge_variables
from finrag.live.engine import open_engine

ROOT = Path(__file__).parents[2]
AGENTS = ("agent", "agent_first_look")
SYSTEMS = ("multi_path", "dense_open", "naive_rag", "hybrid_rerank", "random_open", *AGENTS)
N_QUESTIONS = 24
SEED = 11


@pytest.fixture(scope="module")
def engine(sample):
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text())
    given = {**sample.variables, "state_dir": str(sample.state)}
    return open_engine(sample.database, merge_variables(project["vars"], given), ROOT)


@pytest.fixture(scope="module")
def drawn(engine):
    return random.Random(SEED).sample(engine.corpus.suites["p3"], N_QUESTIONS)


@pytest.fixture(scope="module")
def asked(engine, drawn):
    """Some questions of the suite, asked live, by their item."""
    return {
        question.item_id: {
            result.system_id: result for result in engine.ask(question.text, SYSTEMS).answers
        }
        for question in drawn
    }


def built(sample, query, asked):
    """Rows of the build by system and item, for the questions that were asked live."""
    found = {(system, item): [] for system in SYSTEMS for item in asked}
    for row in sample.rows(query):
        key = (row.pop("system_id"), row.pop("item_id"))
        if key in found:
            found[key].append(tuple(row.values()))
    return found


def live(asked, value_of):
    return {
        (system, item): value_of(result) for item, by_system in asked.items()
        for system, result in by_system.items()
    }  # fmt: skip


def test_every_ranking_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, passage_id from retrieval.rankings
    where gold_set = 'p3'
    order by system_id, item_id, rank
    """
    result = live(asked, lambda result: [(one,) for one in result.sentence_ids])
    assert result == built(sample, query, asked)


def test_every_answer_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, outcome, answer_text, support from answers.answers
    where gold_set = 'p3'
    """
    result = live(asked, lambda result: [(result.outcome, result.text, result.support)])
    # A system that only ranks has no answer in the build.
    expected = {key: rows for key, rows in built(sample, query, asked).items() if rows}
    assert {key: result[key] for key in expected} == expected
    assert len(expected) == 6 * N_QUESTIONS


def test_every_citation_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, named, quote from answers.answer_citations
    where gold_set = 'p3'
    order by system_id, item_id, citation_pos
    """
    result = live(asked, lambda result: [(one.sentence_id, one.quote) for one in result.sources])
    assert result == built(sample, query, asked)


def test_every_claim_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, claim_text, support, reason from metrics.answer_claims
    order by system_id, item_id, claim_pos
    """
    result = live(
        asked, lambda result: [(one.text, one.support, one.reason) for one in result.claims]
    )
    assert result == built(sample, query, asked)


def test_every_context_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, tag, rank from answers.contexts
    where unit = 'sentence'
    order by system_id, item_id, context_pos
    """
    result = live(asked, lambda result: [(one.tag, one.rank) for one in result.context])
    assert result == built(sample, query, asked)


def test_the_page_tells_that_it_is_as_in_the_build(asked):
    assert {result.as_built for result in live(asked, lambda result: result).values()} == {
        True,
        None,
    }


def test_every_verdict_is_that_of_the_build(sample, asked):
    query = "select system_id, item_id, is_right from metrics.answer_verdicts where gold_set = 'p3'"
    judged = {key: rows for key, rows in built(sample, query, asked).items() if rows}
    result = live(asked, lambda result: [(result.verdict and result.verdict.is_right,)])
    assert {key: result[key] for key in judged} == judged
    assert {rows[0][0] for rows in judged.values()} >= {True, False}


def without(toolbox, evidence):
    """The same tools, which neither find nor read a chunk that holds some of the evidence."""
    chunked = toolbox.chunked
    number_of = {key: number for number, key in enumerate(chunked.passage_ids.to_pylist())}
    chunks = [chunk for key in evidence for chunk in chunked.chunks_of.of(number_of[key]).tolist()]
    withheld = [chunked.chunk_ids[chunk] for chunk in chunks]
    return type(toolbox)(chunked, toolbox.directory, toolbox.system, toolbox._settings, withheld)


def test_an_agent_declines_where_its_tools_withhold_the_evidence(engine, drawn, asked, monkeypatch):
    toolboxes = engine._sessions._toolboxes
    toolbox = toolboxes["agent", False]
    answered = [
        question
        for question in drawn
        if question.evidence and asked[question.item_id]["agent"].outcome == "answered"
    ]
    outcomes = []
    for question in answered:
        monkeypatch.setitem(toolboxes, ("agent", False), without(toolbox, question.evidence))
        outcomes += [result.outcome for result in engine.ask(question.text, ["agent"]).answers]
    assert len(outcomes) >= N_QUESTIONS / 2
    assert outcomes.count("abstained") >= 0.9 * len(outcomes)
