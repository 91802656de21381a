"""The last screen: never more than 15 lines of 100 columns, whatever was measured."""

from dataclasses import replace

import pytest

from finrag.publishing.screen import (
    COLUMNS,
    LINES,
    Screen,
    figure_table,
    gate_line,
    screen_lines,
    screen_of,
)
from finrag.publishing.verdict import Verdict, floors_of, heeding

MEASURED = (
    "Measured on the sample corpus, whose companies are fictional: 683 sound questions of 683 "
    "asked; encoder minilm."
)
CAVEAT = (
    " No error gate judged its rankings, citations. Warning: share of answers that repeat the gold "
    "of own_rag is 95.2 %, should be at most 90.0 %."
)
CORPUS = {
    "corpus": "sample",
    "n_companies": 10,
    "n_filings": 50,
    "n_sentences": 22_693,
    "n_quarantined": 5,
    "n_records": 55,
}
LONG = "a_system_with_a_name_that_says_which_retriever_and_which_model_it_has"
NEXT = ["Next: finrag summary --all"]
NOTHING = "No system of yours is under test. The shipped systems were measured for reference."


def verdict(outcome, system_id="", headline="", measured_on=MEASURED, figures=()):
    return Verdict(system_id, outcome, headline or f"{outcome} {system_id}", measured_on, figures)


def screen(verdicts, measured=(), gates=(), rejections=()):
    """The screen of verdicts of which each has its own figures, and the first all gates."""
    first, *others = verdicts
    of_first = [row for row in measured if row["role"] == "reference"]
    own = [
        replace(one, figures=[row for row in measured if row["system_id"] == one.system_id])
        for one in others
    ]
    first = replace(first, figures=of_first, gates=gates)
    return screen_of([first, *own], CORPUS, rejections, NEXT)


def figure(system_id, figure_id="answer_accuracy", role="candidate", **changes):
    labels = {"answer_accuracy": "Right answers", "evidence_recall_at_10": "Evidence recall@10"}
    return {
        "system_id": system_id,
        "role": role,
        "figure_id": figure_id,
        "figure": labels.get(figure_id, "Right citations"),
        "status": "measured",
        "value": 0.61,
        "n": 46,
        "n_asked": 683,
        "ci_low": 0.5,
        "ci_high": 0.7,
        "null_value": 0.06,
        "reference_id": "multi_path",
        "reference_value": 0.952,
        "band": "moderate",
        **changes,
    }


def figures(*systems, role="candidate"):
    names = ("answer_accuracy", "evidence_recall_at_10", "citation_correctness")
    return [figure(one, name, role) for one in systems for name in names]


def gate(n=0, severity="error", breach="fail", system_id="own_rag", statement=None):
    label = f"gate {n} of {system_id}, lower bound"
    return {
        "gate_id": f"g{n}",
        "severity": severity,
        "breach": breach,
        "verdict": "pass" if breach is None else "fail",
        "system_id": system_id,
        "gate_label": label,
        "statement": label + (statement or " is 61.2 %, should be at least 70.0 %"),
        "page": "/answers",
    }


def broken_headline(system_id, n=12):
    return (
        f"Do not release {system_id}: {n} error gates are broken, first: evidence recall@10 of "
        f"{system_id}, lower bound is 61.2 %, should be at least 70.0 %."
    )


