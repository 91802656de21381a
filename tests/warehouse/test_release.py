"""What is said of candidates: a perfect one is released, a bad one never is."""

import json
import math

import duckdb
import pytest
import yaml

from tests.warehouse.mutants import (
    oracle,
    quote_kept,
    read_corpus,
    scored,
    seeded,
    write_records,
)

BROKEN = "do_not_release"
OPEN = "cannot_tell"


def answered(change):
    """An attack on answers that are given; what is declined stays declined."""

    def attack(records, questions, corpus):
        return [
            record if record.get("abstained") else change(record, question, corpus)
            for record, question in zip(records, questions, strict=True)
        ]

    return attack


def other_answer(same):
    def change(record, question, corpus):
        others = [row for row in corpus.others(question) if same(row, question)]
        if not others:
            return {**record, "predicted": "Nothing of the kind.", "numeric_value": None}
        other = seeded("other", question["item_id"]).choice(others)
        return {
            **record,
            "predicted": other["answer_text"],
            "numeric_value": other["answer_numeric"],
            "unit": other["answer_unit"],
        }

    return answered(change)


def rescaled(factor):
    def change(record, question, corpus):
        value = question["answer_numeric"]
        if value is None:
            return {**record, "predicted": "No such thing is disclosed there at all."}
        return {**record, "predicted": f"{value * factor:,.2f}", "numeric_value": value * factor}

    return answered(change)


def said(text, **fields):
    return answered(
        lambda record, question, corpus: {
            **record,
            "predicted": text,
            "numeric_value": None,
            "unit": None,
            **fields,
        }
    )


def of_all(change):
    """An attack on every record, those that decline too."""
    return lambda records, questions, corpus: [
        change(record, question, corpus)
        for record, question in zip(records, questions, strict=True)
    ]


def some(keep, n=None):
    def attack(records, questions, corpus):
        kept = [
            record
            for record, question in zip(records, questions, strict=True)
            if keep(record, question)
        ]
        return kept[:n] if n else kept

    return attack


def share_of(share, change):
    def attack(records, questions, corpus):
        return [
            change(record) if seeded("share", record["id"]).random() < share else record
            for record in records
        ]

    return attack


def random_sentences(question, corpus, n=20):
    rng = seeded("noise", question["item_id"])
    return [row["sentence_id"] for row in rng.sample(corpus.sentences, n)]


def wrongly_cited(record, question, corpus):
    cited = [{"sentence_id": name} for name in random_sentences(question, corpus, 1)]
    return {**record, "citations": cited}


def late(record, question, corpus):
    """The evidence stands behind ten passages that are none."""
    noise = random_sentences(question, corpus, 10)
    evidence = question["evidence_sentence_ids"] or []
    return {
        **record,
        "ranking": scored([name for name in noise if name not in evidence] + evidence),
    }


def named_otherwise(record, question, corpus):
    """The same passages under ids of the system's own."""
    return {
        **record,
        "ranking": scored([f"chunk {one['sentence_id']}" for one in record.get("ranking") or []]),
        "citations": [
            {"sentence_id": f"chunk {n}"} for n in range(len(record.get("citations", [])))
        ],
    }


