"""What a registered system may be, and which items it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from finrag.llm.endpoints import model_named
from finrag.systems.settings import SET_SIGN, SYSTEM_KINDS, Setting, Value, settings_of

REGIMES = ("filtered", "open")
ITEMS = ("anchors", "questions", "both", "lines")
ANCHOR_KINDS = ("dense", "bm25", "random", "hybrid")
EXTERNAL_KINDS = ("external_file", "external_http")
# Kinds that describe lines of revenue: they rank no passage and answer no question.
LINE_KINDS = ("line_description",)
# Kinds that choose their searches themselves, turn by turn, by calling tools.
AGENT_KINDS = ("agent",)
# What decides the calls of an agent: rules, a language model, a recorded transcript.
POLICIES = ("scripted", "llm", "replay")
SEARCH_TOOLS = ("keyword_search", "semantic_search")
READING_TOOL = "chunk_read"
# What a filtered search of a question goes by, where the system does not say.
FILTER_FIELDS = frozenset({"company", "year"})
# Kinds that search an index over the vectors of the corpus' texts.
INDEXED_KINDS = ("dense", "hybrid", "multi_path", *AGENT_KINDS)
# Kinds that read vectors at all, where the system has an encoder.
EMBEDDED_KINDS = (*INDEXED_KINDS, "naive_rag")


def check_system(system: Mapping[str, Any]) -> None:
    """Refuses a system that cannot be run as configured.

    Raises:
        ValueError: a kind, regime or kind of item that does not exist; a kind that cannot be
            asked with an anchor; a setting of what follows the search on a system that is
            asked with anchors or, where it needs vectors, has none.
    """
    for name, valid in (("system_kind", SYSTEM_KINDS), ("asks", ITEMS)):
        value = system.get(name, "anchors")
        if value not in valid:
            raise _refused(system, f"{name} '{value}' does not exist; use one of {_listed(valid)}")
    if system["system_kind"] in EXTERNAL_KINDS:
        return
    if system["regime"] not in REGIMES:
        raise _refused(
            system, f"regime '{system['regime']}' does not exist; use one of {_listed(REGIMES)}"
        )
    if system["system_kind"] == "naive_rag" and system["regime"] != "open":
        raise _refused(system, "system_kind naive_rag searches openly; set regime to open")
    if _spreads(system) and system["system_kind"] not in EMBEDDED_KINDS:
        raise _refused(
            system,
            f"{_listed(_spreads(system))} compare vectors, but system_kind "
            f"{system['system_kind']} has none; leave them off",
        )
    if asks(system, "anchors"):
        _check_anchored(system)


def check_settings(kind: str, settings: Mapping[str, Any]) -> None:
    """Refuses settings of an agent that do not fit one another; other kinds pass.

    Raises:
        ValueError: no tool that searches or none that reads, or a policy that needs a language
            model and has none.
    """
    if kind not in AGENT_KINDS:
        return
    tools = str(settings["tools"]).split(SET_SIGN)
    if READING_TOOL not in tools or not set(tools) & set(SEARCH_TOOLS):
        raise ValueError(
            f"tools is '{settings['tools']}': an agent uses {READING_TOOL} to read what a search "
            f"found; name it and one or more of {_listed(SEARCH_TOOLS)}"
        )
    if settings["policy"] == "llm" and not model_named(str(settings["answerer"])):
        raise ValueError(
            f"answerer is '{settings['answerer']}': with policy=llm a language model calls the "
            "tools and answers; set answerer to openai:<model>"
        )


def complete_settings(
    kind: str, written: Mapping[str, str], catalogue: Sequence[Setting]
) -> dict[str, Value]:
    """All settings of a kind, defaults filled in; those without effect are left out.

    Args:
        kind: of the system.
        written: settings as text.
        catalogue: see ``read_catalogue``.

    Raises:
        ValueError: the kind has no such setting, a value is not valid, or as ``check_settings``.
    """
    own = settings_of(catalogue, kind)
    unknown = sorted(set(written) - {setting.name for setting in own})
    if unknown:
        raise ValueError(
            f"system_kind {kind} has no setting {', '.join(unknown)}; "
            f"it has {', '.join(dict.fromkeys(setting.name for setting in own))}"
        )
    settings: dict[str, Value] = {}
    for setting in own:
        if not setting.applies(settings):
            continue
        text = written.get(setting.name, setting.default)
        try:
            settings[setting.name] = setting.read(text)
        except ValueError as error:
            raise ValueError(f"{setting.name} is '{text}': {error}") from None
    check_settings(kind, settings)
    return settings


def has_vectors(system: Mapping[str, Any]) -> bool:
    """Whether a system compares vectors: an agent without the semantic search has no encoder."""
    return system["system_kind"] in EMBEDDED_KINDS and system.get("encoder") is not None


def asks(system: Mapping[str, Any], items: str) -> bool:
    """Whether a system is to be run here on "anchors" or "questions"; never an external one."""
    if system["system_kind"] in EXTERNAL_KINDS:
        return False
    return system.get("asks", "anchors") in (items, "both")


def asks_model(system: Mapping[str, Any]) -> bool:
    """Whether a system asks a language model: to answer, to rerank or to describe a line."""
    is_reranker = str(system.get("reranker")).startswith("llm:")
    named = (str(system.get(name)) for name in ("answerer", "composer"))
    return is_reranker or any(model_named(name) for name in named)


def required(system: Mapping[str, Any], name: str) -> Any:
    """A setting that this kind of system cannot do without.

    Raises:
        ValueError: it is not set.
    """
    if system.get(name) is None:
        raise _refused(system, f"system_kind {system['system_kind']} needs {name}; set it")
    return system[name]


def filter_fields(system: Mapping[str, Any]) -> frozenset[str]:
    """The fields that a filtered search uses: company, year, section, form, segment."""
    named = system.get("filter_fields")
    return frozenset(named.split(SET_SIGN)) if named else FILTER_FIELDS


def is_reranked(system: Mapping[str, Any]) -> bool:
    """Whether a reranker is configured."""
    return system.get("reranker") not in (None, "none")


def _check_anchored(system: Mapping[str, Any]) -> None:
    if system["system_kind"] not in ANCHOR_KINDS:
        raise _refused(
            system,
            f"system_kind {system['system_kind']} cannot be asked with an anchor; "
            "set asks to questions",
        )
    follows = _spreads(system)
    if is_reranked(system):
        follows.append("reranker")
    if follows:
        raise _refused(system, f"{_listed(follows)} apply to questions only; set asks to questions")


def _spreads(system: Mapping[str, Any]) -> list[str]:
    """Settings that remove or reorder results which resemble one another."""
    names = ("near_duplicate_cosine", "mmr_lambda")
    return [name for name in names if system.get(name) is not None]


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)


def _refused(system: Mapping[str, Any], reason: str) -> ValueError:
    return ValueError(f"system {system['system_id']}: {reason}")
