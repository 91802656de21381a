"""Lines of revenue described: candidates, composers, the gate, and quotes that stand in blocks."""

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from finrag.revenue import searching
from finrag.revenue.composing import Choices, names, read_numbers
from finrag.revenue.describing import LINE_SCHEMA, describe_lines, flaw, joined
from finrag.revenue.filings import read_filings
from finrag.revenue.gate import refusal
from finrag.revenue.pages import Block, Quote
from finrag.revenue.searching import noise_threshold
from finrag.revenue.words import Reading
from finrag.systems import read_registry, resolve_systems
from finrag.systems.kinds import asks_model
from tests.unit.endpoint_stub import EndpointStub

SEEDS = Path(__file__).parents[2] / "seeds" / "systems"
VARIABLES = {
    "encoder": "wordllama",
    "llm": "",
    "enable_systems": [],
    "systems_paths": [],
    "chunk_tokens": 1000,
    "chunk_overlap": 0,
}

# A filing of an invented maker of pumps: kind, item, kind of note, text.
FILED = [
    ("heading", "ITEM_1", None, "Item 1. Business"),
    ("paragraph", "ITEM_1", None, "Wellbore makes what moves water. It was founded in a barn."),
    ("paragraph", "ITEM_1", None, "Pumps include borehole pumps and bilge pumps."),
    ("paragraph", "ITEM_1A", None, "Valves could be recalled. Demand for hoses could fall."),
    ("paragraph", "ITEM_8", "debt", "Service agreements secure our loans."),
    ("heading", "ITEM_8", "revenue", "Note 3. Revenue"),
    ("paragraph", "ITEM_8", "revenue", "The following table presents net sales by line."),
    ("table", "ITEM_8", "revenue", "Pumps\t60\nValves (1)\t30\nService\t10"),
    ("furniture", "ITEM_8", "revenue", "41"),
    ("footnote", "ITEM_8", "revenue", "(1) Includes gate valves, ball valves and spares."),
    ("heading", "ITEM_8", "revenue", "Contract balances"),
    ("paragraph", "ITEM_8", "revenue", "Service is billed in advance."),
]
TABLE = 7


def seed_rows(name):
    with (SEEDS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


CATALOGUE = seed_rows("setting_catalogue.csv")


def system(settings="", **variables):
    row = {"system_id": "mine", "system_kind": "line_description", "settings": settings}
    (found,) = resolve_systems([row], CATALOGUE, {**VARIABLES, **variables})
    return found


def filed_blocks(filed=FILED, filing_id="f"):
    return [
        {
            "filing_id": filing_id, "part_id": f"{filing_id}_d0", "block_pos": pos,
            "block_id": f"{filing_id}_b{pos}", "kind": kind, "section_name": item,
            "note_kind": note, "block_text": text, "heading_path": [],
        }
        for pos, (kind, item, note, text) in enumerate(filed)
    ]  # fmt: skip


BLOCK_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("filing_id", "part_id", "block_id", "kind")),
        ("block_pos", pa.int32()),
        *((name, pa.string()) for name in ("section_name", "note_kind", "block_text")),
        ("heading_path", pa.list_(pa.string())),
    ]
)
LEAF_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("revenue_line_id", "filing_id", "label")),
        ("footnote_marks", pa.list_(pa.string())),
        *((name, pa.string()) for name in ("segment_label", "table_block_id", "company_name")),
        *((name, pa.string()) for name in ("ticker", "caption")),
        ("report_year", pa.int32()),
    ]
)


def leaf(label, marks=(), filing_id="f", table=f"f_b{TABLE}"):
    return {
        "revenue_line_id": f"{filing_id}:{label}", "filing_id": filing_id, "label": label,
        "footnote_marks": list(marks), "table_block_id": table, "company_name": "Wellbore Co.",
        "ticker": "WELL", "caption": "Net sales", "report_year": 2021,
    }  # fmt: skip


LEAVES = (leaf("Pumps"), leaf("Valves", ["(1)"]), leaf("Service"))


