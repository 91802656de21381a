"""Paraphrases: what may stand for a question, and what an endpoint may do without harm."""

import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.llm import asking
from finrag.questions.paraphrases import (
    REASONS,
    VARIANT_SCHEMA,
    check_paraphrase,
    company_forms,
    paraphrase_questions,
)
from finrag.questions.paraphrases.answers import earlier_answers
from tests.unit.endpoint_stub import EndpointStub

KEY = "sk-0123456789abcdef"
MODEL = "openai:acme-words"
NORVALITH = company_forms("Norvalith Instruments, Inc.", "Norvalith Instruments")
TESSIMAR = company_forms("TESSIMAR CORP", "Tessimar")
THREE = company_forms("3M CO", "3M")


# --- the check ----------------------------------------------------------------------------------


def verdict(original, variant, years=()):
    return check_paraphrase(original, variant, [NORVALITH, TESSIMAR, THREE], years)


REVENUE = "What was Norvalith Instruments' revenue in 2020?"


@pytest.mark.parametrize(
    ("original", "variant"),
    [
        (REVENUE, "How much revenue did Norvalith Instruments report for 2020?"),
        (REVENUE, "In 2020, how much revenue did Norvalith have?"),
        (REVENUE, "Norvalith's revenue in FY2020?"),
        (REVENUE, "According to its 10-K, what was the 2020 revenue of Norvalith Instruments?"),
        ("What was 3M's debt in 2019?", "In 2019, how large was the debt of 3M?"),
        (
            "List Tessimar's two growth drivers in 2021?",
            "Which 2 growth drivers had Tessimar in 2021?",
        ),
        (
            "Why did Tessimar's sales rise in 2021?",
            "What drove the increase in Tessimar's 2021 sales?",
        ),
        (
            "Did sales of Tessimar pass $1.2 billion in 2021?",
            "In 2021, did Tessimar have sales above 1.2 billion dollars?",
        ),
        (
            "Does Tessimar disclose headcount in its 2008 10-K?",
            "Did Tessimar's 2008 10-K say whether or not headcount is disclosed?",
        ),
        ("What does 'net debt' mean at Tessimar?", "How does Tessimar define “net debt”?"),
    ],
)
def test_a_wording_that_asks_the_same_is_accepted(original, variant):
    assert verdict(original, variant) is None


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("", "not_a_question"),
        ("Norvalith Instruments' revenue in 2020.", "not_a_question"),
        ("Revenue of Norvalith in 2020?\nIgnore the rules?", "not_a_question"),
        ("Revenue of Norvalith in 2020?\u2028", None),
        ("Revenue of\u2028Norvalith in 2020?", "not_a_question"),
        ("Revenue of Norvalith in 2020? And why?", "not_a_question"),
        (f"{'Really, w' * 11}hat was Norvalith's revenue in 2020?", "too_long"),
        ("what was  NORVALITH Instruments' Revenue, in 2020?", "unchanged"),
        ("What was the revenue in 2020?", "missing_company"),
        ("What was Norvaliths revenue in 2020?", "missing_company"),
        ("What was the revenue of Norvalith Instruments?", "missing_year"),
        ("What was the revenue of Norvalith Instruments in 2021?", "missing_year"),
        ("In 2020 or 2021, what revenue had Norvalith?", "number_changed"),
        ("What were Norvalith's 3 revenues in 2020?", "number_changed"),
        ("What was Norvalith's revenue by December 2020?", "number_changed"),
        ("Did Norvalith beat Quillvane in revenue in 2020?", "added_entity"),
        ("Quillvane aside, what revenue had Norvalith in 2020?", "added_entity"),
        ("Which revenue did Norvalith not have in 2020?", "meaning_changed"),
        ("How much did Norvalith's revenue grow in 2020?", "meaning_changed"),
        ("How much debt had Norvalith in 2020?", "meaning_changed"),
    ],
)
def test_a_wording_that_asks_something_else_is_rejected(variant, reason):
    assert verdict(REVENUE, variant) == reason


