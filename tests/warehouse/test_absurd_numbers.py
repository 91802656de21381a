"""One number that nothing measures, in one record of one candidate, changes no other verdict."""

import json
from itertools import cycle
from pathlib import Path

import pyarrow as pa

from finrag.command.evaluating.beside import EMPTY
from finrag.command.preflight import merge_variables
from finrag.command.settings import default_variables, system_seeds
from finrag.systems import resolve_systems, system_schema
from finrag.warehouse.models import ModelsInMemory, models_behind
from tests import absurd
from tests.warehouse.warehouses import ROOT

SYSTEMS = "py_systems_read"
BY_QUESTION = ("answers", "numeric_verdicts", "answer_verdicts", "answer_failures", "agent_steps")
IN_ALL = ("system_costs", "stage_latencies", "metric_summaries", "gate_verdicts")
SHOWN = ("rpt_overview_answers", "rpt_question_answers", "rpt_question_trace", "rpt_cost_systems")
QUERY = """
select
    items.item_id, item_answers.answer_text, item_answers.answer_numeric,
    item_answers.answer_unit,
    list(distinct judgments.passage_id order by judgments.passage_id) as evidence
from gold.items as items
inner join gold.item_answers as item_answers using (item_id)
left join gold.judgments as judgments on items.item_id = judgments.item_id and judgments.grade > 0
where items.gold_set = 'p3' and items.item_kind = 'question'
group by all
order by items.item_id
"""


def records(warehouse):
    for row in warehouse.rows(QUERY):
        places = [{"sentence_id": one, "score": 1.0} for one in row["evidence"] if one]
        yield {
            **{"id": row["item_id"], "predicted": row["answer_text"], "ranking": places[:3]},
            **{"numeric_value": row["answer_numeric"], "unit": row["answer_unit"]},
            **{"latency_ms": 100, "timings": {"retrieve": 40}, "cost_usd": 0.01},
        }


def scored(warehouse, folder, lines):
    """Tables of the project with one more candidate, made in memory."""
    answers, systems = folder / "answers.jsonl", folder / "systems.yml"
    answers.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    system = {"system_id": "mine", "system_kind": "external_file", "description": "Mine"}
    settings = {"predictions_path": str(answers)}
    systems.write_text(json.dumps({"systems": [{**system, "settings": settings}]}))
    variables = merge_variables(
        default_variables(),
        {**warehouse.variables, "systems_paths": [str(systems)], "candidate": ["mine"]},
    )
    seeds = system_seeds()
    rows = [row for row in resolve_systems(*seeds, variables) if row["system_id"] == "mine"]
    return ModelsInMemory(
        ROOT,
        {**variables, "state_dir": str(folder)},
        {SYSTEMS: pa.Table.from_pylist(rows, schema=system_schema(seeds[1]))},
        dict.fromkeys((*EMPTY, "py_text_pairs_scored"), ()),
        warehouse=Path(warehouse.database),
        anew=models_behind(ROOT, SYSTEMS) - {"embeddings", "vector_indexes", "runs"},
    )


def rows_of(models, name, left_out):
    """Rows of the candidate's questions that were left as they are, as text."""
    rows = models.table(name).to_pylist()
    kept = [r for r in rows if r["system_id"] == "mine" and r["item_id"] not in left_out]
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in kept)


def test_an_absurd_number_changes_no_other_verdict(small, tmp_path):
    sound = list(records(small))
    spoilt, touched = list(sound), set()
    places = cycle(range(0, len(sound), 2))
    for (field, number), place in zip(absurd.KINDS, places, strict=False):
        spoilt[place] = absurd.spoilt(spoilt[place], field, number)
        touched.add(spoilt[place]["id"])

    before = scored(small, tmp_path, sound)
    expected = {name: rows_of(before, name, touched) for name in BY_QUESTION}
    after = scored(small, tmp_path, spoilt)

    assert len(touched) < len(sound)
    assert {name: rows_of(after, name, touched) for name in BY_QUESTION} == expected
    for name in (*IN_ALL, *SHOWN):
        assert after.table(name).num_rows > 0, name
    assert all(row["latency_ms"] >= 0 for row in after.table("query_stages").to_pylist())
