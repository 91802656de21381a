"""Files of benchmarks, whatever is wrong with them, become rows: read or quarantined."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks import benchmark_status, find_benchmark_files, open_benchmarks
from finrag.sources.benchmarks.files import CatalogueRow, catalogue_rows, read_catalogue
from finrag.sources.benchmarks.records import RECORD_SCHEMA, Loaded, Passage, Question

CATALOGUE = [
    CatalogueRow("toy", "answers", "answers", "toy.predictions*.jsonl*", "Toy", "example.org/runs"),
    CatalogueRow("toy", "questions", "toy", "toy*", "Toy", "example.org/toy"),
    CatalogueRow("paged", "passages", "toy", "paged/*.parquet", "Paged", "example.org/paged"),
    CatalogueRow("*", "judgments", "keep", "*/qrels*.tsv", "Folder", "example.org/folders"),
]


def load_toy(record, source):
    if "id" not in record:
        raise RecordFaultError("missing_field", "the record has no id", "add it")
    question = Question(str(record["id"]), record["text"])
    page = Passage("d#text-0", "d", "text", record.get("position", 0), "words")
    return Loaded(json.dumps(record), questions=(question,), passages=(page,))


def load_nothing(record, source):
    return Loaded(json.dumps(record))


LOADERS = {"toy": load_toy, "answers": load_nothing, "keep": load_nothing}


def read(*paths):
    return open_benchmarks([str(path) for path in paths], CATALOGUE, LOADERS).read_all().to_pylist()


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lines(*records) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


A, B = {"id": "a", "text": "Why?"}, {"id": "b", "text": "How?"}
PARQUET = pa.BufferOutputStream()
pq.write_table(pa.Table.from_pylist([A, B]), PARQUET)

GOOD = {
    "toy.json": json.dumps([A, B]),
    "toy_indented.json": json.dumps([A, B], indent=2),
    "toy_lines.json": lines(A, B),
    "toy_parts.json": json.dumps({"train": [A], "dev": [B]}),
    "toy.jsonl": lines(A, B),
    "toy.jsonl.gz": gzip.compress(lines(A, B).encode()),
    "toy.json.gz": gzip.compress(json.dumps([A, B]).encode()),
    "toy.csv": "id,text\na,Why?\nb,How?\n",
    "toy.csv.gz": gzip.compress(b"id,text\na,Why?\nb,How?\n"),
    "toy.parquet": PARQUET.getvalue().to_pybytes(),
}


@pytest.mark.parametrize("name", GOOD)
def test_every_format_gives_the_same_questions(tmp_path, name):
    rows = read(written(tmp_path, name, GOOD[name]))
    assert [row["questions"][0]["question_id"] for row in rows] == ["a", "b"]
    assert {row["record_status"] for row in rows} == {"read"}


CUT = gzip.compress(lines(A, B, *({"id": str(n), "text": "x" * n} for n in range(900))).encode())
BAD = {
    "toy.jsonl": ("", ["empty_file"]),
    "toy_blank.jsonl": ("\n\n", ["empty_file"]),
    "toy_binary.jsonl": (b"\x00\x01\x02", ["binary_file"]),
    "toy_packed.jsonl": (gzip.compress(b"{}"), ["binary_file"]),
    "toy_table.json": (PARQUET.getvalue().to_pybytes(), ["binary_file"]),
    "toy_plain.jsonl.gz": (lines(A), ["unreadable_file"]),
    "toy_text.parquet": (lines(A), ["unreadable_file"]),
    "toy.zip": (b"PK\x03\x04", ["unknown_format"]),
    "toy_array.jsonl": (json.dumps([A, B]), ["array_in_lines"]),
    "toy_pointer.jsonl": ("version https://git-lfs.github.com/spec/v1\n", ["lfs_pointer"]),
    "toy_list.jsonl": ("[1, 2]\n", ["not_an_object"]),
    "toy_word.jsonl": ('"word"\n', ["not_an_object"]),
    "toy_broken.jsonl": ('{"id": \n' + lines(B), ["not_json", None]),
    "toy_twice.jsonl": ('{"id": "a", "id": "b", "text": ""}\n', ["repeated_field"]),
    "toy_latin.jsonl": (b'{"id": "\xe9", "text": ""}\n', ["invalid_utf8"]),
    "toy_half.jsonl": ('{"id": "a\\ud800", "text": ""}\n', ["invalid_utf8"]),
    "toy_other.jsonl": (lines({"uid": 1}), ["missing_field"]),
    "toy_unforeseen.jsonl": (lines({"id": "a"}), ["unexpected_shape"]),
    "toy_huge.jsonl": (lines(A | {"position": 2**40}, B), ["unexpected_shape", None]),
    "toy_wide.csv": ("id,text\na,Why?\nb,How?,more\n", [None, "wrong_width"]),
    "toy_header.csv": ("id,id\na,b\n", ["repeated_field"]),
    "toy_cut.jsonl.gz": (CUT[: len(CUT) // 2], [None, "truncated_file"]),
}


@pytest.mark.parametrize("name", BAD)
def test_a_broken_file_is_quarantined_and_never_raises(tmp_path, name):
    content, codes = BAD[name]
    rows = read(written(tmp_path, name, content))
    found = [row["reason_code"] for row in rows]
    assert found == codes or (name == "toy_cut.jsonl.gz" and found[0 :: len(found) - 1] == codes)


def test_a_quarantined_row_says_where_why_and_what_to_do(tmp_path):
    row = read(written(tmp_path / "sets", "toy.jsonl", lines(A, {"name": "x"})))[1]
    assert row["source_file"] == "sets/toy.jsonl"
    assert row["source_line"] == 2
    assert row["reason"] == "the record has no id"
    assert row["remedy"] == "In sets/toy.jsonl, line 2: add it."
    assert row["raw_excerpt"] == '{"name": "x"}'
    assert row["questions"] is None


def test_a_row_of_a_table_is_shown_too(tmp_path):
    row = read(written(tmp_path, "toy.csv", "name,n\nx,1\n"))[0]
    assert row["raw_excerpt"] == '{"name": "x", "n": "1"}'


def test_what_a_loader_did_not_foresee_is_named(tmp_path):
    row = read(written(tmp_path, "toy.jsonl", lines({"id": "a"})))[0]
    assert row["reason"] == "the record has an unknown structure (KeyError: 'text')"


def test_a_later_question_of_the_same_id_is_quarantined(tmp_path):
    written(tmp_path, "toy_1.jsonl", lines(A))
    written(tmp_path, "toy_2.jsonl", lines(B, A))
    rows = read(tmp_path)
    assert [row["reason_code"] for row in rows] == [None, None, "duplicate_question_id"]
    assert f"({tmp_path.name}/toy_1.jsonl, line 1)" in rows[2]["reason"]


def test_a_question_twice_in_one_record_is_quarantined(tmp_path):
    def load_twice(record, source):
        return Loaded("{}", questions=(Question("a", "x"), Question("a", "y")))

    path = written(tmp_path, "toy.jsonl", lines(A))
    rows = open_benchmarks(str(path), CATALOGUE, LOADERS | {"toy": load_twice}).read_all()
    assert rows["reason_code"].to_pylist() == ["duplicate_question_id"]


def test_a_passage_that_comes_again_is_kept_once_in_each_version(tmp_path):
    moved = {"id": "c", "text": "When?", "position": 7}
    rows = read(written(tmp_path, "toy.jsonl", lines(A, B, moved)))
    assert [[page["position"] for page in row["passages"]] for row in rows] == [[0], [], [7]]
    assert [row["record_status"] for row in rows] == ["read"] * 3


def test_lines_are_unique_in_a_file_of_many_batches(tmp_path):
    records = [{"id": str(n), "text": "x"} for n in range(1200)]
    reader = open_benchmarks(
        str(written(tmp_path, "toy.jsonl", lines(*records))), CATALOGUE, LOADERS
    )
    batches = list(reader)
    assert len(batches) > 1
    numbers = [n for batch in batches for n in batch["source_line"].to_pylist()]
    assert numbers == list(range(1, 1201))


def test_no_path_gives_no_row_of_the_schema():
    reader = open_benchmarks([], CATALOGUE, LOADERS)
    assert reader.schema == RECORD_SCHEMA
    assert reader.read_all().num_rows == 0
    assert open_benchmarks("", CATALOGUE, LOADERS).read_all().num_rows == 0


def test_an_empty_folder_holds_no_benchmark(tmp_path):
    assert read(tmp_path) == []


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["/no/such/folder"], "does not exist; set the dbt var benchmarks_paths"),
        ([" "], "is not a path"),
        ([3], "is not a path"),
    ],
)
def test_a_wrong_path_is_an_error_with_a_remedy(paths, said):
    with pytest.raises(ValueError, match=said):
        open_benchmarks(paths, CATALOGUE, LOADERS)


def test_a_catalogue_row_without_a_loader_is_an_error():
    with pytest.raises(ValueError, match="there is no loader answers"):
        open_benchmarks([], CATALOGUE, {})


def test_the_seed_names_only_loaders_that_exist():
    assert open_benchmarks([]).read_all().num_rows == 0


def test_a_catalogue_row_without_a_value_is_an_error():
    with pytest.raises(ValueError, match="row 1 of seeds/catalogues/benchmark_files"):
        catalogue_rows([dict.fromkeys(CatalogueRow._fields, "x") | {"loader": ""}])


QRELS = {
    "header": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    "beir": "q1\td1\t1\n",
    "trec": "q1\t0\td1\t1\n",
    "blanks": "q1 0 d1 1\n",
}


@pytest.mark.parametrize("form", QRELS)
def test_judgments_are_named_with_and_without_a_header(tmp_path, form):
    row = json.loads(read(written(tmp_path, "set/qrels.tsv", QRELS[form]))[0]["original"])
    assert (row["query_id"], row["corpus_id"], row["score"]) == ("q1", "d1", "1")


def test_a_short_line_of_judgments_is_quarantined(tmp_path):
    rows = read(written(tmp_path, "set/qrels.tsv", "q1\td1\t1\nq2\td2\n"))
    assert [row["reason_code"] for row in rows] == [None, "wrong_width"]


def test_files_are_found_to_the_bottom_in_any_case(tmp_path):
    written(tmp_path, "deep/er/TOY.JSONL", lines(A))
    written(tmp_path, "deep/er/Set/QRELS.tsv", QRELS["header"])
    written(tmp_path, "other.jsonl", lines(A))
    root = tmp_path.name
    assert [
        (file.benchmark, file.file.name)
        for file in find_benchmark_files([str(tmp_path)], CATALOGUE)
    ] == [("Set", f"{root}/deep/er/Set/QRELS.tsv"), ("toy", f"{root}/deep/er/TOY.JSONL")]


def test_the_first_row_that_matches_decides(tmp_path):
    written(tmp_path, "toy.predictions.jsonl", lines(A))
    assert find_benchmark_files(str(tmp_path), CATALOGUE)[0].holds == "answers"


def test_a_folder_named_as_path_is_part_of_the_name(tmp_path):
    written(tmp_path, "paged/pages.parquet", PARQUET.getvalue().to_pybytes())
    for path in (tmp_path, tmp_path / "paged", tmp_path / "paged/pages.parquet"):
        assert [file.benchmark for file in find_benchmark_files(str(path), CATALOGUE)] == ["paged"]


def test_a_file_that_two_paths_reach_is_read_once(tmp_path):
    path = written(tmp_path, "sets/toy.jsonl", lines(A))
    assert len(read(tmp_path, path.parent, path)) == 1


def test_two_files_of_one_name_are_an_error(tmp_path):
    for folder in ("one", "two"):
        written(tmp_path, f"{folder}/sets/toy.jsonl", lines(A))
    with pytest.raises(ValueError, match="have the same name below their folders"):
        read(tmp_path / "one/sets", tmp_path / "two/sets")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("qa/finqa_dev200.jsonl.gz", ("finqa", "questions")),
        ("runs/finqa_naive.predictions.jsonl.gz", ("finqa", "answers")),
        ("qa/ConvFinQA_train.json", ("convfinqa", "questions")),
        ("qa/docfinqa/test.json", ("docfinqa", "questions")),
        ("finqa/train.json", ("finqa", "questions")),
        ("qa/docfinqa_test.json", ("docfinqa", "questions")),
        ("qa/tatqa_dataset_dev.json", ("tatqa", "questions")),
        ("tatqa/predictions_mine.jsonl", ("tatqa", "answers")),
        ("tatqa/predictions/finqa_like.json", ("tatqa", "answers")),
        ("qa/financebench_open_source.jsonl", ("financebench", "questions")),
        ("qa/financebench_document_information.jsonl", ("financebench", "documents")),
        ("financebench_pages/pages.parquet", ("financebench", "passages")),
        ("qa/financerag_finqa/queries.jsonl.gz", ("financerag_finqa", "questions")),
        ("qa/fiqa/corpus.jsonl", ("fiqa", "passages")),
        ("qa/fiqa/qrels/test.tsv", ("fiqa", "judgments")),
        ("qa/fiqa/qrels.tsv", ("fiqa", "judgments")),
        ("qa/finqa/corpus.jsonl", ("finqa", "passages")),
        ("qa/tatqa/queries.jsonl", ("tatqa", "questions")),
        ("qa/docfinqa/qrels/test.tsv", ("docfinqa", "judgments")),
        ("financerag/finqa_corpus.jsonl", ("financerag", "passages")),
        ("financerag/FinQA_qrels.tsv", ("financerag", "judgments")),
        ("out/docfinqa.text.qrels", ("out", "judgments")),
        ("mine/qrels.txt", ("mine", "judgments")),
        ("qa/multihop_rag_corpus.jsonl", ("multihop_rag", "questions")),
        ("qa/kgrag_sec10q.jsonl.gz", ("kgrag", "questions")),
        ("qa/kgrag_earnings_calls.jsonl.gz", ("kgrag", "questions")),
        ("kgrag_docs/pages.parquet", ("kgrag", "passages")),
        ("graded_pages/reports.parquet", ("graded_queries", "passages")),
        ("query_pages/reports.parquet", ("query_file", "passages")),
        ("qa/my_queries.jsonl", ("graded_queries", "questions")),
        ("qa/finqa_queries.jsonl", ("graded_queries", "questions")),
        ("finqa/runs/bm25.run", ("finqa", "rankings")),
        ("finqa/bm25.run.gz", ("finqa", "rankings")),
        ("finqa/rankings_mine.jsonl", ("finqa", "rankings")),
        ("finqa/rankings/mine.jsonl", ("finqa", "rankings")),
        ("finqa/predictions/gpt4/answers.jsonl", ("finqa", "answers")),
        ("finqa/predictions_mine.csv", ("finqa", "answers")),
        ("qa/fiqa/qrels/my_qrels.tsv", ("fiqa", "judgments")),
        ("qa/my.queries.jsonl", ("query_file", "questions")),
        ("transcripts/calls.jsonl", ("earnings_calls", "passages")),
        ("qa/README.md", None),
    ],
)
def test_the_seed_tells_files_apart_by_their_names(tmp_path, name, expected):
    written(tmp_path, name, "")
    found = find_benchmark_files(str(tmp_path), read_catalogue())
    assert [(file.benchmark, file.holds) for file in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("name", "loader"),
    [
        ("finqa/corpus.jsonl", "beir"),
        ("tatqa/queries.jsonl", "beir"),
        ("financerag/finqa_corpus.jsonl", "beir"),
        ("out/finqa.row.qrels", "qrels"),
        ("finqa/train.json", "finqa"),
        ("graded_pages/reports.parquet", "page_table"),
    ],
)
def test_the_seed_gives_each_file_its_loader(tmp_path, name, loader):
    written(tmp_path, name, "")
    assert [file.loader for file in find_benchmark_files(str(tmp_path), read_catalogue())] == [
        loader
    ]


@pytest.mark.parametrize("name", ["row.qrels", "qrels.txt", "qrels_test.txt.gz"])
@pytest.mark.parametrize("form", ["q1 0 d1 2\n", "q1\t0\td1\t2\n"])
def test_judgments_are_read_from_files_named_as_trec_names_them(tmp_path, name, form):
    content = gzip.compress(form.encode()) if name.endswith(".gz") else form
    path = written(tmp_path, f"mine/{name}", content)
    (row,) = open_benchmarks(str(path)).read_all().to_pylist()
    assert (row["benchmark"], row["reason_code"]) == ("mine", None)
    (judgment,) = row["judgments"]
    assert (judgment["question_id"], judgment["passage_id"], judgment["grade"]) == ("q1", "d1", 2)


def test_other_text_is_no_known_format(tmp_path):
    (row,) = read(written(tmp_path, "toy.txt", "q1 0 d1 2\n"))
    assert row["reason_code"] == "unknown_format"


def test_status_tells_what_is_there_what_is_not_and_what_is_unknown(tmp_path):
    written(tmp_path, "toy.jsonl", lines(A))
    written(tmp_path, "set/qrels.tsv", QRELS["header"])
    written(tmp_path, "notes.md", "words")
    rows = benchmark_status(str(tmp_path), CATALOGUE).to_pylist()
    root = tmp_path.name
    assert [(row["benchmark"], row["status"], row["file_names"]) for row in rows] == [
        ("toy", "absent", []),
        ("toy", "loaded", [f"{root}/toy.jsonl"]),
        ("paged", "absent", []),
        ("set", "loaded", [f"{root}/set/qrels.tsv"]),
        ("*", "ignored", [f"{root}/notes.md"]),
    ]
    assert rows[2]["message"] == (
        "not found: put paged/*.parquet below a folder of the dbt var benchmarks_paths; "
        "public source: example.org/paged"
    )
    assert f"matches {root}/notes.md; rename" in rows[4]["message"]


def test_of_many_unknown_files_some_are_named(tmp_path):
    for number in range(12):
        written(tmp_path, f"notes_{number:02}.md", "words")
    (row,) = benchmark_status(str(tmp_path), [CATALOGUE[0]]).to_pylist()[1:]
    assert "notes_09.md and 2 more; rename" in row["message"]
    assert row["n_files"] == 12


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        ('id,text\n1,"open\n2,x\n', [None, "open_quotation"]),
        ("id;text\n1;x\n", ["wrong_separator"]),
        ("id , text\n1,x\n", [None]),
    ],
)
def test_a_table_that_a_spreadsheet_wrote_otherwise(tmp_path, content, reasons):
    rows = read(written(tmp_path, "toy.csv", content))
    assert [row["reason_code"] for row in rows] == reasons