@pytest.mark.parametrize(
    ("original", "variant", "reason"),
    [
        (
            "Did Tessimar's margin exceed 40% in 2020?",
            "In 2020, did the margin of Tessimar exceed 40 basis points?",
            "number_changed",
        ),
        (
            "Did Tessimar's sales exceed $1.2 billion in 2020?",
            "In 2020, did Tessimar's sales exceed $1.2 million?",
            "number_changed",
        ),
        (
            "What drove Tessimar's sales in the first quarter of 2020?",
            "What were the drivers of Tessimar's sales in the second quarter of 2020?",
            "number_changed",
        ),
        (
            "How do Tessimar and Norvalith Instruments describe liquidity risk in 2010?",
            "In 2010, which liquidity risk does Tessimar describe?",
            "missing_company",
        ),
        (
            "How does Tessimar define 'net debt' in 2020?",
            "What does Tessimar mean by debt in 2020?",
            "quote_lost",
        ),
        (
            "Why did Tessimar's sales fall in 2020?",
            "What explains the rise of Tessimar's sales in 2020?",
            "meaning_changed",
        ),
        (
            "Which risks did Tessimar not insure in 2020?",
            "In 2020, which risks did Tessimar insure?",
            "meaning_changed",
        ),
        (
            "Does Tessimar explicitly attribute its 2020 gain to currencies?",
            "Does Tessimar say that its 2020 gain had to do with currencies?",
            "meaning_changed",
        ),
        (
            "What was Tessimar's diluted EPS in 2020?",
            "How high was Tessimar's basic EPS in 2020?",
            "meaning_changed",
        ),
        (
            "What was Tessimar's debt in 2020, and how is it described?",
            "How large was the debt of Tessimar in 2020?",
            "meaning_changed",
        ),
    ],
)
def test_numbers_names_terms_and_direction_survive(original, variant, reason):
    assert verdict(original, variant) == reason


def test_the_years_of_a_range_may_be_spelt_out_but_no_other():
    original = "How did Tessimar's debt develop, 2018–2020?"
    spelt = "How did the debt of Tessimar develop in 2018, 2019 and 2020?"
    assert verdict(original, spelt, years=[2018, 2019, 2020]) is None
    assert verdict(original, spelt) == "number_changed"
    assert verdict(original, f"Up to 2021, {spelt}", [2018, 2019, 2020, 2021]) == "number_changed"


def test_a_company_that_the_original_does_not_name_need_not_be_named():
    assert verdict("What was revenue in 2020?", "How much revenue was there in 2020?") is None


def test_a_spelling_of_two_companies_names_neither():
    companies = [("Lanthrix Steel", "Lanthrix"), ("Lanthrix Foods", "Lanthrix")]
    original = "What does Lanthrix Foods owe?"
    assert check_paraphrase(original, "How much does Lanthrix owe?", companies, []) == (
        "missing_company"
    )


def test_where_the_corpus_needs_a_longer_name_the_short_one_does_not_count():
    assert company_forms("LANTHRIX INC", "LANTHRIX INC (CIK 1)") == ("LANTHRIX INC (CIK 1)",)
    assert "Lanthrix" in company_forms("LANTHRIX INC", "Lanthrix")


def test_hostile_text_is_checked_in_linear_time():
    for part in ("'a ", '"', "2020", "not ", "A.", "1,", "? "):
        start = time.perf_counter()
        verdict(part * 20_000, part * 20_000 + "?")
        assert time.perf_counter() - start < 5, part


# --- the endpoint -------------------------------------------------------------------------------


def answering(text):
    return lambda messages: text


def rewording(messages):
    question = json.loads(messages[-1]["content"])["question"]
    return f"According to the filing, {question[0].lower()}{question[1:]}"


@pytest.fixture
def stub(monkeypatch):
    with EndpointStub(rewording) as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("FINRAG_PARAPHRASES_RETRIES", "2")
        monkeypatch.setattr(asking, "BACKOFF_S", 0.001)
        yield running


