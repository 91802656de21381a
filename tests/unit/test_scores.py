"""Answers scored from tables: what of them, of their questions and of their systems is joined."""

import csv
import tempfile
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.metrics import answers, stored
from finrag.metrics.score import Known, score

CATALOGUES = Path(__file__).parents[2] / "seeds" / "catalogues"
SETTINGS = {"min_topic_words": 8, "relative_tolerance": 0.002}


def seed(name):
    """Rows of a seed as the warehouse types them."""
    typed = {"true": True, "false": False}
    with (CATALOGUES / f"{name}.csv").open(newline="") as lines:
        return [
            {column: typed.get(value, value) for column, value in row.items()}
            for row in csv.DictReader(lines)
        ]


METRICS = sorted(seed("metric_catalogue"), key=lambda row: (row["metric"], row["mode"]))
KINDS = [{**row, "rank": int(row["rank"])} for row in seed("failure_kinds")]
ANSWER = {
    **{"system_id": "a", "gold_set": "p3", "item_id": "p3:q", "null_kind": None},
    **{"outcome": "answered", "answer_form": None, "answer_text": "words", "numeric_value": None},
    **{"unit": None, "is_citing": True, "question_text": "?", "answer_type": "span"},
    **{"gold_text": "words", "gold_numeric": None, "gold_unit": None, "tolerance": None},
    **{"golds": [], "is_list": False, "executed_answer": None, "scale": None},
    **{"is_answerable": True, "other_period_values": [], "pair_id": None, "asks_for_figure": False},
}
QUESTION = {
    **{"item_id": "p3:q", "gold_set": "p3", "question_id": "q", "is_of_filings": True},
    **{"answer_type": "span", "is_answerable": True, "is_list": False, "answers": ["words"]},
    **{"cik_int": [7], "years": [2021]},
}


def table(rows, **defaults):
    return pa.Table.from_pylist([{**defaults, **row} for row in rows])


def known(answers, questions=({},), **others):
    return Known(
        answers=table(answers, **ANSWER),
        questions=table(questions, **QUESTION),
        metrics=table(METRICS),
        deciding=table(seed("deciding_metrics")),
        kinds=table(KINDS),
        **{name: table(rows) for name, rows in others.items()},
    )


def scored(answers, questions=({},), to_trace=(), **others):
    """Scores, which are those that a build finds system by system, and finds again."""
    tables = known(answers, questions, **others)
    scores = score(tables, to_trace, SETTINGS)
    in_order = [("system_id", "ascending"), ("gold_set", "ascending"), ("item_id", "ascending")]
    tables = replace(tables, answers=tables.answers.sort_by(in_order))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            each = stored.score_each(tables, to_trace, {**SETTINGS, "state_dir": folder})
            assert each.read_all().equals(scores.answers.sort_by(in_order))
    return scores


def values(scores, *names):
    """Values by system, item, metric and mode, or those of some metrics by metric."""
    return {
        (row["system_id"], row["item_id"], row["metric"]): row["value"]
        for row in scores.values.to_pylist()
        if row["metric"] in names
    }


def verdicts(scores):
    return {
        (row["system_id"], row["item_id"]): row["is_right"] for row in scores.verdicts.to_pylist()
    }


def test_an_answer_of_a_system_has_a_verdict_and_that_of_a_null_values_alone():
    null = {"system_id": "null_wrong_year", "null_kind": "wrong_year", "pair_id": "2"}
    texts = [
        {"pair_id": pair, "metric": "contain_match", "value": value, "scorer_id": None}
        for pair, value in (("1", 1.0), ("2", 0.0))
    ]
    scores = scored([{"pair_id": "1"}, null], texts=texts)

    assert verdicts(scores) == {("a", "p3:q"): True}
    found = values(scores, "answer_accuracy", "citation_coverage", "answered")
    assert found == {
        ("a", "p3:q", "answer_accuracy"): 1,
        ("a", "p3:q", "answered"): 1,
        ("a", "p3:q", "citation_coverage"): 0,
        ("null_wrong_year", "p3:q", "answer_accuracy"): 0,
    }
    kinds = {row["system_id"]: row["null_kind"] for row in scores.values.to_pylist()}
    assert kinds == {"a": None, "null_wrong_year": "wrong_year"}
    assert scores.answers["is_right"].to_pylist() == [True, None]


