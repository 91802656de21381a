"""Company names as analysts write them, and the names by which a company is recognised."""

import pyarrow as pa
import pytest

from finrag.text.company_names import (
    SHORT_NAME_SCHEMA,
    aliases,
    display_name,
    possessive,
    shorten_names,
)


def companies(*rows):
    """Rows of (cik, name) or (cik, name, ticker)."""
    padded = [(*row, None)[:3] for row in rows]
    ciks, names, tickers = zip(*padded, strict=True) if rows else ((), (), ())
    return pa.table(
        {
            "cik_int": pa.array(ciks, pa.int64()),
            "company_name": pa.array(names, pa.string()),
            "ticker": pa.array(tickers, pa.string()),
        }
    )


def shortened(*rows):
    return {row["cik_int"]: row for row in shorten_names(companies(*rows)).to_pylist()}


def displays(*rows):
    return {cik: row["display_name"] for cik, row in shortened(*rows).items()}


@pytest.mark.parametrize(
    ("legal", "display"),
    [
        ("NORVALITH INSTRUMENTS INC", "Norvalith Instruments"),
        ("Norvalith Instruments, Inc.", "Norvalith Instruments"),
        ("TESSIMAR CO INC", "Tessimar"),
        ("TESSIMAR CORP PLC", "Tessimar"),
        ("HALDENMERE PARTNERS L.P.", "Haldenmere Partners"),
        ("JPMORGAN CHASE & CO", "JPMorgan Chase"),
        ("Haldenmere Power & Water Company", "Haldenmere Power & Water"),
        ("U HAUL HOLDING COMPANY", "U Haul Holding"),
        ("The Averinth Company", "Averinth"),
        ("SOUTHERN CO", "Southern Company"),
        ("Merrowdale Lodging Trust", "Merrowdale Lodging Trust"),
    ],
)
def test_the_legal_form_goes(legal, display):
    assert display_name(legal) == display


@pytest.mark.parametrize(
    "legal",
    [
        "QUILLVANE INC /DE/",
        "QUILLVANE INC/DE/",
        "QUILLVANE INC /NY",
        "QUILLVANE INC \\NEW\\",
        "QUILLVANE CORP - CL B",
        "QUILLVANE INC-CL A",
        "QUILLVANE INC-A",
        "QUILLVANE CORP CLASS A",
        "QUILLVANE CLASS A",
        "QUILLVANE INC COM",
        "QUILLVANE INC NEW",
    ],
)
def test_register_marks_and_share_classes_go(legal):
    assert display_name(legal) == "Quillvane"


def test_what_looks_like_a_share_class_stays_where_no_legal_form_stands_before_it():
    assert display_name("BRACKENFOLD NEW INC") == "Brackenfold New"


@pytest.mark.parametrize(
    ("legal", "display"),
    [
        ("3M CO", "3M"),
        ("AT&T INC.", "AT&T"),
        ("TSR INC", "TSR"),
        ("AES CORP", "AES"),
        ("BEST BUY CO INC", "Best Buy"),
        ("U.S. LANTHRIX CORP", "U.S. Lanthrix"),
        ("21ST LANTHRIX FUND II", "21st Lanthrix Fund II"),
        ("EBAY INC", "eBay"),
        ("MCALVERIN CORP", "McAlverin"),
        ("O'HALVERN INC", "O'Halvern"),
        ("QUILL-VANE INC", "Quill-Vane"),
        ("BANK OF CASTELWYN", "Bank of Castelwyn"),
        ("LANTHRIX COM INC", "Lanthrix.com"),
        ("LANTHRIX.COM INC", "Lanthrix.com"),
        ("LANTHRIX INTL HLDGS INC", "Lanthrix International Holdings"),
        ("INTERNATIONAL BUSINESS MACHINES CORP", "IBM"),
        ("NVDA", "NVIDIA"),
        ("LNTX", "LNTX"),
    ],
)
def test_capitals_become_title_case_except_initials(legal, display):
    assert display_name(legal) == display


@pytest.mark.parametrize("name", ["NIKA Foods", "deNovalith", "C3.ai", "CIK 104169", "INC", "!"])
def test_mixed_case_placeholders_and_bare_forms_stay(name):
    assert display_name(name) == name


def test_a_name_cut_by_the_register_loses_the_rest_of_its_legal_form():
    assert display_name("Averinth Global Logistics In") == "Averinth Global Logistics"
    assert display_name("AVERINTH LOGISTICS CORPORATI") == "Averinth Logistics"
    assert display_name("Invest In") == "Invest In"


def test_a_blank_name_is_refused():
    with pytest.raises(ValueError, match="blank"):
        display_name(" \t")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Walmart", "Walmart's"),
        ("Norvalith Instruments", "Norvalith Instruments'"),
        ("CVS", "CVS's"),
        ("McDonald's", "McDonald's"),
    ],
)
def test_the_possessive_has_one_style(name, expected):
    assert possessive(name) == expected


def test_aliases_are_the_legal_and_short_name_the_first_word_and_the_ticker():
    assert aliases("NORVALITH INSTRUMENTS INC", "nvi") == (
        "NORVALITH INSTRUMENTS INC",
        "Norvalith Instruments",
        "Norvalith",
        "NVI",
    )


