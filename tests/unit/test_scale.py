"""The bench of shards: its fictional filings, its watch over processes, its table on paper."""

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench import scale, scale_corpus
from bench.process import Run
from bench.watch import watch
from finrag.sources.corpus import read_filings

WORDS = [
    "We sold 12 machines for $3,400 in fiscal 2020.",
    "Our plants make paper and pulp in three states.",
    "Rates of interest may rise and hurt our results.",
    "Net sales of the mill fell by 8.5 percent.",
]


@pytest.fixture
def folder(tmp_path):
    pq.write_table(pa.table({"sentence_text": WORDS}), tmp_path / "sentences.parquet")
    return tmp_path


def lines_of(folder):
    return [line for path in sorted(folder.iterdir()) for line in path.read_text().splitlines()]


def test_fictional_filings_can_be_read_and_are_the_same_each_time(folder):
    told = scale_corpus.write_fictional(str(folder), "one", n_sentences=600)
    scale_corpus.write_fictional(str(folder), "two", n_sentences=600)
    rows = [row for batch in read_filings(str(folder / "one")) for row in batch.to_pylist()]

    assert told["n_filings"] == scale_corpus.FEWEST == len(rows)
    assert {row["record_status"] for row in rows} == {"loaded"}
    assert {len(row["sections"]) for row in rows} == {len(scale_corpus.SECTIONS)}
    assert len({row["filing_id"] for row in rows}) == len(rows)
    assert lines_of(folder / "one") == lines_of(folder / "two")


def test_another_seed_gives_other_filings(folder):
    scale_corpus.write_fictional(str(folder), "one", n_sentences=600)
    scale_corpus.write_fictional(str(folder), "two", n_sentences=600, seed=7)

    assert lines_of(folder / "one") != lines_of(folder / "two")


def test_years_stay_and_amounts_are_drawn():
    assert scale_corpus._slotted("We sold 12 for $3,400.5, 8.5% in 2020.") == (
        "We sold %s for $%s, %s%% in 2020.",
        3,
    )


def test_one_more_filing_is_of_a_company_that_files(folder):
    scale_corpus.write_fictional(str(folder), "one", n_sentences=600)
    before = [json.loads(line) for line in lines_of(folder / "one")]
    more = scale_corpus.write_one_more(str(folder), "one")
    after = [json.loads(line) for line in lines_of(folder / "one")]

    assert len(after) == len(before) + 1
    assert str(more["cik"]) in {filing["cik"] for filing in before}
    assert "2031" not in {filing["year"] for filing in before}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
def test_a_process_that_is_started_is_watched():
    holding = "held = b'x' * (600 << 20)\nprint('ready', flush=True)\ninput()"
    with watch() as seen:
        started = subprocess.Popen(
            [sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert started.stdout.readline() == b"ready\n"
        seen.look()
        started.communicate(b"\n")

    # Whatever this process holds itself.
    assert seen.peak_mib[started.pid] > 600
    assert seen.task_mib > 600
    assert seen.cpu_seconds > 0.25
    assert seen.java_mib == 0


def point(n, cpu_seconds, n_shards, doors="same"):
    report = {
        "n": n,
        "n_filings": n / 1_000,
        "n_shards": n_shards,
        "n_characters": n * 100,
        "n_bytes": n * 50,
        "n_distinct": n / 2,
        "doors": doors,
    }
    run = Run(cpu_seconds, cpu_seconds, 0.0, report)
    return scale.Point(n, {"": run}, run, run)


def test_the_table_on_paper_follows_the_slopes():
    # 2 s at first, half a second a shard, 50 µs a sentence.
    points = [
        point(n, 2 + 0.5 * shards + 50e-6 * n, shards) for n, shards in ((10**5, 2), (10**6, 8))
    ]
    costs = scale.Costs(shard=0.5, wordllama=1e-4, minilm=1e-2, pair=1e-8)
    rows = {
        cells[0]: cells[1:]
        for line in scale._paper(points, costs).splitlines()
        if (cells := [cell.strip() for cell in line.strip("|").split("|")])
    }

    assert rows["filings"] == ["1,000", "10,000", "72,000", "700,000"]
    # 10 million: 2 + 500 + 0.5 * 1e9 / 2**26 s.
    assert rows["corpus rooms, core time"][1] == "8.5 min"
    assert rows["text / doors"][2] == "7.2 GB / 3.6 GB"
    assert rows["vectors, 384 x float32"][3] == "538 GB"
    assert rows["wordllama / MiniLM, core time"][1] == "8.3 min / 14 h"
    assert rows["exact, 2,000 queries, core time"][1] == "1.7 min"


def test_engines_must_give_equal_doors():
    one, other = point(1, 1.0, 1).builds[""], point(1, 1.0, 1, doors="other").builds[""]

    scale._check_equal({"": one, "pool": one})
    with pytest.raises(scale.MeasurementError, match="pool of two and one process"):
        scale._check_equal({"": one, "pool": other})