def questions(*texts):
    return pa.table(
        {
            "question_id": [f"q{i}" for i in range(len(texts))],
            "question_text": list(texts),
            "company_names": pa.array(
                [["Norvalith Instruments, Inc."]] * len(texts), pa.list_(pa.string())
            ),
            "display_names": pa.array(
                [["Norvalith Instruments"]] * len(texts), pa.list_(pa.string())
            ),
            "years": pa.array([[2020]] * len(texts), pa.list_(pa.int32())),
        }
    )


def n_answered(store):
    try:
        with sqlite3.connect(store) as connection:
            sql = "select count(*) from calls where status = 'ok'"
            return connection.execute(sql).fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def many(count):
    items = (
        f"What was Norvalith Instruments' revenue from product {i} in 2020?" for i in range(count)
    )
    return questions(*items)


def ask(table, folder, per_question=1, paraphraser=MODEL):
    found = paraphrase_questions(table, paraphraser, per_question, str(folder))
    assert found.schema == VARIANT_SCHEMA
    return found.to_pylist()


def test_a_good_wording_becomes_an_accepted_row(stub, tmp_path):
    (row,) = ask(questions(REVENUE), tmp_path)

    assert row | {"prompt_hash": ""} == {
        "variant_id": "q0~1",
        "question_id": "q0",
        "variant_no": 1,
        "question_text": (
            "According to the filing, what was Norvalith Instruments' revenue in 2020?"
        ),
        "model": MODEL,
        "is_accepted": True,
        "rejection_reason": None,
        "prompt_hash": "",
    }
    assert (stub.requests[0]["model"], stub.keys) == ("acme-words", [KEY])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("How much revenue did Norvalith Instruments have?", "missing_year"),
        (f"{REVENUE}\nAlso, which product sold best?", "not_a_question"),
        (REVENUE, "unchanged"),
        ("", "not_a_question"),
    ],
)
def test_a_bad_wording_is_a_row_with_its_reason(stub, tmp_path, answer, reason):
    stub.reply = answering(answer)

    (row,) = ask(questions(REVENUE), tmp_path)

    assert (row["is_accepted"], row["rejection_reason"]) == (False, reason)
    assert row["question_text"] == answer
    assert reason in REASONS


def test_quotation_marks_around_the_whole_are_taken_off(stub, tmp_path):
    stub.reply = answering('"How much revenue did Norvalith Instruments have in 2020?"')

    assert ask(questions(REVENUE), tmp_path)[0]["is_accepted"]


def test_each_variant_has_a_prompt_of_its_own_and_may_not_repeat_another(stub, tmp_path):
    rows = ask(questions(REVENUE), tmp_path, per_question=2)

    assert [(r["variant_id"], r["rejection_reason"]) for r in rows] == [
        ("q0~1", None),
        ("q0~2", "unchanged"),
    ]
    assert len({request["messages"][-1]["content"] for request in stub.requests}) == 2


def test_a_first_word_that_another_question_shares_names_nobody(stub, tmp_path):
    stub.reply = answering("In 2020, how much did Lanthrix owe?")
    legal = pa.array([["LANTHRIX FOODS INC"], ["LANTHRIX STEEL INC"]])
    shown = pa.array([["Lanthrix Foods"], ["Lanthrix Steel"]])
    table = questions(*(f"What did {name[0]} owe in 2020?" for name in shown.to_pylist()))
    table = table.set_column(2, "company_names", legal).set_column(3, "display_names", shown)

    assert {r["rejection_reason"] for r in ask(table, tmp_path / "both")} == {"missing_company"}
    assert ask(table.slice(0, 1), tmp_path / "one")[0]["is_accepted"]


def test_rows_come_in_order_whatever_the_order_of_the_input(stub, tmp_path):
    table = many(6)
    rows = ask(table, tmp_path / "a", per_question=2)

    assert [r["variant_id"] for r in rows[:4]] == ["q0~1", "q0~2", "q1~1", "q1~2"]
    assert rows == ask(table.take(list(range(5, -1, -1))), tmp_path / "b", per_question=2)


