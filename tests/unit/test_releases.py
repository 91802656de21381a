"""What may be said of a release: what breaks, what is met and what nobody judged."""

import pyarrow as pa
import pytest

from finrag.metrics.releases import RELEASE_SCHEMA, decide_releases

TEXT = pa.string()
GATES = pa.schema(
    [
        *((name, TEXT) for name in ("gate_id", "phase", "subject", "system_id", "gold_set")),
        *((name, TEXT) for name in ("severity", "verdict", "breach", "capability")),
        *((name, pa.int64()) for name in ("n", "min_n")),
    ]
)
SYSTEMS = pa.schema([("system_id", TEXT), ("role", TEXT)])
VERSIONS = pa.schema([("system_id", TEXT), ("system_version", TEXT)])


def gate(gate_id, verdict="pass", breach=None, **fields):
    """A gate on a candidate, whose name follows that of the gate."""
    return {
        **{"gate_id": gate_id, "phase": "P4", "subject": "candidate", "gold_set": "p3"},
        **{"system_id": gate_id.partition("@")[2], "severity": "error", "verdict": verdict},
        **{"breach": breach, "capability": "answers", "n": 40, "min_n": 30},
        **fields,
    }


def decide(gates, candidates=(), versions=()):
    """Rows by system; that of the warehouse has no name."""
    systems = [{"system_id": name, "role": "candidate"} for name in candidates]
    systems.append({"system_id": "other", "role": "reference"})
    found = decide_releases(
        pa.table({"run_id": ["r"]}),
        pa.Table.from_pylist(gates, GATES),
        pa.Table.from_pylist(systems, SYSTEMS),
        pa.Table.from_pylist(list(versions), VERSIONS),
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
