"""`finrag fetch` against a local server with invented filings and faults."""

import csv
import gzip
import hashlib
import http.server
import json
import subprocess
import sys
import threading
from collections import Counter
from email.utils import formatdate
from pathlib import Path

import pytest

from finrag.command.cli import main
from finrag.services.edgar import client, folder

ROOT = Path(__file__).parents[2]
IDENTITY = "Ann Example ann@example.com"
CIK = 900001
NEXT_CENTURY = "Fri, 01 Jan 2100 00:00:00 GMT"
TICKERS = "/files/company_tickers.json"
RECENT = f"/submissions/CIK{CIK:010d}.json"
OLDER = f"/submissions/CIK{CIK:010d}-submissions-001.json"
# Accession number, filed, period, form, document.
FILINGS = (
    ("0000900001-24-000003", "2024-02-01", "2023-12-31", "10-K", "acme-2023.htm"),
    ("0000900001-24-000009", "2024-05-01", "2023-12-31", "10-K/A", "acme-2023a.htm"),
    ("0000900001-23-000007", "2023-10-30", "2023-09-30", "10-Q", "acme-q3.htm"),
    # A year of 52 weeks that ends in the first days of the next.
    ("0000900001-23-000001", "2023-02-01", "2023-01-01", "10-K", "acme-2022.htm"),
)
OLD = (
    ("0000900001-98-000002", "1998-03-01", "1997-12-31", "10-K405", "old.txt"),
    ("0000900001-97-000002", "1997-03-01", "1996-12-31", "10-K", "main.txt"),
    ("0000900001-96-000002", "1996-03-01", "", "10-K", ""),
)


def path_of(filing):
    accession, filed, _, _, document = filing
    folder = f"/Archives/edgar/data/{CIK}"
    if filed < "2001":
        return f"{folder}/{accession}.txt"
    return f"{folder}/{accession.replace('-', '')}/{document}"


def page_of(filings):
    names = ("accessionNumber", "filingDate", "reportDate", "form", "primaryDocument")
    return {
        name: list(column) for name, column in zip(names, zip(*filings, strict=True), strict=True)
    }


class Edgar:
    """A small EDGAR. ``faults`` holds, by path, what its next requests meet instead."""

    def __init__(self):
        self.pages = {TICKERS: {"0": {"cik_str": CIK, "ticker": "ACME", "title": "Acme"}}}
        self.publish(FILINGS)
        self.pages[OLDER] = page_of(OLD)
        self.faults = {}
        self.requests, self.statuses = [], []
        self.times = []
        self.agents = set()
        self.now = 0.0
        self.slept = []
        edgar = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                edgar.serve(self)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def publish(self, filings):
        older = [{"name": OLDER.rsplit("/", 1)[-1], "filingTo": "1998-03-01"}]
        lists = {"recent": page_of(filings), "files": older}
        self.pages[RECENT] = {"name": "Acme,  Inc.", "tickers": ["ACME"], "filings": lists}
        self.pages |= {path_of(one): f"10-K filed as {one[0]}" for one in (*filings, *OLD)}

    def sleep(self, seconds):
        self.slept.append(round(seconds, 3))
        self.now += seconds

    def serve(self, handler):
        path = handler.path
        self.requests.append(path)
        self.times.append(self.now)
        self.agents.add(handler.headers["User-Agent"])
        waiting = self.faults.get(path, [])
        fault = (
            waiting[0] if waiting and waiting[-1] == "ever" else waiting.pop(0) if waiting else {}
        )
        body, headers, status = self.body(path), {}, 200 if path in self.pages else 404
        if status == 200 and path.endswith(".json"):
            headers = {"ETag": f'"{hash(body)}"', "Last-Modified": formatdate(0, usegmt=True)}
            if handler.headers["If-None-Match"] == headers["ETag"]:
                status, body = 304, b""
        status, headers = fault.get("status", status), {**headers, **fault.get("headers", {})}
        body = fault.get("body", body)
        self.statuses.append(status)
        handler.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = bool(fault)

    def body(self, path):
        page = self.pages.get(path, "")
        return (page if isinstance(page, str) else json.dumps(page)).encode()

    def documents(self):
        return Counter(path for path in self.requests if path.startswith("/Archives"))