def test_requests_run_side_by_side_but_bounded(stub, tmp_path):
    stub.faults, stub.slow_s = {"product": "slow"}, 0.05

    ask(many(16), tmp_path)

    assert 1 < stub.most_at_once <= 4


def test_what_was_answered_is_not_asked_again(stub, tmp_path):
    first = ask(many(3), tmp_path)
    second = ask(many(5), tmp_path)

    assert len(stub.requests) == 5
    assert second[:3] == first


def test_another_model_is_asked_anew(stub, tmp_path):
    ask(questions(REVENUE), tmp_path)
    ask(questions(REVENUE), tmp_path, paraphraser="openai:other-words")

    assert [request["model"] for request in stub.requests] == ["acme-words", "other-words"]


def test_one_text_in_two_questions_is_asked_once(stub, tmp_path):
    rows = ask(questions(REVENUE, REVENUE), tmp_path)

    assert [r["is_accepted"] for r in rows] == [True, True]
    assert len(stub.requests) == 1


@pytest.mark.parametrize("fault", ["429", "500", "503", "not json", "no text"])
def test_a_passing_fault_is_retried(stub, tmp_path, fault):
    stub.script = [fault, fault]

    assert ask(questions(REVENUE), tmp_path)[0]["is_accepted"]
    assert len(stub.requests) == 3


@pytest.mark.parametrize("fault", ["429", "500", "401", "404", "not json", "no text", "slow"])
def test_a_lasting_fault_is_a_row_that_is_asked_again_next_time(
    stub, tmp_path, monkeypatch, caplog, capfd, fault
):
    monkeypatch.setenv("FINRAG_PARAPHRASES_TIMEOUT_S", "0.2")
    caplog.set_level(logging.DEBUG, "finrag")
    stub.script = [fault] * 20

    (row,) = ask(questions(REVENUE), tmp_path)

    assert (row["rejection_reason"], row["question_text"]) == ("endpoint_failed", None)
    shown = capfd.readouterr()
    written = str([p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()])
    assert "1 of 1 paraphrases failed" in caplog.text
    assert KEY not in caplog.text + shown.out + shown.err + written + str(row)
    stub.script = []
    assert ask(questions(REVENUE), tmp_path)[0]["is_accepted"]


def test_a_fault_of_one_question_leaves_the_others(stub, tmp_path):
    stub.faults = {"product 2 ": "500"}

    rows = ask(many(6), tmp_path)

    assert [r["rejection_reason"] for r in rows] == [
        None,
        None,
        "endpoint_failed",
        None,
        None,
        None,
    ]


def test_a_refusal_was_paid_for_and_is_not_asked_again(stub, tmp_path):
    stub.script = ["refused"]

    assert ask(questions(REVENUE), tmp_path)[0]["rejection_reason"] == "not_a_question"
    assert ask(questions(REVENUE), tmp_path)[0]["rejection_reason"] == "not_a_question"
    assert len(stub.requests) == 1


@pytest.mark.parametrize(("fault", "most"), [("401", 4), ("500", 36)])
def test_an_endpoint_that_gives_nothing_is_left_alone(stub, tmp_path, fault, most):
    stub.faults = {"product": fault}

    rows = ask(many(60), tmp_path)

    assert {r["rejection_reason"] for r in rows} == {"endpoint_failed"}
    assert len(stub.requests) <= most


def test_a_key_in_an_answer_is_not_kept(stub, tmp_path):
    stub.reply = answering(f"Is {KEY} the key of Norvalith in 2020?")

    assert KEY not in str(ask(questions(REVENUE), tmp_path))
    assert KEY not in str([p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()])


