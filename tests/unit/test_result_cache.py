"""Results are found again by the content of what they were made from, and only then."""

import errno
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.cache import results as result_cache
from finrag.cache.results import ResultCache, content_digest

SCHEMA = pa.schema([pa.field("value", pa.int64())])
TABLE = pa.table({"id": ["a", "b"], "text": ["one", None]})


class Counting:
    """A computation that knows how often it was asked."""

    def __init__(self, *values):
        self.values = values
        self.n_computed = 0

    def __call__(self):
        self.n_computed += 1
        for value in self.values:
            yield pa.RecordBatch.from_pylist([{"value": value}], schema=SCHEMA)


def recalled(cache, inputs, compute):
    batches = list(cache.recall(inputs, compute))
    return [row["value"] for batch in batches for row in batch.to_pylist()]


def test_the_same_inputs_are_computed_once(tmp_path):
    compute = Counting(1, 2)
    for _ in range(2):
        cache = ResultCache(tmp_path, SCHEMA, [TABLE])
        assert recalled(cache, ["system"], compute) == [1, 2]
    assert compute.n_computed == 1


def test_a_result_without_rows_is_kept_as_well(tmp_path):
    compute = Counting()
    cache = ResultCache(tmp_path, SCHEMA, [])
    assert recalled(cache, [], compute) == recalled(cache, [], compute) == []
    assert compute.n_computed == 1


@pytest.mark.parametrize(
    "other",
    [
        pa.table({"id": ["b", "a"], "text": ["one", None]}),
        pa.table({"id": ["a", "b"], "text": ["one", ""]}),
        pa.table({"id": ["a", "b"], "word": ["one", None]}),
        TABLE.slice(0, 1),
    ],
    ids=["other order", "empty text for none", "other name", "fewer rows"],
)
def test_any_other_table_is_computed_anew(tmp_path, other):
    compute = Counting(1)
    recalled(ResultCache(tmp_path, SCHEMA, [TABLE]), [], compute)
    recalled(ResultCache(tmp_path, SCHEMA, [other]), [], compute)
    assert compute.n_computed == 2


def test_chunks_of_a_table_do_not_matter():
    assert content_digest([pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1)])]) == (
        content_digest([TABLE])
    )


def test_arrays_differ_by_shape_type_and_value():
    arrays = [
        np.zeros((2, 3), np.float32),
        np.zeros((3, 2), np.float32),
        np.zeros((2, 3), np.float64),
        np.ones((2, 3), np.float32),
    ]
    assert len({content_digest([array]) for array in arrays}) == 4


def test_other_settings_code_or_versions_are_computed_anew(tmp_path, monkeypatch):
    compute = Counting(1)
    recalled(ResultCache(tmp_path, SCHEMA, []), [{"depth": 10}], compute)
    recalled(ResultCache(tmp_path, SCHEMA, []), [{"depth": 20}], compute)
    monkeypatch.setattr(result_cache, "library_fingerprint", lambda: "another")
    recalled(ResultCache(tmp_path, SCHEMA, []), [{"depth": 10}], compute)
    monkeypatch.setattr(result_cache, "library_versions", lambda: {"numpy": "0"})
    recalled(ResultCache(tmp_path, SCHEMA, []), [{"depth": 10}], compute)
    assert compute.n_computed == 4


def test_a_computation_that_stops_half_way_keeps_nothing(tmp_path):
    def broken():
        yield pa.RecordBatch.from_pylist([{"value": 1}], schema=SCHEMA)
        raise RuntimeError("stopped")

    cache = ResultCache(tmp_path, SCHEMA, [])
    with pytest.raises(RuntimeError, match="stopped"):
        recalled(cache, [], broken)
    assert recalled(cache, [], Counting(1, 2)) == [1, 2]


@pytest.mark.parametrize(
    "damage",
    ["cut short", "garbage", "empty", "one bit", "other columns", "rows missing", "another result"],
)
def test_a_damaged_result_is_set_aside_and_computed_again(tmp_path, caplog, damage):
    first, second = Counting(1, 987654321), Counting(1, 987654321)
    cache = ResultCache(tmp_path, SCHEMA, [])
    recalled(cache, [], first)
    (path,) = tmp_path.iterdir()
    content = path.read_bytes()
    value = (987654321).to_bytes(8, "little")
    assert value in content
    recalled(cache, ["another"], Counting(1, 2))
    (another,) = set(tmp_path.iterdir()) - {path}
    spoilt = {
        "cut short": content[:-20],
        "garbage": b"no table",
        "empty": b"",
        "another result": another.read_bytes(),
        "one bit": content.replace(value, (987654320).to_bytes(8, "little")),
    }
    if damage == "other columns":
        pq.write_table(pa.table({"value": ["1"]}), path)
    elif damage == "rows missing":
        pq.write_table(pq.read_table(path).slice(0, 1), path)
    else:
        path.write_bytes(spoilt[damage])
    assert recalled(cache, [], second) == [1, 987654321]
    assert second.n_computed == 1
    assert "it is computed again" in caplog.text
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_a_file_that_may_not_be_read_is_no_damage(tmp_path, monkeypatch):
    cache = ResultCache(tmp_path, SCHEMA, [])
    recalled(cache, [], Counting(1))

    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(PermissionError):
        recalled(cache, [], Counting(1))
    assert len(list(tmp_path.glob("*.parquet"))) == 1


def test_parts_that_lie_together_otherwise_are_another_input():
    assert content_digest([2000, 11]) != content_digest([20001, 1])
    assert content_digest(["a", "bc"]) != content_digest(["ab", "c"])
