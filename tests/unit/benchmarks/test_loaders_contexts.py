"""FinQA, ConvFinQA, DocFinQA, TAT-QA, MultiHiertt and FinanceBench from made-up records."""

import copy
import json

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders import LOADERS
from finrag.sources.benchmarks.loaders.finqa import split_passages
from finrag.sources.benchmarks.loaders.tatqa import find_cells
from finrag.sources.benchmarks.records import Source
from finrag.sources.benchmarks.tables import count_headings, row_texts, table_passages

TABLE = [["", "2016", "2015"], ["sales", "$ 120", "$ 100"], ["", "", ""], ["costs", "80", "70"]]
CONTEXT = {
    "pre_text": ["the company sells wood .", " "],
    "post_text": ["costs rose ."],
    "table": TABLE,
}
FINQA = CONTEXT | {
    "id": "ABC/2016/page_7.pdf-2",
    "filename": "ABC/2016/page_7.pdf",
    "qa": {
        "question": "by how much did sales grow?",
        "answer": "20%",
        "program": "subtract(120, 100), divide(#0, 100)",
        "gold_inds": {"table_1": "the sales of 2016 is 120 ;", "text_2": "costs rose ."},
        "exe_ans": 0.2,
    },
}
SIMPLE = CONTEXT | {
    "id": "ABC/2016/page_7.pdf-3",
    "question": "were sales above costs?",
    "answer": "yes",
    "program": "greater(120, 80)",
}
CLEANED = {
    "id": "Double_ABC/2016/page_7.pdf",
    "doc": {
        "pre_text": "the company sells wood . it also buys wood .",
        "post_text": "costs rose .",
        "table": {"2016": {"sales": 120.0, "costs": 80.5}, "2015": {"sales": 100.0}},
    },
    "dialogue": {
        "conv_questions": ["what were sales?", "and costs?"],
        "conv_answers": ["120", "80.5"],
        "turn_program": ["120", "80.5"],
        "executed_answers": [120.0, 80.5],
        "qa_split": [False, True],
    },
}
DIALOGUE = CONTEXT | {
    "id": "Single_ABC/2016/page_7.pdf-2",
    "qa": FINQA["qa"],
    "annotation": {
        "dialogue_break": ["what were sales?", "and the growth?"],
        "turn_program": ["120", "divide(20, 100)"],
        "exe_ans_list": [120.0, 0.2],
        "answer_list": ["120", "A0"],
        "qa_split": [0, 0],
    },
}
TURN = CONTEXT | {
    "id": "Single_ABC/2016/page_7.pdf-2_1",
    "annotation": {
        "cur_dial": ["what were sales?", "and the growth?"],
        "cur_program": "divide(20, 100)",
        "exe_ans": 0.2,
        "turn_ind": 1,
        "gold_ind": {"table_1": "…"},
    },
}
PRIVATE = CONTEXT | {
    "id": "Double_ABC/2016/page_7.pdf",
    "annotation": {"dialogue_break": ["what were sales?", "and costs?"]},
}
DOCFINQA = {
    "Context": "Item 1.\n\nWe sell wood.",
    "Question": "What is sold?",
    "Program": "answer = 1",
    "Answer": "wood",
}
TATQA = {
    "table": {"uid": "t1", "table": [["", "Years"], ["", "2019"], ["Sales", "$1,496.5"]]},
    "paragraphs": [
        {"uid": "p2", "order": 2, "text": "Second."},
        {"uid": "p1", "order": 1, "text": "First."},
    ],
    "questions": [
        {
            "uid": "q1",
            "question": "What were sales?",
            "answer": ["1,496.5"],
            "derivation": "",
            "answer_type": "span",
            "answer_from": "table-text",
            "rel_paragraphs": ["2"],
            "scale": "million",
            "mappings": [{"table": [2, 1]}, {"paragraph_2": [0, 3]}],
        }
    ],
}
HIERTT = {
    "uid": "m1",
    "paragraphs": ["Wood.", "## Table 0 ##", "More wood."],
    "tables": [[[None, "2016"], ["Sales", 120]]],
    "qa": {
        "question": "What were sales?",
        "answer": 120,
        "program": "",
        "text_evidence": [2],
        "table_evidence": ["0-1-1"],
    },
}
BENCH = {
    "financebench_id": "f1",
    "doc_name": "ABC_2016_10K",
    "question_type": "metrics-generated",
    "question": "What were sales?",
    "answer": "$120",
    "evidence": [
        {"doc_name": "ABC_2016_10K", "evidence_page_num": 59, "evidence_text": "sales"},
        {"doc_name": "ABC_2016_10K", "evidence_page_num": 59, "evidence_text": "again"},
        {"evidence_page_num": 0, "evidence_text": "cover"},
    ],
}
PAGE = {"doc_name": "ABC_2016_10K", "page_num": 0, "text": "Cover"}
PAGE_FROM_1 = {"file": "2022 Q3 ABC.pdf", "page": 1, "text": "Cover"}
VERDICT = {
    "financebench_id": "f1",
    "model_name": "m",
    "eval_mode": "oracle",
    "model_answer": 120,
    "label": "Refusal",
}


