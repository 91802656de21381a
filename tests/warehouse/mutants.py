"""Kinds of fault in answers, citations and rankings, each planted in a system without fault.

The oracle answers every question as the gold does, cites its evidence and ranks it first. A
mutant is the oracle with one fault in a share of the questions that the fault can reach. An
evaluation is worth its name if the metric that stands for the fault sees the difference.
"""

import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import dataclass

SHARE = 0.4
DEPTH = 20
MILLION = 1_000_000


@dataclass(frozen=True)
class Corpus:
    """What faults are made of."""

    questions: list[dict]
    sentences: list[dict]

    def others(self, question, **same):
        """Questions of the same answer type that differ, in the order of their ids."""
        return [
            other
            for other in self.questions
            if other["item_id"] != question["item_id"]
            and other["answer_type"] == question["answer_type"]
            and other["answer_text"] != question["answer_text"]
            and all(other[field] == question[field] for field in same.get("fields", ()))
        ]

    def sentences_where(self, choose):
        return [row["sentence_id"] for row in self.sentences if choose(row)]


@dataclass(frozen=True)
class Kind:
    """A fault and the metric that should notice it; ``k`` is 0 for answers."""

    name: str
    metric: str
    k: int
    change: Callable
    answer_types: tuple[str, ...] = ()


