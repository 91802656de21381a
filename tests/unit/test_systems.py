"""The registry: what a system is, and what is said about one that cannot be."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.systems import read_registry, rerankers, resolve_systems, system_schema
from finrag.systems.kinds import has_vectors

SEEDS = Path(__file__).parents[2] / "seeds" / "systems"
VARIABLES = {
    "encoder": "wordllama",
    "llm": "",
    "enable_systems": [],
    "systems_paths": [],
    "chunk_tokens": 1000,
    "chunk_overlap": 0,
    "corpus": "filings",
    "benchmarks_paths": [],
    "state_dir": "",
}


def seed_rows(name):
    with (SEEDS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


CATALOGUE = seed_rows("setting_catalogue.csv")


def row(system_id="alpha", kind="bm25", settings="", **more):
    return {"system_id": system_id, "system_kind": kind, "settings": settings, **more}


def resolve(*rows, **variables):
    return resolve_systems(rows, CATALOGUE, {**VARIABLES, **variables})


def only(*rows, **variables):
    (system,) = resolve(*rows, **variables)
    return system


def variant_file(folder, text, name="mine.yml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [str(path)]


def test_every_shipped_system_can_be_run():
    shipped = seed_rows("systems.csv")
    systems = resolve(*shipped, llm="m", enable_systems=[one["system_id"] for one in shipped])
    assert [one["system_id"] for one in systems] == sorted(one["system_id"] for one in shipped)


def test_a_build_of_the_sample_runs_what_is_enabled_and_what_is_named():
    shipped = seed_rows("systems.csv")
    enabled = {one["system_id"] for one in shipped if one["is_enabled"] == "true"}
    systems = resolve(*shipped, corpus="sample", enable_systems=["dense_open_ivf"])
    assert {one["system_id"] for one in systems} == enabled | {"dense_open_ivf"}


FEW = {"multi_path", "dense_open", "naive_rag", "random_filtered", "random_open"}
FEW.add("line_description")


@pytest.mark.parametrize("corpus", ["filings", "sentences", "raw_filings", "edgar"])
def test_few_references_run_by_default_on_filings_of_ones_own(corpus):
    systems = resolve(*seed_rows("systems.csv"), corpus=corpus)
    assert {one["system_id"] for one in systems} == FEW


def test_other_systems_run_by_name_or_all_those_of_the_sample_by_one_word():
    shipped = seed_rows("systems.csv")
    enabled = {one["system_id"] for one in shipped if one["is_enabled"] == "true"}
    by_name = resolve(*shipped, enable_systems=["bm25_open"])
    by_word = resolve(*shipped, enable_systems="sample")
    both = resolve(*shipped, enable_systems=["sample", "dense_open_ivf"])

    assert {one["system_id"] for one in by_name} == FEW | {"bm25_open"}
    assert {one["system_id"] for one in by_word} == enabled
    assert {one["system_id"] for one in both} == enabled | {"dense_open_ivf"}


@pytest.mark.parametrize("fields", ["system_kind: bm25, compare_with: hybrid", "based_on: hybrid"])
def test_whom_a_system_is_compared_with_runs_as_well(tmp_path, fields):
    text = f"systems:\n  - {{system_id: mine, {fields}}}\n"
    systems = resolve(*seed_rows("systems.csv"), systems_paths=variant_file(tmp_path, text))
    assert {one["system_id"] for one in systems} == FEW | {"mine", "hybrid"}


def test_fusion_weights_and_wide_lists_ship_disabled_and_can_be_named():
    shipped = seed_rows("systems.csv")
    weighted = [one["system_id"] for one in shipped if "fusion=weighted" in one["settings"]]
    wide = [one["system_id"] for one in shipped if one["system_id"].endswith("_wide")]
    usual = {one["system_id"]: one for one in resolve(*shipped)}
    named = {one["system_id"]: one for one in resolve(*shipped, enable_systems=[*weighted, *wide])}

    assert not {*weighted, *wide} & set(usual)
    assert sorted(
        (named[name]["dense_weight"], named[name]["sparse_weight"]) for name in weighted
    ) == [(0.5, 0.5), (0.6, 0.4), (0.7, 0.3), (0.8, 0.2)]
    assert {named[name]["n_candidates"] for name in wide} == {500}


def test_defaults_are_filled_in_and_what_does_not_apply_is_absent():
    system = only(row(settings="bm25_k1=1.2"))
    assert (system["bm25_k1"], system["bm25_b"], system["depth"]) == (1.2, 0.75, 50)
    assert "encoder" not in system
    assert "prompt" not in system


def test_the_table_has_a_column_for_every_setting():
    seed = pa.Table.from_pylist([row(is_null=False, is_enabled=True, description="d")])
    table = read_registry(seed, pa.Table.from_pylist(CATALOGUE), VARIABLES)
    assert table.schema.equals(system_schema(CATALOGUE))
    assert {one["setting"] for one in CATALOGUE} <= set(table.schema.names)
    kinds = [table.schema.field(name).type for name in ("depth", "bm25_b", "abstain_below")]
    assert kinds == [pa.int32(), pa.float64(), pa.string()]
    assert table["encoder"].to_pylist() == [None]


def test_the_default_encoder_is_the_configured_one():
    assert only(row(kind="dense"))["encoder"] == "wordllama"
    assert only(row(kind="dense", settings="encoder=minilm"))["encoder"] == "minilm"


def test_the_order_of_the_catalogue_does_not_matter():
    system = row(kind="hybrid", settings="asks=questions; reranker=late_interaction")
    (one,) = resolve_systems([system], CATALOGUE, VARIABLES)
    (other,) = resolve_systems([system], reversed(CATALOGUE), VARIABLES)
    assert one == other
    assert one["rerank_depth"] == 50


def test_conditions_in_a_circle_are_refused():
    catalogue = [
        {**CATALOGUE[0], "setting": name, "kinds": "bm25", "only_with": f"{other}=a"}
        for name, other in (("one", "two"), ("two", "one"))
    ]
    with pytest.raises(ValueError, match="one, two goes in a circle"):
        resolve_systems([row()], catalogue, VARIABLES)


def test_a_set_is_written_in_the_order_of_the_catalogue():
    system = only(row(settings="regime=filtered; filter_fields=section + company"))
    assert system["filter_fields"] == "company+section"
    assert only(row(settings="regime=filtered"))["filter_fields"] == "company+year"
    assert "filter_fields" not in only(row(settings="regime=open"))


@pytest.mark.parametrize("fields", ["", "company+", "company|year", "cik"])
def test_an_unknown_field_of_a_filter_is_refused(fields):
    with pytest.raises(ValueError, match="name one or more of company, year, section"):
        resolve(row(settings=f"regime=filtered; filter_fields={fields}"))


def test_all_conditions_of_a_setting_must_hold():
    rules = only(row(kind="agent", settings="answerer=openai:m"))
    model = only(row(kind="agent", settings="policy=llm; answerer=openai:m; agent_prompt=rerank"))
    plain = only(row(kind="agent"))

    assert [one.get("prompt") for one in (rules, model, plain)] == ["answer_domain", None, None]


def test_an_agent_without_the_semantic_search_compares_no_vectors():
    both = only(row(kind="agent"))
    words = only(row(kind="agent", settings="tools=chunk_read+keyword_search"))

    assert (both["encoder"], words.get("encoder")) == ("wordllama", None)
    assert (has_vectors(both), has_vectors(words)) == (True, False)


def test_the_prompt_of_an_agent_is_that_of_its_answers(tmp_path, monkeypatch):
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "looking.md").write_text("# system\nLook.\n# user\n{question}\n")
    monkeypatch.chdir(tmp_path)
    settings = "policy=llm; answerer=openai:m; agent_prompt=looking"
    system = only(row(kind="agent", settings=settings))

    assert system["prompt_hash"] == json.loads(system["settings"])["agent_prompt_hash"]


def test_other_transcripts_are_another_system(tmp_path):
    path = tmp_path / "run.jsonl"
    hashes = set()
    for text in ("{}\n", "{ }\n"):
        path.write_text(text)
        system = only(row(kind="agent", settings=f"policy=replay; replay_path={path}"))
        hashes.add(system["settings_hash"])
    assert len(hashes) == 2


def test_off_is_null():
    for text, value in (("off", None), ("0.7", 0.7)):
        system = only(row(kind="multi_path", settings=f"mmr_lambda={text}"))
        assert system["mmr_lambda"] == value


def test_one_changed_setting_is_another_system():
    hashes = {
        only(row(settings=text))["settings_hash"]
        for text in ("", "depth=49", "bm25_b=0.7", "answerer=extractive", "regime=filtered")
    }
    assert len(hashes) == 5


def test_a_default_that_is_written_out_is_the_same_system():
    assert only(row())["settings_hash"] == only(row(settings="depth=50"))["settings_hash"]


def test_other_chunks_are_another_system_where_chunks_are_searched():
    for kind, n_systems in (("naive_rag", 2), ("agent", 2), ("dense", 1)):
        hashes = {only(row(kind=kind), chunk_overlap=n)["settings_hash"] for n in (0, 2)}
        assert len(hashes) == n_systems


def test_the_name_and_the_words_about_a_system_change_no_hash():
    same = {only(row())["settings_hash"], only(row("beta", description="b"))["settings_hash"]}
    assert len(same) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (row(kind="bm52"), "system_kind is bm52; use one of dense, bm25"),
        (row(kind=""), "system_kind is missing"),
        (row(settings="depht=10"), "has no setting depht; it has answerer, asks, bm25_b"),
        (row(settings="depth=0"), "depth is '0': use a whole number from 1 to 1000"),
        (row(settings="depth=ten"), "use a whole number"),
        (row(settings="bm25_b=nan"), "use a number from 0 to 1"),
        (row(settings="bm25_b=inf"), "use a number from 0 to 1"),
        (row(settings="depth"), "depth is ''"),
        (row(settings="regime=closed"), "use one of filtered, open"),
        (row(kind="multi_path", settings="mmr_lambda=2"), "from 0 to 1 or off"),
        (row(kind="hybrid", settings="reranker=late_interaction"), "reranker has no effect"),
        (row(settings="prompt=answer_domain"), "prompt has no effect"),
        (row(settings="asks=questions; rerank_depth=10"), "rerank_depth has no effect"),
        (row(kind="hybrid", settings="fusion=weighted; rrf_k=10"), "rrf_k has no effect"),
        (row(settings="encoder=minilm"), "system_kind bm25 has no setting encoder"),
        (row(kind="dense", settings="encoder=bert"), "unknown encoder 'bert'; valid forms"),
        (row(settings="answerer=gpt"), "use none, extractive or openai:<model>"),
        (row(settings="answerer=openai:"), "use none, extractive or openai:<model>"),
        (row(settings="answerer=openai:default"), "the dbt var llm, which is empty"),
        (row(settings="asks=questions; reranker=magic"), "late_interaction"),
        (row(settings="asks=questions; reranker=cross_encoder:./nowhere"), "there is no folder"),
        (row(settings="answerer=openai:m; prompt=nosuch"), "answer_domain"),
        (row(kind="external_file"), "predictions_path is ''"),
        (
            row(kind="external_file", settings="predictions_path=no/such"),
            "no/such does not exist; set predictions_path",
        ),
        (
            row(kind="external_http", settings="service_url=ftp://x"),
            "service_url is not an address",
        ),
        (row(kind="agent", settings="tools=chunk_read"), "an agent uses chunk_read to read what a"),
        (row(kind="agent", settings="tools=keyword_search"), "an agent uses chunk_read"),
        (row(kind="agent", settings="policy=llm; answerer=extractive"), "set answerer to openai:"),
        (row(kind="agent", settings="policy=replay"), "replay_path is ''"),
        (row(kind="agent", settings="agent_prompt=agent"), "agent_prompt has no effect"),
        (row(kind="agent", settings="policy=llm; prompt=answer_domain"), "prompt has no effect"),
        (row(system_id="Alpha"), "'Alpha' cannot name a system"),
        (row(system_id="gold"), "'gold' cannot name a system"),
        (row(is_enabled="yes"), "is_enabled is 'yes'; use true or false"),
        (row(basedon="x"), "unknown field basedon"),
        (row(based_on="nosuch"), "based_on 'nosuch' is not a system"),
        (row(based_on="alpha"), "leads back to itself"),
    ],
)
def test_a_system_that_cannot_be_is_named_with_what_would_be_valid(wrong, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        resolve(wrong)


def test_a_mistake_in_a_system_that_is_not_enabled_is_found_too():
    with pytest.raises(ValueError, match="depht"):
        resolve(row(settings="depht=10", is_enabled="false"))


def test_the_model_of_a_system_that_is_not_enabled_may_be_missing():
    assert resolve(row(settings="answerer=openai:default", is_enabled="false")) == []


def test_the_var_llm_is_the_default_model():
    system = only(row(settings="answerer=openai:default"), llm="small-model")
    assert system["answerer"] == "openai:small-model"


def test_a_name_stands_for_one_system():
    with pytest.raises(ValueError, match="there is a system alpha already"):
        resolve(row(), row(settings="depth=10"))


def test_an_unknown_name_in_enable_systems_lists_those_there_are():
    with pytest.raises(ValueError, match="names beta; available: alpha"):
        resolve(row(), enable_systems=["beta"])


def test_a_version_is_a_setting_of_an_outside_system():
    mine = row("mine", "external_http", "service_url=http://localhost:1")
    plain, told = (only(mine, system_versions=each) for each in ({}, {"mine": 1.4}))
    assert (plain["system_version"], told["system_version"]) == ("none", "1.4")
    assert plain["settings_hash"] != told["settings_hash"]


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        ({"other": "1"}, "system_versions names other; available: alpha"),
        ({"alpha": "1"}, "system_kind bm25 has no setting system_version"),
        (["alpha"], "system_versions is a mapping"),
    ],
)
def test_a_version_of_what_has_none_is_refused(versions, message):
    with pytest.raises(ValueError, match=message):
        resolve(row(), system_versions=versions)


def test_a_variant_takes_kind_and_settings_of_its_base(tmp_path):
    paths = variant_file(
        tmp_path,
        "systems:\n  - system_id: mine\n    based_on: alpha\n    settings: {depth: 20}\n",
    )
    alpha, mine = resolve(row(settings="bm25_k1=1.1"), systems_paths=paths)
    assert (mine["system_kind"], mine["bm25_k1"], mine["depth"]) == ("bm25", 1.1, 20)
    assert alpha["depth"] == 50
    assert mine["based_on"] == "alpha"


def test_a_variant_drops_what_its_base_set_for_a_choice_it_does_not_share(tmp_path):
    base = row(kind="hybrid", settings="fusion=rrf; rrf_k=10")
    paths = variant_file(
        tmp_path,
        "systems:\n  - {system_id: mine, based_on: alpha, settings: {fusion: weighted}}\n",
    )
    _, mine = resolve(base, systems_paths=paths)
    assert mine["fusion"] == "weighted"
    assert "rrf_k" not in mine


def test_variants_in_csv(tmp_path):
    text = "system_id,based_on,settings\nmine,alpha,depth=20; bm25_b=0.5\n"
    _, mine = resolve(row(), systems_paths=variant_file(tmp_path, text, "mine.csv"))
    assert (mine["depth"], mine["bm25_b"]) == (20, 0.5)


def test_a_csv_with_other_separators_is_named(tmp_path):
    text = "system_id;based_on\nmine;alpha\n"
    with pytest.raises(ValueError, match=r"mine\.csv, line 1: .* by semicolons; save the file as"):
        resolve(row(), systems_paths=variant_file(tmp_path, text, "mine.csv"))


def test_a_single_path_need_not_be_a_list(tmp_path):
    (path,) = variant_file(tmp_path, "systems:\n  - {system_id: mine, system_kind: bm25}\n")
    assert len(resolve(systems_paths=path)) == 1


def test_a_bare_off_in_yaml_is_off(tmp_path):
    text = "systems:\n  - {system_id: mine, system_kind: multi_path, settings: {mmr_lambda: off}}\n"
    assert only(systems_paths=variant_file(tmp_path, text))["mmr_lambda"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("systems: [", "is not YAML"),
        ("- a\n", "begin with 'systems:'"),
        ("systems:\n  - mine\n", "'name: value' pairs, not as 'mine'"),
        ("systems:\n  - system_id: m\n    system_kind: bm25\n    sorts: 1\n", "line 2: unknown"),
        ("systems:\n  - system_id: m\n    system_id: n\n", "system_id is given twice"),
        (
            "systems:\n  - {system_id: m, system_kind: bm25, settings: [1]}\n",
            "settings are written",
        ),
        ("systems:\n\n  - {system_id: m, system_kind: bm52}\n", "line 3"),
    ],
)
def test_a_variant_file_that_cannot_be_read_names_the_line(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        resolve(systems_paths=variant_file(tmp_path, text))


def test_a_system_is_compared_with_what_it_names_or_else_with_its_base(tmp_path):
    text = """
