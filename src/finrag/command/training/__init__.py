"""The command ``finrag train-reranker``: a cross-encoder from the gold of a built warehouse."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from finrag.retrieval.training import Group, Trained, Training, train_reranker
from finrag.warehouse import open_warehouse

DEFAULT_TARGET = Path(".finrag/reranker")
_DEFAULTS = Training()

# One row per item and evidence: the evidence itself, or the first sentence that stands for it.
_POSITIVES = """
select
    items.item_id,
    items.gold_set,
    cast(min(sentences.cik_int) as varchar) as company,
    min(coalesce(items.question_text, asked.sentence_text)) as query,
    min_by(sentences.sentence_text, (judgments.passage_id <> judgments.evidence_id,
        judgments.passage_id)) as positive
from gold.items
inner join gold.judgments using (item_id)
inner join sentences.sentences on judgments.passage_id = sentences.sentence_id
left join sentences.sentences as asked on items.passage_id = asked.sentence_id
where items.gold_set in ('p1', 'p3') and judgments.mapping = 'mapped'
group by items.item_id, items.gold_set, judgments.evidence_id
order by md5(items.item_id || judgments.evidence_id), items.item_id, judgments.evidence_id
"""
# What searches ranked high and no judgment names, nor any copy of what it names.
_NEGATIVES = """
select rankings.item_id, list(distinct sentences.sentence_text) as negatives
from retrieval.rankings
inner join gold.items using (item_id)
inner join sentences.sentences on rankings.passage_id = sentences.sentence_id
left join gold.judgments
    on rankings.item_id = judgments.item_id and rankings.passage_id = judgments.passage_id
left join (
    select distinct judgments.item_id, sentences.text_hash
    from gold.judgments
    inner join sentences.sentences on judgments.passage_id = sentences.sentence_id
) as copies
    on rankings.item_id = copies.item_id and sentences.text_hash = copies.text_hash
where
    items.gold_set in ('p1', 'p3')
    and rankings.rank <= 20
    and (rankings.system_id like 'bm25%' or rankings.system_id like 'dense%')
    and judgments.item_id is null
    and copies.item_id is null
    and rankings.passage_id is distinct from items.passage_id
group by rankings.item_id
"""
_CORPUS = "select min(corpus_hash) as corpus_hash from metrics.run_manifests"


def add_training(commands: Any, add_database: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the command to the command line."""
    train = commands.add_parser(
        "train-reranker",
        help="train a cross-encoder on the questions and anchors of the last build",
        description="Trains a small cross-encoder (the installed MiniLM weights with one output). "
        "It learns to rank the evidence of P3 questions and P1 anchors above other sentences that "
        "searches ranked high. One company in five is held out to measure the result. Training "
        "takes a few minutes.",
    )
    add_database(train)
    train.add_argument(
        "--out", type=Path, default=DEFAULT_TARGET, help=f"a new folder (default: {DEFAULT_TARGET})"
    )
    train.add_argument(
        "--items",
        type=int,
        default=2000,
        help="number of items to learn from, at most (default: 2000)",
    )
    train.add_argument("--epochs", type=int, default=_DEFAULTS.n_epochs, help="epochs (default: 1)")
    train.add_argument("--seed", type=int, default=_DEFAULTS.seed, help="seed (default: 7)")
    train.set_defaults(run=_train)


def read_groups(database: Path, n_items: int) -> tuple[list[Group], str]:
    """The groups that a warehouse has to learn from, questions first, and its corpus' hash.

    Raises:
        ValueError: there is no warehouse, or it has no gold.
    """
    with open_warehouse(database, "no gold or no rankings; run `finrag build` first") as warehouse:
        positives = warehouse.rows(_POSITIVES)
        negatives = {row["item_id"]: row["negatives"] for row in warehouse.rows(_NEGATIVES)}
        corpus_hash = str(warehouse.rows(_CORPUS)[0]["corpus_hash"])
    positives.sort(key=lambda row: row["gold_set"] != "p3")
    groups = [
        Group(row["item_id"], row["company"], row["query"], row["positive"], tuple(sorted(found)))
        for row in positives
        if (found := negatives.get(row["item_id"])) and row["query"]
    ]
    return groups[:n_items], corpus_hash


def _train(options: argparse.Namespace) -> int:
    from finrag.embeddings import minilm_folder

    for name in ("items", "epochs"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} is {getattr(options, name)}; give at least 1")
    groups, corpus_hash = read_groups(options.database, options.items)
    training = Training(n_epochs=options.epochs, seed=options.seed)
    trained = train_reranker(groups, minilm_folder(), options.out, corpus_hash, training)
    print(_said(trained, options.out))
    return 0


def _said(trained: Trained, target: Path) -> str:
    measured = "no company was held out, so the result was not measured"
    if trained.mrr_after is not None:
        measured = (
            f"on {trained.n_held_out:,} items of held-out companies, the mean reciprocal rank of "
            f"the evidence went from {trained.mrr_before:.3f} to {trained.mrr_after:.3f}"
        )
    return (
        f"trained on {trained.n_learnt:,} items in {trained.seconds:,.0f} s; {measured}.\n"
        f"Written to {target}. To measure it, name a file with these lines in systems_paths\n"
        "(docs/reference/systems.md), and build again:\n\n"
        f"{_declared(target)}"
    )


def _declared(target: Path) -> str:
    return f"""systems:
  - system_id: multi_path_trained
    based_on: multi_path
    compare_with: [multi_path]
    settings: {{reranker: {json.dumps(f"cross_encoder:{target}")}}}
"""
