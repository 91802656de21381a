"""The reader of earlier artefacts of revenue lines: bad ones are set aside, each with its place."""

import json

import pytest

from finrag.sources.line_baselines import open_line_baselines

LINE = {"label": "Quays", "status": "described", "value": 7.0}


def artefact(**fields):
    return {"filing_id": "f", "system_id": "a", "line_details": [LINE], **fields}


def rows(path):
    return open_line_baselines(str(path)).read_all().to_pylist()


def test_artefacts_of_a_folder_are_read_whatever_stands_beside_their_lines(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(artefact(company="Acme"), indent=2))
    several = [artefact(filing_id="g"), artefact(filing_id="g", system_id="b")]
    (tmp_path / "two.json").write_text(json.dumps(several))

    found = rows(tmp_path)

    assert [(row["filing_id"], row["system_id"]) for row in found] == [
        ("f", "a"),
        ("g", "a"),
        ("g", "b"),
    ]
    assert found[0]["lines"] == [{"line_label": "Quays", "was_described": True}]


def test_a_line_without_a_label_costs_no_artefact(tmp_path):
    bare = [LINE, {"label": " ", "status": "failed"}, {"status": "described"}]
    (tmp_path / "one.json").write_text(json.dumps(artefact(line_details=bare)))

    (found,) = rows(tmp_path)

    assert [(line["line_label"], line["was_described"]) for line in found["lines"]] == [
        ("Quays", True),
        ("(no label)", False),
        ("(no label)", True),
    ]


def test_no_path_gives_no_row_and_a_wrong_one_says_which_var():
    assert rows("") == []
    with pytest.raises(ValueError, match="lines_baseline_path"):
        rows("nowhere")


@pytest.mark.parametrize(
    ("record", "code", "reason"),
    [
        (artefact(filing_id=None), "missing_field", "no filing_id"),
        (artefact(line_details={"label": "Quays"}), "bad_field", "line_details"),
        (artefact(line_details=[{**LINE, "status": "told"}]), "bad_field", "status is 'told'"),
        (artefact(line_details=[{"label": "Quays"}]), "missing_field", "no status"),
        ([7], "not_an_object", "not an object"),
    ],
)
def test_what_is_no_artefact_is_set_aside_and_its_neighbour_kept(tmp_path, record, code, reason):
    path = tmp_path / "lines.jsonl"
    path.write_text(f"{json.dumps(record)}\n{json.dumps(artefact())}\n")

    bad, good = rows(path)

    assert (bad["record_status"], bad["reason_code"]) == ("quarantined", code)
    assert reason in bad["reason"]
    assert bad["remedy"].startswith("In lines.jsonl, line 1: ")
    assert bad["lines"] is None
    assert good["record_status"] == "read"


def test_of_two_artefacts_of_one_filing_and_system_the_first_is_kept(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(artefact()))
    (tmp_path / "b.json").write_text(json.dumps(artefact(line_details=[])))

    first, second = rows(tmp_path)

    assert (first["record_status"], second["reason_code"]) == ("read", "repeated_baseline")
    assert "(a.json, line 1)" in second["reason"]


def test_a_file_that_breaks_off_is_set_aside(tmp_path):
    (tmp_path / "cut.json").write_text(json.dumps(artefact(), indent=2)[:-20])

    (row,) = rows(tmp_path)

    assert row["record_status"] == "quarantined"