def load(name, record):
    return LOADERS[name](record, Source("set", "sets/dev.json", 4))


def judged(loaded):
    return [(each.reference, each.space, each.passage_id) for each in loaded.judgments]


def passages(loaded, space):
    return {p.passage_id.split("#")[1]: p.text for p in loaded.passages if p.space == space}


# FinQA


def test_finqa_keeps_the_question_with_its_program():
    (question,) = load("finqa", FINQA).questions
    assert (question.question_id, question.document_id) == (FINQA["id"], FINQA["filename"])
    assert (question.answers, question.executed_answer) == (("20%",), "0.2")
    assert question.program == "subtract(120, 100), divide(#0, 100)"


def test_finqa_numbers_its_sentences_over_both_texts():
    assert passages(load("finqa", FINQA), "text") == {
        "text-0": "the company sells wood .",
        "text-2": "costs rose .",
    }


def test_finqa_evidence_is_a_row_or_a_sentence():
    assert judged(load("finqa", FINQA)) == [
        ("table_1", "row", "ABC/2016/page_7.pdf#row-0-1"),
        ("text_2", "text", "ABC/2016/page_7.pdf#text-2"),
    ]


def test_a_table_is_a_table_its_rows_and_its_cells():
    loaded = load("finqa", FINQA)
    assert passages(loaded, "row") == {
        "row-0-0": "2016; 2015",
        "row-0-1": "sales; 2016: $ 120; 2015: $ 100",
        "row-0-3": "costs; 2016: 80; 2015: 70",
    }
    assert list(passages(loaded, "table")) == ["table-0"]
    cell = next(p for p in loaded.passages if p.passage_id.endswith("cell-0-3-2"))
    assert (cell.text, cell.parent_id) == ("70", "ABC/2016/page_7.pdf#row-0-3")
    assert (cell.position, cell.table, cell.row, cell.column) == (11, 0, 3, 2)


def test_finqa_original_fields_are_kept_without_the_context():
    assert json.loads(load("finqa", FINQA).original) == {
        name: FINQA[name] for name in ("id", "filename", "qa")
    }


def test_a_blank_answer_of_finqa_is_the_result_of_its_program():
    loaded = load("finqa", FINQA | {"qa": FINQA["qa"] | {"answer": ""}})
    assert loaded.questions[0].answers == ("0.2",)


def test_simplified_finqa_has_the_same_passages_and_no_evidence():
    loaded = load("finqa", SIMPLE)
    assert loaded.passages == load("finqa", FINQA).passages
    assert loaded.judgments == ()
    assert (loaded.questions[0].answers, loaded.questions[0].executed_answer) == (("yes",), '"yes"')


# ConvFinQA


def test_a_turn_is_a_question():
    first, second = load("convfinqa", CLEANED).questions
    assert (first.question_id, first.turn) == ("Double_ABC/2016/page_7.pdf#0", 0)
    assert (second.question_text, second.answers, second.executed_answer) == (
        "and costs?",
        ("80.5",),
        "80.5",
    )
    assert second.dialogue_id == "Double_ABC/2016/page_7.pdf"
    assert second.document_id == "ABC/2016/page_7.pdf"