@pytest.fixture
def edgar(tmp_path, monkeypatch):
    edgar = Edgar()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGAR_IDENTITY", IDENTITY)
    monkeypatch.setenv("EDGAR_BASE_URL", edgar.url)
    monkeypatch.setenv("EDGAR_DATA_URL", edgar.url + "/")
    monkeypatch.setattr(client, "Clock", lambda: Clock(lambda: edgar.now, edgar.sleep))
    yield edgar
    edgar.http.shutdown()
    edgar.http.server_close()


Clock = client.Clock


def fetch(*, tickers="ACME", years="2022,2023", forms="10-K"):
    return main(["fetch", "--tickers", tickers, "--years", years, "--forms", forms])


def rows():
    with (Path(".finrag/edgar") / "filings.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def snapshot():
    root = Path(".finrag/edgar")
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def documents():
    folder = Path(".finrag/edgar/filings")
    return {
        row["fiscal_year"]: gzip.decompress((folder / row["file"]).read_bytes()) for row in rows()
    }


def test_filings_of_the_years_and_forms_are_fetched_and_listed(edgar, capsys, caplog):
    caplog.set_level("DEBUG")
    assert fetch() == 0
    assert rows()[1] == {
        "file": "0000900001_0000900001-24-000003.htm.gz",
        "cik": "900001",
        "name": "Acme, Inc.",
        "ticker": "ACME",
        "form": "10-K",
        "fiscal_year": "2023",
        "period_end": "2023-12-31",
        "accession": "0000900001-24-000003",
        "filed_at": "2024-02-01",
        "sha256": hashlib.sha256(b"10-K filed as 0000900001-24-000003").hexdigest(),
        "source_url": f"{edgar.url}/Archives/edgar/data/900001/000090000124000003/acme-2023.htm",
    }
    # The amendment and the quarter are others' forms; pages of the nineties are not asked for.
    assert documents() == {
        "2022": b"10-K filed as 0000900001-23-000001",
        "2023": b"10-K filed as 0000900001-24-000003",
    }
    assert OLDER not in edgar.requests
    assert edgar.agents == {IDENTITY}
    out = capsys.readouterr().out
    assert "2 filings new, 0 already there, 0 failed" in out
    assert "corpus: edgar, edgar_tickers: [ACME], edgar_years: [2022, 2023]" in out
    assert not [path for path, held in snapshot().items() if b"ann@" in held]
    assert "ann@" not in caplog.text


def test_an_unchanged_run_fetches_nothing_and_leaves_every_byte(edgar, capsys):
    fetch()
    before, n_before = snapshot(), len(edgar.requests)
    written_at = Path(".finrag/edgar/filings.csv").stat().st_mtime_ns
    assert fetch(tickers=f"ACME,{CIK}") == 0
    assert snapshot() == before
    # Asked by ticker and CIK, the company is one.
    assert edgar.requests[n_before:] == [TICKERS, RECENT]
    assert edgar.statuses[n_before:] == [304, 304]
    assert Path(".finrag/edgar/filings.csv").stat().st_mtime_ns == written_at
    # No packed file holds the time at which it was written.
    assert {held[4:8] for path, held in before.items() if path.suffix == ".gz"} == {bytes(4)}
    assert "0 filings new, 2 already there" in capsys.readouterr().out


def test_before_2001_the_full_submission_is_fetched_from_older_pages(edgar, capsys):
    assert fetch(tickers="CIK0000900001", years="1995,1996,1997", forms="10-k") == 1
    assert [row["file"].rsplit("_")[-1] for row in rows()] == [
        "0000900001-96-000002.txt.gz",
        "0000900001-97-000002.txt.gz",
    ]
    # Without a period the year before the filing is a guess, which the list does not repeat.
    assert [row["fiscal_year"] for row in rows()] == ["", "1996"]
    said = capsys.readouterr().err
    assert (
        "CIK 900001: EDGAR has no 10-K for 1997; there is 10-K405, which the forms can name" in said
    )
    assert TICKERS not in edgar.requests


def test_what_cannot_be_had_is_named_and_the_rest_is_fetched(edgar, capsys):
    assert fetch(tickers="NOSUCH,123,ACME", years="2023,2030") == 1
    said = capsys.readouterr().err
    assert "NOSUCH: EDGAR knows no such ticker" in said
    assert "CIK 123: its filings cannot be listed: EDGAR has nothing there" in said
    assert "ACME: EDGAR has no 10-K for 2030\n" in said
    assert list(documents()) == ["2023"]


CUT = {"headers": {"Content-Length": 500}}
CUT_GZIP = {"headers": {"Content-Encoding": "gzip"}, "body": gzip.compress(b"whole" * 99)[:-9]}


@pytest.mark.parametrize(
    ("faults", "waits"),
    [
        ([{"status": 403}], [2.0]),
        ([{"status": 503}, {"status": 429, "headers": {"Retry-After": "90"}}], [2.0, 90.0]),
        ([{"status": 500}, CUT, CUT_GZIP, {"body": b""}], [2.0, 4.0, 8.0, 16.0]),
    ],
)
def test_what_may_pass_is_asked_again_after_a_wait(edgar, faults, waits):
    edgar.faults[path_of(FILINGS[0])] = list(faults)
    assert fetch() == 0
    assert [seconds for seconds in edgar.slept if seconds > 1] == waits
    assert documents()["2023"] == b"10-K filed as 0000900001-24-000003"


@pytest.mark.parametrize(
    ("fault", "n_asked", "remedy"),
    [
        ({"status": 403}, 5, "(403); wait 10 minutes and check EDGAR_IDENTITY"),
        ({"status": 429, "headers": {"Retry-After": "61"}}, 5, "(429); wait 1 minute and"),
        ({"status": 429, "headers": {"Retry-After": "7200"}}, 1, "(429); wait 120 minutes"),
        ({"status": 503, "headers": {"Retry-After": NEXT_CENTURY}}, 1, "(503); wait "),
    ],
)
def test_a_refusal_that_lasts_stops_the_run_and_keeps_what_is_there(
    edgar, capsys, fault, n_asked, remedy
):
    path = path_of(FILINGS[0])
    edgar.faults[path] = [fault, "ever"]
    assert fetch() == 1
    printed = capsys.readouterr()
    assert remedy in printed.err
    assert "1 filings new, 0 already there, 0 failed, stopped early" in printed.out
    assert edgar.documents()[path] == n_asked
    edgar.faults.clear()
    assert fetch() == 0
    assert edgar.documents()[path_of(FILINGS[3])] == 1


def test_a_network_that_is_down_stops_the_run_at_the_third_address(edgar, capsys):
    edgar.faults = {path: [CUT, "ever"] for path in edgar.documents() or map(path_of, FILINGS)}
    assert fetch(forms="10-K,10-Q") == 1
    assert len(edgar.documents()) == 3
    assert "again and again; check the network" in capsys.readouterr().err
    assert not list(Path(".finrag/edgar/filings").iterdir())


def test_redirects_are_followed_on_the_same_host_only(edgar, capsys):
    other = Edgar()
    here, there = path_of(FILINGS[3]), path_of(FILINGS[0])
    edgar.pages["/moved"] = "Form 10-K, moved"
    edgar.faults = {
        here: [{"status": 301, "headers": {"Location": "/moved"}}],
        there: [{"status": 302, "headers": {"Location": other.url + there}}],
    }
    assert fetch() == 1
    assert documents() == {"2022": b"Form 10-K, moved"}
    assert other.requests == []
    assert "was redirected to another host ('127.0.0.1')" in capsys.readouterr().err
    edgar.faults = {there: [{"status": 302, "headers": {"Location": there}}, "ever"]}
    assert fetch() == 1
    assert edgar.documents()[there] == 1 + 4
    other.http.shutdown()


def test_too_long_an_answer_is_left_out_packed_or_not(edgar, monkeypatch, capsys):
    monkeypatch.setattr(client, "MAX_BODY_BYTES", 1 << 20)
    bomb = gzip.compress(bytes(64 << 20))
    edgar.faults = {
        path_of(FILINGS[0]): [{"headers": {"Content-Encoding": "gzip"}, "body": bomb}],
        path_of(FILINGS[3]): [{"body": bytes(2 << 20)}],
    }
    assert fetch() == 1
    assert capsys.readouterr().err.count("the answer is longer than 1 MB") == 2


SIGN_IN = "<html><title>Sign in</title><body>Please sign in to go on: K10.</body></html>"
COVERS = {
    SIGN_IN: False,
    f"<!--{' ' * (1 << 18)}-->10-K": False,
    "<p>For the <b>Annual&nbsp;</b>report": True,
    "<p><span>10</span>&#8209;<span>q</span>": True,
    "<SEC-HEADER>ACCESSION NUMBER": True,
    "<div><ix:header><ix:hidden>": True,
}


@pytest.mark.parametrize("document", COVERS)
def test_a_page_that_is_no_filing_is_told_and_not_kept(edgar, capsys, document):
    edgar.faults[path_of(FILINGS[0])] = [{"body": document.encode()}]
    assert fetch() == 1 - COVERS[document]
    printed = capsys.readouterr()
    assert len(documents()) == 1 + COVERS[document]
    if not COVERS[document]:
        assert (
            "ACME: the 10-K filed on 2024-02-01 was not fetched: the downloaded page is not"
            in printed.err
        )
        assert "1 filings new, 0 already there, 1 failed" in printed.out
        assert fetch() == 0
        assert len(documents()) == 2


@pytest.mark.parametrize("damage", ["", "not gzip", "another text"])
def test_a_file_that_changed_is_fetched_anew_and_named(edgar, capsys, damage):
    fetch()
    before = snapshot()
    path = Path(".finrag/edgar/filings") / rows()[0]["file"]
    path.write_bytes(gzip.compress(damage.encode()) if " text" in damage else damage.encode())
    assert fetch() == 0
    assert snapshot() == before
    printed = capsys.readouterr()
    assert f"{path.name} was changed or damaged; it was downloaded again" in printed.err
    assert "1 filings new, 1 already there" in printed.out


def test_a_changed_list_of_filings_is_read_anew_and_a_damaged_copy_of_it_too(edgar):
    fetch()
    later = ("0000900001-25-000001", "2025-02-01", "2024-12-31", "10-K", "acme-2024.htm")
    edgar.publish((later, *FILINGS))
    Path(f".finrag/edgar/submissions/{TICKERS.rsplit('/', 1)[-1]}.gz").write_bytes(b"\x1f\x8b?")
    assert fetch(years="2022,2023,2024") == 0
    assert sorted(documents()) == ["2022", "2023", "2024"]
    assert max(edgar.documents().values()) == 1


KILLED = """
import os, pathlib, sys
from finrag.command.cli import main
from finrag.services.edgar import client

rename = pathlib.Path.replace
def replace(self, target):
    if str(target).endswith(sys.argv[1]):
        os._exit(9)
    return rename(self, target)
pathlib.Path.replace = replace
client.REQUESTS_PER_S = 1000
main(["fetch", "--tickers", "ACME", "--years", "2022,2023"])
"""


@pytest.mark.parametrize("killed_at", ["24-000003.htm.gz", "filings.csv", "CIK0000900001.json.gz"])
def test_a_run_that_is_killed_goes_on_where_it_stopped(edgar, killed_at):
    ran = subprocess.run([sys.executable, "-c", KILLED, killed_at], check=False)
    assert ran.returncode == 9
    assert fetch() == 0
    resumed = {path: held for path, held in snapshot().items() if path.suffix != ".tmp"}
    # Only what was not yet in place is asked for a second time.
    assert max(edgar.documents().values()) == (2 if killed_at.endswith(".htm.gz") else 1)
    assert edgar.documents()[path_of(FILINGS[3])] == 1
    Path(".finrag").rename("before")
    fetch()
    assert snapshot() == resumed


def test_requests_keep_to_eight_a_second_retries_and_redirects_included(edgar):
    edgar.publish(
        [(f"0000900001-24-{n:06}", "2024-02-01", "2023-12-31", "10-Q", "q.htm") for n in range(20)]
    )
    edgar.faults[RECENT] = [{"status": 301, "headers": {"Location": RECENT}}] * 3
    assert fetch(years="2023", forms="10-Q") == 0
    assert len(edgar.times) == 25
    assert all(sum(t <= other < t + 0.999 for other in edgar.times) <= 8 for t in edgar.times)
    assert edgar.now == pytest.approx(24 / 8)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, "../../../etc/passwd", "the accession number is '../../../etc/passwd'"),
        (0, "0000900001-24-000003/..", "the accession number is"),
        (4, "../../secret.htm", "is '../../secret.htm', expected a name"),
        (4, "//evil.example/a.htm", "expected a name"),
        (4, "a.htm?x=b.htm", "expected a name"),
        (4, "..htm", "expected a name"),
    ],
)
def test_names_that_are_none_become_no_path_and_no_address(edgar, capsys, place, value, message):
    filing = (*FILINGS[0][:place], value, *FILINGS[0][place + 1 :])
    edgar.publish([filing, FILINGS[3]])
    assert fetch() == 1
    assert message in capsys.readouterr().err
    assert list(edgar.documents()) == [path_of(FILINGS[3])]