def test_a_metric_is_a_row_and_a_function(monkeypatch):
    """As docs/reference/metrics.md tells somebody who adds one over the text of an answer."""

    def by_signs(_metric, answer):
        return None if answer.text is None else answers.Scored(float("$" in answer.text))

    monkeypatch.setitem(answers.RULES, "signs", by_signs)
    row = next(one for one in METRICS if one["metric"] == "claims_copied")
    added = {**row, "metric": "dollar_signs", "measured_by": "signs", "applies_to": ""}
    monkeypatch.setattr("tests.unit.test_scores.METRICS", [*METRICS, added])
    others = [{"item_id": "p3:r", "answer_text": "$5"}, {"item_id": "p3:s", "answer_text": None}]
    scores = score(known([{}, *others], [{}, *others]), (), SETTINGS)
    assert values(scores, "dollar_signs") == {
        ("a", "p3:q", "dollar_signs"): 0,
        ("a", "p3:r", "dollar_signs"): 1,
        ("a", "p3:s", "dollar_signs"): None,
    }


WHOLE = "Indeed, hackers may attack VectorSuite!"
ATTACK, FLOOD = "Hackers may attack VectorSuite.", "Floods may close the plant."


@pytest.mark.parametrize(
    ("text", "answer_type", "judged", "expected"),
    [
        (WHOLE, "span", [("e", ATTACK, False), ("e", FLOOD, False)], 1),
        ("Hackers may attack Vector", "span", [("e", ATTACK, False)], 0),
        (ATTACK, "span", [("e", FLOOD, False)], 0),
        # One of two pieces of evidence is not the whole answer.
        (ATTACK, "span", [("e", ATTACK, False), ("f", FLOOD, False)], 0),
        (f"{FLOOD} {ATTACK}", "span", [("e", ATTACK, False), ("f", FLOOD, False)], 1),
        # What a list lacks, no sentence makes up for, unless topics are all that is asked for.
        (ATTACK, "list", [("e", ATTACK, False)], 0),
        (ATTACK, "list", [("e", ATTACK, True), ("e", FLOOD, False)], 0),
        (ATTACK, "list", [("e", ATTACK, True), ("e", FLOOD, None)], 1),
        (ATTACK, "span", [("e", "...", False)], 0),
        (ATTACK, "span", [], 0),
    ],
)
def test_an_answer_that_holds_a_whole_judged_sentence_is_right(text, answer_type, judged, expected):
    rows = [
        {"item_id": "p3:q", "evidence_id": evidence, "is_topic": topic, "sentence_text": sentence}
        for evidence, sentence, topic in judged
    ]
    scores = scored(
        [{"answer_text": text, "answer_type": answer_type, "pair_id": "1"}],
        [{"answer_type": answer_type}],
        judged=rows or [{"item_id": "p3:other", "sentence_text": text}],
    )
    assert values(scores, "answer_accuracy") == {("a", "p3:q", "answer_accuracy"): expected}


