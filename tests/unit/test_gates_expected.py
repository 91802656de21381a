"""Which gates a run must have, whom they are about, and which of them a rule excuses."""

import math

import pytest

from finrag.metrics.catalogue import needs_passages
from finrag.metrics.gated.rules import RULES
from finrag.metrics.gates import LIMIT_SCHEMA
from tests.unit.gated_run import check, check_limits, column, figure, gate, questions

SEARCH = {"metric": "hit", "k": 5, "unit": "sentence"}


def excused(gates, **rows):
    """Gates without a figure that a rule excuses."""
    found = column("verdict", check(gates, **rows))
    assert set(found.values()) <= {"not_applicable", "unmeasured"}
    return {gate_id for gate_id, verdict in found.items() if verdict == "not_applicable"}


def test_a_limit_for_this_corpus_replaces_the_one_for_any():
    """One gate, one row; what only another corpus has is not expected here."""
    gates = [
        gate("both", limit_value=0.01),
        gate("both", corpus="sample", limit_value=0.12),
        gate("both", corpus="filings", limit_value=0.5),
        gate("general"),
        gate("elsewhere", corpus="filings"),
    ]
    for order in (gates, gates[::-1]):
        rows = check_limits(order).to_pylist()
        assert [(row["gate_id"], row["limit_value"]) for row in rows] == [
            ("both", 0.12),
            ("general", 0.8),
        ]


def test_a_limit_for_a_role_stands_once_whether_or_not_a_system_has_it():
    gates = [gate("found", system_id="candidate")]
    checked = check_limits(gates)

    assert checked.schema == LIMIT_SCHEMA
    assert checked["verdicts"].to_pylist() == [[]]
    assert check_limits([]).num_rows == 0


@pytest.mark.parametrize("n_runs", [0, 2])
def test_gates_are_checked_on_one_run(n_runs):
    runs = [{"run_id": str(place), "corpus": "sample"} for place in range(n_runs)]
    with pytest.raises(ValueError, match=f"one run, not on {n_runs}"):
        check_limits([], run=runs)


def test_a_system_that_is_not_under_test_breaks_nothing_but_by_the_index():
    """On a reference, a pair by its first side, a describer of lines, and what does not run."""
    placed = [
        *(("lost", "corpus", "corpus"), ("flagged", "gold", "gold")),
        *(("self", "shipped", "index"), ("self_of_own", "own", "index")),
        *(("right", "shipped", "system"), ("right_of_own", "own", "system")),
        *(("above", "shipped_over_own", "system"), ("above_of_own", "own_over_shipped", "system")),
        *(("described", "lines", "system"), ("described_of_own", "own_lines", "system")),
        *(("left_out", "disabled", "system"), ("cited", "any", "system")),
        ("found", "candidate", "system"),
    ]
    found = check(
        [gate(name, system_id=system, subject=subject) for name, system, subject in placed],
        systems=[
            {"system_id": "own", "role": "candidate", "is_null": False},
            {"system_id": "shipped", "role": "reference", "is_null": False},
            {"system_id": "chance", "role": "null", "is_null": True},
        ],
        line_systems=[
            {"system_id": "own_lines", "role": "candidate"},
            {"system_id": "lines", "role": "reference"},
        ],
        pairs=[
            {"pair_id": "own_over_shipped", "system_a": "own", "system_b": "shipped"},
            {"pair_id": "shipped_over_own", "system_a": "shipped", "system_b": "own"},
        ],
    )

    assert {name: (row["subject"], row["severity"]) for name, row in found.items()} == {
        **{"lost": ("corpus", "error"), "flagged": ("gold", "error")},
        **{"self": ("index", "error"), "self_of_own": ("index", "error")},
        **dict.fromkeys(
            ("right_of_own", "above_of_own", "described_of_own", "cited@own", "found@own"),
            ("candidate", "error"),
        ),
        **dict.fromkeys(
            ("right", "above", "described", "left_out", "cited@shipped"),
            ("reference", "reference"),
        ),
    }


# --- Rules ---------------------------------------------------------------------------


