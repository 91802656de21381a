"""What may be said of a release: what breaks, what is met and what nobody judged."""

import pyarrow as pa
import pytest

from finrag.metrics.releases import RELEASE_SCHEMA, Released, decide_releases

TEXT = pa.string()
GATES = pa.schema(
    [
        *((name, TEXT) for name in ("gate_id", "phase", "subject", "system_id", "gold_set")),
        *((name, TEXT) for name in ("severity", "verdict", "breach", "capability", "statement")),
        *((name, pa.int64()) for name in ("n", "min_n")),
    ]
)
SYSTEMS = pa.schema([("system_id", TEXT), ("role", TEXT)])
VERSIONS = pa.schema([("system_id", TEXT), ("system_version", TEXT)])
ASKED = pa.schema([("system_id", TEXT), ("gold_set", TEXT)])
RETURNED = pa.schema([*ASKED, ("n_returned", pa.int64()), ("n_recognised", pa.int64())])
PAIRS = pa.schema([("pair_id", TEXT), ("system_a", TEXT), ("system_b", TEXT)])
RUN = {"run_id": "r", "corpus": "filings", "encoder": "e", "n_questions": 15, "n_sound": 14}


def gate(gate_id, verdict="pass", breach=None, **fields):
    """A gate on a candidate, whose name follows that of the gate."""
    return {
        **{"gate_id": gate_id, "phase": "P4", "subject": "candidate", "gold_set": "p3"},
        **{"system_id": gate_id.partition("@")[2], "severity": "error", "verdict": verdict},
        **{"breach": breach, "capability": "answers", "n": 40, "min_n": 30},
        **{"statement": f"{gate_id.partition('@')[0]} is said"},
        **fields,
    }


def decide(gates, candidates=(), versions=(), asked=(), returned=(), **run):
    """Rows by system; that of the warehouse has no name."""
    systems = [{"system_id": name, "role": "candidate"} for name in candidates]
    systems.append({"system_id": "other", "role": "reference"})
    asked = [{"system_id": name, "gold_set": gold_set} for name, gold_set in asked]
    found = decide_releases(
        Released(
            run=pa.Table.from_pylist([{**RUN, **run}]),
            verdicts=pa.Table.from_pylist(gates, GATES),
            systems=pa.Table.from_pylist(systems, SYSTEMS),
            pairs=pa.Table.from_pylist(
                [{"pair_id": "s_over_other", "system_a": "s", "system_b": "other"}], PAIRS
            ),
            versions=pa.Table.from_pylist(list(versions), VERSIONS),
            asked=pa.Table.from_pylist(asked, ASKED),
            returned=pa.Table.from_pylist(list(returned), RETURNED),
        )
    )
    assert found.schema == RELEASE_SCHEMA
    return {row["system_id"]: row for row in found.to_pylist()}


