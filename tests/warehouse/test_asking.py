"""A live question of the suite gets the build's own ranking, answer, citations and claims."""

import random
from pathlib import Path

import pytest
import yaml

from finrag.command.preflight import merge_variables
from finrag.live.engine import open_engine

ROOT = Path(__file__).parents[2]
SYSTEMS = ("multi_path", "dense_open", "naive_rag", "hybrid_rerank", "random_open")
N_QUESTIONS = 50
SEED = 11


@pytest.fixture(scope="module")
def asked(sample):
    """Some questions of the suite, asked live, by their item."""
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text())
    given = {**sample.variables, "state_dir": str(sample.state)}
    engine = open_engine(sample.database, merge_variables(project["vars"], given), ROOT)
    suite = sorted(engine.corpus.suite.values(), key=lambda question: question.item_id)
    drawn = random.Random(SEED).sample(suite, N_QUESTIONS)
    return {
        question.item_id: {told.system_id: told for told in engine.ask(question.text, SYSTEMS).told}
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


def live(asked, told_of):
    return {
        (system, item): told_of(told) for item, by_system in asked.items()
        for system, told in by_system.items()
    }  # fmt: skip


def test_every_ranking_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, passage_id from retrieval.rankings
    where gold_set = 'p3'
    order by system_id, item_id, rank
    """
    told = live(asked, lambda told: [(one,) for one in told.sentence_ids])
    assert told == built(sample, query, asked)


def test_every_answer_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, outcome, answer_text, support from answers.answers
    where gold_set = 'p3'
    """
    told = live(asked, lambda told: [(told.outcome, told.text, told.support)])
    # A system that only ranks has no answer in the build.
    expected = {key: rows for key, rows in built(sample, query, asked).items() if rows}
    assert {key: told[key] for key in expected} == expected
    assert len(expected) == 4 * N_QUESTIONS


def test_every_citation_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, named, quote from answers.answer_citations
    where gold_set = 'p3'
    order by system_id, item_id, citation_pos
    """
    told = live(asked, lambda told: [(one.sentence_id, one.quote) for one in told.sources])
    assert told == built(sample, query, asked)


def test_every_claim_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, claim_text, support, reason from metrics.answer_claims
    order by system_id, item_id, claim_pos
    """
    told = live(asked, lambda told: [(one.text, one.support, one.reason) for one in told.claims])
    assert told == built(sample, query, asked)


def test_every_context_is_that_of_the_build(sample, asked):
    query = """
    select system_id, item_id, tag, rank from answers.contexts
    where unit = 'sentence'
    order by system_id, item_id, context_pos
    """
    told = live(asked, lambda told: [(one.tag, one.rank) for one in told.context])
    assert told == built(sample, query, asked)


def test_the_page_tells_that_it_is_as_in_the_build(asked):
    assert {told.as_built for told in live(asked, lambda told: told).values()} == {True, None}