def test_only_a_known_rule_excuses_a_gate():
    """With BM25 and a null but nothing dense and nothing measured."""
    assert "on_sundays" not in RULES
    named = {
        **{"always": ("dense", "always"), "no_dense": ("corpus", "dense_registered")},
        **{"system_there": ("bm25", "system_registered")},
        **{"system_missing": ("dense", "system_registered")},
        **{"pair_there": ("bm25_lift", "pair_registered")},
        **{"second_missing": ("bm25_gap", "pair_registered")},
        **{"first_missing": ("dense_lift", "pair_registered")},
        **{"unknown_rule": ("dense", "on_sundays")},
    }
    found = excused(
        [gate(name, system_id=system, applies_when=rule) for name, (system, rule) in named.items()],
        systems=[
            {"system_id": "bm25", "system_kind": "bm25"},
            {"system_id": "random", "system_kind": "random"},
        ],
        pairs=[
            {"pair_id": "bm25_lift", "system_a": "bm25", "system_b": "random"},
            {"pair_id": "bm25_gap", "system_a": "bm25", "system_b": "bm25_open"},
            {"pair_id": "dense_lift", "system_a": "dense", "system_b": "random"},
        ],
    )

    assert found == {"no_dense", "system_missing", "first_missing"}


@pytest.mark.parametrize(
    ("kind", "encoder", "is_excused"),
    [
        ("dense", "minilm", False),
        ("multi_path", "minilm", False),
        ("naive_rag", "minilm", False),
        # An agent that searches by words alone.
        ("agent", None, True),
        ("bm25", None, True),
    ],
)
def test_vectors_are_checked_wherever_a_system_compares_them(kind, encoder, is_excused):
    found = excused(
        [gate("unit_vectors", system_id="corpus", applies_when="dense_registered")],
        systems=[
            {"system_id": "one", "system_kind": kind, "encoder": encoder},
            {"system_id": "words", "system_kind": "bm25"},
        ],
    )
    assert (found == {"unit_vectors"}) == is_excused


def test_a_gate_on_questions_needs_its_systems_and_its_questions():
    """Without the system, either side of a pair, or a question there is nothing to judge."""

    def of(system, rule="pair_and_questions", **fields):
        return gate(system, system_id=system, applies_when=rule, **SEARCH, **fields)

    systems = [
        {"system_id": "paths", "system_kind": "multi_path"},
        {"system_id": "dense", "system_kind": "dense"},
    ]
    pairs = [
        {"pair_id": "over_dense", "system_a": "paths", "system_b": "dense"},
        {"pair_id": "over_chunks", "system_a": "paths", "system_b": "chunks"},
        {"pair_id": "chunks_lift", "system_a": "chunks", "system_b": "dense"},
    ]
    of_pairs = [of(name) for name in ("over_dense", "over_chunks", "chunks_lift", "nothing")]
    of_systems = [of(name, "system_and_questions") for name in ("paths", "chunks")]
    there = {"systems": systems, "pairs": pairs, "summaries": [questions()]}

    assert excused([*of_pairs, *of_systems], **there) == {
        *("over_chunks", "chunks_lift", "nothing", "chunks")
    }
    # Questions without evidence may still fail to run.
    none = {**there, "summaries": [questions(share=0.0)]}
    assert excused([of_pairs[0], of_systems[0]], **none) == {"over_dense"}
    not_asked = {**there, "run": [{"run_id": "r", "corpus": "sample", "n_questions": 0}]}
    asked = gate("asked", applies_when="questions_asked")
    assert excused([of_systems[0], asked], **not_asked) == {"paths", "asked"}
    one = {"run": [{**not_asked["run"][0], "n_questions": 1}], "summaries": [questions(1)]}
    assert excused([of_pairs[0], of_systems[0], asked], **{**there, **one}) == set()
    # An unknown number excuses nothing.
    unknown = {**there, "run": [{"run_id": "r", "corpus": "sample"}], "summaries": []}
    sliced = of("over_dense", slice_name="difficulty", slice_value="hard")
    assert excused([sliced, of_systems[0], asked], **unknown) == set()


