"""Settings of `finrag serve`: schedules, what is allowed, and the command of an evaluation."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from finrag.command.cli import _parser
from finrag.command.serving.commands import with_reviews
from finrag.command.serving.queue import evaluation
from finrag.command.serving.schedule import last_due
from finrag.command.serving.settings import (
    Request,
    Schedule,
    Settings,
    check_allowed,
    read_file,
    read_request,
    read_schedule,
)
from finrag.command.serving.store import Run

SETTINGS = Settings(Path("w.duckdb"), Path(".finrag"), lambda *_: [], allowed=("m:f",))


@pytest.mark.parametrize(
    ("every", "now", "due"),
    [
        ("nightly", "2026-11-23T02:00", "2026-11-23T02:00"),
        ("nightly", "2026-11-23T01:59", "2026-11-22T02:00"),
        ("nightly", "2026-01-01T01:00", "2025-12-31T02:00"),
        ("monthly", "2026-11-23T01:00", "2026-11-01T02:00"),
        ("monthly", "2026-03-01T01:59", "2026-02-01T02:00"),
        ("monthly", "2026-03-01T02:00", "2026-03-01T02:00"),
        ("quarterly", "2026-11-23T01:00", "2026-10-01T02:00"),
        ("quarterly", "2026-01-01T01:00", "2025-10-01T02:00"),
        ("quarterly", "2026-04-01T02:00", "2026-04-01T02:00"),
        ("quarterly", "2024-03-31T23:00", "2024-01-01T02:00"),
    ],
)
def test_when_a_schedule_was_due_last(every, now, due):
    schedule = Schedule("s", every, datetime.time(2), Request("m:f"))
    asked = datetime.datetime.fromisoformat(f"{now}+00:00")
    assert last_due(schedule, asked) == datetime.datetime.fromisoformat(f"{due}+00:00")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"name": "N!", "every": "nightly", "candidate": "m:f"}, "give a name"),
        ({"name": "n", "every": "hourly", "candidate": "m:f"}, "every is one of nightly"),
        ({"name": "n", "every": "nightly", "at": 200, "candidate": "m:f"}, "at is a time"),
        ({"name": "n", "every": "nightly", "candidate": "os:system"}, "neither a system"),
        ({"name": "n", "every": "nightly", "candidate": "m:f", "limit": -1}, "limit is a whole"),
    ],
)
def test_a_schedule_that_cannot_be_read_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        read_schedule(given, SETTINGS)


def test_the_file_of_settings(tmp_path):
    path = tmp_path / "serve.yml"
    assert read_file(path) == ([], [])
    path.write_text(
        "allow: ['m:f']\nschedules:\n  - {name: n, every: monthly, candidate: 'm:f', limit: 5}\n"
    )
    allow, schedules = read_file(path)
    assert allow == ["m:f"]
    assert read_schedule(schedules[0], SETTINGS) == Schedule(
        "n", "monthly", datetime.time(2), Request("m:f", limit=5)
    )
    for text in ("allow: m:f", "hosts: []", "schedules: [nightly]", "[1]", "a: *b"):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"serve\.yml"):
            read_file(path)


@pytest.mark.parametrize(
    "one", ["ftp://host", "http://user:word@host", "none/such", "a b", "http://"]
)
def test_what_is_no_candidate_cannot_be_allowed(one):
    with pytest.raises(ValueError, match="cannot be allowed"):
        check_allowed([one])


def test_the_evaluation_is_the_command_that_a_person_types():
    run = Run("000001-0a0b0c0d", 1, "-x", "p3", "category = 'A'", 5, "", "", version="v1+a")
    line = evaluation(SETTINGS, '{"encoder": "minilm"}', run, Path("r.json"))
    assert line[1:4] == ["-P", "-m", "finrag.command.cli"]
    options = _parser().parse_args(line[4:])
    assert (options.source, options.where, options.limit) == ("-x", "category = 'A'", 5)
    assert options.gold == "p3"
    assert options.version == "v1+a"
    assert (options.vars, options.record) == ('{"encoder": "minilm"}', Path("r.json"))
    assert options.database == Path("w.duckdb")


def test_a_gold_set_and_some_of_its_questions_reach_a_system_of_the_project(tmp_path):
    entry = {"system_id": "my_rag", "system_kind": "external_file"}
    (tmp_path / "systems.yml").write_text(json.dumps({"systems": [entry]}))
    settings = replace(SETTINGS, variables={"systems_paths": str(tmp_path / "systems.yml")})
    sent = {"candidate": "my_rag", "gold": "finqa", "where": "year = 2022", "limit": 3}
    request = read_request(sent, settings)
    assert request == Request("my_rag", "finqa", "year = 2022", 3)
    run = Run("000001-0a0b0c0d", 1, "my_rag", request.gold, request.where, 3, "", "")
    options = _parser().parse_args(evaluation(settings, "{}", run, Path("r.json"))[4:])
    assert (options.source, options.gold, options.limit) == ("my_rag", "finqa", 3)


def test_an_evaluation_reads_the_marks_once_there_are_any(tmp_path):
    reviews = tmp_path / "reviews.csv"
    assert with_reviews({"llm": "m"}, {"reviews_paths": []}, reviews) == {"llm": "m"}
    reviews.touch()
    assert with_reviews({}, {"reviews_paths": "a.csv"}, reviews) == {
        "reviews_paths": ["a.csv", str(reviews)]
    }
    assert with_reviews({}, {"reviews_paths": [str(reviews)]}, reviews) == {}
