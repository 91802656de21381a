"""Kinds of fault in answers, citations and rankings, each planted in a system without fault.

The oracle answers every question as the gold does, cites its evidence and ranks it first. A
mutant is the oracle with one fault in a share of the questions that the fault can reach. An
evaluation is worth its name if the metric that stands for the fault sees the difference.
"""

import hashlib
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import yaml

from finrag.text.numbers import find_amounts

SHARE = 0.4
# Of the answers that carry a fault, the metric has to be worse on so many.
LEAST_SHARE = 0.8
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

    @cached_property
    def texts(self):
        return {row["sentence_id"]: row["sentence_text"] for row in self.sentences}

    def sentences_where(self, choose):
        return [row["sentence_id"] for row in self.sentences if choose(row)]


@dataclass(frozen=True)
class Kind:
    """A fault and the metric that should notice it; ``k`` is 0 for answers.

    ``share`` of the questions that the fault can reach carry it. Where it is right that the metric
    is worse on fewer than ``LEAST_SHARE`` of them, ``reason`` says why.
    """

    name: str
    metric: str
    k: int
    change: Callable
    answer_types: tuple[str, ...] = ()
    share: float = SHARE
    least_share: float = LEAST_SHARE
    reason: str = ""
    # Where a fault leaves no value: the status that tells it instead.
    status: str = ""

    def __post_init__(self):
        if self.least_share < LEAST_SHARE and not self.reason:
            raise ValueError(f"kind {self.name}: say why less than {LEAST_SHARE} is right.")