REJECTIONS = [
    {"system_id": "own_rag", "n_unused": 1_002, "n_used_in_part": 3},
    {"system_id": "other", "n_unused": 3, "n_used_in_part": 0},
]
MANY = [gate(n) for n in range(12)] + [gate(99, "warn")]
FOUR = ("a", "b", "c", LONG)
SCREENS = {
    "nothing under test": (
        [verdict("nothing_under_test", headline=NOTHING)],
        figures("agent", role="reference"),
        [gate(n, breach=None) for n in range(78)],
        [],
    ),
    "a reference breaks a gate": (
        [verdict("nothing_under_test", headline=NOTHING)],
        figures("agent", role="reference"),
        [gate(1, system_id="agent"), *(gate(n, "reference") for n in range(2, 9))],
        [],
    ),
    "references are below their limits": (
        [verdict("nothing_under_test", headline=NOTHING)],
        figures("agent", role="reference"),
        [gate(n, "reference", system_id="agent") for n in range(9)],
        [],
    ),
    "released": (
        [verdict("release"), verdict("release", "own_rag", measured_on=MEASURED + CAVEAT)],
        figures("own_rag"),
        [gate(n, breach=None) for n in range(78)],
        REJECTIONS[:1],
    ),
    "do not release": (
        [
            verdict("do_not_release"),
            verdict("do_not_release", LONG, broken_headline(LONG), MEASURED + CAVEAT),
        ],
        figures(LONG),
        [{**one, "gate_label": one["gate_label"] + LONG} for one in MANY],
        REJECTIONS,
    ),
    "cannot tell": (
        [
            verdict("cannot_tell"),
            verdict(
                "cannot_tell",
                "own_rag",
                "Cannot tell whether own_rag can be released: right answers of own_rag, lower "
                "bound is 61.2 % over too little to tell (n = 12); it should be at least 70.0 %; "
                "at least 18 more questions are needed.",
                MEASURED + CAVEAT,
            ),
        ],
        figures("own_rag"),
        [gate(1, breach=None)],
        REJECTIONS,
    ),
    "four candidates": (
        [
            verdict("do_not_release", headline="0 of 4 candidates can be released."),
            *(
                verdict("do_not_release", one, broken_headline(one), MEASURED + CAVEAT)
                for one in FOUR
            ),
        ],
        figures(*FOUR),
        MANY,
        REJECTIONS,
    ),
    "cannot be trusted": (
        [
            verdict(
                "cannot_be_trusted",
                headline="The warehouse cannot be trusted: 12 error gates are broken, first: "
                "records read of the corpus is 61.2 %, should be at least 70.0 %.",
            ),
            verdict("cannot_be_trusted", "own_rag"),
        ],
        figures("own_rag"),
        MANY,
        REJECTIONS,
    ),
    "nothing measured": ([verdict("nothing_under_test", headline=NOTHING)], [], [], []),
}


def shown(name):
    return screen_lines(screen(*SCREENS[name]))


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_fits_and_ends_in_what_to_open_and_the_exit_status(name):
    lines = shown(name)
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    assert all(line.strip() for line in lines)
    assert lines[-2] == NEXT[0]
    status = {"nothing under test": 0, "released": 0, "nothing measured": 0, "cannot tell": 3}
    status["references are below their limits"] = 0
    assert lines[-1].startswith(f"Exit status {status.get(name, 1)}: ")
    assert sum(line.startswith("Corpus 'sample': 10 companies, 50 filings") for line in lines) == 1


@pytest.mark.parametrize(
    ("name", "n_shown"), [("do not release", 1), ("cannot be trusted", 3), ("four candidates", 0)]
)
def test_gates_that_do_not_fit_are_counted(name, n_shown):
    lines = shown(name)
    broken = [line for line in lines if line.startswith(("Broken: ", "Warning: "))]
    said = f"  and {len(MANY) - n_shown} more" if n_shown else f"{len(MANY)} gates need attention"
    assert len(broken) == n_shown
    assert f"{said}: finrag summary --all" in lines


def test_nothing_under_test_shows_the_best_shipped_system_as_a_reference():
    lines = shown("nothing under test")
    assert lines[:2] == [NOTHING, "  " + MEASURED[: MEASURED.index("asked;") + 6]]
    assert lines[4].split() == [
        *("for", "reference", "Right", "answers", "Evidence", "recall@10", "Right", "citations"),
    ]
    assert lines[5].split()[:4] == ["agent", "0.610", "[0.500,", "0.700]"]
    assert lines[6].startswith("  best of the others     0.952 multi_path")
    assert lines[7].startswith("  null; gain over it     0.060; moderate")
    assert lines[8] == "No gate is broken: 78 pass."