# Gates that apply where a question of their slice has evidence, or is of their types.
@pytest.mark.parametrize(
    ("place", "n_evidence", "n_of_type"),
    [
        ({}, 2, 3),
        ({"slice_name": "sound_scope", "slice_value": "cross_company"}, 0, 0),
        ({"metric": "exact", "unit": "any"}, 2, 1),
        ({"metric": "spans", "unit": "any"}, 2, 0),
        ({"metric": "texts", "unit": "any"}, 2, 2),
        ({"gold_set": "finqa", "slice_name": "overall"}, 3, 6),
        ({"gold_set": "tatqa", "slice_name": "overall"}, 0, 0),
        ({"slice_name": "difficulty", "slice_value": "hard"}, None, None),
        ({"slice_name": "difficulty", "slice_value": "hard", "metric": "exact"}, None, None),
        ({"gold_set": "finqa", "slice_name": "overall", "metric": "exact"}, 3, None),
        ({"gold_set": "finqa"}, None, None),
        ({"gold_set": "tatqa"}, 0, 0),
        ({"gold_set": "p3_tables"}, None, None),
    ],
)
def test_a_gate_knows_whether_its_slice_has_questions_for_it(place, n_evidence, n_of_type):
    """None where questions are not counted, which excuses nothing."""
    metric = {"metric": "hit", "unit": "sentence", "mode": "finrag", **place}
    if metric["metric"] == "exact":
        metric["unit"] = "any"
    gates = [
        gate("evidence", system_id="lift", applies_when="pair_and_questions", **metric),
        gate("type", system_id="paths", applies_when="answering_system", **metric),
    ]
    found = excused(
        gates,
        systems=[{"system_id": "paths", "answerer": "extractive"}],
        pairs=[{"pair_id": "lift", "system_a": "paths", "system_b": "paths"}],
        metrics=[
            {"metric": "hit", "k": 5, "unit": "sentence", "mode": "finrag"},
            *(
                {"metric": name, "k": 0, "unit": "any", "mode": "finrag", "applies_to": types}
                for name, types in (
                    ("exact", "numeric"),
                    ("spans", "span"),
                    ("texts", "list span numeric"),
                )
            ),
        ],
        summaries=[
            questions(3, 0.666666666666667),
            questions(3, 0.333333333333333, "numeric"),
            questions(3, 0.333333333333333, "list"),
            questions(3, 1.0, "numeric", slice_name="overall"),
            questions(9, 1.0, gold_set="p1"),
            questions(9, 1.0, slice_name="sound_scope", slice_value="cross_year"),
            questions(6, 0.5, gold_set="finqa", slice_name="overall"),
        ],
    )

    assert found == {name for name, n in (("evidence", n_evidence), ("type", n_of_type)) if n == 0}


# The mean of a row over no items is none; a share may miss 0 by its last bits.
@pytest.mark.parametrize(
    ("n", "share", "expected"),
    [
        (0, None, {"evidence", "type"}),
        (None, 1.0, {"evidence", "type"}),
        (3, 1e-12, {"evidence"}),
        (1, 1.0, set()),
    ],
)
def test_a_count_of_nothing_excuses_a_gate(n, share, expected):
    found = excused(
        [
            gate("evidence", system_id="lift", applies_when="pair_and_questions"),
            gate("type", applies_when="answering_system"),
        ],
        systems=[{"system_id": "s", "answerer": "extractive"}],
        pairs=[{"pair_id": "lift", "system_a": "s", "system_b": "s"}],
        summaries=[questions(n, share)],
    )

    assert found == expected


@pytest.mark.parametrize("mean", [math.nan, None])
def test_a_count_that_is_no_number_excuses_no_gate(mean):
    lift = {"pair_id": "lift", "system_a": "s", "system_b": "s"}
    found = excused(
        [gate("g", system_id="lift", applies_when="pair_and_questions")],
        systems=[{"system_id": "s"}],
        pairs=[lift],
        summaries=[questions(3, mean)],
    )

    assert found == set()


METRICS = [
    {**SEARCH, "mode": "finrag", "needs_gold": True, "capability": "search"},
    {"metric": "turns", "k": 0, "unit": "any", "mode": "finrag", "needs_gold": False},
    *(
        {"metric": name, "k": 0, "unit": "answer", "mode": "finrag", **fields}
        for name, fields in (
            ("correct", {"needs_gold": True, "capability": "answer"}),
            ("cited", {"needs_gold": True, "capability": "citation"}),
            ("marked", {"needs_gold": False, "capability": "fidelity", "measured_by": "marks"}),
        )
    ),
]
CAPABILITIES = ("answers", "ranks", "cites", "times", "marked")


def of_capabilities(system_id, **fields):
    return [
        gate(
            f"{one}@{system_id}",
            system_id=system_id,
            applies_when="capability_seen",
            capability=one,
            **fields,
        )
        for one in CAPABILITIES
    ]