@pytest.mark.parametrize(
    "page",
    [
        "<html>", "[" * 100_000, "[]", {"filings": []}, {"filings": {"recent": {"form": []}}},
        {"filings": {"recent": page_of(FILINGS) | {"form": ["10-K"]}}},
        {"filings": {"recent": page_of(FILINGS), "files": [{"name": "../CIK1.json"}]}},
    ],
)  # fmt: skip
def test_a_list_that_makes_no_sense_costs_its_company_alone(edgar, capsys, page):
    edgar.pages[RECENT] = page
    assert fetch() == 1
    assert "ACME: its filings cannot be listed" in capsys.readouterr().err
    assert edgar.requests == [TICKERS, RECENT]


def test_without_the_list_of_tickers_nothing_can_be_told(edgar, capsys):
    edgar.pages[TICKERS] = "<html>"
    assert fetch() == 1
    said = capsys.readouterr().err
    assert "the list of tickers cannot be read: EDGAR's answer is not JSON; check the net" in said
    edgar.pages[TICKERS] = {"0": [], "1": {"ticker": None}, "2": {"cik_str": -1, "ticker": "ACME"}}
    assert fetch() == 1
    assert "ACME: EDGAR knows no such ticker" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("EDGAR_IDENTITY", "", "set EDGAR_IDENTITY to your name and mail address"),
        ("EDGAR_IDENTITY", "Ann Example", "set EDGAR_IDENTITY to your name and mail address"),
        (
            "EDGAR_IDENTITY",
            f"{IDENTITY}\nX-Other: 1",
            "characters that are not allowed in a header",
        ),
        ("EDGAR_BASE_URL", "http://www.sec.gov", "EDGAR_BASE_URL is not an https address"),
        ("EDGAR_DATA_URL", "https://a@b.example", "EDGAR_DATA_URL is not an https address"),
    ],
)
def test_without_identity_or_over_plain_http_nothing_is_asked(
    edgar, monkeypatch, capsys, setting, value, message
):
    monkeypatch.setenv(setting, value)
    assert fetch() == 2
    said = capsys.readouterr().err
    assert message in said
    assert "X-Other" not in said
    assert edgar.requests == []


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ("{edgar_years: [2023]}", "edgar_tickers is empty"),
        ("{edgar_tickers: ACME}", "edgar_years is empty"),
        ("{edgar_tickers: [ON], edgar_years: 2023}", "YAML reads ON and NO as true and false"),
        ("{edgar_tickers: [a/b], edgar_years: 2023}", "expected a ticker or a CIK"),
        ("{edgar_tickers: ACME, edgar_years: [23]}", "edgar_years is 23"),
        ("{edgar_tickers: ACME, edgar_years: 2015-2017}", "with commas, as in 2015,2016,2017"),
        (
            "{edgar_tickers: ACME, edgar_years: 2023, edgar_forms: [10-K, 10-k/a]}",
            "edgar_forms holds 10-K/A, which amends another filing",
        ),
        (
            "{edgar_tickers: ACME, edgar_years: 2023, edgar_forms: 8-K}",
            "edgar_forms holds 8-K, which has no items that finrag reads",
        ),
    ],
)
def test_what_is_asked_for_is_checked_before_anything_is_sent(edgar, capsys, variables, message):
    assert main(["fetch", "--vars", variables]) == 2
    assert message in capsys.readouterr().err
    assert edgar.requests == []