@pytest.mark.parametrize(
    ("n_given", "floors"), [(0, {"naive_rag"}), (69, {"naive_rag"}), (70, set())]
)
def test_a_reference_that_declines_many_figures_is_called_a_floor(n_given, floors):
    given = {"figure_id": "numeric_within_tolerance", "n": n_given, "n_asked": 100}
    assert floors_of([figure("naive_rag", role="reference", **given)]) == floors

    best = figure("multi_path", role="reference", reference_id="naive_rag", reference_value=0.231)
    best["is_floor"] = "naive_rag" in floors
    lines = screen_lines(screen([verdict("nothing_under_test", headline=NOTHING)], [best]))
    (line,) = (line for line in lines if line.startswith("  best of the others"))
    assert line.split("0.231 ")[1] == ("floor naive_rag" if floors else "naive_rag")


def test_a_candidate_stands_above_the_best_reference_and_the_null():
    table = figure_table(["own_rag"], [*figures("multi_path", role="reference"), figure("own_rag")])
    assert [line.split() for line in table] == [
        ["candidate", "Right", "answers"],
        ["own_rag", "0.610", "[0.500,", "0.700]"],
        ["best", "reference", "0.952", "multi_path"],
        ["null;", "gain", "over", "it", "0.060;", "moderate"],
    ]


def test_the_reference_of_several_is_that_of_the_one_with_the_most_questions():
    """One that answered ten questions is none for who was asked four hundred."""
    few = {"n": 10, "reference_id": "answers_few", "reference_value": 1.0}
    many = {"n": 400, "reference_id": "multi_path", "reference_value": 0.8}
    table = figure_table(["small", "big"], [figure("small", **few), figure("big", **many)])
    assert table[3].split()[-2:] == ["0.800", "multi_path"]


def test_what_was_not_measured_says_so_and_what_does_not_apply_is_not_shown():
    nothing = dict.fromkeys(("value", "ci_low", "ci_high", "null_value", "reference_value", "band"))
    table = figure_table(
        ["own_rag"],
        [
            figure("own_rag", status="unmeasured", **nothing),
            figure("own_rag", "evidence_recall_at_10", status="not_applicable", **nothing),
            figure("own_rag", "answered", ci_low=None, band=None),
        ],
    )
    assert [line.split()[-3:] for line in table[1:]] == [
        ["not", "measured", "0.610"],
        ["measured", "0.952", "multi_path"],
        ["not", "measured", "0.060"],
    ]
    assert "Evidence" not in table[0]


def test_of_several_candidates_the_worst_come_first_each_with_its_caveat():
    outcomes = {"a": "release", "b": "cannot_tell", "c": "do_not_release", "d": "cannot_tell"}
    verdicts = [
        verdict("do_not_release", headline="1 of 4 candidates can be released."),
        *(verdict(outcome, one, "", MEASURED + CAVEAT) for one, outcome in outcomes.items()),
    ]
    lines = screen_lines(screen(verdicts, figures(*outcomes)))

    assert lines[0] == (
        "1 of 4 candidates can be released. The worst follow, 2 more: finrag summary --all."
    )
    said = [line for line in lines if line.startswith(tuple(outcomes.values()))]
    assert [line.partition(" No error gate")[0] for line in said] == [
        "do_not_release c",
        "cannot_tell b",
    ]
    assert [line.split()[0] for line in lines if "0.610" in line] == ["c", "b"]
    assert any(line.startswith("  strongest null") for line in lines)
    # A word would be that of one of them.
    assert "moderate" not in "\n".join(lines)


def test_one_candidate_brings_its_caveat_with_its_verdict():
    text = " ".join(line.strip() for line in shown("released")[:4])
    assert text.startswith("release own_rag Measured on the sample corpus, whose companies are")
    assert "No error gate judged its rankings, citations. Warning: share of answers" in text


def test_a_candidate_for_public_sets_is_shown_by_them():
    row = {**figure("own_rag"), "figure_id": "finqa em", "figure": "finqa: Em, official"}
    verdicts = [verdict("cannot_tell"), verdict("cannot_tell", "own_rag")]
    lines = screen_lines(screen(verdicts, [row]))
    assert (
        "  finqa: Em, official: 0.610 [0.500, 0.700] (n = 46 of 683); null 0.060 (gain mod"
    ) in "\n".join(lines)


def test_a_warehouse_that_cannot_be_trusted_shows_no_figure():
    assert not any("0.610" in line for line in shown("cannot be trusted"))


