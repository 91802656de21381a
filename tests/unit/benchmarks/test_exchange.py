"""Gold sets as files of trec_eval."""

import duckdb
import pytest
import pytrec_eval

from finrag.publishing.exchange import write_gold_set


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "tiny.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("""
            create schema gold;
            create schema retrieval;
            create schema sentences;
            create table sentences.passages as
                from (values ('s1', 'sentence'), ('d#row-0-1', 'row'), ('d#text-0', 'text'))
                    as t(passage_id, unit);
            -- Two cells of one row, the second graded higher; one that was never loaded; and
            -- an operand of a program.
            create table gold.judgments as
                from (values
                    ('p3', 'p3:q', 'text', 's1', 1),
                    ('b', 'b:q', 'text', 'd#row-0-1', 1), ('b', 'b:q', 'text', 'd#row-0-1', 2),
                    ('b', 'b:q', 'text', 'd#text-0', 1), ('b', 'b:q', 'text', null, 1),
                    ('b', 'b:q', 'operand', 'd#text-0', 9))
                    as t(gold_set, item_id, evidence_kind, passage_id, grade);
            create table retrieval.rankings as
                from (values
                    ('one', 'p3', 'p3:q', 'sentence', 1, 's1', 0.5::double),
                    ('one', 'b', 'b:q', 'row', 1, 'd#row-0-1', 0.1::double + 0.2::double),
                    ('two', 'b', 'b:q', 'text', 1, 'd#text-0', 1.0::double))
                    as t(system_id, gold_set, item_id, unit, rank, passage_id, score);
        """)
    return path


def test_each_kind_of_unit_has_its_own_judgments_and_runs(database, tmp_path):
    written = write_gold_set(database, "b", tmp_path / "out")
    names = ["b.row.qrels", "b.text.qrels", "b.row.one.run", "b.text.two.run"]
    assert [path.name for path in written] == names
    with written[0].open() as qrels, written[2].open() as run:
        assert pytrec_eval.parse_qrel(qrels) == {"b:q": {"d#row-0-1": 2}}
        assert pytrec_eval.parse_run(run) == {"b:q": {"d#row-0-1": 0.1 + 0.2}}


def test_sets_of_the_corpus_are_sentences(database, tmp_path):
    written = write_gold_set(database, "p3", tmp_path)
    assert [path.name for path in written] == ["p3.sentence.qrels", "p3.sentence.one.run"]


def test_a_set_that_is_not_there_is_named(database, tmp_path):
    with pytest.raises(ValueError, match="no judgments of 'p9'"):
        write_gold_set(database, "p9", tmp_path)


def rename(database, table, system):
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"update retrieval.{table} set system_id = ?", [system])


def test_a_system_becomes_one_word_of_a_file_name(database, tmp_path):
    rename(database, "rankings", "../gpt 4 (file)")
    written = write_gold_set(database, "p3", tmp_path / "out")
    assert written[1].name == "p3.sentence.gpt_4_file.run"
    assert written[1].parent == tmp_path / "out"
    assert written[1].read_text().endswith(" gpt_4_file\n")


def test_two_systems_of_one_word_are_refused(database, tmp_path):
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "insert into retrieval.rankings values"
            " ('o ne', 'b', 'b:q', 'row', 1, 'x', 1), ('o/ne', 'b', 'b:q', 'row', 1, 'x', 1)"
        )
    with pytest.raises(ValueError, match="would both be 'o_ne'"):
        write_gold_set(database, "b", tmp_path)


def test_a_ranking_without_scores_keeps_its_order(database, tmp_path):
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "insert into retrieval.rankings values"
            " ('list', 'b', 'b:q', 'row', 1, 'first', null),"
            " ('list', 'b', 'b:q', 'row', 2, 'second', null)"
        )
    write_gold_set(database, "b", tmp_path)
    lines = (tmp_path / "b.row.list.run").read_text().splitlines()
    assert [line.split()[2:5] for line in lines] == [["first", "1", "1.0"], ["second", "2", "0.5"]]


def test_white_space_in_ids_becomes_one_word_in_both_files(database, tmp_path):
    with duckdb.connect(str(database)) as connection:
        connection.execute("update gold.judgments set passage_id = 'a b' where gold_set = 'p3'")
        connection.execute(
            "update sentences.passages set passage_id = 'a b' where unit = 'sentence'"
        )
        connection.execute("update retrieval.rankings set passage_id = 'a b' where gold_set = 'p3'")
    qrels, run = write_gold_set(database, "p3", tmp_path)
    assert qrels.read_text().split()[2] == run.read_text().split()[2] == "a_b"
