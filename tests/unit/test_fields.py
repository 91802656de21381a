"""Fields of raw records: typed, or a fault that names what is wrong."""

import pytest

from finrag.records import fields
from finrag.records.files import RecordFaultError
from finrag.records.json_records import RawRecord, RepeatedFields
from finrag.records.rows import FOUND_FIELDS, quarantined


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "not_an_object"),
        (["a"], "not_an_object"),
        (RepeatedFields(a=1), "repeated_field"),
        ({"CIK": 1, "cik": 2}, "repeated_field"),
    ],
)
def test_a_record_without_names_of_its_own_is_refused(record, code):
    with pytest.raises(RecordFaultError) as caught:
        fields.named_fields(record)
    assert caught.value.code == code


def test_names_are_compared_without_capitals_and_blanks():
    assert fields.named_fields({" CIK ": 1}) == {"cik": 1}


def test_half_a_character_cannot_be_written():
    assert fields.named_fields({"a": "\ud800"}) == {"a": "\ud800"}
    with pytest.raises(RecordFaultError) as caught:
        fields.writable_fields({"a": "\ud800"})
    assert caught.value.code == "invalid_utf8"


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (fields.optional_text, {"a": True}),
        (fields.required_list, {"a": "one"}),
        (fields.required_texts, {"a": ["one", 2]}),
        (fields.required_mapping, {"a": [1]}),
        (fields.optional_whole, {"a": 1.5}),
        (fields.optional_number, {"a": -1}),
        (fields.truth, {"a": "perhaps"}),
        (fields.objects, {"a": [1]}),
    ],
)
def test_a_field_of_another_kind_is_named(read, value):
    with pytest.raises(RecordFaultError, match=r"^a is .*, expected ") as caught:
        read(value, "a")
    assert caught.value.code == "bad_field"
    assert caught.value.advice.startswith("write a as ")


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (fields.optional_text, {"a": 2.0}, "2"),
        (fields.optional_text, {"a": " "}, None),
        (fields.optional_list, {}, []),
        (fields.optional_whole, {"a": "7"}, 7),
        (fields.optional_number, {"a": "0.5"}, 0.5),
        (fields.truth, {"a": "TRUE"}, True),
        (fields.objects, {"a": None}, []),
    ],
)
def test_a_field_is_read_in_its_usual_spellings(read, value, found):
    assert read(value, "a") == found


def test_a_fault_says_file_place_and_remedy():
    fault = RecordFaultError("bad_year", "year is 'x'", "correct the value")
    row = quarantined("a.jsonl", RawRecord(3, "line", None, "{"), fault)
    assert list(row) == [field.name for field in FOUND_FIELDS]
    assert row["remedy"] == "In a.jsonl, line 3: correct the value."