def test_a_table_by_columns_is_one_by_rows():
    loaded = load("convfinqa", CLEANED)
    assert list(passages(loaded, "row").values()) == [
        "2016; 2015",
        "sales; 2016: 120; 2015: 100",
        "costs; 2016: 80.5",
    ]


def test_joined_sentences_are_parted_again():
    assert list(passages(load("convfinqa", CLEANED), "text").values()) == [
        "the company sells wood .",
        "it also buys wood .",
        "costs rose .",
    ]


def test_an_original_dialogue_has_the_evidence_of_its_question():
    loaded = load("convfinqa", DIALOGUE)
    assert [question.executed_answer for question in loaded.questions] == ["120.0", "0.2"]
    assert [question.answers for question in loaded.questions] == [("120.0",), ("0.2",)]
    assert [each.question_id[-2:] for each in loaded.judgments] == ["#0", "#0", "#1", "#1"]


def test_the_second_half_of_a_dialogue_of_two_questions_has_its_own_evidence():
    record = {name: value for name, value in DIALOGUE.items() if name != "qa"}
    record |= {"qa_0": FINQA["qa"], "qa_1": FINQA["qa"] | {"gold_inds": {"text_0": "…"}}}
    record["annotation"] = record["annotation"] | {"qa_split": [0, 1]}
    references = [
        (each.question_id[-1], each.reference) for each in load("convfinqa", record).judgments
    ]
    assert references == [("0", "table_1"), ("0", "text_2"), ("1", "text_0")]


def test_a_single_turn_has_the_id_of_its_turn():
    loaded = load("convfinqa", TURN)
    assert loaded.questions[0].question_id == "Single_ABC/2016/page_7.pdf-2#1"
    assert loaded.questions[0].question_text == "and the growth?"
    assert judged(loaded) == [("table_1", "row", "ABC/2016/page_7.pdf#row-0-1")]


def test_questions_of_the_private_test_have_no_answers():
    questions = load("convfinqa", PRIVATE).questions
    assert [question.answers for question in questions] == [(), ()]
    assert all(question.is_answerable and question.program is None for question in questions)


# DocFinQA


def test_docfinqa_is_named_after_its_file_and_its_text():
    first, again = load("docfinqa", DOCFINQA), load("docfinqa", DOCFINQA)
    assert first.questions[0].question_id == "dev-4"
    assert first.questions[0].document_id == again.questions[0].document_id
    assert "Context" not in json.loads(first.original)


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("a b\n\nc d\n\ne f", 7, ["a b\nc d", "e f"]),
        ("a b c d", 3, ["a b", "c d"]),
        ("abcdef", 4, ["abcd", "ef"]),
        ("a b\nc d\n\ne", 5, ["a b", "c d\ne"]),
        (" \n\n ", 5, []),
    ],
)
def test_a_report_is_cut_into_passages_of_a_bounded_size(text, most, expected):
    assert split_passages(text, most) == expected


# TAT-QA


def test_tatqa_paragraphs_are_found_by_their_order():
    loaded = load("tatqa", TATQA)
    assert passages(loaded, "text") == {"text-0": "First.", "text-1": "Second."}


def test_tatqa_names_cells_in_mappings():
    assert judged(load("tatqa", TATQA)) == [
        ("paragraph 2", "text", "t1#text-1"),
        ("mappings [2, 1]", "cell", "t1#cell-0-2-1"),
    ]


def test_tatqa_keeps_kind_and_scale():
    (question,) = load("tatqa", TATQA).questions
    assert (question.answer_type, question.scale, question.is_list) == ("span", "million", False)


def test_a_row_has_all_its_headings():
    assert passages(load("tatqa", TATQA), "row")["row-0-2"] == "Sales; Years 2019: $1,496.5"


GRID = [["", "2019", "2018"], ["Sales", "$1,496.5", "200"], ["Other", "(44)", "200"]]


@pytest.mark.parametrize(
    ("sought", "expected"),
    [
        (["1496.5"], [(1, 1)]),
        (["44", "200"], [(2, 1), (2, 2)]),
        (["1,496.5", "200"], [(1, 1), (1, 2)]),
        (["200"], [(1, 2)]),
        (["other"], [(2, 0)]),
        (["2019", "2019"], [(0, 1)]),
        (["7"], []),
        ([""], []),
    ],
)
def test_cells_are_found_by_what_they_hold(sought, expected):
    assert find_cells(GRID, sought) == expected