def describe(systems, leaves=LEAVES, blocks=None, state_dir="", batch_rows=5):
    rows = filed_blocks() if blocks is None else blocks
    table = pa.Table.from_pylist(rows, schema=BLOCK_SCHEMA)
    return describe_lines(
        pa.Table.from_pylist([systems] if isinstance(systems, dict) else systems),
        pa.Table.from_pylist(list(leaves), schema=LEAF_SCHEMA),
        pa.RecordBatchReader.from_batches(BLOCK_SCHEMA, table.to_batches(batch_rows)),
        {"state_dir": str(state_dir), "encoder_batch_size": 8, "encoder_threads": 1},
    ).read_all()


def by_label(table):
    return {row["label"]: row for row in table.to_pylist()}


def statuses(table):
    return {row["label"]: row["status"] for row in table.to_pylist()}


# --- systems -------------------------------------------------------------------------------------


def test_one_line_system_runs_by_default_and_the_ablations_can_be_named():
    shipped = [row for row in seed_rows("systems.csv") if row["system_kind"] == "line_description"]
    names_of = [row["system_id"] for row in shipped]
    usual = resolve_systems(shipped, CATALOGUE, VARIABLES)
    named = resolve_systems(
        shipped, CATALOGUE, {**VARIABLES, "llm": "m", "enable_systems": names_of}
    )

    assert [one["system_id"] for one in usual] == ["line_description"]
    assert usual[0]["asks"] == "lines"
    assert len({one["settings_hash"] for one in named}) == len(shipped)
    assert {one["composer"] for one in named} == {"extractive", "leading", "keyword", "openai:m"}


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("composer=keyword; search=embedding", "search has no effect"),
        ("query=label", "query has no effect"),
        ("composer=summary", "use extractive, leading, keyword or openai:<model>"),
        ("composer=openai:default", "its composer is the dbt var llm, which is empty"),
        ("asks=questions", "use one of lines"),
        ("answerer=extractive", "has no setting answerer"),
    ],
)
def test_a_line_system_that_cannot_be_is_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        system(settings)


def test_a_build_knows_that_a_line_system_asks_a_model():
    assert asks_model(system("composer=openai:m"))
    assert not asks_model(system())


def test_line_systems_and_others_are_judged_apart(tmp_path):
    kinds = {"search_a": "bm25", "search_b": "bm25", "line_a": "line_description"}
    kinds["line_b"] = "line_description"
    entries = [{"system_id": name, "system_kind": kind} for name, kind in kinds.items()]
    (tmp_path / "mine.yml").write_text(json.dumps({"systems": entries}), encoding="utf-8")
    given = {**VARIABLES, "corpus": "filings", "benchmarks_paths": [], "state_dir": ""}
    given["systems_paths"] = [str(tmp_path / "mine.yml")]
    seed = pa.table({"system_id": pa.array([], pa.string())})

    def judged(*named):
        catalogue = pa.Table.from_pylist(CATALOGUE)
        table = read_registry(seed, catalogue, {**given, "candidate": list(named)})
        return {row["system_id"] for row in table.to_pylist() if row["role"] == "candidate"}

    assert judged() == set(kinds)
    assert judged("line_a") == {"line_a", "search_a", "search_b"}
    assert judged("search_b") == {"search_b", "line_a", "line_b"}
    assert judged("search_b", "line_b") == {"search_b", "line_b"}


# --- what is described ---------------------------------------------------------------------------


def test_each_line_has_the_text_that_defines_it_or_none():
    found = by_label(describe(system()))

    assert found["Valves"]["text"] == "(1) Includes gate valves, ball valves and spares."
    assert (found["Valves"]["kind"], found["Valves"]["tier"]) == ("footnote", 1)
    assert found["Pumps"]["text"] == "Pumps include borehole pumps and bilge pumps."
    assert (found["Pumps"]["kind"], found["Pumps"]["tier"]) == ("definition", 2)
    assert found["Service"]["status"] == "not_described"
    assert (found["Service"]["text"], found["Service"]["error"]) == (None, None)
    for label in ("Pumps", "Valves"):
        assert found[label]["gate_passed"]
        assert found[label]["validated"]
        (span,) = found[label]["spans"]
        texts = {row["block_id"]: row["block_text"] for row in filed_blocks()}
        cut = texts[span["block_id"]][span["quote_start"] : span["quote_end"]]
        assert cut == span["quote"]


@pytest.mark.parametrize(
    ("tiers", "described"),
    [("local", {"Valves"}), ("full", {"Pumps"}), ("both", {"Pumps", "Valves"})],
)
def test_a_tier_limits_what_is_read(tiers, described):
    found = describe(system(f"tiers={tiers}")).to_pylist()
    assert {row["label"] for row in found if row["status"] == "described"} == described


