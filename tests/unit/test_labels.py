"""Labels by patterns: what counts as a match, where an atlas looks, what a bad pattern says."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag.atlases.labels import LABEL_SCHEMA, label_texts

Label = tuple[str, str, str, int]
ATLASES = ("kpi", "risk")
SALES = [("kpi", "sales", "sales")]


def patterns(*rows: tuple[str, str, str]) -> pa.Table:
    names = ("atlas", "label", "pattern")
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])


def reader(
    texts: Sequence[str | None],
    places: Mapping[str, Sequence[bool | None]] | None = None,
    rows_a_batch: int = 1000,
) -> pa.RecordBatchReader:
    inside = {atlas: [True] * len(texts) for atlas in ATLASES} | dict(places or {})
    table = pa.table(
        {
            "text_hash": pa.array([f"t{place}" for place in range(len(texts))], pa.string()),
            "sentence_text": pa.array(texts, pa.string()),
            **{f"in_{atlas}": pa.array(flags, pa.bool_()) for atlas, flags in inside.items()},
        }
    )
    return table.to_reader(rows_a_batch)


def labels(
    texts: Sequence[str | None],
    rows: Sequence[tuple[str, str, str]] = SALES,
    places: Mapping[str, Sequence[bool | None]] | None = None,
    rows_a_batch: int = 1000,
) -> list[Label]:
    labelled = label_texts(reader(texts, places, rows_a_batch), patterns(*rows)).read_all()
    assert labelled.schema == LABEL_SCHEMA
    names = ("text_hash", "atlas", "label", "n_cues")
    columns = [labelled[name].to_pylist() for name in names]
    return list(zip(*columns, strict=True))


# What matches


@pytest.mark.parametrize("text", ["sales", "Net SALES rose.", "Wholesalesmen", "sales\nfell"])
def test_a_pattern_is_found_in_any_case_and_anywhere(text: str) -> None:
    assert labels([text]) == [("t0", "kpi", "sales", 1)]


def test_a_label_brings_its_text_as_it_is_written() -> None:
    rows = label_texts(reader(["None.", "Our SALES, one’s own"]), patterns(*SALES)).read_all()
    assert rows.select(["text_hash", "sentence_text"]).to_pylist() == [
        {"text_hash": "t1", "sentence_text": "Our SALES, one’s own"}
    ]


@pytest.mark.parametrize("text", ["", "Profit rose.", None])
def test_a_text_without_match_has_no_row(text: str | None) -> None:
    assert labels([text]) == []


def test_a_typographic_apostrophe_is_a_plain_one() -> None:
    row = ("risk", "debt", r"the company's debt")
    assert labels(["The Company’s debt", "The Company's debt"], [row]) == [
        ("t0", "risk", "debt", 1),
        ("t1", "risk", "debt", 1),
    ]


def test_letters_beyond_ascii_are_lowered_too() -> None:
    assert labels(["CAFÉ"], [("kpi", "drink", "café")]) == [("t0", "kpi", "drink", 1)]


@pytest.mark.parametrize(
    ("pattern", "text", "n_cues"),
    [
        ("sales", "sales and sales", 2),
        (r"\bsales\b", "sales sales sales", 3),
        ("aa", "aaaa", 2),
        ("aa", "aaa", 1),
        ("(risk)s?", "risk, risks", 2),
        ("risk.*loss", "risk of loss, risk of loss", 1),
    ],
)
def test_cues_are_matches_that_do_not_overlap(pattern: str, text: str, n_cues: int) -> None:
    assert labels([text], [("risk", "cue", pattern)]) == [("t0", "risk", "cue", n_cues)]


def test_rows_of_a_label_are_alternatives_and_share_one_count() -> None:
    rows = [("risk", "cyber", "hack"), ("risk", "cyber", "malware")]
    assert labels(["A hack, a hack and malware."], rows) == [("t0", "risk", "cyber", 3)]


def test_alternatives_that_match_the_same_words_count_once() -> None:
    rows = [("risk", "cyber", "data breach"), ("risk", "cyber", "breach of security|breach")]
    assert labels(["A data breach."], rows) == [("t0", "risk", "cyber", 1)]


def test_a_bar_inside_one_row_stays_inside_it() -> None:
    rows = [("kpi", "first", "a|b"), ("kpi", "second", "^c|d$")]
    assert labels(["b", "xd", "cx", "dx"], rows) == [
        ("t0", "kpi", "first", 1),
        ("t1", "kpi", "second", 1),
        ("t2", "kpi", "second", 1),
    ]


def test_labels_count_apart_even_on_the_same_words() -> None:
    rows = [("risk", "debt", "credit"), ("risk", "legal", "credit|court")]
    assert labels(["A credit court."], rows) == [
        ("t0", "risk", "debt", 1),
        ("t0", "risk", "legal", 2),
    ]


def test_a_name_shared_by_two_atlases_is_two_labels() -> None:
    rows = [("kpi", "dividends", "dividend"), ("risk", "dividends", "dividend cut")]
    assert labels(["A dividend cut."], rows) == [
        ("t0", "kpi", "dividends", 1),
        ("t0", "risk", "dividends", 1),
    ]


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("a.{0,2}b", ["ab", "axxb"], ["axxxb", "a\nb"]),
        (r"a\.{0,2}b", ["ab", "a..b"], ["axb", "a...b"]),
        ("a[.{0,2}]b", ["a.b", "a{b", "a2b"], ["ab", "axb"]),
        ("a[]x.{0,2}]b", ["a]b", "a,b"], ["ab", "ayb"]),
        (r"a\\.{0,1}b", ["a\\b", "a\\xb"], ["axb", "a\\xxb"]),
        ("a.{1,2}b", ["axb", "axxb"], ["ab", "axxxb"]),
    ],
)
def test_a_gap_is_as_long_as_the_pattern_says(
    pattern: str, hits: list[str], misses: list[str]
) -> None:
    found = {text for text, *_ in labels([*hits, *misses], [("kpi", "gap", pattern)])}
    assert found == {f"t{place}" for place in range(len(hits))}


@pytest.mark.parametrize("n_labels", [1, 2, 8, 9, 17, 33])
def test_an_atlas_may_have_any_number_of_labels(n_labels: int) -> None:
    names = [f"l{place:02}" for place in range(n_labels)]
    rows = [("kpi", name, f"\\b{name}\\b") for name in names]
    assert labels(["-", *names, " ".join(names)], rows) == [
        *((f"t{place}", "kpi", name, 1) for place, name in enumerate(names, 1)),
        *((f"t{n_labels + 1}", "kpi", name, 1) for name in names),
    ]


# Where an atlas looks


def test_an_atlas_labels_only_the_texts_it_looks_at() -> None:
    rows = [("kpi", "sales", "sales"), ("risk", "demand", "sales")]
    places = {"kpi": [True, False, False], "risk": [False, True, False]}
    assert labels(["sales", "sales", "sales"], rows, places) == [
        ("t0", "kpi", "sales", 1),
        ("t1", "risk", "demand", 1),
    ]


def test_atlases_that_look_at_the_same_texts_do_not_mix() -> None:
    rows = [("kpi", "sales", "sales"), ("risk", "loss", "loss"), ("period", "year", "year")]
    places = {"kpi": [False, True], "period": [True, None], "risk": [False, True]}
    texts = ["sales, loss, year"] * 2
    assert labels(texts, rows, places) == [
        ("t0", "period", "year", 1),
        ("t1", "kpi", "sales", 1),
        ("t1", "risk", "loss", 1),
    ]


def test_an_unknown_place_is_outside() -> None:
    assert labels(["sales", "sales"], places={"kpi": [None, True]}) == [("t1", "kpi", "sales", 1)]


# Order, batches, nothing at all


def test_rows_follow_the_texts_then_atlas_then_label() -> None:
    rows = [("risk", "b", "x"), ("kpi", "z", "x"), ("risk", "a", "x"), ("kpi", "y", "x")]
    expected = [("kpi", "y", 1), ("kpi", "z", 1), ("risk", "a", 1), ("risk", "b", 1)]
    assert labels(["x", "-", "x"], rows) == [
        (text, *label) for text in ("t0", "t2") for label in expected
    ]


def test_the_order_of_pattern_rows_changes_nothing() -> None:
    # The first alternative that matches is taken: x before xy leaves the y to the third row.
    rows = [("risk", "a", "xy"), ("risk", "a", "x"), ("risk", "a", "y")]
    assert labels(["xy"], rows) == labels(["xy"], rows[::-1])


@pytest.mark.parametrize("rows_a_batch", [1, 2, 3, 7])
def test_batches_change_nothing(rows_a_batch: int) -> None:
    texts = ["sales", "-", "sales sales", None, "-", "sales", "-"]
    assert labels(texts, rows_a_batch=rows_a_batch) == labels(texts)


def test_no_texts_give_no_rows() -> None:
    assert labels([]) == []


def test_no_more_texts_are_read_than_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("finrag.atlases.labels.TEXTS_AT_A_TIME", 4)
    read = []

    def batches() -> Iterator[pa.RecordBatch]:
        for place in range(5):
            read.append(place)
            yield from reader(["sales", "-"])

    source = pa.RecordBatchReader.from_batches(reader(["sales"]).schema, batches())
    labelled = label_texts(source, patterns(*SALES))
    assert len(labelled.read_next_batch()) == 2
    assert read == [0, 1]
    assert len(labelled.read_all()) == 3
    assert read == [0, 1, 2, 3, 4]


@given(
    texts=st.lists(st.text(alphabet="abAB '’", max_size=12), max_size=6),
    inside=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_counts_are_those_of_a_plain_count(texts: list[str], inside: list[bool]) -> None:
    # For a pattern without operators, str.count counts the same thing.
    words = {"a": "ab", "b": "b", "c": "a'"}
    rows = [("kpi", label, word) for label, word in words.items()]
    expected = [
        (f"t{place}", "kpi", label, n_cues)
        for place, text in enumerate(texts)
        if inside[place]
        for label, word in words.items()
        if (n_cues := text.lower().replace("’", "'").count(word))
    ]
    assert labels(texts, rows, {"kpi": inside[: len(texts)]}) == expected


# Patterns that cannot be


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "[z-a]", "a{2,1}"])
def test_what_is_no_re2_expression_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match="pattern of risk/cyber cannot be read"):
        label_texts(reader(["x"]), patterns(*SALES, ("risk", "cyber", pattern)))


@pytest.mark.parametrize("pattern", ["", "a*", "x|", "(a|b)?", "^", r"$"])
def test_what_matches_the_empty_text_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match="pattern of risk/cyber matches the empty text"):
        label_texts(reader(["x"]), patterns(*SALES, ("risk", "cyber", pattern)))


def test_hostile_text_takes_linear_time() -> None:
    # A backtracking engine needs years for this pattern on this text.
    hostile = "a" * 50_000 + "!"
    started = time.perf_counter()
    assert labels([hostile], [("kpi", "trap", "(a+)+b"), ("kpi", "gap", "a.{0,60}b")]) == []
    assert time.perf_counter() - started < 5


def test_a_large_batch_is_labelled_like_its_sentences() -> None:
    draw = random.Random(3)
    texts = [draw.choice(["sales fell", "profit rose", "Sales and sales"]) for _ in range(5000)]
    counted = {text: n_cues for text, _, _, n_cues in labels(texts, rows_a_batch=900)}
    assert counted == {
        f"t{place}": text.lower().count("sales")
        for place, text in enumerate(texts)
        if "sales" in text.lower()
    }


@pytest.mark.parametrize(
    ("pattern", "text", "is_found"),
    [
        ("a.{0,3}b", "axxxb", True),
        ("a.{0,3}b", "axxxxb", False),
        (r"x\{1,2\}", "x{1,2}", True),
        ("[.{0,3}]x", "0x", True),
        ("[[:alpha:].{0,3}]x", "3x", True),
        (r"\Qa{1,2}\E", "a{1,2}", True),
        (r"(\w+ ){2,3}z", "one z", False),
    ],
)
def test_a_bounded_repetition_keeps_its_bounds(pattern: str, text: str, is_found: bool) -> None:
    assert bool(labels([text], [("kpi", "gap", pattern)])) is is_found


def test_an_atlas_of_many_labels_finds_each() -> None:
    words = [f"word{chr(97 + place)}" for place in range(20)]
    rows = [("kpi", word, rf"\b{word}\b") for word in words]
    texts = [f"{word} and {words[place * 7 % 20]}" for place, word in enumerate(words)]
    assert labels(texts, rows) == [
        (f"t{place}", "kpi", word, text.split().count(word))
        for place, text in enumerate(texts)
        for word in sorted(set(text.split()) - {"and"})
    ]
