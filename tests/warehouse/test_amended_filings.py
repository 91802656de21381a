"""Amendments, transition and quarterly reports beside the annual report of their year."""

import csv
import json

import pytest

from finrag.sample import write_filed, write_sample

CIK, YEARS = 9900001, (2020, 2021)
FIRST, SECOND = "0009900001-22-000007", "0009900001-22-000009"
QUESTIONS = """
select question_key, question_id, forms_named, report_years, evidence_sentence_ids
from gold.int_p3_drawn
"""


def is_item(name):
    """Whether a field of a record is the text of an item."""
    return name.startswith(("item_", "section_"))


@pytest.fixture
def years(tmp_path):
    """The records of one company's two years, by year."""
    write_sample(tmp_path / "sample")
    lines = (tmp_path / "sample" / "filings" / "sample_10k.jsonl").read_bytes().splitlines()
    records = [json.loads(line, strict=False) for line in lines if len(line) > 1_000]
    return {
        int(one["year"]): one
        for one in records
        if int(one["cik"]) == CIK and int(one["year"]) in YEARS
    }


def built(new_warehouse, folder, **settings):
    warehouse = new_warehouse(folder, **settings)
    assert warehouse.build("--select", "+int_p3_unioned", "+int_p3_alternatives") == 0, (
        warehouse.log
    )
    return warehouse


def asked(warehouse):
    """Questions by key, each key once."""
    rows = warehouse.rows(QUESTIONS)
    questions = {row["question_key"]: row for row in rows}
    assert len(questions) == len({row["question_id"] for row in rows}) == len(rows) > 20
    return questions


def filings_of(questions):
    """The ids of the filings in which evidence stands."""
    return {
        sentence.partition("_section_")[0]
        for row in questions.values()
        for sentence in row["evidence_sentence_ids"]
    }


def test_records_of_all_forms_build_and_each_year_is_asked_of_one_report(
    new_warehouse, years, tmp_path
):
    def write(name, *records):
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, records)), "utf-8")
        return {"corpus": "filings", "corpus_path": str(path), "encoder": "wordllama"}

    def variant(year, form, number="", items=None):
        """The report of a year under another form, with all items or some."""
        record = {
            name: value
            for name, value in years[year].items()
            if items is None or not is_item(name) or name.partition("_")[2] in items
        }
        return {**record, "filing_type": form, "filename": f"{CIK}_{year}_{number}.htm"}

    plain = asked(built(new_warehouse, tmp_path / "plain", **write("a.jsonl", *years.values())))
    warehouse = built(
        new_warehouse,
        tmp_path / "all",
        **write(
            "b.jsonl",
            *years.values(),
            variant(2021, "10-K/A", FIRST),
            variant(2021, "10-K/A", SECOND),
            variant(2020, "10-K405/A", items={"5", "7A"}),
            *(variant(2020, form) for form in ("10-KT", "10-Q", "10-Q/A")),
        ),
    )
    questions = asked(warehouse)

    assert warehouse.value("select count(*) from sentences.filings") == 8
    newest = f"{CIK:010d}_10-KA-{SECOND}_2021"
    assert filings_of(questions) == {f"{CIK:010d}_10-K_2020", newest}
    # Questions on the report that nothing amends in full stay what they are, ids and all.
    of_2020 = {key for key, row in questions.items() if row["report_years"] == [2020]}
    assert len(of_2020) > 10
    assert {key: questions[key]["question_id"] for key in of_2020} == {
        key: plain[key]["question_id"] for key in of_2020
    }
    # The others have new ids and say which form they mean.
    amended = {key: row for key, row in questions.items() if 2021 in row["report_years"]}
    assert len(amended) > 10
    assert not {row["question_id"] for row in amended.values()} & {
        row["question_id"] for row in plain.values()
    }
    assert not warehouse.rows(
        """
        select d.question_key from gold.int_p3_drawn as d
        inner join gold.int_p3_unioned as u on d.question_id = u.question_id
        where (d.forms_named is not null) <> contains(u.question_text, '10-K/A')
        """
    )
    # What the amended report says in the same words is evidence as well.
    assert warehouse.value(
        f"""
        select count(*) from gold.int_p3_alternatives
        where starts_with(sentence_id, '{CIK:010d}_10-K_2021_') and reason = 'exact_duplicate'
        """
    )


def test_filings_as_filed_of_all_forms_build(new_warehouse, tmp_path):
    folder = tmp_path / "filed"
    write_filed(folder, "ixbrl", ciks={CIK}, years=set(YEARS))
    with (folder / "filings.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    for form, year, number in (
        *(("10-K/A", 2021, FIRST), ("10-K/A", 2021, SECOND)),
        *(("10-KT", 2020, ""), ("10-K405/A", 2020, "")),
    ):
        row = next(one for one in listed if one["fiscal_year"] == str(year))
        text = (folder / row["file"]).read_text("utf-8")
        name = f"{form.replace('/', '')}_{year}_{number}.htm"
        (folder / name).write_text(text.replace(">10-K<", f">{form}<"), "utf-8")
        listed.append({**row, "file": name, "form": form, "accession": number})
    with (folder / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, listed[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)

    warehouse = built(
        new_warehouse,
        tmp_path / "warehouse",
        **{"corpus": "raw_filings", "corpus_path": str(folder), "encoder": "wordllama"},
    )

    statuses = warehouse.rows("select distinct record_status from sources.py_filings_read")
    assert statuses == [{"record_status": "loaded"}]
    assert warehouse.value("select count(*) from sentences.filings") == 6
    of_tables = {
        key: row for key, row in asked(warehouse).items() if key.startswith(("T|", "M|", "K|"))
    }
    # A transition report is of a period of its own.
    start = f"{CIK:010d}_10-K"
    assert filings_of(of_tables) == {
        *(f"{start}405A_2020", f"{start}T_2020", f"{start}A-{SECOND}_2021"),
    }