def test_a_year_is_found_in_a_date():
    assert find_cells([["", "July 27, 2019", "2,019.5"]], ["2019"]) == [(0, 1)]


@pytest.mark.parametrize(
    ("derivation", "cells"),
    [
        ("(120 - 100)/100 * 100", ["[1, 1]", "[1, 2]"]),
        ("(120 + 100)/2", ["[1, 1]", "[1, 2]"]),
        ("120/100 - 1", ["[1, 1]", "[1, 2]"]),
        ("5 + 6", []),
    ],
)
def test_cells_of_a_derivation_are_its_operands(derivation, cells):
    record = copy.deepcopy(TATQA)
    record["table"]["table"] = [["", "a", "b"], ["Sales", "120", "100"], ["Other", "1", "2"]]
    record["questions"][0] |= {"answer_type": "arithmetic", "derivation": derivation}
    del record["questions"][0]["mappings"]
    found = [reference for reference, space, _ in judged(load("tatqa", record)) if space == "cell"]
    assert found == [f"derivation {cell}" for cell in cells]


@pytest.mark.parametrize(("derivation", "tables"), [("120 - 100", []), ("5 + 6", ["t1#table-0"])])
def test_the_whole_table_is_evidence_only_where_no_cell_is_found(derivation, tables):
    record = copy.deepcopy(TATQA)
    record["table"]["table"] = [["", "a", "b"], ["Sales", "120", "100"]]
    record["questions"][0] |= {"answer_type": "arithmetic", "derivation": derivation}
    del record["questions"][0]["mappings"]
    found = [place for _, space, place in judged(load("tatqa", record)) if space == "table"]
    assert found == tables


def test_an_answer_from_text_has_no_table_as_evidence():
    record = copy.deepcopy(TATQA)
    record["questions"][0] |= {"answer_from": "text", "mappings": [{"paragraph_2": [0, 3]}]}
    assert judged(load("tatqa", record)) == [("paragraph 2", "text", "t1#text-1")]


# MultiHiertt


def test_multihiertt_marks_of_tables_are_no_passages():
    assert passages(load("multihiertt", HIERTT), "text") == {
        "text-0": "Wood.",
        "text-2": "More wood.",
    }


def test_multihiertt_evidence_is_a_paragraph_or_a_cell():
    assert judged(load("multihiertt", HIERTT)) == [
        ("2", "text", "m1#text-2"),
        ("0-1-1", "cell", "m1#cell-0-1-1"),
    ]


def test_a_table_in_html_has_the_same_cells():
    html = (
        "<table><tr><td></td><th>2016 &amp; more</th></tr>"
        '<tr><td colspan="2">Sales<td>120</tr></table>'
    )
    loaded = load("multihiertt", HIERTT | {"tables": [html]})
    assert passages(loaded, "cell") == {
        "cell-0-0-1": "2016 & more",
        "cell-0-1-0": "Sales",
        "cell-0-1-2": "120",
    }


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ([["a"]], 1),
        ([["", "2016"]], 1),
        ([["", "x"], ["", "2016"], ["Sales", "1"]], 2),
        ([["", "x"], ["", "2016"]], 1),
        ([[""], [""], [""], [""], [""]], 3),
    ],
)
def test_headings_are_the_rows_at_the_top_without_a_label(grid, expected):
    assert count_headings(grid) == expected


def test_rows_of_unequal_length_are_read():
    assert row_texts([["", "a"], ["x", "1", "2"], []]) == ["a", "x; a: 1; 2", ""]


def test_a_label_has_no_heading():
    assert row_texts([["item", "2016"], ["sales", "1"]]) == ["item; 2016", "sales; 2016: 1"]