def test_a_gate_on_a_capability_applies_to_who_was_seen_to_have_it():
    """Who is asked for answers answers, be it with nothing; all else must have been seen."""

    def seen(system_id, metric, n, mean=None, **fields):
        place = {"system_id": system_id, "metric": metric, "slice_name": "overall"}
        return figure(mean, n, **{"n_asked": 9, **place, **fields})

    systems = ("whole", "bare", "absent", "ranks", "once", "unsure", "turns")
    found = excused(
        [one for name in systems for one in of_capabilities(name)],
        metrics=METRICS,
        costs=[
            {"system_id": "whole", "gold_set": "p3", "n_timed": 1},
            {"system_id": "bare", "gold_set": "p3", "n_timed": 0},
        ],
        summaries=[
            questions(),
            seen("whole", "marked", 1, 0.0),
            seen("whole", "hit", 9, 0.0, k=5, unit="sentence"),
            seen("whole", "cited", 9, 0.1),
            seen("bare", "marked", 0),
            seen("bare", "hit", 0, k=5, unit="sentence"),
            seen("bare", "correct", 0),
            seen("bare", "cited", 9, 0.0),
            seen("bare", "unknown", 9, 1.0, unit="sentence"),
            seen("absent", "hit", 9, 1.0, gold_set="p1", k=5, unit="sentence"),
            {**seen("absent", "cited", 9, 1.0), "slice_name": "sound"},
            seen("ranks", "hit", 9, 1.0, k=5, unit="sentence"),
            seen("once", "cited", 0, n_asked=1),
            # A mean that is unknown excuses nothing.
            seen("unsure", "cited", 9),
            seen("turns", "turns", 9, 1.0, unit="any"),
        ],
    )

    assert found == {
        *(f"{one}@bare" for one in CAPABILITIES if one != "answers"),
        *(f"{one}@absent" for one in CAPABILITIES),
        *(f"{one}@turns" for one in CAPABILITIES),
        *(f"{one}@ranks" for one in CAPABILITIES if one != "ranks"),
        *(f"{one}@once" for one in CAPABILITIES if one != "answers"),
        *(f"{one}@unsure" for one in CAPABILITIES if one not in ("answers", "cites")),
    }


def test_what_nobody_was_asked_for_is_no_capability():
    rows = [questions(), figure(None, 0, metric="correct", slice_name="overall")]
    found = excused(of_capabilities("s"), metrics=METRICS, summaries=rows)

    assert "answers@s" in found
    of_type = [{**METRICS[2], "applies_to": "numeric"}]
    rows = [questions(), figure(1.0, 9, metric="correct", slice_name="overall")]
    numeric = [gate("n", metric="correct", applies_when="capability_seen", capability="answers")]
    assert excused(numeric, metrics=of_type, summaries=rows) == {"n"}
    rows.append(questions(kind="numeric"))
    assert excused(numeric, metrics=of_type, summaries=rows) == set()


def test_what_a_system_was_declared_for_it_owes():
    """Public sets: answers to each that a gate names; none: rankings on the filings."""
    public = {"gold_set": "b", "slice_name": "overall"}
    found = excused(
        [
            *of_capabilities("public"),
            *of_capabilities("none"),
            *(
                {**one, "gate_id": f"b_{one['gate_id']}"}
                for one in (
                    *of_capabilities("public", **public),
                    *of_capabilities("none", **public),
                )
            ),
        ],
        systems=[
            {"system_id": "public", "answer_sets": "public"},
            {"system_id": "none", "answer_sets": "none"},
        ],
        summaries=[questions(), questions(gold_set="b", slice_name="overall")],
    )

    every = {f"{one}@{name}" for one in CAPABILITIES for name in ("public", "none")}
    assert every - found == {"ranks@none"}
    assert {f"b_{name}" for name in every} - found == {"b_answers@public"}


def test_who_returned_passages_that_nobody_recognises_may_have_any_capability():
    metrics = [{**row, "measured_by": "citations"} for row in METRICS]
    found = check(
        of_capabilities("s", metric="cited"),
        metrics=metrics,
        returned=[{"system_id": "s", "gold_set": "p3", "n_recognised": 0}],
        summaries=[questions()],
    )

    assert set(column("verdict", found).values()) == {"too_few"}
    # A slice without a question of the type asks nothing all the same.
    of_type = [{**row, "applies_to": "numeric"} for row in metrics]
    none = excused(
        of_capabilities("s", metric="cited"),
        metrics=of_type,
        returned=[{"system_id": "s", "gold_set": "p3", "n_recognised": 0}],
        summaries=[questions()],
    )
    assert len(none) == len(CAPABILITIES)


@pytest.mark.parametrize(
    ("measured_by", "mode", "expected"),
    [
        ("ranking", "finrag", True),
        ("citations", "strict", True),
        ("claims", "finrag", True),
        ("question", "finrag", True),
        ("type_rule", "finrag", False),
        ("ranking", "official", False),
    ],
)
def test_metrics_that_rest_on_passages(measured_by, mode, expected):
    assert needs_passages({"measured_by": measured_by, "mode": mode}) is expected


def test_a_gate_on_answers_needs_an_answering_system_and_a_question_of_its_type():
    found = excused(
        [gate(name, system_id=name, applies_when="answering_system") for name in ("a", "b", "c")],
        systems=[
            {"system_id": "a", "answerer": "extractive"},
            {"system_id": "b", "answerer": "none"},
        ],
        summaries=[questions()],
    )

    assert found == {"b", "c"}