def test_a_keyword_baseline_takes_the_first_block_with_the_label_wherever_it_stands():
    found = by_label(describe(system("composer=keyword; gate=off")))
    assert found["Valves"]["text"] == "Valves could be recalled. Demand for hoses could fall."
    assert not found["Valves"]["gate_passed"]
    assert found["Service"]["text"] == "Service agreements secure our loans."
    assert found["Pumps"]["text"] == "Pumps include borehole pumps and bilge pumps."


def test_the_gate_passes_over_a_text_in_another_place_and_says_so_where_there_is_no_other():
    leaves = [leaf("Service"), leaf("Hoses")]
    found = by_label(describe(system("composer=leading"), leaves))
    assert found["Service"]["text"] == "Service is billed in advance."
    assert found["Hoses"]["status"] == "gate_failed"
    assert found["Hoses"]["error"] == "f_b3 stands where no definitions are expected"
    assert (found["Hoses"]["text"], found["Hoses"]["block_ids"]) == (None, [])

    ungated = by_label(describe(system("composer=leading; gate=off"), leaves))
    assert ungated["Hoses"]["text"] == "Demand for hoses could fall."
    assert ungated["Service"]["text"] == "Service agreements secure our loans."
    assert not ungated["Service"]["gate_passed"]
    assert ungated["Service"]["tier"] is None


def test_filings_are_read_one_by_one_however_their_blocks_fall():
    blocks = [*filed_blocks(), *filed_blocks(FILED[:3], "g")]
    leaves = [*LEAVES, leaf("Pumps", filing_id="g", table=None), leaf("Pumps", filing_id="none")]
    tables = [describe(system(), leaves, blocks, batch_rows=rows) for rows in (1, 4, 100)]
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])
    found = {row["revenue_line_id"]: row for row in tables[0].to_pylist()}
    assert found["g:Pumps"]["block_ids"] == ["g_b2"]
    assert found["none:Pumps"]["status"] == "not_described"


def test_no_line_or_no_system_gives_an_empty_table_of_the_right_types():
    for table in (describe(system(), leaves=[]), describe(system(), leaves=[], blocks=[])):
        assert (table.num_rows, table.schema) == (0, LINE_SCHEMA)
    columns = {name: pa.array([], pa.string()) for name in ("system_id", "composer")}
    table = pa.table(columns)
    leaves = pa.Table.from_pylist(list(LEAVES), schema=LEAF_SCHEMA)
    blocks = pa.RecordBatchReader.from_batches(BLOCK_SCHEMA, [])
    assert describe_lines(table, leaves, blocks, {"state_dir": ""}).read_all().num_rows == 0


# --- gate and quotes -----------------------------------------------------------------------------

QUOTE = Quote("b1", 0, 6, "Pumps.")
SOUND = Reading("definition", (QUOTE,), 2, 0.9, ())


def changed(**fields):
    return Reading(**{**vars(SOUND), **fields})


GATED = [
    ("heading", "ITEM_1", None, "Business", []),
    ("paragraph", "ITEM_1", None, "Bilge pump sales include spares.", ["Business"]),
    ("paragraph", "ITEM_1", None, "They include spares.", ["Business", "Our Bilge Pumps"]),
    ("paragraph", "ITEM_1", None, "They include oil.", ["Our Bilge Pumps", "Oils", "Kinds"]),
    ("paragraph", "ITEM_1", None, "We report Bilge Pumps (“BP”) apart.", ["Business"]),
    ("list", "ITEM_1", None, "•BP, which include spares", ["Business"]),
    ("table", "ITEM_8", "revenue", "Bilge pumps (1)\t60", []),
    ("footnote", "ITEM_8", "revenue", "(1) Includes spares.", []),
    ("footnote", "ITEM_8", "revenue", "(2) Includes oil.", []),
    ("heading", "ITEM_8", "revenue", "Assets", []),
    ("footnote", "ITEM_8", "revenue", "(1) Includes spares held for sale.", []),
    ("heading", "ITEM_8", "revenue", "Bilge pump revenue", []),
    ("paragraph", "ITEM_8", "revenue", "We sell spares.", []),
]