def read_corpus(warehouse):
    questions = warehouse.rows(
        """
        select q.item_id, p.answer_type, p.answer_text, p.answer_numeric, p.answer_unit,
               p.tolerance, p.cik_int, p.company_name, p.years, p.category,
               p.evidence_sentence_ids, p.question_text,
               -- The questions that need most evidence.
               ntile(3) over (
                   order by len(coalesce(p.evidence_sentence_ids, [])) desc, q.item_id asc
               ) = 1 as is_hard_third
        from gold.items as q
        inner join gold.gold_p3 as p on q.item_id = 'p3:' || p.question_id
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
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def declare(folder, files, describe):
    """Writes the records of systems, and the file that declares them for `systems_paths`.

    `files` are the records by system, `describe` says in words what one does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    systems = []
    for name, records in files.items():
        path = folder / f"{name}.jsonl"
        write_records(path, records)
        systems.append(
            {
                "system_id": name,
                "system_kind": "external_file",
                "settings": {"predictions_path": str(path)},
                "description": describe(name),
            }
        )
    path = folder / "systems.yml"
    path.write_text(yaml.safe_dump({"systems": systems}), encoding="utf-8")
    return path


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
        if fits and rng.random() < kind.share:
            changed = kind.change(json.loads(json.dumps(record)), question, corpus, rng)
            if changed is not None and changed != record:
                reached.append(question["item_id"])
                record = changed
        records.append(record)
    return records, reached


# --- Answers ---------------------------------------------------------------------------


def restate(record, text, value=None, unit=None):
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


negate = in_money(lambda record, value: restate(record, money(-value), -value, "USD"))
thousandfold = in_money(
    lambda record, value: restate(record, money(value * 1000), value * 1000, "USD")
)
thousandth = in_money(
    lambda record, value: restate(record, money(value / 1000), value / 1000, "USD")
)
millions_forgotten = in_money(lambda record, value: restate(record, f"${value / MILLION:,.1f}"))
percent_for_money = in_money(
    lambda record, value: restate(
        record, f"{value / MILLION:,.1f} percent", value / MILLION, "percent"
    )
)
euros = in_money(lambda record, value: restate(record, money(value, "€")))
invented = in_money(lambda record, value: restate(record, money(value * 1.37), value * 1.37, "USD"))
no_number = in_money(lambda record, value: restate(record, "The filing states the amount."))


def in_words(text):
    """An amount of money in words around it, without a typed value; ``{}`` is the amount."""

    def changed(record, value):
        return restate(record, text.format(f"${abs(value) / MILLION:,.1f} million"))

    return in_money(changed)


def one_digit(record, value):
    """One significant digit, where that is far from the value."""
    step = 10.0 ** math.floor(math.log10(abs(value)))
    rounded = round(value / step) * step
    if abs(rounded - value) <= 0.06 * abs(value):
        return None
    name, scale = ("billion", 1e9) if abs(rounded) >= 1e9 else ("million", 1e6)
    return restate(record, f"{'-' if value < 0 else ''}${abs(rounded) / scale:.0f} {name}")


one_digit_left = in_money(one_digit)
unicode_minus = in_money(lambda record, value: restate(record, f"\u2011{money(abs(value))}"))
bracketed = in_money(
    lambda record, value: restate(record, f"The amount: (${value / MILLION:,.1f} million)")
)
loss_for_gain = in_words("It was a loss of {}.")
outflow_for_inflow = in_words("There was a {} cash outflow.")
figure_denied = in_words("It was not {}.")
figure_bounded = in_words("It was less than {}.")
for_a_quarter = in_words("In the first quarter it was {}.")


def positive(change):
    """Only where the gold is positive and nothing in question or answer tells of a loss."""

    def changed(record, question, corpus, rng):
        said = f"{question['question_text']} {question['answer_text']}".lower()
        is_signed = any(word in said for word in ("loss", "used", "chang", "outflow", "down"))
        if is_signed or (question["answer_numeric"] or 0) <= 0:
            return None
        return change(record, question, corpus, rng)

    return changed


def levels(change):
    """Only where a level is asked for, not a change."""

    def changed(record, question, corpus, rng):
        return None if question["category"] == "N" else change(record, question, corpus, rng)

    return changed


def of_cash(change):
    """Only where cash that flows is asked for: a tax is an outflow by rights."""

    def changed(record, question, corpus, rng):
        asked = question["question_text"].lower()
        flows = "cash flow" in asked or ("cash" in asked and "provided" in asked)
        return change(record, question, corpus, rng) if flows else None

    return changed


def alternative_added(record, question, corpus, rng):
    if question["answer_unit"] != "USD" or abs(question["answer_numeric"]) < MILLION:
        return None
    value = question["answer_numeric"]
    return restate(record, f"It was {money(value)} or {money(value * 1.4)}.")


def currency_behind(record, question, corpus, rng):
    if question["answer_unit"] != "USD" or abs(question["answer_numeric"]) < MILLION:
        return None
    value = question["answer_numeric"] / MILLION
    unit = rng.choice(("EUR", "GBP", "CHF", "Swiss francs", "Canadian dollars", "shares"))
    return restate(record, f"{value:,.1f} million {unit}")


def other_figure_of_the_source(record, question, corpus, rng):
    if question["answer_unit"] != "USD":
        return None
    aim, slack = question["answer_numeric"], 3 * (question["tolerance"] or 0) + 1
    found = [
        amount
        for one in question["evidence_sentence_ids"] or []
        for amount in find_amounts(corpus.texts.get(one, ""))
        if amount.unit == "USD" and abs(abs(amount.value) - abs(aim)) > slack
    ]
    # As a reader would: the cited words hold the figure, but for something else.
    return restate(record, rng.choice(found).raw) if found else None


YEAR = re.compile(r"\b20[0-9]{2}\b")


def years_moved(text):
    return YEAR.sub(lambda year: str(int(year.group()) - 2), text)


def right_figure_wrong_year(record, question, corpus, rng):
    if question["answer_unit"] != "USD" or not question["years"]:
        return None
    value = question["answer_numeric"]
    text = f"In fiscal {min(question['years']) - 2} it was {money(value)}."
    return restate(record, text, value, "USD")


def wrong_year_told(record, question, corpus, rng):
    """The words of the oracle, with every year two too early."""
    if not YEAR.search(record["predicted"]) or question["answer_unit"] == "year":
        return None
    return {**record, "predicted": years_moved(record["predicted"])}


FROM_TO = re.compile(r"from (-?\$[0-9.,]+ \w+) in fiscal ([0-9]{4}) to (-?\$[0-9.,]+ \w+) in")


def figures_swapped(record, question, corpus, rng):
    swapped = FROM_TO.sub(r"from \3 in fiscal \2 to \1 in", record["predicted"])
    return None if swapped == record["predicted"] else {**record, "predicted": swapped}


def of_small_units(change):
    """A fault in a figure a share, a percentage or a number of people."""
    printed = {"USD_per_share": "${:,.2f}", "percent": "{:.1f}%", "people": "{:,.0f} people"}

    def changed(record, question, corpus, rng):
        unit = question["answer_unit"]
        if unit not in printed or not question["answer_numeric"]:
            return None
        value = change(question["answer_numeric"])
        text = printed[unit].format(abs(value))
        return restate(record, f"{'-' if value < 0 else ''}{text}", value, unit)

    return changed


small_negated = of_small_units(lambda value: -value)
small_tenfold = of_small_units(lambda value: value * 10)


def basic_for_diluted(record, question, corpus, rng):
    if question["answer_unit"] != "USD_per_share" or "diluted" not in question["question_text"]:
        return None
    sign = "-" if question["answer_numeric"] < 0 else ""
    figure = f"{sign}${abs(question['answer_numeric']):.2f}"
    return restate(record, f"Basic earnings per share were {figure}.")


def just_beyond_tolerance(record, question, corpus, rng):
    if question["answer_unit"] != "USD" or not question["tolerance"]:
        return None
    value = question["answer_numeric"] + 3 * max(question["tolerance"], 1)
    return restate(record, money(value), value, "USD")


def other_year_of_period(record, question, corpus, rng):
    if question["answer_unit"] != "year":
        return None
    year = int(question["answer_numeric"]) + rng.choice((-1, 1))
    return restate(record, f"fiscal {year}", float(year), "year")


def answer_of(fields):
    """The answer of another question that shares these fields."""

    def changed(record, question, corpus, rng):
        others = corpus.others(question, fields=fields)
        if not others:
            return None
        other = rng.choice(others)
        return restate(record, other["answer_text"], other["answer_numeric"], other["answer_unit"])

    return changed


def direction_flipped(record, question, corpus, rng):
    text = record["predicted"]
    for word, opposite in (("Up by", "Down by"), ("Down by", "Up by")):
        if text.startswith(word):
            return restate(record, text.replace(word, opposite, 1).partition(", from ")[0])
    return None


def boolean_flipped(record, question, corpus, rng):
    is_yes = question["answer_text"].lower().startswith("yes")
    return restate(record, "No." if is_yes else "Yes.")


def boolean_taken_back(record, question, corpus, rng):
    is_yes = question["answer_text"].lower().startswith("yes")
    return restate(record, "Yes, but no." if is_yes else "No, but yes.")


def of_list(change):
    def changed(record, question, corpus, rng):
        items = json.loads(question["answer_text"])
        return restate(record, json.dumps(change(items, rng))) if len(items) > 1 else None

    return changed


half_the_list = of_list(lambda items, rng: items[: len(items) // 2])
list_doubled = of_list(
    lambda items, rng: [*items, *(f"Invented matter {n}" for n in range(len(items)))]
)


def list_disowned(record, question, corpus, rng):
    return restate(record, f"None of: {'; '.join(json.loads(question['answer_text']))}")


def text_denied(record, question, corpus, rng):
    return restate(record, f"It is not true that {record['predicted']}")


MODAL = re.compile(r"\b(?:may|might|could) (not )?(?:be\b)?")
VERB = re.compile(r"\b(was|were|is|are|did|may|will)\b(?! not)")


def may_to_did(record, question, corpus, rng):
    """What could happen is described as what happened."""
    text = record["predicted"]
    if not MODAL.search(text):
        return None
    return restate(
        record,
        MODAL.sub(
            lambda modal: (
                f"{'are' if modal.group().endswith('be') else 'did'} {modal[1] or ''}".rstrip()
                + ("" if modal.group().endswith("be") else " ")
            ),
            text,
        ),
    )


def claim_negated(record, question, corpus, rng):
    negated = VERB.sub(r"\1 not", record["predicted"], count=1)
    return None if negated == record["predicted"] else {**record, "predicted": negated}


def refused_in_words(record, question, corpus, rng):
    said = ("The filing does not disclose it.", "I cannot determine this from the filing.")
    return restate(record, rng.choice(said))


def hard_third_refused(record, question, corpus, rng):
    return abstained(record, question, corpus, rng) if question["is_hard_third"] else None


def answered_all_the_same(record, question, corpus, rng):
    other = rng.choice([row for row in corpus.questions if row["answer_type"] == "numeric"])
    return restate(
        {**record, "abstained": False}, other["answer_text"], other["answer_numeric"], "USD"
    )


def abstained(record, question, corpus, rng):
    return {"id": record["id"], "ranking": record["ranking"], "abstained": True}


def failed(record, question, corpus, rng):
    return {"id": record["id"], "ranking": record["ranking"], "error": "no answer in time"}


def cut_short(record, question, corpus, rng):
    words = record["predicted"].split()
    return restate(record, " ".join(words[: len(words) // 3])) if len(words) > 5 else None


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
        new = [one for one in wrong if one not in ranked]
        return {**cited(record, wrong), "ranking": scored([*ranked, *new])}

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
    Kind(
        "other_figure_of_the_source",
        "numeric_within_tolerance",
        0,
        other_figure_of_the_source,
        NUMERIC,
    ),
    Kind("right_figure_wrong_year", "numeric_exact", 0, levels(right_figure_wrong_year), NUMERIC),
    Kind("one_digit_left", "numeric_within_tolerance", 0, one_digit_left, NUMERIC),
    Kind("currency_behind", "numeric_within_tolerance", 0, currency_behind, NUMERIC),
    Kind("unicode_minus", "numeric_exact", 0, positive(levels(unicode_minus)), NUMERIC),
    Kind("figure_in_brackets", "numeric_exact", 0, positive(levels(bracketed)), NUMERIC),
    Kind("loss_for_gain", "numeric_exact", 0, positive(levels(loss_for_gain)), NUMERIC),
    Kind(
        "outflow_for_inflow",
        "numeric_exact",
        0,
        of_cash(positive(levels(outflow_for_inflow))),
        NUMERIC,
        share=1,
    ),
    Kind("figure_denied", "numeric_exact", 0, levels(figure_denied), NUMERIC),
    Kind("figure_bounded", "numeric_exact", 0, levels(figure_bounded), NUMERIC),
    Kind("alternative_added", "numeric_exact", 0, levels(alternative_added), NUMERIC),
    Kind("quarter_for_year", "numeric_exact", 0, levels(for_a_quarter), NUMERIC),
    Kind("small_number_negated", "numeric_within_tolerance", 0, small_negated, NUMERIC, share=1),
    Kind("small_number_tenfold", "numeric_within_tolerance", 0, small_tenfold, NUMERIC, share=1),
    Kind("basic_for_diluted", "numeric_exact", 0, basic_for_diluted, NUMERIC, share=1),
    Kind("direction_flipped", "numeric_exact", 0, direction_flipped, NUMERIC),
    Kind("yes_for_no", "boolean_accuracy", 0, boolean_flipped, ("boolean",)),
    Kind("yes_taken_back", "boolean_accuracy", 0, boolean_taken_back, ("boolean",)),
    Kind("list_disowned", "list_match", 0, list_disowned, LIST),
    Kind("list_items_dropped", "list_match", 0, half_the_list, LIST),
    Kind("list_items_invented", "list_jaccard", 0, list_doubled, LIST),
    Kind("text_of_another_question", "answer_accuracy", 0, answer_of(()), SPAN),
    Kind("text_of_another_company", "answer_accuracy", 0, answer_of(("years",)), SPAN),
    Kind("text_denied", "answer_accuracy", 0, text_denied, SPAN),
    Kind("text_cut_short", "rouge_l", 0, cut_short, SPAN),
    Kind(
        "answered_without_evidence", "no_answer_accuracy", 0, answered_all_the_same, ("no_answer",)
    ),
    Kind("abstained_without_need", "false_abstention", 0, abstained, ANSWERABLE),
    Kind("refused_in_words", "false_abstention", 0, refused_in_words, ANSWERABLE),
    Kind("hard_third_refused", "answer_accuracy", 0, hard_third_refused, ANSWERABLE, share=1),
    Kind("answer_failed", "answered", 0, failed, ANSWERABLE, status="failed"),
    Kind("figure_added", "unsupported_numbers", 0, invented_figure, SPAN + NUMERIC),
    Kind("claim_added", "claims_supported", 0, invented_claim, SPAN + NUMERIC),
    Kind("figures_swapped", "claims_supported", 0, figures_swapped, NUMERIC),
    Kind("wrong_year_told", "claims_supported", 0, wrong_year_told, SPAN + NUMERIC),
    Kind("may_to_did", "claims_supported", 0, may_to_did, SPAN, share=1),
    Kind("claim_negated", "claims_supported", 0, claim_negated, SPAN + NUMERIC),
    Kind("span_uncited", "citation_correctness", 0, none_cited, SPAN),
    Kind("number_uncited", "cites_right_filing", 0, none_cited, NUMERIC),
    Kind("citations_dropped", "citation_coverage", 0, none_cited, ANSWERABLE),
    Kind("one_citation_dropped", "citation_recall", 0, one_citation_dropped, ANSWERABLE),
    Kind("cited_other_company", "cites_right_filing", 0, cited_other_company, ANSWERABLE),
    Kind("cited_other_year", "cites_right_filing", 0, cited_other_year, ANSWERABLE),
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
# A chunk listed twice is set right at the door, counted and reported: no metric may gain by it.
REPEATED = Kind("chunk_repeated", "hit", 5, chunk_repeated)