RECORDS = gate("records", phase="P0", subject="corpus", system_id="corpus", gold_set="corpus")
BROKEN = {"verdict": "fail", "breach": "fail"}
UNMEASURED = {"verdict": "unmeasured", "breach": "unmeasured"}
FEW = {"verdict": "too_few"}
RANKS, CITES = {"capability": "ranks", "phase": "P3"}, {"capability": "cites"}


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        (
            [gate("a@s"), gate("w@s", severity="warn", **BROKEN)],
            {"headline": "release", "n_met": 1, "first_warning_id": "w@s"},
        ),
        ([gate("a@s"), gate("w@s", severity="warn")], {"headline": "release", "n_met": 1}),
        (
            [gate("a@s"), gate("z@s", **UNMEASURED, **RANKS), gate("b@s", **BROKEN)],
            {"headline": "do_not_release", "n_broken": 2, "n_met": 1, "first_gate_id": "z@s"},
        ),
        # A waived error gate is as good as broken.
        (
            [gate("a@s", "waived"), gate("b@s", **CITES)],
            {"headline": "do_not_release", "n_broken": 1, "n_met": 1, "first_gate_id": "a@s"},
        ),
        (
            [gate("a@s", "pass", "passed_by_null")],
            {"headline": "do_not_release", "n_broken": 1, "n_met": 1, "first_gate_id": "a@s"},
        ),
        (
            [gate("b@s", n=5, **FEW), gate("a@s", n=28, **FEW)],
            {"headline": "cannot_tell", "n_undecided": 2, "n_needed": 2, "first_gate_id": "a@s"},
        ),
        (
            [gate("a@s", n=1, **FEW)],
            {"headline": "cannot_tell", "n_undecided": 1, "n_needed": 29, "first_gate_id": "a@s"},
        ),
        # Of passages that nobody recognises more are of no use.
        (
            [gate("a@s"), gate("r@s", n=0, **FEW, **RANKS), gate("c@s", n=None, **FEW, **CITES)],
            {"headline": "cannot_tell", "n_undecided": 2, "n_met": 1, "first_gate_id": "r@s"},
        ),
        # Of what was measured on enough questions it is not more of them that is needed.
        (
            [gate("a@s", n=30, **FEW), gate("b@s", n=29, **FEW)],
            {"headline": "cannot_tell", "n_undecided": 2, "n_needed": 1, "first_gate_id": "a@s"},
        ),
        # Too few beside a broken gate changes nothing.
        (
            [gate("a@s", n=5, **FEW), gate("b@s", **BROKEN)],
            {
                **{"headline": "do_not_release", "n_broken": 1, "n_undecided": 1},
                **{"n_needed": 25, "first_gate_id": "b@s"},
            },
        ),
        ([gate("a@s", "not_applicable", n=0)], {"headline": "cannot_tell"}),
        ([], {"headline": "cannot_tell"}),
        # That a system is fast says nothing about what it answers, nor do a few that were read.
        ([gate("a@s", capability="times")], {"headline": "cannot_tell"}),
        ([gate("a@s", capability="marked")], {"headline": "cannot_tell"}),
        ([gate("a@s", capability=None)], {"headline": "release", "n_met": 1}),
        # A gate on a pair is about its first system.
        (
            [gate("a@s"), gate("gain", system_id="s_over_other", **BROKEN)],
            {"headline": "do_not_release", "n_broken": 1, "n_met": 1, "first_gate_id": "gain"},
        ),
        # A gate on another system changes nothing.
        (
            [gate("a@s"), gate("a@other", severity="reference", **BROKEN, subject="reference")],
            {"headline": "release", "n_met": 1},
        ),
    ],
)
def test_a_release_needs_gates_that_pass_and_none_that_does_not(gates, expected):
    row = decide([RECORDS, *gates], ["s"])["s"]

    none = dict.fromkeys(("n_broken", "n_undecided", "n_met"), 0)
    none |= dict.fromkeys(("n_needed", "first_gate_id", "first_warning_id"))
    assert {name: row[name] for name in (*none, "headline")} == {**none, **expected}


@pytest.mark.parametrize(
    ("gates", "ungated"),
    [
        ([gate("a@s"), gate("c@s", **CITES), gate("r@s", **RANKS)], ""),
        ([gate("a@s")], "citations, rankings"),
        ([gate("a@s", **FEW), gate("r@s", **BROKEN, **RANKS)], "citations"),
        ([gate("a@s", severity="warn")], "answers, citations, rankings, work on the filings"),
        ([gate("a@s", "not_applicable")], "answers, citations, rankings, work on the filings"),
        ([gate("a@s", capability="times")], "answers, citations, rankings"),
        # Gates on a public set alone release with the filings named as not judged.
        (
            [gate("a@s", gold_set="b"), gate("r@s", "not_applicable", **RANKS)],
            "citations, rankings, work on the filings",
        ),
        ([gate("a@s", gold_set="p3_tables")], "citations, rankings"),
        ([gate("a@s", gold_set="p1")], "citations, rankings, work on the filings"),
    ],
)
def test_what_no_error_gate_judges_is_named(gates, ungated):
    assert decide(gates, ["s"])["s"]["ungated"] == ungated


@pytest.mark.parametrize(
    ("gates", "headline"),
    [
        ([gate("a@a"), gate("b@b"), gate("c@c", **BROKEN)], "do_not_release"),
        ([gate("a@a"), gate("b@b"), gate("c@c", **FEW)], "cannot_tell"),
        ([gate("a@a"), gate("b@b"), gate("c@c")], "release"),
    ],
)
def test_the_warehouse_is_as_bad_as_its_worst_candidate(gates, headline):
    row = decide([RECORDS, *gates], ["c", "b", "a"], [{"system_id": "a", "system_version": "1.4"}])

    assert list(row) == ["", "a", "b", "c"]
    assert (row[""]["headline"], row[""]["subject"]) == (headline, "warehouse")
    assert (row[""]["n_broken"], row[""]["n_met"], row[""]["first_gate_id"]) == (0, 1, None)
    assert [one["system_version"] for one in row.values()] == [None, "1.4", None, None]