def test_what_an_answer_says_of_a_company_that_was_not_asked_about_is_wrong():
    """A name of the company that was asked about, or of none, is no fault."""
    companies = [
        {"cik_int": 7, "display_name": "Tarrow", "company_name": None, "ticker": "TRW",
         "aliases": None},
        {"cik_int": 8, "display_name": "Pell", "company_name": "Pell, Inc.", "ticker": None,
         "aliases": ["Pell Mills"]},
    ]  # fmt: skip
    texts = [{"pair_id": "1", "metric": "contain_match", "value": 1.0, "scorer_id": None}]

    def right(text):
        answer = {"answer_text": text, "pair_id": "1"}
        cited = {**ANSWER, "answer_text": text, "citations": []}
        batches = pa.Table.from_pylist([cited]).to_batches()
        scores = scored([answer], to_trace=batches, companies=companies, texts=texts)
        assert scores.claims.num_rows > 0
        return verdicts(scores)["a", "p3:q"]

    assert not right("The sales of Pell Mills rose.")
    assert right("The sales of Tarrow rose.")
    assert right("The sales of Quillmark rose.")


PLACES = {"document_id": None, "document": None, "page": None}


def test_citations_count_by_place_and_by_piece_of_evidence():
    """Another year's filing and another company's are no right ones, nor is a made up place."""
    cited = [
        {"system_id": "a", "item_id": "p3:q", "place_id": place, "passage_id": place, **PLACES,
         "cited_cik_int": cik, "cited_year": year}
        for place, cik, year in (
            ("one", 7, 2021), ("same", 7, 2021), ("late", 7, 2022), ("rival", 8, 2021),
            ("nowhere", None, None),
        )
    ]  # fmt: skip
    evidence = [
        {"item_id": "p3:q", "evidence_id": piece, "passage_id": place, **PLACES}
        for piece, place in (
            *(("one", "one"), ("one", "same"), ("two", "two")),
            ("beside", "one"),
        )
    ]
    scores = score(known([{}], cited=cited, evidence=evidence), (), SETTINGS)
    names = (
        *("citation_coverage", "citation_correctness", "citation_filing", "citation_recall"),
        "cites_right_filing",
    )
    assert [values(scores, name)["a", "p3:q", name] for name in names] == [1, 0.4, 0.4, 2 / 3, 0]


BENCH = {"gold_set": "b", "item_id": "b:q", "is_of_filings": False, "answer_type": None}
EVIDENCE = [{"item_id": "b:q", "evidence_id": "row", "passage_id": "row", **PLACES}]


def test_a_system_that_cites_has_scores_of_its_citations_as_public_sets_know_them():
    """One that never cites, and what was not run, has none."""
    answers = [
        {**BENCH, "system_id": "citing"},
        {**BENCH, "system_id": "citing", "item_id": "b:r", "outcome": "failed"},
        {**BENCH, "system_id": "citing", "item_id": "b:s", "outcome": "not_run"},
        {**BENCH, "system_id": "mute", "is_citing": False},
    ]
    questions = [{**BENCH, "item_id": f"b:{one}", "question_id": one} for one in "qrs"]
    cited = [{"system_id": "citing", "item_id": "b:q", "place_id": "row", "passage_id": "row",
              **PLACES, "cited_cik_int": None, "cited_year": None}]  # fmt: skip
    scores = score(known(answers, questions, evidence=EVIDENCE, cited=cited), (), SETTINGS)
    found = {
        (row["system_id"], row["item_id"]): [
            (one["metric"], one["value"], one["verdict"], one["detail"])
            for one in row["citation_scores"]
        ]
        for row in scores.answers.to_pylist()
    }
    told = "1 of 1 cited places agree with 1 of the set."
    assert found == {
        ("citing", "b:q"): [
            ("citation_correctness", 1, "some_right", told),
            ("citation_coverage", 1, "some_right", told),
            ("citation_recall", 1, "some_right", told),
        ],
        ("citing", "b:r"): [
            ("citation_correctness", None, "gold_missing", None),
            ("citation_coverage", None, "gold_missing", None),
            ("citation_recall", None, "gold_missing", None),
        ],
        ("citing", "b:s"): [],
        ("mute", "b:q"): [],
    }


def evaluated(system_id, question_id, metric, value, mode="official"):
    return {"system_id": system_id, "benchmark": "b", "question_id": question_id,
            "metric": metric, "mode": mode, "value": value}  # fmt: skip


