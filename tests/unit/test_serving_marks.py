"""Marks that people make in `finrag serve`: what the page shows, and the file that comes back."""

import csv
import hashlib
import html
import re
from pathlib import Path

import pytest

from finrag.records.reviews import COLUMNS, append_review, check_reviews, read_reviews
from tests.unit.serving import PLANTED, Server, write_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(write_folder(tmp_path_factory.mktemp("marking") / "served")).start()
    yield server
    server.stop()


@pytest.fixture
def reviews(server):
    path = server.folder / "reviews.csv"
    path.unlink(missing_ok=True)
    return path


def mark(server, **fields):
    page = server.get("/questions/aa").text
    (token,) = set(re.findall(r'name="token" value="([^"]+)"', page))
    shown = dict(re.findall(r'name="system" value="(.*)">\n<input .*"shown" value="(.*)">', page))
    given = {"token": token, "system": "mine", "mark": "right", "reviewer": "mk", **fields}
    given.setdefault("shown", shown.get(given["system"], ""))
    return server.post("/questions/aa", data=given)


def rows(path):
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_an_answer_is_marked_as_the_warehouse_reads_it(server, reviews):
    answer = mark(server, mark="wrong", comment='a segment\'s\nfigure, not "theirs"')
    assert (answer.status_code, answer.headers["location"]) == (303, "/questions/aa")
    (row,) = rows(reviews)
    assert row.pop("reviewed_on")[:2] == "20"
    assert row == {
        "question_id": "Q1",
        "verdict": "wrong",
        "field": "",
        "corrected_value": "",
        "content_hash": hashlib.md5(PLANTED.encode(), usedforsecurity=False).hexdigest(),
        "reviewer": "mk",
        "reason": 'a segment\'s figure, not "theirs"',
        "system_id": "mine",
    }


@pytest.mark.parametrize("said", ["perfect", "minor extrapolation", "hallucination"])
def test_what_is_due_in_the_manual_sample_is_listed_and_marked(server, reviews, said):
    listed = server.get("/questions?due=1").text
    assert re.findall(r'href="(/questions/\w+)"', listed) == ["/questions/aa"]
    assert "<td>mine, other</td>" in listed
    assert "/questions/aa" not in server.get("/questions?due=1&words=nowhere").text
    assert mark(server, mark=said).is_redirect
    (row,) = rows(reviews)
    assert (row["verdict"], row["system_id"]) == (said, "mine")


def test_wrong_gold_becomes_a_review_of_the_question(server, reviews):
    assert mark(server, mark="gold is wrong", system="", comment="of another year").is_redirect
    (row,) = rows(reviews)
    assert (row["verdict"], row["system_id"], row["content_hash"]) == ("reject", "", "h1")


def test_the_file_has_the_columns_of_the_seed():
    with (ROOT / "seeds" / "gold" / "p3_reviews.csv").open() as seed:
        assert tuple(seed.readline().strip().split(",")) == COLUMNS


def test_what_is_planted_is_shown_and_never_run(server, reviews):
    assert mark(server, comment=PLANTED, reviewer=PLANTED[:80]).is_redirect
    for path in (
        "/questions/aa",
        "/questions",
        "/questions?due=1",
        f"/questions?words={PLANTED[:7]}",
    ):
        answer = server.get(path)
        assert html.escape(PLANTED, quote=False)[:20] in answer.text
        assert "<script" not in answer.text
        assert "<img" not in answer.text
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert re.findall(r'(?:src|href|action)="(?!/|data:|#)', answer.text) == []


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"token": "x"}, 403, "before the server was restarted"),
        ({"token": ""}, 403, "before the server was restarted"),
        ({"mark": "accept"}, 400, "choose one of right, wrong, perfect"),
        ({"reviewer": " "}, 400, "your name"),
        ({"reviewer": "x" * 81}, 400, "your name"),
        ({"comment": "x" * 2001}, 400, "longer than 2,000"),
        ({"system": "other"}, 400, "no answer"),
        ({"shown": "of an earlier answer"}, 400, "changed since you opened the page"),
        ({"mark": "gold is wrong", "comment": "so", "shown": "x"}, 400, "changed since"),
        ({"mark": "gold is wrong"}, 400, "what is wrong with the gold"),
    ],
)
def test_a_mark_that_is_incomplete_or_not_from_the_form_changes_nothing(
    server, reviews, fields, status, words
):
    answer = mark(server, **fields)
    assert answer.status_code == status
    assert words in answer.text
    assert not reviews.exists()


@pytest.mark.parametrize("path", ["/questions/bb", "/questions/..%2Faa", "/questions/'"])
def test_a_question_that_is_not_there(server, path):
    assert server.get(path).status_code == 404


def test_words_of_a_search_are_words_and_no_pattern(server):
    assert 'href="/questions/aa"' in server.get("/questions?words=HOW MUCH").text
    assert 'href="/questions/aa"' not in server.get("/questions?words=%25").text
    assert server.get("/questions?page=-1").status_code == 200


def test_a_mark_on_a_file_of_fewer_columns_or_without_a_last_line_break(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text("question_id,verdict,reason\nQ1,accept,good")
    append_review(path, {"question_id": "Q2", "verdict": "reject", "reason": "=cmd()|bad"})
    assert [one["reason"] for one in read_reviews(path)] == ["good", "'=cmd()|bad"]
    with pytest.raises(ValueError, match="no column system_id"):
        append_review(path, {"question_id": "Q2", "verdict": "right", "system_id": "mine"})
    assert len(read_reviews(path)) == 2


@pytest.mark.parametrize(
    "text",
    ["a,b\n", "question_id,verdict,more\n", "", b"\xff\xfe", "question_id,verdict\nq\n"],
)
def test_a_file_that_is_none_of_reviews_is_refused_before_a_build(tmp_path, text):
    path = tmp_path / "reviews.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=r"reviews\.csv"):
        check_reviews([str(path)])
    with pytest.raises(ValueError, match="no file at"):
        check_reviews(str(tmp_path / "none.csv"))
    assert check_reviews([]) is None
