"""The tools of an agent: each model below is both the schema of a tool and its validation.

Arguments are untrusted: they become neither SQL nor path nor pattern. Ids are looked up, words are
compared with words of the text, and control and bidirectional marks are refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from finrag.agents.steps import CHUNK_READ, KEYWORD_SEARCH, SEMANTIC_SEARCH, TOOLS

KEYWORD_CHARACTERS: Final = 80
QUERY_CHARACTERS: Final = 500
ID_CHARACTERS: Final = 200
MAX_KEYWORDS: Final = 8
MAX_RESULTS: Final = 20
MAX_READ: Final = 10
MAX_FILTERS: Final = 20
# Longer arguments are refused unread.
ARGUMENT_CHARACTERS: Final = 20_000
# Control, format (bidirectional marks among them), surrogate and unassigned characters.
_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Cn"})


def _plain(text: str) -> str:
    """The text, if it has words and no marks that change how it is shown.

    Raises:
        ValueError: it is blank or has such marks.
    """
    # None of these is printable, and that is the faster question.
    if not text.isprintable() and any(unicodedata.category(sign) in _REFUSED for sign in text):
        raise ValueError("control and bidirectional marks are not allowed")
    if not text.strip():
        raise ValueError("blank text is not allowed")
    return text.strip()


Keyword = Annotated[str, Field(max_length=KEYWORD_CHARACTERS), AfterValidator(_plain)]
Query = Annotated[str, Field(max_length=QUERY_CHARACTERS), AfterValidator(_plain)]
Id = Annotated[str, Field(max_length=ID_CHARACTERS), AfterValidator(_plain)]
Results = Annotated[int, Field(ge=1, le=MAX_RESULTS, description="How many chunks to return")]


class ToolArguments(BaseModel):
    """Arguments of a tool."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Filters(ToolArguments):
    """Which documents and sections are searched; an empty list searches all."""

    companies: Annotated[
        tuple[Keyword, ...],
        Field(max_length=MAX_FILTERS, description="Names of companies; empty for all"),
    ] = ()
    years: Annotated[
        tuple[Annotated[int, Field(ge=1900, le=2100)], ...],
        Field(max_length=MAX_FILTERS, description="Years of the reports; empty for all"),
    ] = ()
    sections: Annotated[
        tuple[Keyword, ...],
        Field(max_length=MAX_FILTERS, description="Sections such as ITEM_7; empty for all"),
    ] = ()


class KeywordSearch(ToolArguments):
    """Find chunks that contain some of the words, and the sentences that have most of them."""

    keywords: Annotated[
        tuple[Keyword, ...],
        Field(
            min_length=1, max_length=MAX_KEYWORDS, description="Words or short phrases of the text"
        ),
    ]
    top_k: Results = 5


class SemanticSearch(ToolArguments):
    """Find chunks whose sentences are near a query in meaning, and those sentences."""

    query: Annotated[Query, Field(description="What the text should say, in plain words")]
    top_k: Results = 5


class FilteredKeywordSearch(KeywordSearch, Filters):
    """Find chunks that contain some of the words, and the sentences that have most of them."""


class FilteredSemanticSearch(SemanticSearch, Filters):
    """Find chunks whose sentences are near a query in meaning, and those sentences."""


class ChunkRead(ToolArguments):
    """Read chunks in full, by the ids that searches returned; each can be read once."""

    chunk_ids: Annotated[
        tuple[Id, ...],
        Field(min_length=1, max_length=MAX_READ, description="Ids that searches returned"),
    ]


Search = KeywordSearch | SemanticSearch
_PLAIN: Final[Mapping[str, type[ToolArguments]]] = {
    KEYWORD_SEARCH: KeywordSearch,
    SEMANTIC_SEARCH: SemanticSearch,
    CHUNK_READ: ChunkRead,
}
_FILTERED: Final[Mapping[str, type[ToolArguments]]] = {
    **_PLAIN,
    KEYWORD_SEARCH: FilteredKeywordSearch,
    SEMANTIC_SEARCH: FilteredSemanticSearch,
}
NO_FILTERS: Final = Filters()


class ArgumentsError(ValueError):
    """Arguments that a tool does not take; the message is written for the model."""


def tool_model(tool_name: str, has_filters: bool) -> type[ToolArguments]:
    """The model of a tool's arguments.

    Raises:
        KeyError: there is no such tool.
    """
    return (_FILTERED if has_filters else _PLAIN)[tool_name]


def tool_schemas(tools: Collection[str], has_filters: bool) -> list[dict[str, Any]]:
    """The tools as functions of an OpenAI-compatible endpoint, in the order of ``TOOLS``.

    Args:
        tools: those that are offered.
        has_filters: whether searches take companies, years and sections.
    """
    return [_schema(name, tool_model(name, has_filters)) for name in TOOLS if name in tools]


def _schema(name: str, model: type[ToolArguments]) -> dict[str, Any]:
    parameters = model.model_json_schema()
    description = parameters.pop("description")
    parameters.pop("title")
    for one in parameters["properties"].values():
        one.pop("title", None)
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def read_arguments(tool_name: str, text: str, has_filters: bool) -> ToolArguments:
    """The arguments of a call.

    Args:
        tool_name: one of ``TOOLS``.
        text: JSON, untrusted.
        has_filters: whether searches take companies, years and sections.

    Raises:
        ArgumentsError: they are no JSON, or not what the tool takes; the message says where, and
            quotes nothing of them.
        KeyError: there is no such tool.
    """
    model = tool_model(tool_name, has_filters)
    if len(text) > ARGUMENT_CHARACTERS:
        raise ArgumentsError(
            f"{tool_name}: the arguments have {len(text)} characters; "
            f"at most {ARGUMENT_CHARACTERS} are read."
        )
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        problems = [_problem(one, model) for one in error.errors(include_url=False)]
        raise ArgumentsError(f"{tool_name}: {'; '.join(problems[:3])}.") from error


def _problem(error: Mapping[str, Any], model: type[ToolArguments]) -> str:
    """What is wrong and where; a field that the tool does not have is not named."""
    if error["type"] == "json_invalid":
        return "the arguments are not valid JSON; send one JSON object"
    if error["type"] == "extra_forbidden":
        return f"there is a field that it does not take; it takes {', '.join(model.model_fields)}"
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])