# Of a reference it is none, of an index it is, whose system it ever is.
@pytest.mark.parametrize(
    ("ground", "first"),
    [
        ({"subject": "index", "system_id": "other", "verdict": "waived"}, "self"),
        ({"subject": "gold", "system_id": "gold", **BROKEN}, "self"),
        ({"subject": "corpus", "system_id": "corpus", **UNMEASURED}, "self"),
        ({"subject": "reference", "system_id": "other", "severity": "reference", **BROKEN}, None),
        ({"subject": "index", "system_id": "other", "severity": "warn", **BROKEN}, None),
    ],
)
def test_on_a_ground_that_does_not_hold_nothing_is_released(ground, first):
    found = decide([RECORDS, gate("self", phase="P1", **ground), gate("a@s")], ["s"])

    headline = "cannot_be_trusted" if first else "release"
    assert [row["headline"] for row in found.values()] == [headline, headline]
    assert (found[""]["n_broken"], found[""]["first_gate_id"]) == (int(bool(first)), first)
    assert (found["s"]["n_broken"], found["s"]["first_gate_id"]) == (0, None)


def test_with_nothing_under_test_a_reference_below_its_limit_is_no_verdict():
    of_other = {"subject": "reference", "severity": "reference", "system_id": "other"}
    gates = [
        RECORDS,
        gate("self", phase="P1", subject="index", system_id="other"),
        gate("cited", **of_other, **BROKEN),
        gate("failed", **of_other, **UNMEASURED),
    ]
    found = decide(gates)

    assert list(found) == [""]
    assert (found[""]["headline"], found[""]["n_met"]) == ("nothing_under_test", 2)
    broken = decide([gate("records", phase="P0", subject="corpus", **BROKEN)])
    assert broken[""]["headline"] == "cannot_be_trusted"


def returned(system_id, n_returned, n_recognised, gold_set="p3"):
    counts = {"n_returned": n_returned, "n_recognised": n_recognised}
    return {"system_id": system_id, "gold_set": gold_set, **counts}


STRANGE = [gate("d@s", n=0, **FEW, **RANKS)]
UNKNOWN = (
    "Cannot tell whether s can be released: {} recognised as a passage of the corpus, so retrieval "
    "could not be measured. Return passages by their id in sentences.passages, or by their whole "
    "text."
)


@pytest.mark.parametrize(
    ("gates", "passages", "statement"),
    [
        (
            [gate("b@s", **BROKEN), gate("c@s", **BROKEN)],
            [returned("s", 30, 30)],
            "Do not release s: 2 error gates are broken, first: b is said.",
        ),
        ([gate("b@s", **BROKEN)], [], "Do not release s: 1 error gate is broken: b is said."),
        ([gate("a@s")], [], "Release s: it passes the 1 error gate on it."),
        ([gate("a@s"), gate("b@s")], [], "Release s: it passes all 2 error gates on it."),
        (
            [gate("c@s", n=9, **FEW)],
            [],
            "Cannot tell whether s can be released: c is said; at least 21 more questions are "
            "needed.",
        ),
        (
            [gate("c@s", n=29, **FEW)],
            [],
            "Cannot tell whether s can be released: c is said; at least 1 more question is needed.",
        ),
        ([], [], "Cannot tell whether s can be released: no error gate judged it."),
        # More questions are asked for the gate that is named, not for another.
        (
            [gate("a@s", n=100, **FEW), gate("b@s", n=10, **FEW)],
            [],
            "Cannot tell whether s can be released: a is said.",
        ),
        # That no passage is known is no reason for a gate on answers.
        (
            [gate("a@s", n=0, **FEW)],
            [returned("s", 7, 0)],
            "Cannot tell whether s can be released: a is said.",
        ),
        (
            STRANGE,
            [returned("s", 120, 0), returned("s", 6, 6, "finqa")],
            UNKNOWN.format("none of the 120 passages that it returned is"),
        ),
        (
            STRANGE,
            [returned("s", 1, 0)],
            UNKNOWN.format("the 1 passage that it returned is not"),
        ),
        # Those of another set are not what its gate waits for.
        (
            STRANGE,
            [returned("s", 9, 0, "finqa")],
            "Cannot tell whether s can be released: d is said.",
        ),
    ],
)
def test_a_candidate_has_a_sentence_of_its_own(gates, passages, statement):
    assert decide(gates, ["s"], returned=passages)["s"]["statement"] == statement


