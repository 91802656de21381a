"""A baseline is one run under a name; the seed of baselines stays whole and in order."""

import csv
import datetime

import duckdb
import pytest

from finrag.command.cli import main
from finrag.publishing.baselines import COLUMNS, set_baseline

DAY = datetime.date(2026, 3, 31)
REASON = "first release with reranking"
RANKED = ("sentence", "finrag")
ANSWERED = ("answer", "finrag")
# system, gold set, slice, its value, metric, k, unit, mode, scorer, n, mean, interval
FIGURES = [
    ("words", "p1", "overall", "all", "hit", 5, *RANKED, None, 90, 0.25, 0.2, 0.3),
    ("dense", "p1", "overall", "all", "hit", 5, *RANKED, None, 90, 0.1 + 0.2, 0.2, 0.4),
    ("dense", "p3", "sound", "all", "accuracy", 0, *ANSWERED, "small", 9, 0.5, None, None),
]


@pytest.fixture
def make_warehouse(tmp_path):
    def make(figures=FIGURES, broken=()):
        path = tmp_path / f"w{len(list(tmp_path.glob('w*')))}.duckdb"
        with duckdb.connect(str(path)) as connection:
            for room in ("seeds", "metrics", "retrieval", "gates"):
                connection.execute(f"create schema {room}")
            connection.execute(
                """
                create table seeds.gate_thresholds as
                select 'hit' as metric, 5 as k, 'sentence' as unit, 'finrag' as mode;
                create table seeds.metric_catalogue as
                select * from (
                    values
                    ('accuracy', 0, 'answer', 'finrag', true),
                    ('accuracy', 0, 'answer', 'official', false),
                    ('rouge_l', 0, 'answer', 'finrag', false),
                    ('hit', 5, 'sentence', 'finrag', false)
                ) as t (metric, k, unit, mode, is_headline);
                create table retrieval.runs as
                select
                    'r' as run_id, 'sample' as corpus, 'c' as corpus_hash, 50 as n_filings,
                    'tiny' as encoder, 'a' as anchors_hash, 'q' as questions_hash;
                create table metrics.run_manifests as
                select
                    'r' as run_id, 'e' as evaluation_id, 'g' as gold_hash,
                    unnest(['dense', 'words']) as system_id;
                create table retrieval.registered_systems as
                select * from (values ('dense', false), ('words', false), ('random', true))
                    as t (system_id, is_null);
                create table gates.gate_breaches (gate_id varchar, severity varchar);
                create table metrics.int_baseline_measured (
                    run_id varchar, system_id varchar, gold_set varchar, slice_name varchar,
                    slice_value varchar, metric varchar, k integer, unit varchar, mode varchar,
                    scorer_id varchar, n bigint, mean double, ci_low double, ci_high double,
                    set_hash varchar
                );
                """
            )
            for figure in figures:
                connection.execute(
                    "insert into metrics.int_baseline_measured values "
                    "('r', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [*figure, "of the set" if figure[1] == "finqa" else None],
                )
            for breach in broken:
                connection.execute("insert into gates.gate_breaches values (?, ?)", breach)
        return path

    return make


def rows_of(seed):
    with seed.open(newline="") as stream:
        return list(csv.DictReader(stream))


def figure(metric, k=0, system="dense", mean=0.5, measure=ANSWERED):
    return (system, "p3", "overall", "all", metric, k, *measure, None, 9, mean, None, None)


def test_a_baseline_holds_the_figures_with_their_run_in_the_order_of_their_key(
    make_warehouse, tmp_path
):
    seed = tmp_path / "baselines.csv"

    n_rows = set_baseline(make_warehouse(), seed, "release", REASON, DAY)

    assert n_rows == 3
    run = f"release,sample,c,50,tiny,a,q,g,e,2026-03-31,{REASON}"
    assert seed.read_text().splitlines() == [
        ",".join(COLUMNS),
        f"{run},dense,p1,overall,all,hit,5,sentence,finrag,,90,0.3,0.2,0.4",
        f"{run},dense,p3,sound,all,accuracy,0,answer,finrag,small,9,0.5,,",
        f"{run},words,p1,overall,all,hit,5,sentence,finrag,,90,0.25,0.2,0.3",
    ]


