"""Same inputs, same tables; and an unchanged build computes nothing costly."""

import json
import shutil

from tests.warehouse.warehouses import small_corpus

# A run's identity is derived from its inputs; only clocks differ.
CLOCKS = {
    "built_at",
    "recorded_at",
    "latency_ms",
    "total_ms",
    "latency_p50_ms",
    "latency_p95_ms",
    "started_ms",
    "session_ms",
    # A system is on the frontier by its speed as well.
    "is_on_frontier",
    "dominated_by",
    "place",
}
# One row a build by design; and drift of what it took.
HISTORY = (
    "recorded_runs",
    "recorded_metrics",
    "recorded_answers",
    "recorded_gates",
    "metric_drifts",
    "rpt_runs_builds",
    "rpt_runs_figures",
    "rpt_runs_gates",
    "rpt_runs_questions",
)


def doors(warehouse):
    """Digest of every table outside the private ones, by name."""
    tables = warehouse.rows(
        """
        select table_schema as room, table_name as door,
               list(column_name order by ordinal_position) as columns
        from information_schema.columns
        where table_schema not in ('seeds', 'main', 'information_schema', 'test_failures')
          and not regexp_matches(table_name, '^(int|py)_')
        group by all
        """
    )
    tables = [table for table in tables if table["door"] not in HISTORY]
    digests = {}
    for table in tables:
        columns = ", ".join(f'"{name}"' for name in table["columns"] if name not in CLOCKS)
        name = f"{table['room']}.{table['door']}"
        digests[name] = warehouse.value(
            f"select md5(string_agg(row_text, '\n' order by row_text)) from "
            f"(select cast(row({columns}) as varchar) as row_text from {name})"
        )
    return digests


def ledger(warehouse):
    """What each step of a build that needs vectors embedded and found, in order."""
    (path,) = (warehouse.state / "cache" / "embeddings").glob("*/ledger.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_small_builds_from_scratch_agree_whatever_the_threads(small, make_warehouse):
    again = make_warehouse(threads=small.threads - 1, **small.variables)
    shutil.copyfile(small.folder / "corpus.jsonl", again.folder / "corpus.jsonl")
    assert again.build() == 0, again.log

    assert len(doors(small)) > 20
    assert doors(again) == doors(small)


def test_builds_from_scratch_agree_whatever_the_threads(sample, make_warehouse):
    again = make_warehouse(threads=sample.threads - 1)
    assert again.build() == 0, again.log

    assert len(doors(sample)) > 20
    assert doors(again) == doors(sample)


def test_builds_with_the_default_encoder_agree(make_warehouse, tmp_path):
    path = small_corpus(tmp_path, n_filings=2)
    settings = {"corpus": "filings", "corpus_path": path, "encoder": "minilm"}
    settings["enable_systems"] = ["sample"]
    first = make_warehouse("one", threads=1, **settings)
    second = make_warehouse("four", threads=4, **settings)
    # As far as another encoder reaches; what is computed of it knows no encoder.
    assert first.build("--select", "+answers") == 0, first.log
    assert second.build("--select", "+answers") == 0, second.log

    assert len(doors(first)) > 20
    assert doors(first) == doors(second)


def test_another_corpus_embeds_only_what_is_new(make_warehouse, tmp_path):
    warehouse = make_warehouse(corpus="filings", corpus_path=small_corpus(tmp_path, 2))
    assert warehouse.build("--select", "+embeddings") == 0, warehouse.log
    shutil.copyfile(small_corpus(tmp_path, 3), warehouse.folder / "corpus.jsonl")
    assert warehouse.build("--select", "+embeddings") == 0, warehouse.log

    first, second = ledger(warehouse)
    assert second["n_cached"] == first["n_texts"]
    assert second["n_embedded"] == second["n_texts"] - first["n_texts"] > 0