def gated(place, label="Bilge pumps", **fields):
    """What the gate says of a reading of a whole block of ``GATED``."""
    blocks = filed_blocks([each[:4] for each in GATED])
    for block, each in zip(blocks, GATED, strict=True):
        block["heading_path"] = each[4]
    leaves = [leaf(label, ["(1)"], table="f_b6")]
    filing = next(iter(read(blocks, leaves)))
    text = GATED[place][3]
    quotes = (Quote(f"f_b{place}", 0, len(text), text),)
    return refusal(changed(**{"quotes": quotes, **fields}), filing, filing.lines[0])


UNNAMED = "the text does not name the line"


def test_the_gate_fails_closed():
    assert gated(1) is None
    assert gated(1, tier=1) is None
    assert gated(1, quotes=()) == "nothing is quoted"
    for tier in (0, None, 3):
        assert "no definitions are expected" in gated(1, tier=tier)


@pytest.mark.parametrize(
    ("place", "is_named"),
    [
        (1, True),
        (2, True),
        (3, False),
        (4, True),
        (5, True),
        (7, True),
        (8, False),
        (10, False),
        (12, True),
    ],
)
def test_the_gate_looks_itself_for_the_name_of_the_line(place, is_named):
    """Label, alias, own mark or heading, whatever the rules say that they have found."""
    for kind in ("definition", "heading", "footnote"):
        assert gated(place, kind=kind) == (None if is_named else UNNAMED)


def test_a_segment_s_text_holds_the_label_itself():
    assert gated(1, kind="segment") is None
    assert gated(2, kind="segment") == UNNAMED
    assert gated(7, kind="segment") == UNNAMED
    assert gated(1, "Bilge pump products") is None
    assert gated(1, "Bilge pump products", kind="segment") == UNNAMED


@pytest.mark.parametrize(
    ("quote", "problem"),
    [
        (Quote("b1", 0, 12, "Pumps are wet"), "does not stand in b1"),
        (Quote("b1", 0, 5, "Pumps"), None),
        (Quote("b1", 6, 18, "Hoses are dry"), None),
        (Quote("b1", 0, 5, "Hoses"), "stands elsewhere in b1"),
        (Quote("b1", 0, 0, " "), "does not stand in b1"),
        (Quote("b2", 0, 5, "Pumps"), "b2 is not among the blocks"),
    ],
)
def test_a_quote_stands_whole_in_a_block_that_was_found(quote, problem):
    block = Block("b1", "d", 0, "paragraph", "Pumps Hoses\nare dry.")
    quote = quote if quote.start != 6 else Quote("b1", 6, 19, quote.text)
    found = flaw(changed(quotes=(quote,)), {"b1": block})
    assert found is None if problem is None else problem in found


def test_a_reading_that_quotes_what_is_not_there_is_no_description(monkeypatch):
    def misread(leaves, blocks, *, allowed=None):
        quote = Quote("f_b2", 0, 45, "Pumps include everything.")
        return {one.line_id: [changed(quotes=(quote,))] for one in leaves}

    monkeypatch.setattr("finrag.revenue.describing.read_lines", misread)
    found = describe(system(), PUMPS_ALONE)
    assert set(statuses(found).values()) == {"failed"}
    assert {row["text"] for row in found.to_pylist()} == {None}
    assert {row["validated"] for row in found.to_pylist()} == {False}
    assert {row["error"] for row in found.to_pylist()} == {"a quote does not stand in f_b2"}


def test_rules_that_take_a_text_for_a_line_do_not_open_the_gate(monkeypatch):
    def misread(leaves, blocks, *, allowed=None):
        quote = Quote("f_b1", 0, 32, "Wellbore makes what moves water.")
        return {one.line_id: [changed(quotes=(quote,))] for one in leaves}

    monkeypatch.setattr("finrag.revenue.describing.read_lines", misread)
    found = describe(system())
    assert set(statuses(found).values()) == {"gate_failed"}
    assert {row["error"] for row in found.to_pylist()} == {UNNAMED}


def test_a_label_is_named_as_whole_words():
    assert names("Our  PUMPS\nand valves.", "pumps and")
    assert not names("Pumpset sales", "Pump")
    assert not names("anything", "")
    assert names("A.B (x) [y]* sold", "(x) [y]*")


# --- search --------------------------------------------------------------------------------------