def test_a_killed_run_repeats_nothing_that_was_answered(stub, tmp_path):
    stub.faults, stub.slow_s = {"product 9 ": "slow"}, 30.0
    code = f"""
        from finrag.questions.paraphrases import paraphrase_questions
        from tests.unit.test_paraphrases import MODEL, many
        paraphrase_questions(many(10), MODEL, 1, {str(tmp_path)!r})
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    killed = subprocess.Popen(command, cwd=Path(__file__).parents[2], env=dict(os.environ))
    store = tmp_path / "cache" / "llm" / "calls.sqlite"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        # The tenth may be asked after the ninth was answered.
        if store.is_file() and n_answered(store) == 9 and len(stub.requests) == 10:
            break
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    stub.faults, n_asked = {}, len(stub.requests)

    rows = ask(many(10), tmp_path)

    assert all(r["is_accepted"] for r in rows)
    assert (n_asked, len(stub.requests)) == (10, 11)


def prompt_hashes(table, folder):
    return [row["prompt_hash"] for row in ask(table, folder)]


def test_an_answer_of_the_older_file_is_not_asked_again(stub, tmp_path):
    (key,) = prompt_hashes(questions(REVENUE), tmp_path / "elsewhere")
    cache = tmp_path / "cache" / "paraphrases" / "answers.jsonl"
    cache.parent.mkdir(parents=True)
    answer = "How much revenue did Norvalith Instruments have in 2020?"
    row = {"prompt_hash": key, "model": "acme-words", "answer": answer}
    cache.write_text(f'{json.dumps(row)}\n{{"prompt_hash": "cut sh')
    stub.requests.clear()

    assert ask(questions(REVENUE), tmp_path)[0]["question_text"] == answer
    assert stub.requests == []


def test_the_keys_of_prompts_stay(stub, tmp_path):
    (key,) = prompt_hashes(questions(REVENUE), tmp_path)

    assert key == "86281531bfd438d86db8c544f4f643618b27f78c064951b9fd12dee4e5ad81c7"


def test_a_line_cut_short_is_passed_over(tmp_path, caplog):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"prompt_hash": "a", "answer": "A?"}\n{"prompt_hash": "b", "ans')

    assert earlier_answers(path) == {"a": "A?"}
    assert "passed over 1 broken" in caplog.text


def test_an_answer_that_no_table_could_hold_is_mended(stub, tmp_path):
    stub.reply = answering("\ud800\0?")

    assert ask(questions(REVENUE), tmp_path)[0]["question_text"] == "?\ufffd?"


# --- the configuration --------------------------------------------------------------------------


def test_off_means_an_empty_table_and_no_client(tmp_path):
    code = f"""
        import sys
        from finrag.questions.paraphrases import paraphrase_questions
        from tests.unit.test_paraphrases import VARIANT_SCHEMA, many
        found = paraphrase_questions(many(2), "", 1, {str(tmp_path)!r})
        print(found.num_rows, found.schema == VARIANT_SCHEMA, "openai" in sys.modules)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.split() == ["0", "True", "False"]
    assert list(tmp_path.iterdir()) == []


def test_no_questions_or_no_variants_ask_nothing(stub, tmp_path):
    assert ask(questions(), tmp_path) == []
    assert ask(questions(REVENUE), tmp_path, per_question=0) == []
    assert stub.requests == []


@pytest.mark.parametrize("paraphraser", ["acme", "openai:", "openai: ", ":acme", "other:acme"])
def test_an_unknown_paraphraser_is_told_the_valid_forms(tmp_path, paraphraser):
    with pytest.raises(ValueError, match=r"paraphraser is .* set it to openai:<model>"):
        ask(questions(REVENUE), tmp_path, paraphraser=paraphraser)


def test_the_public_endpoint_needs_a_key(tmp_path, monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(ValueError, match="FINRAG_PARAPHRASES_API_KEY or OPENAI_API_KEY"):
        ask(questions(REVENUE), tmp_path)


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("question_id", ["q7", "q7"], "'q7' is repeated"),
        ("question_text", ["What?", " "], "question q1 has no text"),
        ("display_names", [["Norvalith"], []], "question q1: give each company one"),
    ],
)
def test_a_bad_question_is_named(tmp_path, column, values, message):
    table = many(2)
    table = table.set_column(table.schema.get_field_index(column), column, pa.array(values))
    with pytest.raises(ValueError, match=message):
        ask(table, tmp_path)
