"""The file of company names: what its rows give, and what is said of those that give nothing."""

import gzip

import pytest

from finrag.sources.corpus import open_company_names

HEAD = b"cik,name,ticker\n"


def read(path, content):
    path.write_bytes(content)
    return open_company_names(str(path)).read_all().to_pylist()


def test_rows_come_with_their_lines(tmp_path):
    content = HEAD + b'7,"Tarn, Hollow & Co.",TRN\n\n0000000008,Osier,\n'
    assert read(tmp_path / "names.csv", content) == [
        {"cik_int": 7, "company_name": "Tarn, Hollow & Co.", "ticker": "TRN", "source_line": 2},
        {"cik_int": 8, "company_name": "Osier", "ticker": None, "source_line": 4},
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfcik,name\n7,Tarn\n",
        b"CIK , Name,extra\n7,Tarn,x\n",
        gzip.compress(b"cik,name\n7,Tarn\n", mtime=0),
    ],
)
def test_a_spreadsheet_s_ways_of_writing_are_read(tmp_path, content):
    name = "names.csv.gz" if content.startswith(b"\x1f") else "names.csv"
    (row,) = read(tmp_path / name, content)
    assert (row["cik_int"], row["company_name"], row["ticker"]) == (7, "Tarn", None)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (b"7,Caf\xe9,TRN\n", "line 2: the text is not UTF-8 .* column name.*; save"),
        (
            b"7,Tarn,TRN\n8,Osier,OSR,more\n",
            "line 3: the row has 4 values, the header has 3; check",
        ),
        (b'7,Tarn,"TRN\n8,Osier,OSR\n', "line .*quotation.*never closed.*; close"),
        (b"7,Tarn,TRN\nseven,Osier,OSR\n", "line 3: .*seven.*; correct the number"),
        (b"7,,\n,,x\n", "line 3: "),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_remedy(tmp_path, rows, said):
    with pytest.raises(ValueError, match=said) as refusal:
        read(tmp_path / "names.csv", HEAD + rows)
    assert "names.csv, line" in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"cik,ticker\n7,TRN\n", r"\['name'\] missing; expected cik, name, ticker"),
        (b"cik,ticker\n", r"\['name'\] missing; expected cik, name, ticker"),
        (b"cik;name\n7;Tarn\n", "separated by semicolons, a CSV file has commas"),
        (b"cik,name,name\n7,Tarn,Osier\n", "same column twice"),
        (b"", "holds no record"),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path, content, said):
    with pytest.raises(ValueError, match=said):
        read(tmp_path / "names.csv", content)