def seeded(*parts):
    digest = hashlib.blake2b("|".join(map(str, parts)).encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


def oracle(question, corpus):
    """The record of a system without fault."""
    rng = seeded("oracle", question["item_id"])
    evidence = list(question["evidence_sentence_ids"] or [])
    noise = [row["sentence_id"] for row in rng.sample(corpus.sentences, DEPTH * 2)]
    ranked = evidence + [sentence for sentence in noise if sentence not in evidence]
    record = {"id": question["item_id"], "ranking": scored(ranked[:DEPTH])}
    if question["answer_type"] == "no_answer":
        return {**record, "abstained": True}
    return {
        **record,
        "predicted": question["answer_text"],
        "numeric_value": question["answer_numeric"],
        "unit": question["answer_unit"],
        "citations": [{"sentence_id": sentence} for sentence in evidence],
    }


def scored(ranked):
    return [
        {"sentence_id": sentence, "score": float(len(ranked) - place)}
        for place, sentence in enumerate(ranked)
    ]


def mutant(kind, corpus):
    """Records of the oracle with one kind of fault, and the items that carry it."""
    records, reached = [], []
    for question in corpus.questions:
        record = oracle(question, corpus)
        rng = seeded(kind.name, question["item_id"])
        fits = not kind.answer_types or question["answer_type"] in kind.answer_types
        if fits and rng.random() < SHARE:
            changed = kind.change(json.loads(json.dumps(record)), question, corpus, rng)
            if changed is not None and changed != record:
                reached.append(question["item_id"])
                record = changed
        records.append(record)
    return records, reached


# --- Answers ---------------------------------------------------------------------------


def told(record, text, value=None, unit=None):
    """The record with another answer; without a value the number stands in the text alone."""
    return {**record, "predicted": text, "numeric_value": value, "unit": unit}


def money(value, currency="$"):
    sign = "-" if value < 0 else ""
    return f"{sign}{currency}{abs(value):,.0f}"


def in_money(change):
    """A fault in an amount of money, which stands in the text and beside it."""

    def changed(record, question, corpus, rng):
        if question["answer_unit"] != "USD" or abs(question["answer_numeric"]) < MILLION:
            return None
        return change(record, question["answer_numeric"])

    return changed


negate = in_money(lambda record, value: told(record, money(-value), -value, "USD"))
thousandfold = in_money(
    lambda record, value: told(record, money(value * 1000), value * 1000, "USD")
)
thousandth = in_money(lambda record, value: told(record, money(value / 1000), value / 1000, "USD"))
millions_forgotten = in_money(lambda record, value: told(record, f"${value / MILLION:,.1f}"))
percent_for_money = in_money(
    lambda record, value: told(
        record, f"{value / MILLION:,.1f} percent", value / MILLION, "percent"
    )
)
euros = in_money(lambda record, value: told(record, money(value, "€")))
invented = in_money(lambda record, value: told(record, money(value * 1.37), value * 1.37, "USD"))
no_number = in_money(lambda record, value: told(record, "The filing states the amount."))


def just_beyond_tolerance(record, question, corpus, rng):
    if question["answer_unit"] != "USD" or not question["tolerance"]:
        return None
    value = question["answer_numeric"] + 3 * max(question["tolerance"], 1)
    return told(record, money(value), value, "USD")


def other_year_of_period(record, question, corpus, rng):
    if question["answer_unit"] != "year":
        return None
    year = int(question["answer_numeric"]) + rng.choice((-1, 1))
    return told(record, f"fiscal {year}", float(year), "year")


def answer_of(fields):
    """The answer of another question that shares these fields."""

    def changed(record, question, corpus, rng):
        others = corpus.others(question, fields=fields)
        if not others:
            return None
        other = rng.choice(others)
        return told(record, other["answer_text"], other["answer_numeric"], other["answer_unit"])

    return changed


def direction_flipped(record, question, corpus, rng):
    text = record["predicted"]
    for word, opposite in (("Up by", "Down by"), ("Down by", "Up by")):
        if text.startswith(word):
            return told(record, text.replace(word, opposite, 1).split(",", 3)[0])
    return None


def boolean_flipped(record, question, corpus, rng):
    is_yes = question["answer_text"].lower().startswith("yes")
    return told(record, "No." if is_yes else "Yes.")


def of_list(change):
    def changed(record, question, corpus, rng):
        items = json.loads(question["answer_text"])
        return told(record, json.dumps(change(items, rng))) if len(items) > 1 else None

    return changed


half_the_list = of_list(lambda items, rng: items[: len(items) // 2])
list_doubled = of_list(
    lambda items, rng: [*items, *(f"Invented matter {n}" for n in range(len(items)))]
)


def answered_all_the_same(record, question, corpus, rng):
    other = rng.choice([row for row in corpus.questions if row["answer_type"] == "numeric"])
    return told(
        {**record, "abstained": False}, other["answer_text"], other["answer_numeric"], "USD"
    )


def abstained(record, question, corpus, rng):
    return {"id": record["id"], "ranking": record["ranking"], "abstained": True}


def failed(record, question, corpus, rng):
    return {"id": record["id"], "ranking": record["ranking"], "error": "no answer in time"}


def cut_short(record, question, corpus, rng):
    words = record["predicted"].split()
    return told(record, " ".join(words[: len(words) // 3])) if len(words) > 5 else None


def appended(sentence):
    def changed(record, question, corpus, rng):
        return {**record, "predicted": f"{record['predicted'].rstrip('.')}. {sentence}"}

    return changed


invented_figure = appended("This compares with a plan of $987,654,321.")
invented_claim = appended("Zyntara Holdings later bought the whole business for its patents.")

# --- Citations -------------------------------------------------------------------------


def cited(record, sentences):
    return {**record, "citations": [{"sentence_id": sentence} for sentence in sentences]}


def ids_of(record):
    return [citation["sentence_id"] for citation in record["citations"]]


def none_cited(record, question, corpus, rng):
    return cited(record, []) if record.get("citations") else None


def one_citation_dropped(record, question, corpus, rng):
    ids = ids_of(record) if record.get("citations") else []
    return cited(record, ids[:-1]) if len(ids) > 1 else None


def cited_elsewhere(choose):
    """Citations of sentences that stand in another place, to be retrieved as well."""

    def changed(record, question, corpus, rng):
        if not record.get("citations"):
            return None
        ids = set(ids_of(record))
        homes = [row for row in corpus.sentences if row["sentence_id"] in ids]
        if not homes:
            return None
        found = corpus.sentences_where(lambda row: choose(row, homes[0]))
        if not found:
            return None
        wrong = rng.sample(found, min(len(ids), len(found)))
        ranked = [row["sentence_id"] for row in record["ranking"]]
        return {**cited(record, wrong), "ranking": scored([*ranked, *set(wrong) - set(ranked)])}

    return changed


cited_other_company = cited_elsewhere(
    lambda row, home: (
        row["cik_int"] != home["cik_int"] and row["report_year"] == home["report_year"]
    )
)
cited_other_year = cited_elsewhere(
    lambda row, home: (
        row["cik_int"] == home["cik_int"] and row["report_year"] != home["report_year"]
    )
)
cited_next_section = cited_elsewhere(
    lambda row, home: (
        row["filing_id"] == home["filing_id"] and row["section_name"] != home["section_name"]
    )
)


def noise_cited(record, question, corpus, rng):
    if not record.get("citations"):
        return None
    noise = [row["sentence_id"] for row in record["ranking"][-4:]]
    return cited(record, [*ids_of(record), *(one for one in noise if one not in ids_of(record))])


def quote_invented(record, question, corpus, rng):
    if not record.get("citations"):
        return None
    quoted = [
        {**one, "quote": "The board approved a plan that nobody had asked for."}
        for one in record["citations"]
    ]
    return {**record, "citations": quoted}


def quote_kept(record, corpus):
    """The oracle quotes its evidence word for word."""
    texts = {row["sentence_id"]: row["sentence_text"] for row in corpus.sentences}
    quoted = [
        {**one, "quote": texts.get(one["sentence_id"])} for one in record.get("citations", [])
    ]
    return {**record, "citations": quoted} if quoted else record


# --- Rankings --------------------------------------------------------------------------


def reranked(change):
    def changed(record, question, corpus, rng):
        if not question["evidence_sentence_ids"]:
            return None
        ranked = [row["sentence_id"] for row in record["ranking"]]
        return {**record, "ranking": scored(change(ranked, question, corpus, rng))}

    return changed


def without_evidence(ranked, question, corpus, rng):
    return [one for one in ranked if one not in question["evidence_sentence_ids"]]


def evidence_last(ranked, question, corpus, rng):
    return [*without_evidence(ranked, question, corpus, rng), *question["evidence_sentence_ids"]]


def noise_first(ranked, question, corpus, rng):
    noise = without_evidence(ranked, question, corpus, rng)
    return [*noise[:6], *(one for one in ranked if one not in noise[:6])]


def other_filings(ranked, question, corpus, rng):
    home = question["evidence_sentence_ids"][0]
    year = next(
        (row["report_year"] for row in corpus.sentences if row["sentence_id"] == home), None
    )
    wrong = corpus.sentences_where(lambda row: row["report_year"] != year)
    return rng.sample(wrong, DEPTH)


def half_of_evidence(ranked, question, corpus, rng):
    evidence = question["evidence_sentence_ids"]
    return [one for one in ranked if one not in evidence[len(evidence) // 2 :]]


def constant_scores(record, question, corpus, rng):
    return {**record, "ranking": [{**row, "score": 1.0} for row in record["ranking"]]}


def chunk_repeated(record, question, corpus, rng):
    return {**record, "ranking": [record["ranking"][0], *record["ranking"]]}


NUMERIC, SPAN, LIST = ("numeric",), ("span",), ("list",)
ANSWERABLE = ("numeric", "span", "list", "boolean")
KINDS = (
    Kind("number_negated", "numeric_within_tolerance", 0, negate, NUMERIC),
    Kind("number_times_thousand", "numeric_within_tolerance", 0, thousandfold, NUMERIC),
    Kind("number_by_thousand", "numeric_within_tolerance", 0, thousandth, NUMERIC),
    Kind("millions_forgotten", "numeric_within_tolerance", 0, millions_forgotten, NUMERIC),
    Kind("percent_for_money", "numeric_within_tolerance", 0, percent_for_money, NUMERIC),
    Kind("euros_for_dollars", "numeric_within_tolerance", 0, euros, NUMERIC),
    Kind("number_invented", "numeric_within_tolerance", 0, invented, NUMERIC),
    Kind("number_beyond_tolerance", "numeric_within_tolerance", 0, just_beyond_tolerance, NUMERIC),
    Kind("number_left_out", "numeric_within_tolerance", 0, no_number, NUMERIC),
    Kind("year_off_by_one", "numeric_exact", 0, other_year_of_period, NUMERIC),
    Kind("figure_of_another_year", "numeric_exact", 0, answer_of(("cik_int", "category")), NUMERIC),
    Kind(
        "figure_of_another_company", "numeric_exact", 0, answer_of(("years", "category")), NUMERIC
    ),
    Kind("direction_flipped", "numeric_exact", 0, direction_flipped, NUMERIC),
    Kind("yes_for_no", "boolean_accuracy", 0, boolean_flipped, ("boolean",)),
    Kind("list_items_dropped", "list_match", 0, half_the_list, LIST),
    Kind("list_items_invented", "list_jaccard", 0, list_doubled, LIST),
    Kind("text_of_another_question", "answer_accuracy", 0, answer_of(()), SPAN),
    Kind("text_of_another_company", "answer_accuracy", 0, answer_of(("years",)), SPAN),
    Kind("text_cut_short", "rouge_l", 0, cut_short, SPAN),
    Kind(
        "answered_without_evidence", "no_answer_accuracy", 0, answered_all_the_same, ("no_answer",)
    ),
    Kind("abstained_without_need", "false_abstention", 0, abstained, ANSWERABLE),
    Kind("answer_failed", "answered", 0, failed, ANSWERABLE),
    Kind("figure_added", "unsupported_numbers", 0, invented_figure, SPAN + NUMERIC),
    Kind("claim_added", "claims_supported", 0, invented_claim, SPAN + NUMERIC),
    Kind("citations_dropped", "citation_coverage", 0, none_cited, ANSWERABLE),
    Kind("one_citation_dropped", "citation_recall", 0, one_citation_dropped, ANSWERABLE),
    Kind("cited_other_company", "attribution", 0, cited_other_company, ANSWERABLE),
    Kind("cited_other_year", "attribution", 0, cited_other_year, ANSWERABLE),
    Kind("cited_other_section", "citation_correctness", 0, cited_next_section, ANSWERABLE),
    Kind("noise_cited", "citation_correctness", 0, noise_cited, ANSWERABLE),
    Kind("quote_invented", "quotes_verified", 0, quote_invented, ANSWERABLE),
    Kind("ranking_reversed", "mrr", 30, reranked(lambda ranked, *_: ranked[::-1])),
    Kind("evidence_last", "ndcg", 10, reranked(evidence_last)),
    Kind("noise_first", "hit", 5, reranked(noise_first)),
    Kind("evidence_left_out", "evidence_recall", 10, reranked(without_evidence)),
    Kind("half_of_evidence", "evidence_complete", 10, reranked(half_of_evidence)),
    Kind("ranking_of_other_years", "hit", 10, reranked(other_filings)),
    Kind("constant_scores", "mrr", 30, constant_scores),
)
# A chunk listed twice is set right at the door, counted and told: no metric may gain by it.
REPEATED = Kind("chunk_repeated", "hit", 5, chunk_repeated)
