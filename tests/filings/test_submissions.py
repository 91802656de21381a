"""A submission in SGML is taken apart as far as it goes; places count its own bytes."""

import datetime

import pytest

from finrag.filings import Identity
from finrag.filings.filing import read_filing
from finrag.filings.submissions import decode, read_submission
from finrag.records.files import RecordFaultError
from tests.filings.faults import nested, page

SUBMISSION = b"""-----BEGIN PRIVACY-ENHANCED MESSAGE-----
Proc-Type: 2001,MIC-CLEAR

<SEC-DOCUMENT>0000000042-98-000004.txt : 19980310
<SEC-HEADER>0000000042-98-000004.hdr.sgml : 19980310
ACCESSION NUMBER:\t\t0000000042-98-000004
CONFORMED SUBMISSION TYPE:\t10-K405
CONFORMED PERIOD OF REPORT:\t19971231
FILED AS OF DATE:\t\t19980309

FILER:
\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\tACME ANVILS & SONS
\t\tCENTRAL INDEX KEY:\t\t\t0000000042
\tFORMER COMPANY:
\t\tFORMER CONFORMED NAME:\tANVILS INC
FILER:
\t\tCOMPANY CONFORMED NAME:\t\t\tACME FINANCE
</SEC-HEADER>
<DOCUMENT>
<TYPE>10-K405
<SEQUENCE>1
<FILENAME>anvil.txt
<DESCRIPTION>FORM 10-K405
<TEXT>
Item 1.  Business
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-13
<SEQUENCE>7
<TEXT>
<HTML><BODY>Sales rose.</BODY></HTML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<TEXT>
begin 644 a.gif
M1TE&
</TEXT>
</DOCUMENT>
"""


def test_header_and_documents_are_read():
    submission = read_submission(SUBMISSION)
    assert submission.company_name == "ACME ANVILS & SONS"
    assert submission.cik == 42
    assert submission.form == "10-K405"
    assert submission.accession == "0000000042-98-000004"
    assert submission.period_end == datetime.date(1997, 12, 31)
    assert submission.filed_on == datetime.date(1998, 3, 9)
    assert submission.flags == []
    assert [(d.type, d.sequence, d.kind) for d in submission.documents] == [
        ("10-K405", 1, "plain"),
        ("EX-13", 7, "html"),
        ("GRAPHIC", 3, "encoded"),
    ]
    first = submission.documents[0]
    assert (first.filename, first.description) == ("anvil.txt", "FORM 10-K405")


def test_the_bytes_of_each_document_stand_where_it_says():
    for document in read_submission(SUBMISSION).documents:
        end = document.offset + len(document.content)
        assert SUBMISSION[document.offset : end] == document.content
        assert SUBMISSION[end:].startswith(b"</TEXT>")


def test_every_beginning_of_a_submission_is_read_and_a_cut_document_is_flagged():
    for size in range(1, len(SUBMISSION), 7):
        submission = read_submission(SUBMISSION[:size])
        assert submission is None or submission.documents
    cut = read_submission(SUBMISSION[: SUBMISSION.index(b"Sales rose") + 5])
    assert "cut" in cut.flags
    assert [document.is_cut for document in cut.documents] == [False, True]
    assert cut.documents[1].content.endswith(b"Sales")


def test_a_document_that_another_one_interrupts_ends_there():
    data = SUBMISSION.replace(b"</TEXT>\n</DOCUMENT>\n", b"", 1)
    first = read_submission(data).documents[0]
    assert first.content == b"\nItem 1.  Business\n"
    assert first.is_cut


@pytest.mark.parametrize("days", [b"19971301", b"1997", b"", b"199x1231"])
def test_a_day_that_is_none_is_null(days):
    assert read_submission(SUBMISSION.replace(b"19971231", days)).period_end is None


def test_a_bare_file_is_one_document():
    submission = read_submission(b"Item 1.  Business\nAnvils.\n")
    assert submission.flags == ["no_header"]
    assert [(d.type, d.offset, d.kind) for d in submission.documents] == [("", 0, "plain")]


@pytest.mark.parametrize("data", [b"", b" \n", b"%PDF-1.4 ...", b"PK\x03\x04", b"\x1f\x8b\x08"])
def test_what_is_no_text_is_no_submission(data):
    assert read_submission(data) is None


def test_a_submission_in_utf_16_is_read_in_utf_8():
    submission = read_submission(SUBMISSION.decode().encode("utf-16"))
    assert submission.flags == ["utf16"] or submission.flags == ["no_header", "utf16"]
    assert submission.documents[0].content == b"\nItem 1.  Business\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"caf\xc3\xa9", "café", "utf-8"),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "\ufeffcafé", "utf-8"),
        (b"caf\xc3\xa9 cut \xe2\x80", "café cut ", "utf-8"),
        (b"it\x92s caf\xe9 \x81", "it’s café \x81", "cp1252"),
        (b"\xff\xfea\0", "\ufeffa", "utf-16-le"),
        (b"\xfe\xff\0a", "\ufeffa", "utf-16-be"),
    ],
)
def test_an_encoding_is_told_by_its_mark_or_by_what_fits(data, text, encoding):
    assert decode(data) == (text, encoding)


CLOCKS = Identity(cik=9900100, form="10-K", fiscal_year=2021)


@pytest.mark.parametrize("deep", [nested("div", 6_000), "<div><font>" * 3_000])
def test_a_filing_is_read_beyond_a_spot_that_nests_too_deep(deep: str) -> None:
    row = read_filing(page().replace("<body>", f"<body>{deep}").encode(), CLOCKS)
    assert [section["item"] for section in row["sections"]] == ["1", "7", "8"]
    assert "too_deep" in row["parts"][0]["flags"]
    assert len(row["cells"]) == len(read_filing(page().encode(), CLOCKS)["cells"])


def test_the_depth_is_named_where_it_hides_the_items() -> None:
    with pytest.raises(RecordFaultError, match="nested over 2,000 deep"):
        read_filing(page().replace("<body>", f"<body>{'<ul><li>a' * 3_000}").encode(), CLOCKS)