def test_an_evaluator_is_asked_of_each_system_by_what_it_gave_it():
    """What one system was measured by, another is not; where the gold is the reason, it is so."""
    answers = [
        {**BENCH, "system_id": system, "item_id": f"b:{one}", "outcome": outcome}
        for system, one, outcome in (("a", "q", "answered"), ("a", "r", "answered"),
                                     ("own", "q", "answered"), ("file", "q", "answered"))
    ]  # fmt: skip
    questions = [{**BENCH, "item_id": f"b:{one}", "question_id": one} for one in "qr"]
    scores = scored(
        answers,
        questions,
        systems=[{"system_id": "own", "answerer": "extractive"},
                 {"system_id": "file", "answerer": "none"}],
        evaluated=[
            evaluated("a", "q", "em", 1.0),
            evaluated("own", "q", "em", 1.0),
            evaluated("own", "q", "scale", 1.0),
            evaluated("file", "q", "scale", 0.0),
        ],
        unmeasurable=[{"benchmark": "b", "question_id": "r", "metric": "em", "mode": "official"}],
    )  # fmt: skip
    found = {
        (row["system_id"], row["item_id"], row["metric"]): (row["value_status"], row["value"])
        for row in scores.values.to_pylist()
        if row["metric"] in ("em", "scale")
    }
    assert found == {
        ("a", "b:q", "em"): ("evaluated", 1),
        ("a", "b:r", "em"): ("uncovered", None),
        ("own", "b:q", "em"): ("evaluated", 1),
        ("file", "b:q", "scale"): ("evaluated", 0),
    }
    assert verdicts(scores) == {
        **{("a", "b:q"): True, ("a", "b:r"): None},
        **{("own", "b:q"): True, ("file", "b:q"): None},
    }


def test_types_of_answers_of_a_public_set_are_none_of_ours():
    """A list and a figure are words; a speaker, and that nothing answers, are told."""
    questions = [
        {**BENCH, "item_id": f"b:{at}", "question_id": str(at), **fields}
        for at, fields in enumerate(
            (
                {"answer_type": "numeric"},
                {"answer_type": "speaker"},
                {"answer_type": "text", "is_answerable": False},
            )
        )
    ]
    answers = [{**BENCH, "item_id": f"b:{at}", "outcome": "abstained"} for at in range(3)]
    found = {row["item_id"] for row in scored(answers, questions).values.to_pylist()
             if row["metric"] == "rejection_accuracy"}  # fmt: skip
    assert found == {"b:2"}


def test_marks_of_people_are_values():
    marks = [{"system_id": "a", "item_id": "p3:q", "mark": mark} for mark in ("right", "perfect")]
    assert values(scored([{}], marks=marks), "hallucinated") == {("a", "p3:q", "hallucinated"): 0}
    assert values(scored([{}]), "hallucinated") == {}


FOLLOWED = {
    **{"system_id": "a", "item_id": "p3:q", "error": None, "n_citations": 1},
    **{"n_invalid_citations": 0, "n_evidence": 1, "n_evidence_ranked": 1},
    **{"n_evidence_in_context": 1, "n_evidence_cited": 0, "other_company_place": None},
    "other_year_place": None,
}


def causes(answer, question, followed=None, **others):
    scores = scored([answer], [question], followed=[{**FOLLOWED, **(followed or {})}], **others)
    return [(row["failure"], row["detail"]) for row in scores.causes.to_pylist()]


def test_a_wrong_figure_has_its_fault_as_its_cause():
    figure = {
        **{"answer_text": "$5", "numeric_value": 5.0, "unit": "USD", "answer_type": "numeric"},
        **{"gold_text": "$-5", "gold_numeric": -5.0, "gold_unit": "USD", "tolerance": 0.0},
        "asks_for_figure": True,
    }
    [(failure, detail)] = causes(figure, {"answer_type": "numeric"})
    assert failure == "wrong_sign"
    assert "-$5" in detail or "-5" in detail