def test_positions_count_over_all_tables():
    grid = [["", "a"], ["x", "1"]]
    found = list(table_passages("d", [grid, grid]))
    rows = [(p.passage_id, p.position) for p in found if p.space == "row"]
    assert rows == [("d#row-0-0", 0), ("d#row-0-1", 1), ("d#row-1-0", 2), ("d#row-1-1", 3)]
    cells = [(p.passage_id, p.position) for p in found if p.space == "cell"]
    assert cells[3:] == [("d#cell-1-0-1", 5), ("d#cell-1-1-0", 6), ("d#cell-1-1-1", 7)]


# FinanceBench


def test_financebench_evidence_is_a_page_each_once():
    judgments = load("financebench", BENCH).judgments
    assert [(each.document, each.page, each.passage_id) for each in judgments] == [
        ("ABC_2016_10K", 59, "ABC_2016_10K#page-59"),
        ("ABC_2016_10K", 0, "ABC_2016_10K#page-0"),
    ]


@pytest.mark.parametrize("record", [PAGE, PAGE_FROM_1])
def test_pages_count_from_0(record):
    (page,) = load("page_table", record).passages
    assert (page.page, page.passage_id.rsplit("#", 1)[1], page.text) == (0, "page-0", "Cover")


def test_a_page_is_of_the_company_that_its_table_names():
    assert load("page_table", PAGE | {"company": "Alder Paints"}).passages[0].company == (
        "Alder Paints"
    )
    assert load("page_table", PAGE).passages[0].company is None


def test_a_page_without_words_is_still_there():
    assert load("page_table", PAGE | {"text": None}).passages[0].text == ""


def test_a_judged_answer_keeps_its_configuration():
    (answer,) = load("financebench_answers", VERDICT).predictions
    names = ("system", "configuration", "answer")
    assert [answer[name] for name in names] == ["m oracle", "oracle", "120"]
    assert (answer["label"], answer["label_by"]) == ("Refusal", "human")


def test_the_list_of_filings_keeps_its_fields():
    loaded = load("financebench_documents", {"doc_name": "ABC_2016_10K", "doc_period": 2016})
    assert json.loads(loaded.original)["doc_period"] == 2016


# Broken records

REQUIRED = [
    ("finqa", FINQA, ["id"]),
    ("finqa", FINQA, ["pre_text"]),
    ("finqa", FINQA, ["post_text"]),
    ("finqa", FINQA, ["table"]),
    ("finqa", FINQA, ["qa"]),
    *(("finqa", FINQA, ["qa", name]) for name in ("question", "program", "gold_inds", "exe_ans")),
    *(("finqa", SIMPLE, [name]) for name in ("question", "program", "answer")),
    ("convfinqa", CLEANED, ["id"]),
    ("convfinqa", CLEANED, ["doc"]),
    ("convfinqa", CLEANED, ["doc", "table"]),
    ("convfinqa", CLEANED, ["dialogue"]),
    *(
        ("convfinqa", CLEANED, ["dialogue", name])
        for name in ("conv_questions", "conv_answers", "turn_program", "executed_answers")
    ),
    ("convfinqa", DIALOGUE, ["annotation"]),
    ("convfinqa", DIALOGUE, ["annotation", "dialogue_break"]),
    ("convfinqa", TURN, ["annotation", "turn_ind"]),
    *(("docfinqa", DOCFINQA, [name]) for name in ("Context", "Question", "Answer")),
    ("tatqa", TATQA, ["table"]),
    ("tatqa", TATQA, ["table", "uid"]),
    ("tatqa", TATQA, ["table", "table"]),
    ("tatqa", TATQA, ["paragraphs"]),
    ("tatqa", TATQA, ["paragraphs", 0, "order"]),
    ("tatqa", TATQA, ["questions"]),
    *(
        ("tatqa", TATQA, ["questions", 0, name])
        for name in ("uid", "question", "answer", "answer_type", "answer_from", "rel_paragraphs")
    ),
    *(("multihiertt", HIERTT, [name]) for name in ("uid", "paragraphs", "tables", "qa")),
    *(
        ("multihiertt", HIERTT, ["qa", name])
        for name in ("question", "answer", "text_evidence", "table_evidence")
    ),
    *(
        ("financebench", BENCH, [name])
        for name in ("financebench_id", "doc_name", "question", "answer", "evidence")
    ),
    ("financebench", BENCH, ["evidence", 0, "evidence_page_num"]),
    ("financebench_documents", {"doc_name": "ABC"}, ["doc_name"]),
    *(("page_table", PAGE, [name]) for name in ("doc_name", "page_num", "text")),
    *(
        ("financebench_answers", VERDICT, [name])
        for name in ("financebench_id", "model_name", "eval_mode", "model_answer", "label")
    ),
]


