"""Models that are marked company-local give the same rows whichever companies stand beside."""

import csv
import hashlib
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from finrag.command.settings import all_variables
from finrag.shards.bucketing import bucket_of
from finrag.shards.plan import GIVEN, make_plan
from finrag.shards.shard import run_shard, table_hash
from finrag.warehouse import in_memory
from finrag.warehouse.models import ModelsInMemory
from tests.warehouse.warehouses import small_corpus

ROOT = Path(__file__).parents[2]
N_SHARDS = 8
# Filings of whole companies in the order of a hash.
N_REAL = 17
FILED = Path(os.environ.get("FINRAG_SHARED_DATA", ROOT.parent / "shared/data")) / "filings_html"
# One row a text: of a text that companies share each shard has a row. Nothing but the atlases of
# the same company reads them.
OF_TEXTS = {
    "int_texts_to_label",
    "py_texts_labelled",
    "py_kpi_amounts_bound",
    "py_definitions_found",
    "py_enumerations_found",
    "py_periods_found",
    "py_causes_found",
}
# Which atlases look at a text depends on its places; the labels of a sentence on its own place.
BY_PLACES = {"int_texts_to_label"}
# What is made of all shards.
OVER_SHARDS = ("sentences", "companies", "sections", "chunks", "filings", "documents", "passages")


def sample_variables(folder):
    """Two years of six companies of the sample."""
    path = small_corpus(folder, n_filings=2, n_companies=6)
    return all_variables(f"{{corpus: filings, corpus_path: '{path}'}}")


def digest(cik):
    return hashlib.md5(cik.encode(), usedforsecurity=False).hexdigest()


def real_variables(folder):
    """Filings as filed, whole companies in the order of a hash."""
    with (FILED / "filings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows.sort(key=lambda row: (digest(row["cik"]), row["file"]))
    for row in rows[:N_REAL]:
        shutil.copy(FILED / row["file"], folder)
    with (folder / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows[:N_REAL])
    return all_variables(f"{{corpus: raw_filings, corpus_path: '{folder}'}}")


def rows_of(table, bucket, n_shards):
    """Rows of the companies of one shard."""
    ciks = table["cik_int"].to_pylist()
    return table.filter(pa.array([bucket_of(cik, n_shards) == bucket for cik in ciks], pa.bool_()))


class Run:
    """The marked models over one shard and over eight, and the doors over both."""

    def __init__(self, variables):
        self.variables = variables
        records = ModelsInMemory(ROOT, variables, {}, {})
        self.inputs = {name: records.table(name) for name in GIVEN}
        self.plan = make_plan(ROOT, variables)
        self.one, self.eight = self.rows_over(1), self.rows_over(N_SHARDS)

    def rows_over(self, n_shards):
        """The rows of each model, from all shards together."""
        found = {}
        for bucket in range(n_shards):
            inputs = {name: rows_of(table, bucket, n_shards) for name, table in self.inputs.items()}
            for name, rows in run_shard(self.plan, inputs):
                found.setdefault(name, []).append(rows)
        return {name: pa.concat_tables(tables) for name, tables in found.items()}

    def over(self, rows):
        """Doors of the whole corpus, over the rows of its shards."""
        given = {**self.inputs, **rows}
        empty = {"stg_benchmarks__passages": ()}
        models = ModelsInMemory(ROOT, self.variables, given, empty)
        return {name: models.table(name) for name in OVER_SHARDS}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(sample_variables, id="sample"),
        pytest.param(
            real_variables,
            id="real",
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(
                    not (FILED / "filings.csv").is_file(), reason=f"no real filings in {FILED}"
                ),
            ],
        ),
    ],
)
def run(request, tmp_path_factory):
    return Run(request.param(tmp_path_factory.mktemp("corpus")))


def hash_of(table, what="*"):
    with in_memory() as connection:
        connection.register("made", table)
        return table_hash(connection, f"(select {what} from made)")


def test_a_sentence_and_what_is_read_in_it_are_the_same_in_any_shard(run):
    assert {name for name in run.one if len(run.one[name])} >= {"int_sentences_flagged", "filings"}
    for name in sorted(run.one.keys() - OF_TEXTS):
        assert hash_of(run.one[name]) == hash_of(run.eight[name]), name


def test_a_text_that_companies_share_is_read_alike_by_each(run):
    for name in sorted(OF_TEXTS - BY_PLACES):
        together, apart = run.one[name], run.eight[name]
        assert hash_of(together, "distinct *") == hash_of(apart, "distinct *"), name
        assert len(together) <= len(apart)
    assert len(run.one["int_texts_to_label"]) < len(run.eight["int_texts_to_label"])


def test_doors_of_all_companies_are_made_of_the_shards(run):
    whole, apart = run.over({}), run.over(run.eight)
    for name in OVER_SHARDS:
        assert hash_of(whole[name]) == hash_of(apart[name]), name
    # A fact of all companies: a shard alone would count fewer.
    sizes = whole["sentences"]["duplicate_group_size"]
    assert pc.max(sizes).as_py() > 1


def test_a_model_that_reads_a_fact_of_all_companies_is_found(tmp_path):
    for folder in ("macros", "models", "python_models", "seeds"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = tmp_path / "models" / "sentences" / "int_chunks_cut.sql"
    path.write_text(path.read_text().replace("ref('int_table_cells_worded')", "ref('companies')"))
    with pytest.raises(ValueError, match=r"int_chunks_cut .* reads companies, which is not"):
        make_plan(tmp_path, all_variables("{}"))