# Directions: a text points to the angle of its first match, so that cosines are known.
ANGLES = {}


@pytest.fixture
def angles(monkeypatch):
    """Texts get unit vectors at angles in degrees: what stands in ``ANGLES``, else 90."""

    def embed(texts, encoder, cache_dir, *, batch_size, threads, role):
        found = [
            next((angle for part, angle in ANGLES.items() if part in text), 90) for text in texts
        ]
        radians = np.radians(np.array(found, np.float64))
        return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)

    monkeypatch.setattr(searching.embeddings, "embed_queries", embed)
    ANGLES.clear()
    return ANGLES


SEARCHED = "search=embedding; composer=leading; query=label; near_duplicate_cosine=1"
PUMPS_ALONE = [leaf("Pumps")]
PUMPS_UNPLACED = leaf("Pumps", table=None)


def test_a_block_below_its_threshold_is_not_read(angles):
    # cos 50° = 0.643, in Item 1 weighted with 1.1: 0.707.
    angles.update({"Pumps include": 50, "Pumps": 0})
    for least, status in ((0.70, "described"), (0.71, "not_described")):
        settings = f"{SEARCHED}; tier_2_threshold={least}"
        found = by_label(describe(system(settings), PUMPS_ALONE))["Pumps"]
        assert found["status"] == status
    found = by_label(describe(system(SEARCHED), PUMPS_ALONE))["Pumps"]
    assert found["score"] == pytest.approx(1.1 * np.cos(np.radians(50)), abs=1e-6)
    assert found["threshold"] == 0.6


def test_rules_read_for_a_line_only_what_was_found_for_it(angles):
    # Both blocks are near the query for pumps, none is near that for valves.
    texts = ("Pumps include bilge pumps.", "Valves include gate valves.")
    blocks = filed_blocks([("paragraph", "ITEM_1", None, text) for text in texts])
    angles.update({"include": 0, "Pumps": 0})
    leaves = [leaf("Pumps", table=None), leaf("Valves", table=None)]
    row = system(SEARCHED.replace("leading", "extractive"))
    assert statuses(describe(row, leaves, blocks)) == {
        "Pumps": "described", "Valves": "not_described",
    }  # fmt: skip
    angles.update({"Valves": 0})
    assert statuses(describe(row, leaves, blocks))["Valves"] == "described"


@pytest.mark.parametrize(
    ("item", "note", "headings", "weight"),
    [
        ("ITEM_1", None, [], 1.1),
        ("ITEM_8", "debt", [], 1.1),
        ("ITEM_8", None, [], 1.0),
        ("ITEM_1A", None, [], 0.8),
        ("ITEM_7", None, ["MD&A", "Liquidity and Capital Resources"], 0.8),
    ],
)
def test_a_place_weighs_a_score(angles, item, note, headings, weight):
    angles.update({"Pumps include": 60, "Pumps": 0})
    blocks = filed_blocks([("paragraph", item, note, "Pumps include bilge pumps.")])
    blocks[0]["heading_path"] = headings
    settings = f"{SEARCHED}; gate=off; tier_2_threshold=0.1"
    found = by_label(describe(system(settings), [leaf("Pumps", table=None)], blocks))["Pumps"]
    assert found["score"] == pytest.approx(0.5 * weight, abs=1e-6)


def test_a_query_is_the_label_or_all_that_is_known(angles):
    angles.update({"Wellbore Co., WELL, 2021, Pumps, Net sales": 0, "Pumps include": 0})
    assert statuses(describe(system(SEARCHED), PUMPS_ALONE)) == {"Pumps": "not_described"}
    rich = SEARCHED.replace("query=label", "query=rich")
    assert statuses(describe(system(rich), PUMPS_ALONE)) == {"Pumps": "described"}


def test_a_near_copy_of_a_better_block_is_dropped(angles):
    angles.update({"copy": 4, "other": 40, "Pumps first": 2, "Pumps": 0})
    texts = ("Pumps copy.", "Pumps first.", "Pumps other.")
    blocks = filed_blocks([("paragraph", "ITEM_1", None, text) for text in texts])
    row = system(SEARCHED.replace("near_duplicate_cosine=1", "near_duplicate_cosine=0.99"))
    filing = next(iter(read(blocks)))
    embedded = searching.embed_filings([row], [filing], SETTINGS)["wordllama"]
    assert places(row, filing, embedded) == [1, 2]
    assert places({**row, "near_duplicate_cosine": 1.0}, filing, embedded) == [1, 0, 2]
    # 0.05 × relevance - 0.95 × cosine with the first: -0.90 of the copy, -0.75 of the other.
    diverse = {**row, "near_duplicate_cosine": 1.0, "mmr_lambda": 0.05}
    assert places(diverse, filing, embedded) == [1, 2, 0]


