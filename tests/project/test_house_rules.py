"""House rules over dbt's own manifest and the source files."""

import ast
import csv
import re
import subprocess
from pathlib import Path

import duckdb
import pytest
import yaml

from finrag.metrics import answers
from finrag.metrics.catalogue import needs_passages
from finrag.systems import gates

ROOT = Path(__file__).parents[2]
PYTHON_MODELS = sorted((ROOT / "python_models").rglob("*.py"))
SQL_MODELS = sorted((ROOT / "models").rglob("*.sql"))
ROOMS = {
    "sources",
    "sentences",
    "atlases",
    "bundles",
    "descriptions",
    "gold",
    "retrieval",
    "answers",
    "metrics",
    "gates",
    "reports",
}
GOLD_ANSWERS = {
    "judgments",
    "gold_p1",
    "gold_p2",
    "gold_p3",
    "item_answers",
    "stg_benchmarks__judgments",
    "int_judgments_mapped",
    "program_operands",
    "set_audit",
}
SEEDS = {path.stem for path in (ROOT / "seeds").rglob("*.csv")}
# What is read from filings and is not of one company, and why.
OF_ALL_COMPANIES = {
    "int_texts_repeated": "counts the sentences of all companies that say the same",
    "sentences": "says how many sentences of all companies say the same",
    "py_company_names_shortened": "a short name means one company and no other",
    "companies": "has these names",
    "sections": "is found under the company's short name",
    "chunks": "is headed by the company's short name",
    "documents": "says whether a name means one document of all",
    "passages": "is a view over what has the texts, public sets included",
}
# Suites hold answers; what a system may know of them passes through these doors.
SUITES = {"stg_p3__questions", "py_p3_rows_read", "stg_benchmarks__questions"}
WHAT_A_SYSTEM_MAY_SEE = {"items"}


@pytest.fixture(scope="module")
def models(manifest):
    return {
        node["name"]: node
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
    }


def is_private(name):
    return name.startswith(("int_", "py_"))


def parents(manifest, models, name):
    """Names of the models and seeds that a model reads."""
    read = models[name]["depends_on"]["nodes"]
    return {manifest["nodes"][one]["name"] for one in read}


def is_report(name):
    """Whether a model is a table of a page: no door, for only the export reads it."""
    return name.startswith("rpt_")


def is_door(name):
    return not is_private(name) and not is_report(name)


def test_every_model_lives_in_a_room(models):
    assert {node["schema"] for node in models.values()} == ROOMS
    assert all(node["group"] == node["schema"] for node in models.values())


def test_every_model_says_what_a_row_is(models):
    vague = [name for name, node in models.items() if not node["description"].startswith("One row")]
    assert vague == []


def test_doors_are_public_under_an_enforced_contract(models):
    doors = {name: node for name, node in models.items() if is_door(name)}
    assert len(doors) > 20
    for name, node in doors.items():
        assert node["access"] == "public", name
        assert node["config"]["contract"]["enforced"], name
        for column in node["columns"].values():
            assert column["data_type"], (name, column["name"])
            assert column["description"], (name, column["name"])


def test_everything_else_is_private(models):
    assert all(node["access"] == "private" for name, node in models.items() if is_private(name))


# dbt lets no exposure name a private model, so the reports are protected, and this holds them.
def test_no_other_room_reads_a_report(manifest, models):
    for name, node in models.items():
        if is_report(name):
            assert node["access"] == "protected", name
            assert not node["config"]["contract"]["enforced"], name
            readers = manifest["child_map"][node["unique_id"]]
            rooms = {manifest["nodes"][id]["schema"] for id in readers if id.startswith("model.")}
            assert rooms <= {"reports"}, name


def test_every_door_and_every_report_has_a_tested_key(manifest, models):
    tested = {
        node["attached_node"]
        for node in manifest["nodes"].values()
        if node["resource_type"] == "test"
        and node["test_metadata"]
        and node["test_metadata"]["name"] == "well_formed"
        and node["test_metadata"]["kwargs"].get("key")
    }
    keyed = [node["unique_id"] for name, node in models.items() if not is_private(name)]
    assert [model for model in keyed if model not in tested] == []


def test_a_company_local_model_reads_rows_of_its_company_and_seeds(manifest, models):
    local = {name for name, node in models.items() if node["config"]["meta"].get("company_local")}
    # In a shard the part stands for the door.
    doors = {name: node["config"]["meta"].get("company_part") for name, node in models.items()}
    allowed = {*SEEDS, *local, "stg_corpus__companies"}
    allowed |= {name for name, part in doors.items() if part in local}
    allowed |= {name for name in models if parents(manifest, models, name) <= SEEDS}
    assert len(local) > 30
    far = {name: parents(manifest, models, name) - allowed for name in local}
    assert {name: read for name, read in far.items() if read} == {}


