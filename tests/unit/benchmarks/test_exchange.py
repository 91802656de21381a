"""Gold sets as files of trec_eval."""

import duckdb
import pytest

from finrag.benchmarks.exchange import write_gold_set
from finrag.benchmarks.trec import read_qrels, read_run


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "tiny.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("""
            create schema gold;
            create schema retrieval;
            create table gold.gold_judgments as
                select 'p3' as gold_set, 'p3:q' as item_id, 's1' as sentence_id, 1 as grade;
            create table gold.benchmark_passages as
                from (values ('b', 'd#row-0-1', 'row'), ('b', 'd#text-0', 'text'))
                    as t(benchmark, passage_id, space);
            -- Two cells of one row, the second graded higher; and one that was never loaded.
            create table gold.benchmark_judgments as
                from (values
                    ('b', 'b:q', 'd#row-0-1', 1), ('b', 'b:q', 'd#row-0-1', 2),
                    ('b', 'b:q', 'd#text-0', 1), ('b', 'b:q', null, 1))
                    as t(benchmark, item_id, found_by_passage_id, grade);
            create table retrieval.rankings as
                select 'one' as system_id, 'p3' as gold_set, 'p3:q' as item_id,
                    's1' as sentence_id, 0.5::double as score;
            create table retrieval.benchmark_rankings as
                from (values
                    ('one', 'b', 'b:q', 'row', 'd#row-0-1', 0.1::double + 0.2::double),
                    ('two', 'b', 'b:q', 'text', 'd#text-0', 1.0::double))
                    as t(system_id, benchmark, item_id, space, passage_id, score);
        """)
    return path


def test_each_kind_of_unit_has_its_own_judgments_and_runs(database, tmp_path):
    written = write_gold_set(database, "b", tmp_path / "out")
    names = ["b.row.qrels", "b.text.qrels", "b.row.one.run", "b.text.two.run"]
    assert [path.name for path in written] == names
    assert read_qrels(written[0]).to_pylist() == [
        {"question_id": "b:q", "passage_id": "d#row-0-1", "grade": 2}
    ]
    assert read_run(written[2])["score"].to_pylist() == [0.1 + 0.2]


def test_sets_of_the_corpus_are_sentences(database, tmp_path):
    written = write_gold_set(database, "p3", tmp_path)
    assert [path.name for path in written] == ["p3.sentence.qrels", "p3.sentence.one.run"]


def test_a_set_that_is_not_there_is_named(database, tmp_path):
    with pytest.raises(ValueError, match="no judgments of 'p9'"):
        write_gold_set(database, "p9", tmp_path)


def test_a_system_whose_name_is_a_path_is_refused(database, tmp_path):
    with duckdb.connect(str(database)) as connection:
        connection.execute("update retrieval.rankings set system_id = '../one'")
    with pytest.raises(ValueError, match="cannot be part of a file's name"):
        write_gold_set(database, "p3", tmp_path)