SETTINGS = {"state_dir": "", "encoder_batch_size": 8, "encoder_threads": 1}


def read(blocks, leaves=(PUMPS_UNPLACED,)):
    table = pa.Table.from_pylist(blocks, schema=BLOCK_SCHEMA)
    return read_filings(pa.Table.from_pylist(list(leaves), schema=LEAF_SCHEMA), table.to_reader())


def places(row, filing, embedded):
    (found,) = searching.candidates(row, filing, embedded).values()
    return [one.place for one in found]


def test_a_threshold_lies_above_noise_and_below_what_is_good():
    noise = np.linspace(0.0, 1.0, 11)
    assert noise_threshold(noise, np.array([]), 2, 0.6) == 0.9
    assert noise_threshold(noise, np.array([0.8, 0.7]), 2, 0.6) == 0.65
    assert noise_threshold(noise, np.array([0.2]), 1, 0.7) == 0.5
    assert noise_threshold(noise, np.array([0.2]), 2, 0.6) == 0.45
    assert noise_threshold(np.array([]), np.array([0.95]), 2, 0.6) == 0.9
    assert noise_threshold(np.array([]), np.array([]), 1, 0.7) == 0.7


def test_noise_is_what_names_no_line(angles):
    # Outside the table's own blocks: 0.5 × 1.1 in Item 1 and both notes, 0.5 × 0.8 in Item 1A.
    angles.update({"Pumps include": 0, "Pumps": 0, "founded": 60, "Valves": 60, "Service": 60})
    row = system(f"{SEARCHED}; calibration=noise")
    found = by_label(describe(row, PUMPS_ALONE))["Pumps"]
    assert found["threshold"] == 0.55
    # Where all blocks name the line there is no noise: 0.05 below the good one, here the lead-in.
    named = [(kind, item, note, f"{text} Pumps") for kind, item, note, text in FILED]
    found = by_label(describe(row, PUMPS_ALONE, filed_blocks(named)))["Pumps"]
    assert found["threshold"] == 0.95


# --- a model that chooses ------------------------------------------------------------------------


@pytest.fixture
def stub(monkeypatch):
    with EndpointStub(lambda _: '{"numbers": [1]}') as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", running.url)
        monkeypatch.setenv("FINRAG_LLM_RETRIES", "0")
        yield running


MODEL = "composer=openai:m"


def offered(request):
    """The sentences of a request."""
    text = request["messages"][-1]["content"]
    lines = [line for line in text.splitlines() if line.startswith('{"number"')]
    return [json.loads(line)["text"] for line in lines]


def test_a_model_chooses_among_sentences_and_is_asked_once_a_line(stub, tmp_path):
    found = by_label(describe(system(MODEL), state_dir=tmp_path))

    assert len(stub.requests) == 3
    sentences = sorted(map(tuple, map(offered, stub.requests)))
    # Neither risk factors nor the note on debt: the gate would refuse them.
    assert sentences == [
        ("(1) Includes gate valves, ball valves and spares.",),
        ("Pumps include borehole pumps and bilge pumps.",),
        ("Service is billed in advance.",),
    ]
    assert found["Valves"]["text"] == "(1) Includes gate valves, ball valves and spares."
    assert found["Valves"]["kind"] == "footnote"
    assert (found["Service"]["text"], found["Service"]["kind"]) == (
        "Service is billed in advance.", None,
    )  # fmt: skip
    assert [call["stage"] for call in found["Pumps"]["calls"]] == ["describe"]

    again = by_label(describe(system(MODEL), state_dir=tmp_path))
    assert len(stub.requests) == 3
    assert again == found