def test_what_is_read_from_filings_is_company_local_or_says_why_not(manifest, models):
    read = {
        name
        for name in models
        if models[name]["schema"] in ("sentences", "atlases")
        and not parents(manifest, models, name) <= SEEDS
    }
    local = {name for name in read if models[name]["config"]["meta"].get("company_local")}
    assert read - local == OF_ALL_COMPANIES.keys()


def test_systems_under_test_never_descend_from_gold_answers(manifest, models):
    for node in models.values():
        if node["schema"] in ("retrieval", "answers"):
            seen = ancestors(manifest, node["unique_id"], stop_at=WHAT_A_SYSTEM_MAY_SEE)
            assert not (GOLD_ANSWERS | SUITES) & seen, node["name"]


def test_questions_of_public_sets_are_read_without_their_evidence(manifest, models):
    seen = ancestors(manifest, models["items"]["unique_id"])
    assert not {"stg_benchmarks__judgments", "judgments", "item_answers"} & seen


def test_items_tell_no_answer(models):
    assert set(models["items"]["columns"]) == {
        "item_id", "gold_set", "item_kind", "corpus_id", "document_id", "passage_id",
        "question_id", "question_text", "dialogue_id", "turn", "variant_of", "gold_version",
    }  # fmt: skip


def test_what_follows_from_a_gold_set_is_reached_from_it(manifest):
    for node in manifest["nodes"].values():
        if node["name"] in ("items", "judgments", "metric_summaries", "gate_breaches"):
            assert "gold_p3" in ancestors(manifest, node["unique_id"]), node["name"]


def test_gold_never_descends_from_a_system(manifest, models):
    for node in models.values():
        if node["schema"] == "gold":
            seen = ancestors(manifest, node["unique_id"])
            of_systems = {"rankings", "embeddings", "systems", "line_descriptions"}
            assert not of_systems & seen, node["name"]


def ancestors(manifest, unique_id, stop_at=frozenset()):
    names, waiting = set(), list(manifest["parent_map"][unique_id])
    while waiting:
        parent = waiting.pop()
        name = manifest["nodes"][parent]["name"]
        if name not in names:
            names.add(name)
            waiting.extend(() if name in stop_at else manifest["parent_map"][parent])
    return names


@pytest.mark.parametrize("path", PYTHON_MODELS, ids=lambda path: path.stem)
def test_python_models_only_wire(path):
    tree = ast.parse(path.read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    loops = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)

    assert [function.name for function in functions] == ["model"]
    assert functions[0].end_lineno - functions[0].lineno < 30
    assert not any(isinstance(node, loops) for node in ast.walk(tree))


def test_a_python_model_that_looks_at_the_clock_is_told_the_day(models):
    clocks = {path.stem for path in PYTHON_MODELS if "datetime.now(" in path.read_text()}
    told = {name for name in models if "as_of_date" in models[name]["config"]["meta"]}
    assert clocks == told != set()


# The rooms that make the sets, and the pages that show each set's own tables, name them.
MADE_HERE = r"'(?:p[123](?:_\w+)?|corpus)'"
NAMES_OF_SETS = re.compile(
    rf"gold_set\b[^\n]*{MADE_HERE}|(?<!gold_set_is\(){MADE_HERE}[^\n]*gold_set(?! *,| +as)"
)


@pytest.mark.parametrize(
    "path",
    [path for path in [*SQL_MODELS, *PYTHON_MODELS] if path.parent.name not in ("gold", "reports")],
    ids=lambda path: path.stem,
)
def test_kinds_of_gold_set_are_named_by_one_macro(path):
    assert NAMES_OF_SETS.findall(path.read_text()) == []


def test_sql_and_the_library_mean_the_same_gold_sets_and_metrics_of_passages():
    sets = (ROOT / "macros" / "gold_set_is.sql").read_text()
    of_kind = dict(re.findall(r"'(\w+)': \[(.*)\]", sets))
    assert set(re.findall(r"'(\w+)'", of_kind["filings"])) == set(gates.FILINGS_SETS)
    assert set(re.findall(r"'(\w+)'", of_kind["tables"])) == set(gates.TABLE_SETS)
    assert set(re.findall(r"'(\w+)'", "".join(of_kind.values()))) == set(gates.MADE_SETS)

    # Rules of answers, and what measures everything else.
    elsewhere = {"ranking", "judge", "labels", "steps", "summaries"}
    named = {row["measured_by"] for row in seed("catalogues/metric_catalogue")}
    assert named - elsewhere == set(answers.RULES)

    passages = (ROOT / "macros" / "needs_passages.sql").read_text()
    named = re.search(r"measured_by in \((.*)\)", passages)[1]
    rules = {row["measured_by"] for row in seed("catalogues/metric_catalogue")}
    assert set(re.findall(r"'(\w+)'", named)) == {
        rule for rule in rules if needs_passages({"measured_by": rule, "mode": "finrag"})
    }