# Each: what is done to the records of a perfect system, and what may be said of the result.
ATTACKS = {
    "blank_answers": (of_all(lambda r, q, c: {**r, "predicted": "", "abstained": False}), BROKEN),
    "blank_records": (of_all(lambda r, q, c: {"id": r["id"], "predicted": ""}), BROKEN),
    "always_declines": (of_all(lambda r, q, c: {"id": r["id"], "abstained": True}), BROKEN),
    "never_declines": (
        of_all(lambda r, q, c: {**r, "abstained": False, "predicted": r.get("predicted") or "12"}),
        BROKEN,
    ),
    "always_yes": (said("Yes."), BROKEN),
    "slow": (of_all(lambda r, q, c: {**r, "latency_ms": 7000.0}), BROKEN),
    "echoes_the_question": (
        answered(lambda r, q, c: {**r, "predicted": q["question_text"], "numeric_value": None}),
        BROKEN,
    ),
    "shuffled_answers": (other_answer(lambda row, q: True), BROKEN),
    "wrong_year": (
        other_answer(lambda r, q: r["cik_int"] == q["cik_int"] and r["years"] != q["years"]),
        BROKEN,
    ),
    "wrong_company": (
        other_answer(lambda r, q: r["cik_int"] != q["cik_int"] and r["years"] == q["years"]),
        BROKEN,
    ),
    "negated_figures": (rescaled(-1), BROKEN),
    "thousandfold_figures": (rescaled(1000), BROKEN),
    "figures_off_by_a_tenth": (rescaled(1.1), BROKEN),
    "nan_figures": (
        answered(lambda r, q, c: {**r, "predicted": "NaN", "numeric_value": math.nan}),
        BROKEN,
    ),
    "infinite_figures": (
        answered(lambda r, q, c: {**r, "predicted": "inf", "numeric_value": math.inf}),
        BROKEN,
    ),
    "half_left_out": (some(lambda r, q: hash_bit(q)), BROKEN),
    "only_what_is_declined": (some(lambda r, q: r.get("abstained")), BROKEN),
    "forty_easy_ones": (some(lambda r, q: q["answer_type"] == "boolean", 40), BROKEN),
    "ten_records": (some(lambda r, q: True, 10), BROKEN),
    "declines_all_figures": (
        of_all(
            lambda r, q, c: (
                {"id": r["id"], "abstained": True} if q["answer_type"] == "numeric" else r
            )
        ),
        BROKEN,
    ),
    "declines_all_but_figures": (
        of_all(
            lambda r, q, c: (
                r if q["answer_type"] == "numeric" else {"id": r["id"], "abstained": True}
            )
        ),
        BROKEN,
    ),
    "fails_in_one_of_ten": (
        share_of(0.1, lambda r: {"id": r["id"], "error": "the service timed out"}),
        BROKEN,
    ),
    "cites_at_random": (answered(wrongly_cited), BROKEN),
    "cites_nothing_that_exists": (
        answered(lambda r, q, c: {**r, "citations": [{"sentence_id": "no_such_sentence"}]}),
        BROKEN,
    ),
    "finds_too_late": (of_all(late), BROKEN),
    # Nothing can be said of its search, and a wrong answer stays one.
    "names_its_passages_otherwise": (of_all(named_otherwise), OPEN),
    "names_passages_otherwise_and_is_wrong": (
        of_all(lambda r, q, c: named_otherwise({**r, "predicted": "Yes."}, q, c)),
        BROKEN,
    ),
    "ranks_at_random": (
        of_all(lambda r, q, c: {**r, "ranking": scored(random_sentences(q, c))}),
        BROKEN,
    ),
    "ranks_for_ten_alone": (
        lambda records, questions, corpus: (
            records[:10]
            + [{name: r[name] for name in r if name != "ranking"} for r in records[10:]]
        ),
        BROKEN,
    ),
    "invents_a_figure": (
        answered(lambda r, q, c: {**r, "predicted": f"{r['predicted']} That is 98,765,432.1."}),
        BROKEN,
    ),
    # The first record of a question counts; a right one behind it is no second try.
    "right_at_the_second_try": (
        lambda records, questions, corpus: [
            *({**r, "predicted": "Another answer.", "numeric_value": None} for r in records),
            *records,
        ],
        BROKEN,
    ),
    "of_unknown_questions": (
        of_all(lambda r, q, c: {**r, "id": f"{r['id']} of another suite"}),
        BROKEN,
    ),
    "gates_by_its_name": (said("Release.", abstained=False), BROKEN),
}


def run_lines(records):
    """The rankings of a file, as lines of a TREC run."""
    return "".join(
        f"{record['id']} Q0 {source['sentence_id']} {place} {-place} mine\n"
        for record in records
        for place, source in enumerate(record.get("ranking") or [], 1)
    )


def left_out(*names):
    return of_all(
        lambda record, question, corpus: {
            name: record[name] for name in record if name not in names
        }
    )


# What a system says that it is for, what its file holds of the filings' questions, and what may
# be said of it; a set of the sample is in each file of a system for public sets.
DECLARED = {
    "for_filings_by_default": (None, None, BROKEN),
    "for_public_sets": ("public", None, OPEN),
    "for_public_sets_and_blank_on_filings": ("public", ATTACKS["blank_answers"][0], BROKEN),
    "for_public_sets_and_bad_in_one": ("public", some(lambda r, q: True, 1), BROKEN),
    # These two have a gate of the user's own on the set.
    "gated_on_a_public_set": ("public", None, "release"),
    "gated_on_a_public_set_left_out": ("public", some(lambda r, q: False), BROKEN),
    "ranks_by_declaration": (
        "none",
        left_out("predicted", "numeric_value", "unit", "abstained", "citations"),
        "release",
    ),
    "ranks_without_declaration": (
        None,
        left_out("predicted", "numeric_value", "unit", "abstained", "citations"),
        BROKEN,
    ),
    "blank_though_declared_to_rank": ("none", ATTACKS["blank_answers"][0], BROKEN),
    "silent_and_declared_to_rank": ("none", ATTACKS["of_unknown_questions"][0], BROKEN),
    "one_answer_though_declared_to_rank": (
        "none",
        lambda records, questions, corpus: (
            records[:1]
            + left_out("predicted", "numeric_value", "unit", "abstained", "citations")(
                records[1:], questions[1:], corpus
            )
        ),
        BROKEN,
    ),
}