def cause_in_public(text, agrees, **fields):
    answer = {**BENCH, "gold_text": "12.5", "golds": ["12.5"], "asks_for_figure": True, **fields}
    agreement = evaluated("a", "q", "numeric_agreement", agrees, "strict")
    followed = {"item_id": "b:q", "n_citations": 0}
    [(failure, _)] = causes(
        {**answer, "answer_text": text}, {**BENCH, **fields}, followed, evaluated=[agreement]
    )
    return failure


def test_a_figure_of_a_public_set_is_one_where_it_is_wrong():
    """Right, its type is none of ours; it is judged by the words of its gold."""
    assert cause_in_public("-12.5", 0.0) == "wrong_sign"
    assert cause_in_public("12.5", 0.0) == "other_passage"
    assert cause_in_public("12.5", 1.0) == "uncited"
    assert cause_in_public("12.5", 1.0, is_answerable=False) == "answered_unanswerable"


def test_an_answer_that_is_not_followed_has_no_cause():
    assert scored([{"outcome": "failed"}]).causes.num_rows == 0
    assert causes({"outcome": "failed"}, {}, {"error": "late"}) == [("failed", "late")]


def test_a_system_scores_the_same_whoever_is_scored_beside_it():
    answers = [
        {"system_id": system, "outcome": outcome, "pair_id": system}
        for system, outcome in (("a", "answered"), ("b", "abstained"), ("c", "failed"))
    ]
    texts = [{"pair_id": "a", "metric": "rouge_l", "value": 0.5, "scorer_id": None}]
    together = known(answers, texts=texts)
    of_all = score(together, (), SETTINGS).answers.to_pylist()
    alone = [
        row
        for one in answers
        for row in score(
            replace(together, answers=table([one], **ANSWER)), (), SETTINGS
        ).answers.to_pylist()
    ]
    assert of_all == alone


def test_rows_without_anything_known_of_them_are_scored():
    gold = {"answer_type": "no_answer", "is_answerable": False, "answers": []}
    scores = scored([{"outcome": "abstained", "answer_type": "no_answer"}], [gold])
    assert verdicts(scores) == {("a", "p3:q"): True}
    assert scores.claims.num_rows == 0