def test_macros_stand_one_to_a_file_and_are_documented():
    for path in (ROOT / "macros").glob("*.sql"):
        text = path.read_text()
        macros = re.findall(r"\{% macro (\w+)\(", text)
        macros += [
            f"{name}_materialization" for name in re.findall(r"\{% materialization (\w+)", text)
        ]
        assert macros == [path.stem], path.name
        assert text.startswith("{#-"), path.name


def project_variables():
    return yaml.safe_load((ROOT / "dbt_project.yml").read_text())["vars"]


PATTERNS = [
    (group, rule)
    for group, rules in project_variables()["sentence_patterns"].items()
    for rule in rules
]


@pytest.mark.parametrize(("group", "rule"), PATTERNS)
def test_a_pattern_matches_its_example_and_not_its_counter_example(group, rule):
    assert is_match(rule["pattern"], rule["example"]), group
    assert not is_match(rule["pattern"], rule["counter_example"]), group


def is_match(pattern, text):
    query = "select regexp_matches(?, '(?i)' || ?)"
    return duckdb.execute(query, [text, pattern]).fetchall()[0][0]


# They change an exit status, or into how many files rows go, and nothing in the warehouse.
READ_BY_COMMANDS = {"allow_undecided", "shards"}


def test_every_variable_is_used_and_every_used_one_declared():
    texts = "\n".join(
        path.read_text()
        for folder in ("models", "macros", "python_models")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".sql", ".yml", ".py")
    )
    used = set(re.findall(r"var\(['\"](\w+)['\"]\)", texts))
    assert used == set(project_variables()) - READ_BY_COMMANDS


def test_the_lock_pins_every_dependency_with_the_hashes_of_its_files():
    text = (ROOT / "requirements.lock").read_text()
    entries = [entry.split() for entry in text.replace("\\\n", " ").splitlines()]
    locked = {entry[0].lower().replace("_", "-") for entry in entries}
    assert all(len(entry) > 1 for entry in entries)
    assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for e in entries for h in e[1:])
    project = (ROOT / "pyproject.toml").read_text()
    direct = re.findall(r'^    "([\w.-]+)==([\w.]+)",$', project, flags=re.MULTILINE)
    assert len(direct) > 10
    # Which file of torch is installed depends on the machine; `make install` pins its version.
    assert {
        f"{name.lower().replace('_', '-')}=={version}" for name, version in direct
    } - locked == {next(f"torch=={version}" for name, version in direct if name == "torch")}


def test_no_digest_of_content_is_taken_for_security():
    calls = [
        (path, call)
        for folder in ("src", "python_models", "tests", "bench")
        for path in (ROOT / folder).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] == "md5"
    ]
    plain = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call in calls
        if not any(ast.unparse(one) == "usedforsecurity=False" for one in call.keywords)
    ]
    assert len(calls) > 5
    assert plain == []


def test_files_name_no_machine():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    # Spelled so that this file does not find itself.
    forbidden = re.compile("/(" + "|".join(("work", "root", "home")) + r")/\w")
    named = [
        name
        for name in tracked
        if (ROOT / name).suffix in (".py", ".sql", ".md", ".yml", ".toml", ".csv", ".lock", "")
        and forbidden.search((ROOT / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert named == []


def seed(path):
    with (ROOT / "seeds" / f"{path}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measures():
    """Metric, cut-off, unit and mode of what the catalogues know."""
    rows = seed("catalogues/metric_catalogue") + seed("gates/gate_measures")
    return {(row["metric"], row["k"], row["unit"], row["mode"]) for row in rows}


@pytest.mark.parametrize(
    "path",
    [path for path in SQL_MODELS if path.parent.name == "reports"],
    ids=lambda path: path.stem,
)
def test_no_report_spells_a_metric(path):
    # The outcome of an answer has the name of the metric that counts it.
    names = {metric for metric, *_ in measures()} - {"answered"}
    text = re.sub(r"ref\('\w+'\)", "", path.read_text("utf-8"))
    assert names & set(re.findall(r"'([^'\n]*)'", text)) == set()


def test_figures_of_pages_are_metrics_of_the_catalogue():
    shown = {
        (row["metric"], row["k"], row["unit"], row["mode"])
        for row in seed("catalogues/page_figures")
    }
    assert shown - measures() == set()


def test_metrics_that_decide_are_shares_of_the_catalogue():
    shares = {
        (row["metric"], row["k"], row["unit"], row["mode"])
        for row in seed("catalogues/metric_catalogue")
        if row["value_kind"] == "share" and row["direction"] == "max"
    }
    deciding = seed("catalogues/deciding_metrics")
    assert {(row["metric"], row["k"], row["unit"], row["mode"]) for row in deciding} <= shares
    assert [row["place"] for row in deciding] == [str(n + 1) for n in range(len(deciding))]


def test_figures_of_pages_are_shown_somewhere():
    readers = {path.stem for path in SQL_MODELS} | {"summary", "report", "order_of_systems"}
    assert {row["shown_in"] for row in seed("catalogues/page_figures")} <= readers