FINQA_QUESTION = "What was the growth of revenue in 2023?"


def hash_bit(question):
    return seeded("half", question["item_id"]).random() < 0.5


@pytest.fixture(scope="module")
def judged(sample, tmp_path_factory):
    """The sample with a perfect candidate and all attacks as systems of a user, in one build."""
    folder = tmp_path_factory.mktemp("release")
    warehouse = sample.copy(folder / "warehouse")
    corpus = read_corpus(warehouse)
    perfect = [quote_kept(oracle(row, corpus), corpus) for row in corpus.questions]
    files = {"perfect": perfect}
    for name, (attack, _) in ATTACKS.items():
        copies = json.loads(json.dumps(perfect))
        files[name] = attack(copies, corpus.questions, corpus)
    files["bystander"] = files["blank_answers"]
    # Public questions are answered in the same file, here one of six.
    page = "NVLX/2023/page_40.pdf"
    finqa = {
        "question": FINQA_QUESTION,
        "answer": "4.1%",
        "label": "correct",
        "ranking": [f"{page}#row-0-1", f"finqa:{page}#text-1"],
        "citations": [f"{page}#text-0"],
    }
    # A page by the name of its document, as a reader of the PDF would write it.
    paged = {
        "id": "financebench:financebench_sample_1",
        "answer": "$386.2 million",
        "citations": [{"document": "pdfs/tsmr_2023_10k.pdf", "page": 1}],
        "ranking": [{"document": "TSMR_2023_10K.PDF", "page": 1}],
    }
    files["perfect"] = [*perfect, finqa, paged]
    files["answers_only"] = [
        {name: record[name] for name in record if name != "ranking"} for record in perfect
    ]
    for name, (sets, attack, _) in DECLARED.items():
        copies = json.loads(json.dumps(perfect))
        files[name] = attack(copies, corpus.questions, corpus) if attack else []
        if (sets == "public" or attack is None) and not name.endswith("left_out"):
            files[name] = [*files[name], finqa]
    for name, records in files.items():
        write_records(folder / f"{name}.jsonl", records)
    (folder / "trec_run.run").write_text(run_lines(perfect), encoding="utf-8")
    systems = [
        {
            "system_id": name,
            "system_kind": "external_file",
            "settings": {
                "predictions_path": str(folder / f"{name}.jsonl"),
                **({"answer_sets": DECLARED[name][0]} if DECLARED.get(name, [None])[0] else {}),
            },
            **({"role": "reference"} if name == "bystander" else {}),
        }
        for name in files
    ]
    run = {"predictions_path": str(folder / "trec_run.run")}
    systems.append({"system_id": "trec_run", "system_kind": "external_file", "settings": run})
    # The sample asks six questions of the set: a gate of a user would need more.
    gates = [
        f"{name},{name},numeric_agreement,finqa,overall,strict,mean,1,0.5,half of them is enough"
        for name in DECLARED
        if name.startswith("gated")
    ]
    columns = "gate_id,system_id,metric,gold_set,slice_name,mode,statistic,min_n,limit_value"
    (folder / "gates.csv").write_text("\n".join([f"{columns},rationale", *gates]), "utf-8")
    (folder / "systems.yml").write_text(yaml.safe_dump({"systems": systems}), encoding="utf-8")
    status = warehouse.dbt(
        *("run", "--select", "py_systems_read+,+rpt_overview_verdict", "py_gates_read"),
        "py_systems_read+,+rpt_overview_candidates",
        systems_paths=[str(folder / "systems.yml")],
        gates_paths=[str(folder / "gates.csv")],
    )
    assert status == 0, warehouse.log
    return warehouse


@pytest.fixture(scope="module")
def verdicts(judged):
    rows = judged.rows("from gates.release_verdicts")
    return {row["system_id"]: row for row in rows}