systems:
  - {system_id: tuned, based_on: alpha, settings: {depth: 20}}
  - {system_id: own, system_kind: bm25, compare_with: [tuned, alpha, tuned]}
  - {system_id: twin, based_on: alpha, compare_with: beta}
"""
    systems = resolve(row(), row("beta"), systems_paths=variant_file(tmp_path, text))
    assert {one["system_id"]: one["compare_with"] for one in systems} == {
        "alpha": [],
        "beta": [],
        "own": ["alpha", "tuned"],
        "tuned": ["alpha"],
        "twin": ["beta"],
    }


def test_partners_in_csv_stand_between_bars(tmp_path):
    text = "system_id,system_kind,compare_with\nmine,bm25,beta | alpha\n"
    systems = resolve(row(), row("beta"), systems_paths=variant_file(tmp_path, text, "mine.csv"))
    assert systems[-1]["compare_with"] == ["alpha", "beta"]


def test_another_partner_is_no_other_system(tmp_path):
    text = "systems:\n  - {system_id: mine, system_kind: bm25, compare_with: alpha}\n"
    alpha, mine = resolve(row(), systems_paths=variant_file(tmp_path, text))
    assert mine["settings_hash"] == alpha["settings_hash"]


def test_a_base_that_does_not_run_is_no_mistake(tmp_path):
    text = "systems:\n  - {system_id: mine, based_on: alpha}\n"
    mine = only(row(is_enabled="false"), systems_paths=variant_file(tmp_path, text))
    assert mine["compare_with"] == []


@pytest.mark.parametrize(
    ("partner", "message"),
    [
        ("nosuch", "compare_with names nosuch; available: alpha, asleep, mine"),
        ("mine", "compare_with names the system itself"),
        ("asleep", "compare_with names asleep, which this build does not run; name it in"),
        ("{alpha: 1}", "compare_with is written as a list of systems"),
        ("[[alpha]]", "compare_with is written as a list of systems"),
    ],
)
def test_a_partner_that_cannot_be_is_named(tmp_path, partner, message):
    text = f"systems:\n  - {{system_id: mine, system_kind: bm25, compare_with: {partner}}}\n"
    paths = variant_file(tmp_path, text)
    with pytest.raises(ValueError, match=message):
        resolve(row(), row("asleep", is_enabled="false"), systems_paths=paths)


def test_a_missing_variant_file_is_named():
    with pytest.raises(ValueError, match=r"no file at 'no/such\.yml'"):
        resolve(systems_paths=["no/such.yml"])


def test_a_changed_prompt_is_another_system(tmp_path, monkeypatch):
    (tmp_path / "prompts").mkdir()
    path = tmp_path / "prompts" / "answer_mine.md"
    monkeypatch.chdir(tmp_path)
    hashes = set()
    for words in ("Answer.", "Answer briefly."):
        path.write_text(f"# system\n{words}\n# user\n{{question}}\n{{context}}\n")
        system = only(row(settings="answerer=openai:m; prompt=answer_mine"))
        hashes.add((system["settings_hash"], system["prompt_hash"]))
    assert len(hashes) == 2


RERANK_SETTINGS = {
    "rerank_temperature": 0.0,
    "rerank_seed": 7,
    "n_repeats": 1,
    "rerank_max_output_tokens": 500,
    "rerank_response_format": "auto",
}


def test_a_language_model_that_reranks_has_settings_of_its_own():
    system = only(row(settings="asks=questions; reranker=llm:m"))
    assert {name: system[name] for name in RERANK_SETTINGS} == RERANK_SETTINGS
    assert "temperature" not in system


@pytest.mark.parametrize("name", RERANK_SETTINGS)
def test_no_other_reranker_has_them(name):
    settings = f"asks=questions; reranker=late_interaction; {name}={RERANK_SETTINGS[name]}"
    with pytest.raises(ValueError, match=f"{name} has no effect"):
        resolve(row(settings=settings))


def test_what_happens_when_a_reranker_fails_is_a_setting():
    system = only(row(settings="asks=questions; reranker=llm:m"))
    assert system["on_rerank_failure"] == "fail"
    with pytest.raises(ValueError, match="use one of fail, keep"):
        resolve(row(settings="asks=questions; reranker=llm:m; on_rerank_failure=ignore"))


def test_another_version_of_the_reranker_is_another_system(monkeypatch):
    text = "asks=questions; reranker=late_interaction"
    before = only(row(settings=text))
    monkeypatch.setattr(rerankers, "LATE_INTERACTION_VERSION", 99)
    after = only(row(settings=text))

    assert json.loads(before["settings"])["reranker_id"].startswith("late_interaction:1:")
    assert before["settings_hash"] != after["settings_hash"]


def test_other_files_of_a_cross_encoder_are_another_system(tmp_path):
    hashes = set()
    for content in ("{}", "{ }"):
        (tmp_path / "config.json").write_text(content)
        settings = f"asks=questions; reranker=cross_encoder:{tmp_path}"
        hashes.add(only(row(settings=settings))["settings_hash"])
    assert len(hashes) == 2


def test_a_system_without_a_reranker_has_no_id_of_one():
    assert "reranker_id" not in json.loads(only(row(settings="asks=questions"))["settings"])


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("answers.jsonl", "", "p3"),
        ("answers.jsonl", "; answer_sets=public", "public"),
        ("answers.jsonl", "; answer_sets=none", "none"),
        ("mine.run", "", "none"),
        ("mine.jsonl", "; predictions_format=trec", "none"),
        ("mine.run.gz", "; answer_sets=all", "none"),
        ("mine.trec", "; answer_sets=public", "public"),
        ("*", "", "p3"),
    ],
)
def test_a_run_is_for_rankings_alone(tmp_path, name, more, expected):
    names = ["answers.jsonl", "mine.run"] if name == "*" else [name]
    for one in names:
        (tmp_path / one).write_text("")
    settings = f"predictions_path={tmp_path / name}{more}"
    assert only(row(kind="external_file", settings=settings))["answer_sets"] == expected


def test_changed_predictions_are_another_system(tmp_path):
    path = tmp_path / "run.jsonl"
    hashes = set()
    for answer in ("4", "5"):
        path.write_text(json.dumps({"question_id": "q", "answer": answer}))
        settings = f"predictions_path={path}"
        hashes.add(only(row(kind="external_file", settings=settings))["settings_hash"])
    assert len(hashes) == 2


def given(folder, **lines):
    for name, record in lines.items():
        path = folder / "sets" / "finqa" / "predictions" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record) + "\n")
    seed = pa.Table.from_pylist([row("alpha")])
    variables = {**VARIABLES, "benchmarks_paths": [str(folder / "sets")]}
    table = read_registry(seed, pa.Table.from_pylist(CATALOGUE), variables)
    return {one["system_id"]: one for one in table.to_pylist()}


def test_a_system_met_in_the_folder_of_a_public_set_is_registered(tmp_path):
    systems = given(
        tmp_path,
        one={"question_id": "q", "answer": "7", "system": "gpt 4", "configuration": "oracle"},
        two={"question_id": "q", "answer": "7", "system": "alpha"},
        torn={"answer": "no question"},
    )
    assert list(systems) == ["alpha", "alpha (file)", "gpt 4 oracle"]
    met = systems["gpt 4 oracle"]
    assert (met["system_kind"], met["asks"], met["gold_sets"]) == (
        "external_file",
        "questions",
        ["finqa"],
    )
    assert met["predictions_path"] == "sets/finqa/predictions/one.jsonl"
    assert "sets/finqa/predictions/one.jsonl" in met["description"]
    assert systems["alpha"]["gold_sets"] is None


def test_another_answer_in_its_file_is_another_system(tmp_path):
    first = given(tmp_path, one={"question_id": "q", "answer": "7"})
    other = given(tmp_path, one={"question_id": "q", "answer": "8"})
    assert first["one"]["settings_hash"] != other["one"]["settings_hash"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("answerer=extractive", "all"),
        ("answerer=extractive; answer_sets=p3", "p3"),
        ("answerer=openai:m", "p3"),
        ("answerer=openai:m; answer_sets=all", "all"),
        ("", None),
    ],
)
def test_a_model_answers_public_sets_only_where_its_row_says_so(settings, expected):
    assert only(row(settings=settings)).get("answer_sets") == expected
