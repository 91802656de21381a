"""What trec_eval (through pytrec_eval) gives for rankings, and what evidence ties leave in them."""

import itertools

import pytrec_eval

MEASURES = {
    "hit": ("success", (1, 3, 5, 10)),
    "ndcg": ("ndcg_cut", (5, 10, 30)),
    "precision": ("P", (5, 10)),
    "recall": ("recall", (5, 10, 30)),
}


def oracle(judgments, run):
    """Every metric of the catalogue, by item; runs come as ranked lists, best first."""
    # trec_eval sorts by score; a score that falls with the rank keeps our order.
    scored = {
        item: {sentence: float(-rank) for rank, sentence in enumerate(ranked)}
        for item, ranked in run.items()
    }
    names = {f"{name}.{','.join(map(str, cuts))}" for name, cuts in MEASURES.values()}
    found = pytrec_eval.RelevanceEvaluator(judgments, names | {"map"}).evaluate(scored)
    values = {}
    for item, measures in found.items():
        for metric, (name, cuts) in MEASURES.items():
            for k in cuts:
                values[item, metric, k] = measures[f"{name}_{k}"]
        values[item, "map", 0] = measures["map"]
    for k in (5, 20, 30):
        head = {
            item: dict(sorted(scores.items(), key=lambda pair: -pair[1])[:k])
            for item, scores in scored.items()
        }
        by_item = pytrec_eval.RelevanceEvaluator(judgments, {"recip_rank"}).evaluate(head)
        for item, measures in by_item.items():
            values[item, "mrr", k] = measures["recip_rank"]
    return values


def over_evidence(ranked, held):
    """A ranking by evidence: a passage bears the name of the best that it is first to hold.

    Passages whose evidence was all found before leave the ranking.
    """
    found, kept = set(), []
    for passage in ranked:
        new = dict(held.get(passage, {}))
        for evidence in found:
            new.pop(evidence, None)
        if new:
            kept.append(max(new, key=lambda evidence: (new[evidence], evidence)))
            found |= new.keys()
        elif passage not in held:
            kept.append(f"passage {passage}")
    return kept


def evidence_within(groups, stands_for, k):
    """Pieces of evidence within k, over every way in which the tie that k cuts may fall."""
    found, places = set(), k
    for group in groups:
        if len(group) > places:
            ways = itertools.combinations(group, places)
            counts = [len(found.union(*(stands_for.get(name, ()) for name in way))) for way in ways]
            return min(counts), sum(counts) / len(counts), max(counts)
        found = found.union(*(stands_for.get(name, ()) for name in group))
        places -= len(group)
    return len(found), len(found), len(found)