def test_a_perfect_candidate_on_enough_questions_is_released(judged, verdicts):
    broken = judged.rows(
        "select gate_id, verdict, value, limit_value, n from gates.gate_verdicts "
        "where system_id = 'perfect' and verdict <> 'pass'"
    )
    assert verdicts["perfect"]["headline"] == "release", broken
    assert verdicts["perfect"]["ungated"] == ""
    assert verdicts["perfect"]["n_met"] >= 10


def test_what_rests_on_passages_that_nobody_recognises_is_not_measured(judged):
    name = "names_its_passages_otherwise"
    (returned,) = judged.rows(f"from retrieval.returned_passages where system_id = '{name}'")
    assert (returned["gold_set"], returned["n_recognised"]) == ("p3", 0)
    figures = judged.rows(
        "select metric, n_asked, n_evaluated, n_unscored, mean from metrics.metric_summaries "
        f"where system_id = '{name}' and gold_set = 'p3' and slice_name = 'sound' and k in (0, 10) "
        "and mode = 'finrag' and metric in ('evidence_recall', 'citation_correctness', "
        "'unsupported_numbers', 'answer_accuracy')"
    )
    measured = {row["metric"]: row for row in figures}
    assert measured["answer_accuracy"]["mean"] == 1.0
    for metric in ("evidence_recall", "citation_correctness", "unsupported_numbers"):
        row = measured[metric]
        assert (row["n_evaluated"], row["mean"]) == (0, None)
        assert 0 < row["n_unscored"] <= row["n_asked"]
    gates = judged.rows(
        "select gate_id, verdict from gates.gate_verdicts "
        f"where system_id = '{name}' and severity = 'error' and verdict <> 'pass'"
    )
    assert {row["verdict"] for row in gates} <= {"too_few", "not_applicable"}
    (said,) = judged.rows(
        f"select headline, outcome from reports.rpt_overview_verdict where system_id = '{name}'"
    )
    assert said["outcome"] == "cannot_tell"
    assert f"none of the {returned['n_returned']} passages that it returned is" in said["headline"]


def test_a_candidate_that_only_answers_is_released_and_what_no_gate_judges_is_named(
    judged, verdicts
):
    gates = judged.rows(
        "select gate_id, verdict, value from gates.gate_verdicts "
        "where system_id = 'answers_only' and severity = 'error' and verdict <> 'pass'"
    )
    assert verdicts["answers_only"]["headline"] == "release", gates
    assert verdicts["answers_only"]["ungated"] == "rankings"


def test_a_candidate_answers_public_sets_in_the_same_file(judged):
    (answer,) = judged.rows(
        "select item_id, label, n_invalid_citations "
        "from answers.answers where system_id = 'perfect' and gold_set = 'finqa' "
        "and outcome = 'answered'"
    )
    assert answer["item_id"].startswith("finqa:NVLX/2023/")
    assert (answer["label"], answer["n_invalid_citations"]) == (None, 1)
    values = judged.rows(
        "select metric, n_asked, n_evaluated, n_not_run, mean from metrics.metric_summaries "
        "where system_id = 'perfect' and gold_set = 'finqa' and slice_name = 'overall' "
        "and (metric = 'numeric_agreement' or metric = 'evidence_recall' and unit = 'row' "
        "and k = 10) order by metric"
    )
    evidence, figures = values
    assert (evidence["n_evaluated"], evidence["mean"]) == (1, 1.0)
    assert (figures["n_asked"], figures["n_evaluated"], figures["n_not_run"]) == (6, 1, 5)
    assert figures["mean"] == 1.0


def test_a_candidate_names_pages_of_public_sets_as_it_likes(judged):
    (cited,) = judged.rows(
        "select passage_id, is_known from answers.answer_citations "
        "where system_id = 'perfect' and gold_set = 'financebench'"
    )
    assert cited == {"passage_id": "financebench:TSMR_2023_10K#page-1", "is_known": True}
    (ranked,) = judged.rows(
        "select passage_id from retrieval.rankings "
        "where system_id = 'perfect' and gold_set = 'financebench' and passage_id is not null"
    )
    assert ranked == {"passage_id": "financebench:TSMR_2023_10K#page-1"}


