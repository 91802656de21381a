"""How many kinds of planted fault the metrics notice."""

import json

import pytest
import yaml
from scipy.stats import binomtest

from tests.warehouse.mutants import KINDS, REPEATED, Corpus, mutant, oracle, quote_kept

# One fault in a hundred tables may look like chance.
ALPHA = 0.01
REQUIRED_SHARE = 0.95


def read_corpus(warehouse):
    questions = warehouse.rows(
        """
        select q.item_id, p.answer_type, p.answer_text, p.answer_numeric, p.answer_unit,
               p.tolerance, p.cik_int, p.years, p.category, p.evidence_sentence_ids
        from gold.questions as q inner join gold.gold_p3 as p on q.question_id = p.question_id
        order by q.item_id
        """
    )
    sentences = warehouse.rows(
        """
        select sentence_id, filing_id, cik_int, report_year, section_name, sentence_text
        from sentences.sentences order by sentence_id
        """
    )
    return Corpus(questions, sentences)


def write_records(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture(scope="module")
def scored(sample, tmp_path_factory):
    """The sample warehouse with the oracle and a mutant a kind as systems of a user."""
    folder = tmp_path_factory.mktemp("mutants")
    warehouse = sample.copy(folder / "warehouse")
    corpus = read_corpus(warehouse)
    files = {"oracle": [quote_kept(oracle(row, corpus), corpus) for row in corpus.questions]}
    reached = {}
    for kind in (*KINDS, REPEATED):
        files[kind.name], reached[kind.name] = mutant(kind, corpus)
    for name, records in files.items():
        write_records(folder / f"{name}.jsonl", records)
    systems = [
        {
            "system_id": name,
            "system_kind": "external_file",
            "settings": {"predictions_path": str(folder / f"{name}.jsonl")},
            "description": f"The oracle with the fault {name}",
        }
        for name in files
    ]
    (folder / "systems.yml").write_text(yaml.safe_dump({"systems": systems}), encoding="utf-8")
    status = warehouse.dbt(
        "run",
        "--select",
        "py_systems_read+,+metric_values",
        "external_rejections",
        systems_paths=[str(folder / "systems.yml")],
    )
    assert status == 0, warehouse.log
    return warehouse, reached


def paired(warehouse, kind, items):
    """Items on which the mutant is worse, and better, than the oracle."""
    rows = warehouse.rows(
        f"""
        select o.item_id,
               o.value as before,
               coalesce(m.value, case when c.direction = 'min' then 1 else 0 end) as after,
               c.direction
        from metrics.metric_values as o
        inner join metrics.metric_values as m using (item_id, metric, k)
        inner join seeds.metric_catalogue as c using (metric, k)
        where o.system_id = 'oracle' and m.system_id = '{kind.name}'
          and metric = '{kind.metric}' and k = {kind.k} and o.value is not null
        """
    )
    sign = {"max": 1, "min": -1}
    changes = [
        sign[row["direction"]] * (row["after"] - row["before"])
        for row in rows
        if row["item_id"] in items
    ]
    return sum(change < 0 for change in changes), sum(change > 0 for change in changes)


def test_the_oracle_is_nearly_without_fault(scored):
    warehouse, _ = scored
    means = {
        (row["metric"], row["k"]): row["mean"]
        for row in warehouse.rows(
            """
            select metric, k, avg(value) as mean from metrics.metric_values
            where system_id = 'oracle' group by all
            """
        )
    }
    for metric in ("answer_accuracy", "numeric_exact", "boolean_accuracy", "list_match"):
        assert means[metric, 0] >= 0.99, metric
    for metric in ("citation_correctness", "attribution", "citation_recall"):
        assert means[metric, 0] >= 0.97, metric
    assert means["evidence_recall", 10] >= 0.99
    assert means["mrr", 30] == 1


def test_the_metrics_notice_planted_faults(scored):
    warehouse, reached = scored
    table = []
    for kind in KINDS:
        n_worse, n_better = paired(warehouse, kind, set(reached[kind.name]))
        n = n_worse + n_better
        p_value = binomtest(n_worse, n, alternative="greater").pvalue if n else 1.0
        table.append((kind.name, kind.metric, len(reached[kind.name]), n_worse, n_better, p_value))
    print(f"\n{'fault':28}{'metric':26}{'planted':>8}{'worse':>7}{'better':>7}{'p':>9}")
    for name, metric, planted, worse, better, p_value in table:
        print(f"{name:28}{metric:26}{planted:8}{worse:7}{better:7}{p_value:9.4f}")
    noticed = [row[0] for row in table if row[-1] < ALPHA]
    missed = [row[0] for row in table if row[-1] >= ALPHA]
    print(f"noticed {len(noticed)} of {len(table)} kinds; missed: {', '.join(missed) or 'none'}")
    assert len(table) >= 20
    assert len(noticed) >= REQUIRED_SHARE * len(table), missed


def test_constant_scores_never_look_perfect(scored):
    warehouse, reached = scored
    items = ", ".join(f"'{item}'" for item in reached["constant_scores"])
    best = warehouse.value(
        f"""
        select avg(value) from metrics.metric_values
        where system_id = 'constant_scores' and metric = 'mrr' and k = 30
          and item_id in ({items})
        """
    )
    assert best < 0.8


def test_a_chunk_listed_twice_gains_nothing_and_is_told(scored):
    warehouse, reached = scored
    n_told = warehouse.value(
        """
        select count(*) from retrieval.external_rejections
        where system_id = 'chunk_repeated' and reason_code = 'repeated_sentence'
        """
    )
    assert n_told == len(reached["chunk_repeated"]) > 0
    n_changed = warehouse.value(
        """
        select count(*) from metrics.metric_values as o
        inner join metrics.metric_values as m using (item_id, metric, k)
        where o.system_id = 'oracle' and m.system_id = 'chunk_repeated'
          and o.value is distinct from m.value and metric in ('hit', 'mrr', 'ndcg', 'recall')
        """
    )
    assert n_changed == 0