def changed(record, path, change):
    record = copy.deepcopy(record)
    at = record
    for step in path[:-1]:
        at = at[step]
    change(at, path[-1])
    return record


def fault_of(name, record):
    with pytest.raises(RecordFaultError) as caught:
        load(name, record)
    return caught.value


@pytest.mark.parametrize(("name", "record", "path"), REQUIRED)
def test_a_record_without_a_field_says_so(name, record, path):
    fault = fault_of(name, changed(record, path, lambda at, last: at.pop(last)))
    assert (fault.code, fault.advice[:4]) == ("missing_field", "add ")
    assert str(path[-1]).lower() in fault.reason.lower()


MANGLED = [
    (name, record, path, value)
    for name, record, path in REQUIRED
    for value in ({"x": [{}]}, [[{"x": 1}]], True)
    # Any value is an answer of a system, and true may be a gold answer.
    if path[-1] != "model_answer" and (str(path[-1]).lower() != "answer" or value is not True)
]


@pytest.mark.parametrize(("name", "record", "path", "value"), MANGLED)
def test_a_field_of_another_kind_says_so(name, record, path, value):
    def replace(at, last):
        at[last] = value

    fault = fault_of(name, changed(record, path, replace))
    assert fault.code in ("bad_field", "missing_field")


WRONG = [
    ("finqa", FINQA, ["qa", "gold_inds"], {"figure_1": "x"}),
    ("finqa", FINQA, ["qa", "gold_inds"], {"text_x": "x"}),
    ("finqa", FINQA, ["table"], []),
    ("finqa", FINQA, ["table"], [["a", {"b": 1}]]),
    ("finqa", FINQA, ["qa", "question"], "  "),
    ("convfinqa", CLEANED, ["dialogue", "conv_answers"], ["120"]),
    ("convfinqa", CLEANED, ["dialogue", "conv_questions"], []),
    ("convfinqa", CLEANED, ["doc", "table"], {"2016": 3}),
    ("tatqa", TATQA, ["questions", 0, "rel_paragraphs"], ["3"]),
    ("tatqa", TATQA, ["questions", 0, "rel_paragraphs"], ["x"]),
    ("tatqa", TATQA, ["questions", 0, "mappings"], [{"table": [9, 9]}]),
    ("tatqa", TATQA, ["questions", 0, "mappings"], [{"table": [1]}]),
    ("tatqa", TATQA, ["questions", 0, "answer"], []),
    ("tatqa", TATQA, ["questions", 0, "scale"], 3),
    ("tatqa", TATQA, ["paragraphs", 1, "order"], 2),
    ("multihiertt", HIERTT, ["qa", "table_evidence"], ["0-9-1"]),
    ("multihiertt", HIERTT, ["qa", "table_evidence"], ["0-1"]),
    ("multihiertt", HIERTT, ["qa", "text_evidence"], [3]),
    ("multihiertt", HIERTT, ["qa", "text_evidence"], [-1]),
    ("multihiertt", HIERTT, ["tables"], ["<p>no table</p>"]),
    ("financebench", BENCH, ["evidence", 0, "evidence_page_num"], 2**40),
    ("financebench", BENCH, ["evidence", 0, "evidence_page_num"], 1.5),
    ("page_table", PAGE, ["page_num"], -1),
    ("page_table", PAGE_FROM_1, ["page"], 0),
    ("financebench_answers", VERDICT, ["model_answer"], float("nan")),
]


@pytest.mark.parametrize(("name", "record", "path", "value"), WRONG)
def test_a_value_that_leads_nowhere_is_a_fault(name, record, path, value):
    def replace(at, last):
        at[last] = value

    assert fault_of(name, changed(record, path, replace)).reason


def test_loading_does_not_change_the_record():
    before = copy.deepcopy(TATQA)
    load("tatqa", TATQA)
    assert before == TATQA