def test_a_broken_gate_has_value_limit_and_page_however_long_its_name():
    long = {**gate(), "gate_label": "g" * 200, "statement": "g" * 200 + " is 1 %, at 2 %"}
    line = gate_line(long, "/answers")
    assert line.startswith("Broken: ggg")
    assert line.endswith("… is 1 %, at 2 % (/answers)")
    assert len(line) == COLUMNS
    tail = " passes with 84.1 %, and what knows nothing passes too, with 82.9 %"
    line = gate_line({**gate(), "statement": gate()["gate_label"] + tail}, "gate_of_some_kind@own")
    assert line.startswith("Broken: gate 0 of own_rag")
    assert line.endswith(tail)
    assert gate_line(gate(severity="warn"), "/answers").startswith("Warning: gate 0")
    undecided = {**gate(breach=None), "verdict": "too_few"}
    assert gate_line(undecided, "g, n = 3").startswith("Undecided: gate 0 of own_rag, lower bound")
    assert gate_line({**undecided, "verdict": "waived"}, "g").startswith("Waived: gate 0")


def test_a_reference_below_its_limit_is_shown_and_is_not_called_broken():
    gates = [
        gate(1, "reference", system_id="agent"),
        gate(2, breach=None),
        gate(3, "warn", breach=None),
        gate(4, "reference", system_id="agent"),
    ]
    (said, first, second) = screen([verdict("release")], gates=gates).gates
    assert said == "No gate is broken: 2 pass, 2 of reference systems below their limits."
    assert first.startswith("Reference: gate 1 of agent, lower bound is 61.2 %,")
    assert second.startswith("Reference: gate 4 of agent")

    broken = [*gates, gate(5, "warn"), gate(6)]
    lines = screen([verdict("release")], gates=broken).gates
    kinds = [line.partition(":")[0] for line in lines]
    assert kinds == ["Broken", "Warning", *(["Reference"] * 2)]


def test_gates_on_candidates_come_before_those_on_others():
    gates = [gate(1, system_id="agent"), gate(2, "warn"), gate(3)]
    verdicts = [verdict("do_not_release"), verdict("do_not_release", "own_rag")]
    assert [line.split(" of ")[0] for line in screen(verdicts, gates=gates).gates] == [
        "Broken: gate 3",
        "Broken: gate 1",
        "Warning: gate 2",
    ]


@pytest.mark.parametrize(
    ("rejections", "sentence"),
    [
        ([("a", 1, 0)], "1 record of a was not used; see"),
        ([("a", 0, 1)], "1 record of a was not used as given; see"),
        ([("a", 1_002, 3)], "1,002 records of a were not used, 3 not as given; see"),
        ([("a", 1, 2), ("b", 0, 3)], "1 record of 2 systems was not used, 5 not as given; see"),
    ],
)
def test_records_that_were_not_used_are_one_line(rejections, sentence):
    rows = [{"system_id": name, "n_unused": n, "n_used_in_part": m} for name, n, m in rejections]
    found = screen([verdict("nothing_under_test")], rejections=rows)
    assert found.notes == (f"{sentence} retrieval.external_rejections",)


@pytest.mark.parametrize(
    ("outcome", "status"), [("release", 1), ("nothing_under_test", 1), ("cannot_tell", 1)]
)
def test_nothing_good_is_said_beside_checks_that_failed(outcome, status):
    why = "a check of the last build failed (one and 1 more); mend that and build again."
    found = heeding(verdict(outcome), ["one", "other"])
    assert (found.status, found.headline) == (status, f"The warehouse cannot be trusted: {why}")
    found = heeding(verdict(outcome, "own_rag"), ["one", "other"])
    assert (found.status, found.headline) == (status, f"Do not release own_rag: {why}")
    assert heeding(verdict(outcome), []) == verdict(outcome)
    assert heeding(verdict("do_not_release"), ["one"]) == verdict("do_not_release")


def test_one_line_that_is_left_counts_all_gates():
    facts = tuple(f"fact {n}" for n in range(LINES - 4))
    lines = screen_lines(Screen((("Verdict.", ""),), facts, (), ("one", "two"), tuple(NEXT), 1))
    assert len(lines) == LINES
    assert lines[-3] == "2 gates need attention: finrag summary --all"