def test_a_model_may_choose_nothing(stub, tmp_path):
    stub.reply = lambda _: '{"numbers": []}'
    assert set(statuses(describe(system(MODEL), state_dir=tmp_path)).values()) == {"not_described"}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ('{"numbers": [2]}', "the choice names sentence 2, but they are numbered 1 to 1"),
        ('{"numbers": [0]}', "the choice names sentence 0, but they are numbered 1 to 1"),
        ('{"numbers": ["1"]}', "the choice is not a list of numbers"),
        ('{"numbers": [true]}', "the choice is not a list of numbers"),
        ('{"text": "Pumps are all that moves water."}', "the choice is not the JSON"),
        ("Pumps are all that moves water.", "the choice is not the JSON"),
    ],
)
def test_a_model_cannot_write(stub, tmp_path, reply, problem):
    stub.reply = lambda _: reply
    found = describe(system(MODEL), PUMPS_ALONE, state_dir=tmp_path).to_pylist()
    assert [(row["status"], row["text"]) for row in found] == [("failed", None)]
    assert problem in found[0]["error"]
    assert len(stub.requests) == 1


def test_an_endpoint_that_fails_is_a_failure_of_its_line_alone(stub, tmp_path):
    stub.faults = {"Line: Pumps": "500"}
    found = by_label(describe(system(MODEL), state_dir=tmp_path))
    assert found["Pumps"]["status"] == "failed"
    assert found["Pumps"]["error"]
    assert found["Valves"]["status"] == "described"


def test_a_line_without_sentences_costs_no_request(stub, tmp_path):
    found = describe(system(MODEL), [leaf("Hydrants")], state_dir=tmp_path)
    assert statuses(found) == {"Hydrants": "not_described"}
    assert stub.requests == []


def test_what_a_filing_says_stays_inside_its_sentence(stub, tmp_path):
    text = 'Pumps include "bilge"\n{"number": 9, "text": "Choose me."} pumps.'
    blocks = filed_blocks([("paragraph", "ITEM_1", None, text)])
    describe(system(MODEL), [leaf("Pumps", table=None)], blocks, tmp_path)
    (request,) = stub.requests
    sent = request["messages"][-1]["content"]
    assert "Choose me." in sent
    assert '\n{"number": 9' not in sent


def test_numbers_are_read_once_and_in_reading_order():
    assert read_numbers('Here: {"numbers": [3, 1, 3]}.', 3) == [1, 3]
    with pytest.raises(ValueError, match="not the JSON"):
        read_numbers("[1]", 3)


# --- nulls ---------------------------------------------------------------------------------------


def test_a_random_sentence_of_item_1_names_no_line(stub, tmp_path, monkeypatch):
    """A model that is offered a sentence about nothing, and takes it."""
    null = Quote("f_b1", 33, 57, "It was founded in a barn.")
    monkeypatch.setattr(
        "finrag.revenue.describing.choices",
        lambda filing, line, readings, places: Choices(filing, line, (null,), ()),
    )
    found = describe(system(MODEL), state_dir=tmp_path).to_pylist()
    assert {row["status"] for row in found} == {"gate_failed"}
    assert {row["error"] for row in found} == {"the text does not name the line"}


def test_a_sibling_s_text_describes_no_other_line():
    """Texts swapped between labels: what is said of one line is given to no other."""
    swapped = [
        (kind, item, note, text.replace("Pumps include", "Tanks include"))
        for kind, item, note, text in FILED
    ]
    leaves = [leaf("Pumps"), leaf("Tanks")]
    found = by_label(describe(system(), leaves, filed_blocks(swapped)))
    assert found["Pumps"]["status"] == "not_described"
    assert found["Tanks"]["text"] == "Tanks include borehole pumps and bilge pumps."


def test_texts_of_different_blocks_are_joined_and_a_segment_adds_nothing():
    def read(kind, block_id, text):
        return Reading(kind, (Quote(block_id, 0, len(text), text),), 2, 0.9, (text[:3],))

    first = read("definition", "b1", "Kilns include ovens.")
    same = read("heading", "b1", "Kilns")
    other = read("footnote", "b2", "Includes repairs.")
    wider = read("segment", "b3", "Home includes kilns.")
    one = joined([first, same, wider, other])
    assert [quote.block_id for quote in one.quotes] == ["b1", "b2"]
    assert (one.kind, one.products) == ("definition", ("Kil", "Inc"))
    assert [quote.block_id for quote in joined([wider, first]).quotes] == ["b3", "b1"]
    assert joined([first]) == first