def test_a_drift_needs_a_figure_of_the_baseline_that_can_be_compared():
    place = {"measured_in": "drifts", "statistic": "change", "applies_when": "baseline_known"}
    drifts = [
        figure(is_comparable=True, baseline_n=9, k=5),
        figure(is_comparable=False, baseline_n=9, k=10),
    ]
    gates = [gate(str(k), k=k, **place) for k in (5, 10, 1)]

    assert excused(gates, drifts=drifts) == {"10", "1"}


ON_LINES = [
    gate(name, system_id=system, applies_when=rule)
    for name, system, rule in (
        ("tables", "s", "spaces_loaded"),
        ("add_up", "corpus", "lines_loaded"),
        ("agree", "corpus", "routes_loaded"),
        ("right", "tells", "lines_labelled"),
        ("right_of_none", "gone", "lines_labelled"),
        ("missing", "tells", "lines_compared"),
        ("missing_of_new", "new", "lines_compared"),
    )
]


def test_gates_on_tables_and_lines_apply_where_there_is_something_to_judge():
    """A total that no table adds up to is judged, statements in an exhibit are not."""
    found = excused(
        ON_LINES,
        cells=[{"cell_id": "c"}],
        totals=[
            {"verdict": "no_table", "route": None},
            {"verdict": "by_reference", "route": "facts"},
        ],
        line_systems=[{"system_id": "tells"}, {"system_id": "new"}],
        labels=[{"item_id": "q"}, {"item_id": None}],
        described=[
            {"system_id": "tells", "coverage_before": None},
            {"system_id": "tells", "coverage_before": 0.0},
            {"system_id": "new", "coverage_before": None},
        ],
    )

    assert found == {"right_of_none", "missing_of_new"}


def test_gates_on_tables_and_lines_do_not_apply_to_items_as_text():
    """They bring no tables, whatever facts they have; no label is a question."""
    found = excused(
        ON_LINES,
        totals=[{"verdict": "no_total", "route": "facts"}],
        line_systems=[{"system_id": "tells"}],
        labels=[{"item_id": None}],
    )

    assert found == {one["gate_id"] for one in ON_LINES}


def test_statements_in_an_exhibit_and_filings_without_tags_are_not_judged():
    found = excused(
        ON_LINES[:3],
        cells=[{"cell_id": "c"}],
        totals=[{"verdict": "by_reference", "route": "table"}],
    )

    assert found == {"add_up", "agree"}


def test_a_limit_holds_for_the_model_it_was_set_with():
    """Another model is held against its null; without a model neither applies."""
    named = {
        "limit": ("paths", "bert_score", "scorer_is", "large"),
        "limit_of_other": ("paths", "bert_score", "scorer_is", "small"),
        "limit_of_longer": ("paths", "bert_score", "scorer_is", "larg"),
        "floor": ("paths", "bert_score", "scorer_is_not", "large"),
        "floor_of_other": ("paths", "bert_score", "scorer_is_not", "small"),
        "no_model": ("paths", "bleurt", "scorer_is", "large"),
        "no_model_for_floor": ("paths", "bleurt", "scorer_is_not", "large"),
        "not_a_scorer": ("paths", "rouge_l", "scorer_is_not", "large"),
        # What has no name is not a model of that name.
        "unnamed_limit": ("paths", "none_like", "scorer_is", None),
        "unnamed_model": ("paths", "unnamed", "scorer_is", "None"),
        "no_answer": ("words", "bert_score", "scorer_is", "large"),
        "no_question": ("paths", "bert_score", "scorer_is", "large"),
    }
    gates = [
        gate(name, system_id=system, metric=metric, applies_when=rule, scorer=scorer)
        for name, (system, metric, rule, scorer) in named.items()
    ]
    gates[-1] |= {"slice_name": "sound_scope", "slice_value": "cross_company"}
    found = excused(
        gates,
        systems=[
            {"system_id": "paths", "answerer": "extractive"},
            {"system_id": "words", "answerer": "none"},
        ],
        scorers=[
            {"metric": "bert_score", "model": "large@a1b2", "is_configured": True},
            {"metric": "bleurt", "model": None, "is_configured": False},
            {"metric": "unnamed", "model": None, "is_configured": True},
            {"metric": "none_like", "model": "None@a1b2", "is_configured": True},
        ],
        summaries=[questions()],
    )

    assert set(named) - found == {"limit", "floor_of_other"}