def test_variables_say_what_is_wanted_and_10_k_is_the_usual_form(edgar):
    assert main(["fetch", "--vars", f"{{edgar_tickers: [{CIK}], edgar_years: 2023}}"]) == 0
    assert [row["form"] for row in rows()] == ["10-K"]


def test_two_fetches_into_one_folder_do_not_run_at_once(edgar, capsys):
    with folder.open_folder(Path(".finrag/edgar")):
        assert fetch() == 2
    assert "another fetch is running" in capsys.readouterr().err


def test_a_list_that_somebody_rewrote_is_not_overwritten(edgar, capsys):
    fetch()
    before, path = snapshot(), Path(".finrag/edgar/filings.csv")
    path.write_text("file;cik\n")
    assert fetch() == 2
    assert "filings.csv was changed and cannot be read" in capsys.readouterr().err
    path.unlink()
    assert fetch() == 0
    assert snapshot() == before
    assert max(edgar.documents().values()) == 1


def test_only_the_command_imports_the_fetching():
    """A build never uses the network."""
    importing = {
        path.relative_to(ROOT).parts[-2:]
        for top in ("src", "python_models")
        for path in (ROOT / top).rglob("*.py")
        if "services.edgar" in path.read_text(encoding="utf-8") and path.parent.name != "edgar"
    }
    assert importing == {("command", "fetching.py")}
