"""PDF documents become pages, tables and cells by the door of the other benchmark files."""

import collections
import json
import zlib
from importlib.util import find_spec

import pytest

from finrag.records import pdf_records
from finrag.records.files import SourceFile
from finrag.records.pdf_layout import (
    Line,
    Word,
    in_reading_order,
    lines_of,
    paragraphs,
    running_lines,
)
from finrag.records.pdf_records import Limits, read_pdf_records
from finrag.sample.companies import companies
from finrag.sample.ledger import cell, keep_books
from finrag.sample.pdf import PAPER, Sheet, assembled, pdf_bytes
from finrag.sample.presentations import presentation_files
from finrag.sample.writer import DEFAULT_SEED, LAST_YEAR
from finrag.sources.benchmarks import open_benchmarks
from finrag.text.references import document_key

needs_pdf = pytest.mark.skipif(
    find_spec("pdfplumber") is None, reason="pdfplumber (the extra finrag[pdf]) is not installed"
)
PICTURE = "q 99 0 0 99 20 20 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"
LOCK = b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >>"


def written(tmp_path, content, name="set/documents/acme.pdf"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return SourceFile(path, name)


def sheet(*texts, marks=()):
    page = Sheet(PAPER)
    for place, text in enumerate(texts):
        page.text(72, 300 + 20 * place, 10, text)
    page.marks.extend(marks)
    return page


def values(file, **limits):
    return [record.value for record in read_pdf_records(file, Limits(**limits))]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    for name, content in presentation_files(companies(), LAST_YEAR, DEFAULT_SEED).items():
        written(folder, content, name)
    return open_benchmarks(str(folder)).read_all().to_pylist()


@pytest.fixture(scope="module")
def passages(rows):
    return {each["passage_id"]: each for row in rows for each in row["passages"] or ()}


def pages(rows, kind):
    return [json.loads(row["original"]) for row in rows if row["source_file"].endswith(kind)]


@needs_pdf
def test_every_question_finds_its_page_table_or_cell(rows, passages):
    assert {row["record_status"] for row in rows} == {"read"}
    asked = {each["question_id"]: each for row in rows for each in row["questions"]}
    cited = collections.Counter()
    for judgment in (each for row in rows for each in row["judgments"]):
        if judgment["passage_id"] is None:
            (passage,) = (
                each
                for each in passages.values()
                if each["space"] == "page" and each["page"] == judgment["page"]
                if set(judgment["document_words"]) <= set(each["document_words"])
            )
        else:
            passage = passages[judgment["passage_id"]]
        cited[passage["space"]] += 1
        (answer,) = asked[judgment["question_id"]]["answers"]
        said = " ".join(passage["text"].replace(",", "").split()).casefold()
        assert answer in said or answer.casefold() in said
    assert cited == {"table": 3, "page": 4, "cell": 1}


@needs_pdf
def test_a_table_has_the_figures_of_the_books_below_its_caption(passages):
    company = companies()[0]
    book = keep_books(company, DEFAULT_SEED)
    name = f"{company.ticker}_Q4_{LAST_YEAR}_release"
    now, before = (cell(company, book[year].revenue) for year in (LAST_YEAR, LAST_YEAR - 1))
    table = passages[f"{name}_p2_t1#table-0"]
    assert table["text"].startswith("Results of operations (in millions)\n")
    row = passages[f"{name}_p2_t1#row-0-1"]
    assert row["text"] == f"Revenue; {LAST_YEAR}: {now}; {LAST_YEAR - 1}: {before}"
    assert (row["parent_id"], row["page"], row["document_id"]) == (table["passage_id"], 1, name)
    assert passages[f"{name}_p2_t2#cell-0-1-1"]["table"] == 1
    places = collections.Counter(
        (each["document_id"], each["space"], each["position"]) for each in passages.values()
    )
    assert max(places.values()) == 1


@needs_pdf
def test_a_page_reads_column_by_column_without_running_lines(rows, passages):
    name = f"{companies()[0].ticker}_Q4_{LAST_YEAR}_release"
    text = passages[f"{name}#page-2"]["text"]
    assert "\nof the smaller accounts.\nPrices of energy remain\n" in text
    assert "Press release" not in text
    assert "Page 3" not in text
    assert pages(rows, "release.pdf")[2]["running"][1] == "Page 3 of 3"


@needs_pdf
def test_a_slide_has_a_title_and_points(rows, passages):
    slides = pages(rows, "slides.pdf")
    titles = ["Presentation of results", "Highlights", "Segments", "Priorities"]
    assert [slide["title"] for slide in slides] == titles
    assert [len(slide["bullets"]) for slide in slides] == [0, 3, 0, 3]
    assert slides[1]["bullets"][1].endswith("tooling and the software that schedules it")
    name = f"{companies()[1].ticker}_Q4_{LAST_YEAR}_slides"
    assert passages[f"{name}#page-3"]["title"] == f"{name}: Priorities"
    assert passages[f"{name}_p3_t1#row-0-2"]["text"].count("Revenue 20") == 2


def test_the_same_seed_gives_the_same_bytes():
    first, again, other = (
        presentation_files(companies(), LAST_YEAR, DEFAULT_SEED + step) for step in (0, 0, 1)
    )
    assert first == again != other


def locked():
    lock = LOCK % (b"41" * 32, b"42" * 32)
    return pdf_bytes([sheet("secret")]).replace(b"/Root", lock + b" /Root")


def packed(megabytes):
    """A page whose content has a few thousand bytes, and unpacked as many megabytes."""
    content = zlib.compress(b" " * (megabytes << 20)).hex()
    filters = f"/Length {len(content)} /Filter [/ASCIIHexDecode /FlateDecode]"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>"
    return tree("[3 0 R]", page, f"<< {filters} >>\nstream\n{content}\nendstream")


def tree(kids, *objects):
    root = "<< /Type /Catalog /Pages 2 0 R >>"
    return assembled([root, f"<< /Type /Pages /Kids {kids} /Count 1 >>", *objects])


def deep(count):
    kids = (f"<< /Type /Pages /Kids [{place + 4} 0 R] /Count 1 >>" for place in range(count))
    return tree("[3 0 R]", *kids, "<< /Type /Page /MediaBox [0 0 9 9] >>")


GOOD = pdf_bytes([sheet("one"), sheet("two"), sheet("three")])


@needs_pdf
@pytest.mark.parametrize(
    ("content", "code", "limits"),
    [
        (GOOD[: len(GOOD) // 2], "truncated_file", {}),
        (b"<html>" * 99, "not_a_pdf", {}),
        (b"%PDF-1.4 nothing else %%EOF", "damaged_pdf", {}),
        (locked(), "encrypted", {}),
        (pdf_bytes([sheet(marks=[PICTURE])] * 3), "no_text", {}),
        (pdf_bytes([sheet()] * 3), "no_text", {}),
        (GOOD, "too_many_pages", {"pages": 2}),
        (packed(600), "unreadable_page", {"memory": 512}),
        (deep(3000), "damaged_pdf", {}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_file_is_one_fault_with_a_remedy(tmp_path, content, code, limits):
    (fault,) = values(written(tmp_path, content), **limits)
    assert (fault.code, "{" in fault.reason + fault.advice) == (code, False)


@needs_pdf
def test_a_file_that_takes_too_long_is_ended(tmp_path):
    (fault,) = values(written(tmp_path, pdf_bytes([sheet(*["word"] * 9999)] * 30)), seconds=1)
    # Waiting alone would say "time": the processor was taken away.
    assert (fault.code, "more time or memory" in fault.reason) == ("too_costly", True)


@needs_pdf
def test_bad_pages_and_files_cost_no_others(tmp_path):
    written(tmp_path, pdf_bytes([sheet("one"), sheet(marks=[PICTURE]), sheet("three")]))
    written(tmp_path, b"", "set/documents/empty.pdf")
    written(tmp_path, tree("[2 0 R 2 0 R]"), "set/documents/endless.pdf")
    found = open_benchmarks(str(tmp_path / "set")).read_all().to_pylist()
    assert [(row["source_line"], row["reason_code"]) for row in found] == [
        *((1, None), (2, "no_text"), (3, None)),
        *((1, "empty_file"), (1, "empty_file")),
    ]
    assert "In set/documents/acme.pdf, page 2: recognise its text" in found[1]["remedy"]
    assert {row["benchmark"] for row in found} == {"set"}
    assert document_key(found[2]["passages"][0]["document_id"]) == "acme"


@needs_pdf
def test_nesting_scripts_and_attached_files_change_nothing(tmp_path):
    plain = values(written(tmp_path, GOOD))
    script = b"/OpenAction << /S /JavaScript /JS (app.alert) >> /X " + b"[" * 50_000 + b"]" * 50_000
    hostile = GOOD.replace(b"/Type /Catalog", b"/Type /Catalog " + script)
    assert values(written(tmp_path, hostile)) == plain
    assert [page["text"] for page in plain] == ["one", "two", "three"]


@needs_pdf
def test_letters_that_are_printed_twice_count_once(tmp_path):
    page = sheet("all revenue")
    page.text(72.3, 300, 10, "all revenue")
    (read,) = values(written(tmp_path, pdf_bytes([page])))
    assert read["text"] == "all revenue"


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_records, "find_spec", lambda name: None)
    (fault,) = values(written(tmp_path, GOOD))
    assert fault.reason == "PDF files are read with pdfplumber, which is not installed"
    assert "`pip install finrag[pdf]`" in fault.advice


def lines(*rows):
    """Lines of words: (left edge, words) pairs, twelve points below each other."""
    return lines_of(
        [
            Word(text, x + 30 * place, x + 30 * place + 28, 12 * number, 12 * number + 10)
            for number, row in enumerate(rows)
            for x, said in row
            for place, text in enumerate(said.split())
        ]
    )


def test_columns_of_figures_stay_beside_their_labels():
    figures = lines(*([(0, f"cost {n}"), (300, f"{n}.5 {n}.7")] for n in range(5)))
    assert in_reading_order(figures, 600, []) == figures
    prose = lines(*([(0, f"left side {n}"), (300, f"right side {n}")] for n in range(5)))
    read = [line.words[0].text for line in in_reading_order(prose, 600, [])]
    assert read == ["left"] * 5 + ["right"] * 5


def test_a_line_runs_if_most_pages_have_it_in_the_same_size():
    many = [lines([(0, f"Page {n}")], [(0, "body")]) for n in range(3)]
    assert running_lines(many, [800.0] * 3) == {"10 page #"} | {"10 body"}
    assert running_lines(many, [100.0] * 3) == {"10 page #"}
    assert running_lines(many[:2], [800.0] * 2) == set()
    first, *rest = many[2]
    title = Line(tuple(word._replace(bottom=word.top + 20) for word in first.words))
    assert running_lines([*many[:2], [title, *rest]], [100.0] * 3) == set()


def test_a_minus_is_no_bullet_and_a_point_has_further_lines():
    texts = paragraphs(lines([(0, "-5 lost")], [(0, "• a point")], [(30, "goes on")], [(0, "end")]))
    assert texts == ["-5 lost", "• a point goes on", "end"]
