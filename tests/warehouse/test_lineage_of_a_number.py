"""From a figure of the summaries back to the characters of a filing, by joins on keys."""

import pytest


@pytest.fixture(scope="module")
def lineage(sample):
    assert sample.dbt("compile", "-s", "lineage_of_a_number") == 0, sample.log
    (compiled,) = (sample.folder / "target" / "compiled").rglob("lineage_of_a_number.sql")
    return sample.rows(compiled.read_text())


@pytest.mark.xdist_group("sample")
def test_the_items_have_the_mean_of_the_summary(lineage):
    first = lineage[0]
    values = {row["item_id"]: row["value"] for row in lineage if row["value"] is not None}
    assert len(values) == first["n_values"] == first["n_evaluated"] > 0
    assert first["summary_mean"] == first["mean_of_values"]
    assert first["summary_mean"] == pytest.approx(sum(values.values()) / len(values), abs=1e-12)


@pytest.mark.xdist_group("sample")
def test_every_cited_sentence_stands_where_it_says(lineage):
    cited = [row for row in lineage if row["sentence_id"] is not None]
    assert cited
    assert all(row["is_text_at_offsets"] for row in cited)
    assert all(0 <= row["char_start"] < row["char_end"] for row in cited)


@pytest.mark.xdist_group("sample")
def test_a_right_answer_shows_every_step(lineage):
    steps = (
        "summary_id", "item_id", "question_text", "gold_text", "answer_text", "citation_pos",
        "sentence_id", "sentence_text", "section_id", "char_start", "char_end",
    )  # fmt: skip
    complete = [row for row in lineage if all(row[step] is not None for step in steps)]
    assert any(row["value"] == 1 and row["is_evidence"] for row in complete)