@pytest.mark.parametrize(
    "left_out",
    [
        figure("rouge_l"),
        figure("hit", k=10, measure=RANKED),
        figure("hit", k=5, measure=("table", "finrag")),
        figure("accuracy", measure=("answer", "official")),
        figure("accuracy", system="random"),
        figure("accuracy", system="other", mean=None),
        figure("accuracy", system="other", mean=float("nan")),
    ],
    ids=[
        "no gate names it",
        "another cut-off",
        "another unit",
        "another mode",
        "random order",
        "not measured",
        "no number",
    ],
)
def test_what_says_nothing_is_left_out(left_out, make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    assert set_baseline(make_warehouse([*FIGURES, left_out]), seed, "release", REASON, DAY) == 3


def test_only_the_rows_of_the_name_are_replaced_and_where_they_stood(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    for name in ("release", "spring", "autumn"):
        set_baseline(make_warehouse(), seed, name, REASON, DAY)
    before = rows_of(seed)

    set_baseline(make_warehouse(FIGURES[:1]), seed, "spring", "a smaller one, by hand", DAY)

    after = rows_of(seed)
    assert [row["baseline"] for row in after] == ["release"] * 3 + ["spring"] + ["autumn"] * 3
    assert [row for row in after if row["baseline"] != "spring"] == [
        row for row in before if row["baseline"] != "spring"
    ]


def test_rows_written_before_there_were_units_get_that_of_their_metric(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    set_baseline(make_warehouse(), seed, "release", REASON, DAY)
    now = rows_of(seed)
    with seed.open("w", newline="") as stream:
        older = [name for name in COLUMNS if name not in ("unit", "mode")]
        writer = csv.DictWriter(stream, older, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(now)

    set_baseline(make_warehouse(), seed, "spring", REASON, DAY)

    assert [row for row in rows_of(seed) if row["baseline"] == "release"] == now


def test_the_same_run_again_gives_the_same_bytes(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    for name in ("release", "spring"):
        set_baseline(make_warehouse(), seed, name, REASON, DAY)
    before = seed.read_bytes()

    set_baseline(make_warehouse(FIGURES[::-1]), seed, "release", REASON, DAY)

    assert seed.read_bytes() == before


def test_a_run_with_a_broken_error_gate_is_refused_unless_accepted(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    broken = make_warehouse(broken=[("index_recall", "error")])

    with pytest.raises(ValueError, match=r"index_recall.*--even-if-broken"):
        set_baseline(broken, seed, "release", REASON, DAY)
    assert not seed.exists()

    assert set_baseline(broken, seed, "release", REASON, DAY, even_if_broken=True) == 3


def test_a_broken_warning_stops_nobody(make_warehouse, tmp_path):
    warned = make_warehouse(broken=[("slow", "warn")])
    assert set_baseline(warned, tmp_path / "baselines.csv", "release", REASON, DAY) == 3


@pytest.mark.parametrize("name", ["", "Release", "../release", "a b", "-a", "a" * 41, "a\n"])
def test_a_name_that_is_none_is_refused(name, make_warehouse, tmp_path):
    with pytest.raises(ValueError, match="not a name for a baseline"):
        set_baseline(make_warehouse(), tmp_path / "baselines.csv", name, REASON, DAY)


@pytest.mark.parametrize("reason", ["", "better     ", "two\nlines of a reason"])
def test_a_reason_of_one_line_is_wanted(reason, make_warehouse, tmp_path):
    with pytest.raises(ValueError, match="needs a reason of one line"):
        set_baseline(make_warehouse(), tmp_path / "baselines.csv", "release", reason, DAY)


def test_a_reason_stays_one_field_whatever_is_in_it(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    reason = 'the "quoted" one, with a comma'
    set_baseline(make_warehouse(), seed, "release", reason, DAY)
    assert {row["reason"] for row in rows_of(seed)} == {reason}


def test_a_file_of_other_columns_is_left_alone(make_warehouse, tmp_path):
    seed = tmp_path / "baselines.csv"
    seed.write_text("name,price\nbolt,1\n")
    with pytest.raises(ValueError, match="not a seed of baselines"):
        set_baseline(make_warehouse(), seed, "release", REASON, DAY)
    assert seed.read_text() == "name,price\nbolt,1\n"


def test_a_write_that_breaks_off_leaves_the_old_seed_whole(make_warehouse, tmp_path, monkeypatch):
    seed = tmp_path / "baselines.csv"
    set_baseline(make_warehouse(), seed, "release", REASON, DAY)
    before = seed.read_bytes()

    def break_off(self, rows):
        raise OSError("disk full")

    monkeypatch.setattr(csv.DictWriter, "writerows", break_off)
    with pytest.raises(OSError, match="disk full"):
        set_baseline(make_warehouse(FIGURES[:1]), seed, "release", REASON, DAY)
    assert seed.read_bytes() == before


def test_a_warehouse_without_figures_is_no_baseline(make_warehouse, tmp_path):
    with pytest.raises(ValueError, match="holds no figure"):
        set_baseline(make_warehouse([]), tmp_path / "baselines.csv", "release", REASON, DAY)


def test_the_command_says_what_is_missing(tmp_path, capsys):
    seed = tmp_path / "baselines.csv"
    words = ["baseline", "release", "--reason", REASON, "--to", str(seed), "--database"]

    assert main([*words, str(tmp_path / "none.duckdb")]) == 2
    assert "run `make build` first" in capsys.readouterr().err

    empty = tmp_path / "empty.duckdb"
    duckdb.connect(str(empty)).close()
    assert main([*words, str(empty)]) == 2
    assert "holds no finished build" in capsys.readouterr().err


def test_the_command_writes_the_seed(make_warehouse, tmp_path, capsys):
    seed = tmp_path / "baselines.csv"
    warehouse = make_warehouse()

    status = main(
        ["baseline", "spring", "--reason", REASON, "--to", str(seed), "--database", str(warehouse)]
    )

    assert status == 0
    assert len(rows_of(seed)) == 3
    assert "3 figures stored as 'spring'" in capsys.readouterr().out


def test_figures_of_a_public_set_carry_the_digest_of_its_own_files(make_warehouse, tmp_path):
    seed = tmp_path / "baseline_metrics.csv"
    figure = FIGURES[0]
    of_set = (figure[0], "finqa", *figure[2:])
    set_baseline(make_warehouse([figure, of_set]), seed, "release", REASON, DAY)

    hashes = {row["gold_set"]: row["gold_hash"] for row in rows_of(seed)}
    assert hashes["finqa"] == "of the set"
    assert hashes[figure[1]] not in ("", "of the set")


def test_times_of_one_machine_can_be_left_out(make_warehouse, tmp_path):
    times = make_warehouse([figure("accuracy", system="dense"), figure("latency_p95_ms")])
    with duckdb.connect(str(times)) as connection:
        connection.execute(
            "insert into seeds.metric_catalogue "
            "values ('latency_p95_ms', 0, 'answer', 'finrag', true)"
        )
    seed = tmp_path / "baselines.csv"
    assert set_baseline(times, seed, "release", REASON, DAY) == 2
    assert set_baseline(times, seed, "release", REASON, DAY, with_times=False) == 1
    assert [row["metric"] for row in rows_of(seed)] == ["accuracy"]