def test_only_answers_of_which_something_changed_are_scored_again(tmp_path, monkeypatch):
    """A change reaches the system, the set or the question that it is about, and no other."""
    runs = []
    original = stored.score_answers

    def counted(tables, to_trace, settings):
        runs.append({(row["system_id"], row["gold_set"]) for row in tables.answers.to_pylist()})
        return original(tables, to_trace, settings)

    monkeypatch.setattr(stored, "score_answers", counted)
    keys = [("a", "p3"), ("a", "p4"), ("b", "p3")]
    asked = {"p3": "p3:q", "p4": "p4:q"}
    answers = [
        {"system_id": system_id, "gold_set": gold_set, "item_id": asked[gold_set],
         "pair_id": f"{system_id}{gold_set}"}
        for system_id, gold_set in keys
    ]  # fmt: skip
    questions = [{"item_id": item_id, "gold_set": name} for name, item_id in asked.items()]
    texts = [{"metric": "contain_match", "value": 1.0, "scorer_id": None}]
    tables = {
        "texts": [{**texts[0], "pair_id": row["pair_id"]} for row in answers],
        "systems": [{"system_id": name, "answerer": "model"} for name in ("a", "b")],
        "evidence": [{"item_id": item_id, "evidence_id": "e", "document": "d", "page": 1,
                      "document_id": None, "passage_id": None} for item_id in asked.values()],
        "cited": [{"system_id": system_id, "item_id": asked[gold_set], "place_id": "1",
                   "document": "d", "page": 1, "document_id": None, "passage_id": None,
                   "cited_cik_int": 7, "cited_year": 2021} for system_id, gold_set in keys],
        "judged": [{"item_id": item_id, "evidence_id": "e", "is_topic": False,
                    "sentence_text": ATTACK} for item_id in asked.values()],
        "evaluated": [{"system_id": system_id, "benchmark": gold_set, "question_id": "q",
                       "metric": "answer_f1", "mode": "official", "value": 1.0,
                       } for system_id, gold_set in keys],
        "unmeasurable": [{"benchmark": gold_set, "question_id": "z", "metric": "m", "mode": "m"}
                         for gold_set in asked],
        "marks": [{"system_id": system_id, "item_id": asked[gold_set], "mark": "right"}
                  for system_id, gold_set in keys],
        "companies": [{"cik_int": 7, "display_name": "Tarrow", "company_name": None,
                       "ticker": None, "aliases": None}],
    }  # fmt: skip
    traced = [{**ANSWER, **row, "citations": []} for row in answers]

    def computed(answers=answers, questions=questions, settings=SETTINGS, traced=traced, **changed):
        runs.clear()
        stored.score_each(
            known(answers, questions, **{**tables, **changed}),
            pa.Table.from_pylist(traced).to_batches(2),
            {**settings, "state_dir": str(tmp_path)},
        ).read_all()
        assert all(len(run) == 1 for run in runs)
        return sorted(key for run in runs for key in run)

    def with_first(rows, **values):
        return [{**rows[0], **values}, *rows[1:]]

    assert computed() == keys
    assert computed() == []
    assert computed([*answers, {**answers[0], "system_id": "c", "pair_id": "new"}]) == [("c", "p3")]
    # Of the answer, of what is known of it, of its system.
    mine = [("a", "p3")]
    assert computed(with_first(answers, answer_text="other")) == mine
    assert computed(traced=with_first(traced, answer_text="other")) == mine
    for name, values in (
        ("texts", {"value": 0.0}),
        ("cited", {"page": 2}),
        ("evaluated", {"value": 0.0}),
        ("marks", {"mark": "wrong"}),
    ):
        assert computed(**{name: with_first(tables[name], **values)}) == mine, name
    assert computed(systems=with_first(tables["systems"], answerer="none")) == keys[:2]
    # Of the question, of its set, of all.
    of_set = [("a", "p3"), ("b", "p3")]
    assert computed(questions=with_first(questions, years=[2020])) == of_set
    for name, values in (
        ("evidence", {"page": 2}),
        ("judged", {"sentence_text": FLOOD}),
        ("unmeasurable", {"question_id": "q"}),
    ):
        assert computed(**{name: with_first(tables[name], **values)}) == of_set, name
    assert computed(companies=with_first(tables["companies"], display_name="Pell")) == keys
    assert computed(settings={**SETTINGS, "min_topic_words": 7}) == keys
    # Nothing changes by what no score reads, or by a tolerance that is the usual one.
    usual = {name: value for name, value in SETTINGS.items() if name != "relative_tolerance"}
    assert computed(settings={**usual, "other": 1}) == []
    more = [{**row, "reviewer": name} for name in "yx" for row in tables["marks"]]
    assert computed(marks=more) == keys
    assert computed(marks=more[::-1]) == []


def test_all_that_is_known_of_answers_is_shared_or_split():
    """What is neither would change scores that are found all the same."""
    tables = known([{}])
    (part,) = [stored._Parts(tables).of(key) for key in stored._Parts(tables).keys]
    kept = {name for name, table in vars(part).items() if table is getattr(tables, name)}
    assert kept == set(stored.SHARED)


def test_without_a_folder_for_the_cache_all_answers_are_scored():
    each = stored.score_each(known([{}]), (), {**SETTINGS, "state_dir": None}).read_all()
    assert each.equals(score(known([{}]), (), SETTINGS).answers)