@pytest.mark.parametrize(
    ("legal", "ticker", "absent"),
    [
        ("AMERICAN QUILLVANE INC", "", "American"),
        ("VANE FOODS INC", "", "Vane"),
        ("Quillvane Inc. (CIK 7)", "", "Quillvane"),
        ("QUILLVANE INC", "Q", "Q"),
        ("QUILLVANE INC", "AI", "AI"),
    ],
)
def test_what_could_mean_anything_is_no_alias(legal, ticker, absent):
    assert absent not in aliases(legal, ticker)


def test_two_companies_with_one_display_name_keep_their_legal_names():
    assert displays((1, "LANTHRIX INC"), (2, "Lanthrix Corp"), (3, "AVERINTH INC")) == {
        1: "LANTHRIX INC",
        2: "Lanthrix Corp",
        3: "Averinth",
    }


def test_legal_names_alike_but_for_case_and_dots_get_their_numbers():
    assert displays((2, "Lanthrix Inc."), (1, "LANTHRIX INC")) == {
        1: "LANTHRIX INC (CIK 1)",
        2: "Lanthrix Inc. (CIK 2)",
    }


def test_a_legal_name_taken_up_may_not_meet_a_third_company():
    rows = [(1, "LANTHRIX HOLDING"), (2, "LANTHRIX HOLDING INC"), (3, "LANTHRIX HOLDING INC /DE/")]
    assert len(set(displays(*rows).values())) == 3


def test_an_alias_of_two_companies_is_dropped_from_both():
    names = shortened((1, "LANTHRIX FOODS INC", "LX"), (2, "LANTHRIX STEEL INC", "LX"))
    assert names[1]["aliases"] == ["Lanthrix Foods", "LANTHRIX FOODS INC"]
    assert names[2]["aliases"] == ["Lanthrix Steel", "LANTHRIX STEEL INC"]


def test_a_display_name_stays_with_its_owner():
    names = shortened((1, "LANTHRIX INC"), (2, "LANTHRIX STEEL INC"))
    assert "Lanthrix" in names[1]["aliases"]
    assert "Lanthrix" not in names[2]["aliases"]


def test_rows_come_in_order_of_cik_under_the_schema_whatever_the_input_order():
    rows = [(3, "QUILLVANE INC"), (1, "AVERINTH INC"), (2, "TESSIMAR INC")]
    table = shorten_names(companies(*rows))
    assert table.schema == SHORT_NAME_SCHEMA
    assert table["cik_int"].to_pylist() == [1, 2, 3]
    assert table["possessive_name"].to_pylist() == ["Averinth's", "Tessimar's", "Quillvane's"]
    assert table.equals(shorten_names(companies(*reversed(rows))))


def test_no_companies_give_no_rows():
    assert shorten_names(companies()).schema == SHORT_NAME_SCHEMA


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(7, "LANTHRIX"), (7, "LANTHRIX")], "company 7 is there twice"),
        ([(7, " ")], "company 7 has no name"),
        ([(7, None)], "company 7 has no name"),
    ],
)
def test_a_bad_row_is_named(rows, message):
    with pytest.raises(ValueError, match=message):
        shortened(*rows)


def spelled(legal, *sentences, filed=()):
    """The display name and the aliases of one company that filed under names and wrote this."""
    texts = pa.table({"cik_int": [7] * len(sentences), "sentence_text": list(sentences)})
    names = pa.table({"cik_int": [7] * len(filed), "company_name": list(filed)})
    [row] = shorten_names(companies((7, legal)), names, texts).to_pylist()
    return row["display_name"], row["aliases"]


@pytest.mark.parametrize(
    ("legal", "sentence", "display"),
    [
        ("COCA COLA CO", "The Coca-Cola Company sells drinks.", "Coca-Cola"),
        ("DAKTRONIC INC COM", "Daktronics, Inc. builds displays.", "Daktronics"),
        ("ESTEE LAUDER COMPANIES INC", "The Estée Lauder Companies Inc.", "Estée Lauder Companies"),
        ("NATHANS FAMOUS INC", "Nathan’s Famous sells franks.", "Nathan's Famous"),
        ("AMREP CORP", "AMREP owns land.", "AMREP"),
    ],
)
def test_a_registers_capitals_are_spelled_as_the_company_spells_them(legal, sentence, display):
    name, called = spelled(legal, sentence, sentence)
    assert name == display
    assert legal in called


def test_a_spelling_that_stands_once_or_in_a_longer_name_is_none():
    assert spelled("COCA COLA CO", "The Coca-Cola Company sells drinks.")[0] == "Coca Cola"
    longer = "McCoca-Colas and Coca-Cola-like drinks sell."
    assert spelled("COCA COLA CO", longer, longer)[0] == "Coca Cola"


def test_a_name_with_lower_case_letters_keeps_its_own():
    assert (
        spelled("Meta Platforms, Inc.", "META PLATFORMS", "META PLATFORMS")[0] == "Meta Platforms"
    )


def test_names_as_filed_are_aliases():
    called = spelled("Meta Platforms, Inc.", filed=["FACEBOOK INC", "Meta Platforms, Inc."])[1]
    assert {"FACEBOOK INC", "Facebook"} <= set(called)


def test_a_lone_slash_of_the_register_goes():
    assert display_name("KRAFT HEINZ CO/") == "Kraft Heinz"
    assert display_name("MORGAN STANLEY CORP /DE/") == "Morgan Stanley"