def test_answers_that_are_the_gold_itself_are_suspicious(judged, verdicts):
    assert verdicts["perfect"]["first_warning_id"] == "gold_copied@perfect"
    (said,) = judged.rows(
        "select measured_on from reports.rpt_overview_verdict where system_id = 'perfect'"
    )
    assert "Warning: share of answers that repeat the gold" in said["measured_on"]


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_is_released(judged, verdicts, name):
    verdict = verdicts[name]
    gates = judged.rows(
        f"select gate_id, verdict, value, n, n_expected from gates.gate_verdicts "
        f"where system_id = '{name}' order by gate_id"
    )
    assert verdict["headline"] == ATTACKS[name][1], gates
    assert verdict["first_gate_id"], gates


@pytest.mark.parametrize("name", DECLARED)
def test_a_declaration_leaves_out_only_what_a_file_says_nothing_of(judged, verdicts, name):
    gates = judged.rows(
        f"select gate_id, verdict, value, n, n_expected from gates.gate_verdicts "
        f"where system_id = '{name}' order by gate_id"
    )
    assert verdicts[name]["headline"] == DECLARED[name][2], gates


def test_a_system_for_public_sets_owes_nothing_else_and_is_not_released_by_it(judged, verdicts):
    verdict = verdicts["for_public_sets"]
    assert (verdict["n_met"], verdict["n_broken"]) == (0, 0)
    assert verdict["ungated"] == "answers, citations, rankings, work on the filings"
    asked = "where system_id = 'for_public_sets' and gold_set"
    answers = judged.rows(f"select distinct gold_set from answers.answers {asked} is not null")
    assert [row["gold_set"] for row in answers] == ["finqa"]
    assert judged.rows(f"from retrieval.retrieval_outcomes {asked} = 'p3'") == []
    assert judged.rows(f"from metrics.metric_summaries {asked} = 'p3'") == []


def test_a_gate_of_the_users_own_decides_on_a_public_set_and_the_rest_is_named(verdicts):
    assert (
        verdicts["gated_on_a_public_set"]["ungated"] == "citations, rankings, work on the filings"
    )
    assert verdicts["gated_on_a_public_set_left_out"]["first_gate_id"] == (
        "gated_on_a_public_set_left_out"
    )


def test_a_run_cannot_answer_and_is_judged_by_its_rankings(judged, verdicts):
    assert verdicts["trec_run"]["headline"] == "release"
    assert verdicts["trec_run"]["ungated"] == "answers, citations"


def test_the_first_page_says_what_a_candidate_reached_on_public_sets(judged):
    (line,) = judged.rows(
        "select * from reports.rpt_overview_candidates "
        "where system_id = 'for_public_sets' and is_public"
    )
    assert (line["gold_set"], line["mode"], line["n"], line["n_not_run"]) == (
        "finqa", "strict", 1, 5,
    )  # fmt: skip
    (said,) = judged.rows(
        "select measured_on from reports.rpt_overview_verdict where system_id = 'for_public_sets'"
    )
    assert said["measured_on"].startswith("Measured on finqa and on no question on the filings")


def test_one_bad_candidate_outweighs_all_others(verdicts):
    assert verdicts[""]["headline"] == BROKEN


def test_a_reference_is_not_judged(judged, verdicts):
    assert "bystander" not in verdicts
    assert not judged.rows("from gates.gate_verdicts where system_id = 'bystander'")


def test_a_measured_value_is_never_not_applicable(judged):
    excused = judged.rows(
        """
        select v.gate_id, v.system_id, v.metric, v.value
        from gates.gate_verdicts as v
        left join metrics.metric_summaries as m
            using (system_id, gold_set, slice_name, slice_value, metric, k, unit, mode)
        where v.verdict = 'not_applicable'
          and v.applies_when not in ('scorer_is', 'scorer_is_not')
          and (v.value is not null or (v.measured_in = 'summaries' and m.n_evaluated > 0))
        """
    )
    assert excused == []
    assert judged.value("select count(*) from gates.gate_verdicts where system_id = 'perfect'") > 9


def test_a_waiver_releases_nothing(judged, tmp_path):
    warehouse = judged.copy(tmp_path / "waived")
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            "update gates.gate_verdicts set verdict = 'waived', breach = null "
            "where system_id = 'blank_answers' and breach is not null"
        )
    status = warehouse.dbt("run", "--select", "py_releases_decided", "release_verdicts")
    assert status == 0, warehouse.log

    (row,) = warehouse.rows(
        "select headline, n_broken from gates.release_verdicts where system_id = 'blank_answers'"
    )
    assert row["headline"] == BROKEN
    assert row["n_broken"] >= 3