def test_a_sentence_names_the_version_and_a_broken_ground_comes_first():
    versions = [{"system_id": "s", "system_version": "1.4"}]
    found = decide([gate("a@s")], ["s", "t"], versions)
    assert found["s"]["statement"] == "Release s (version 1.4): it passes the 1 error gate on it."
    assert found[""]["statement"] == "1 of 2 candidates can be released."
    assert decide([gate("a@s")], ["s"])[""]["statement"] == "1 of 1 candidate can be released."

    broken = gate("records", phase="P0", subject="corpus", **BROKEN)
    found = decide([broken, gate("a@s")], ["s"])
    assert found[""]["statement"] == (
        "The warehouse cannot be trusted: 1 error gate is broken: records is said."
    )
    assert found["s"]["statement"] == (
        "Nothing can be said of s: it was measured in a warehouse that cannot be trusted."
    )
    assert decide([RECORDS])[""]["statement"] == (
        "No system of yours is under test. The shipped systems were measured for reference."
    )


@pytest.mark.parametrize(
    ("sets", "passages", "corpus", "measured_on"),
    [
        (["p3"], [], "filings", "your filings: 14 sound questions of 15 asked; encoder e."),
        (
            *(["p3", "finqa"], [], "sample"),
            "the sample corpus, whose companies are fictional: 14 sound questions of 15 asked; "
            "encoder e.",
        ),
        (
            *(["p3"], [returned("s", 120, 80), returned("s", 6, 6, "finqa")], "filings"),
            "your filings: 14 sound questions of 15 asked; encoder e. 86 of the 126 passages that "
            "it returned are recognised.",
        ),
        (
            *(["e", "c", "d", "b"], [], "filings"),
            "b, c, d and 1 more and on no question on the filings; encoder e.",
        ),
        ([], [], "filings", "no public set and on no question on the filings; encoder e."),
    ],
)
def test_what_was_measured_is_said_with_what_limits_it(sets, passages, corpus, measured_on):
    gates = [gate("a@s"), gate("c@s", **CITES), gate("r@s", **RANKS)]
    asked = [("s", name) for name in sets]
    row = decide(gates, ["s"], asked=asked, returned=passages, corpus=corpus)["s"]
    assert row["measured_on"] == f"Measured on {measured_on}"


def test_what_others_were_asked_and_returned_is_not_told_of_a_candidate():
    gates = [gate("d@s", n=0, **FEW, **RANKS), gate("c@s", **CITES)]
    passages = [returned("t", 9, 0), returned("s", 9, 9)]
    found = decide(gates, ["s", "t"], asked=[("s", "finqa"), ("t", "p3")], returned=passages)
    assert found["s"]["statement"] == "Cannot tell whether s can be released: d is said."
    assert found["s"]["measured_on"] == (
        "Measured on finqa and on no question on the filings; encoder e. No error gate judged its "
        "answers."
    )


def test_what_no_gate_judges_and_the_first_warning_stand_behind_it():
    gates = [gate("a@s"), gate("w@s", severity="warn", **BROKEN)]
    found = decide(gates, ["s"], asked=[("s", "p3")])
    assert found["s"]["measured_on"].endswith(
        "encoder e. No error gate judged its citations, rankings. Warning: w is said."
    )


def test_a_warehouse_whose_candidates_were_asked_public_sets_was_not_measured_on_filings():
    found = decide([gate("a@s", gold_set="finqa")], ["s"], asked=[("s", "finqa"), ("other", "p3")])
    assert found[""]["measured_on"] == (
        "Measured on finqa and on no question on the filings; encoder e."
    )
    assert "your filings: 14 sound" in decide([RECORDS])[""]["measured_on"]
