"""Your own system as a Python object: finds it, asks it a question and reads what it returns.

A function, LangChain's runnables (``invoke``), LlamaIndex's query engines (``query``) and anything
else that can be called are recognised by their methods; none of those packages is needed.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.command.evaluating.waiting import EventLoop
from finrag.sources.predictions.fields import ALIASES

_PLACE: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_ANSWERS: Final = ("answer", "predicted", "prediction", "response", "result", "output", "content")
_DOCUMENTS: Final = ("documents", "source_documents", "source_nodes", "context", "contexts", "docs")
_TEXTS: Final = ("page_content", "text", "content")
_IDS: Final = ("sentence_id", "passage_id", "sentence_ids", "passage_ids")
_COUNTS: Final = ("usage", "usage_metadata")
# A function learns which question it is asked by the question alone.
_OWN_KEYS: Final = frozenset((*ALIASES["item_key"], *ALIASES["question_text"]))
_MAX_DEPTH: Final = 8
# Python writes no longer number in digits.
_MAX_BITS: Final = 14_000
_ABSENT: Final = object()

Record = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """One question of gold, as far as a system may know it.

    Attributes:
        item_id: its item.
        text: what is asked.
        companies: names of the companies that were read from the question.
        years: the years that were read from it.
        documents: the document that a public set hands over with it.
        history: the questions before it in a dialogue, the first one first.
    """

    item_id: str
    text: str
    companies: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    history: tuple[str, ...] = ()


def load(place: str) -> Any:
    """The object at ``module:attribute``; modules of the working directory are found too.

    Raises:
        ValueError: there is no such module or attribute, or importing it failed.
    """
    if not _PLACE.fullmatch(place):
        raise ValueError(f"'{place}' does not name an object; write module:attribute")
    module, _, attribute = place.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except Exception as error:
        where = (
            "; its file must lie in this folder, or in one that PYTHONPATH names"
            if isinstance(error, ModuleNotFoundError)
            else ""
        )
        raise ValueError(
            f"{place} cannot be loaded: {type(error).__name__}: {error}{where}"
        ) from error
    return found


def fingerprint(system: Any, place: str = "") -> str:
    """SHA-256, in hex, of the files that the object's code stands in, and of its name.

    A chain, an engine or a ``functools.partial`` is of a class of its package, which no edit of
    the chain changes: the function that it wraps in ``func`` counts, and the module at ``place``.

    Args:
        system: the object.
        place: ``module:attribute`` that it was loaded from; "" for an object itself.
    """
    codes = [_code_of(one) for one in _wrapped(system)]
    files = [_file_of(one) for one in codes]
    if place:
        files.append(_file_of(sys.modules.get(place.partition(":")[0])))
    named = f"{getattr(codes[0], '__module__', '')}.{getattr(codes[0], '__qualname__', '')}\n"
    digest = hashlib.sha256(named.encode())
    for one in _wrapped(system):
        if isinstance(one, functools.partial):
            digest.update(repr(_values_of(one)).encode("utf-8", "replace"))
    for path in dict.fromkeys(one for one in files if one is not None):
        try:
            digest.update(path.read_bytes())
        except OSError:
            continue
    return digest.hexdigest()


def _wrapped(system: Any) -> list[Any]:
    """An object, what it wraps in ``func``, what that wraps, and so on."""
    found = [system]
    while len(found) < _MAX_DEPTH:
        inner = _attribute(found[-1], "func")
        if not callable(inner):
            break
        found.append(inner)
    return found


def _values_of(system: functools.partial[Any]) -> list[tuple[str, Any]]:
    """Texts and numbers that a partial gives; other objects look different in each process."""
    given = [
        *((str(place), one) for place, one in enumerate(system.args)),
        *system.keywords.items(),
    ]
    return sorted((name, one) for name, one in given if isinstance(one, (str, int, float)))


def _code_of(system: Any) -> Any:
    return inspect.unwrap(system) if inspect.isroutine(system) else type(system)


def _file_of(code: Any) -> Path | None:
    try:
        source = inspect.getsourcefile(code)
    except (OSError, TypeError):
        return None
    return Path(source) if source else None


def asker(system: Any, k: int, loop: EventLoop) -> Callable[[Question], Record]:
    """What asks an object one question and reads what it returned.

    Args:
        system: a function, an object with ``invoke`` or ``query``, or one that can be called.
        k: how many passages are wanted.
        loop: where it is waited for what is awaitable.

    Raises:
        ValueError: the object is none of these.
    """
    if inspect.isclass(system):
        raise ValueError(f"{system.__qualname__} is a class; name an instance of it, or a function")
    if inspect.isroutine(system):
        return _calling(system, k, loop)
    if callable(getattr(system, "invoke", None)):
        wrap = _input_of(system)
        return lambda question: read_result(loop.wait(system.invoke(wrap(question.text))))
    if callable(getattr(system, "query", None)):
        return lambda question: read_result(loop.wait(system.query(question.text)))
    if callable(system):
        return _calling(system, k, loop)
    raise ValueError(
        f"an object of the type {type(system).__qualname__} cannot be asked; give a function, or "
        "an object with invoke, query or __call__"
    )


def read_result(result: Any) -> Record:
    """The record of predictions of what a system returned, and its ``documents``.

    Raises:
        ValueError: it holds neither an answer, nor an abstention, an error, or passages; it is a
            tuple, or holds a field twice.
    """
    if isinstance(result, tuple):
        raise ValueError(
            "it returned a tuple; return a mapping with answer and documents, or a list of passages"
        )
    if isinstance(result, list):
        result = {"documents": result}
    if isinstance(result, Mapping):
        record: Record = _named(result)
    elif result is None or isinstance(result, (str, bool, int, float)):
        record = {"answer": result}
    else:
        record = {
            name: value
            for name in (*_ANSWERS, *_DOCUMENTS, *_COUNTS, "citations", "ranking", "abstained")
            if (value := _member(result, name, _ABSENT)) is not _ABSENT
            # An answer that is None says that there was none.
            and (value is not None or name in _ANSWERS)
        }
    answers = [record.pop(name) for name in _ANSWERS if name in record]
    documents = [record.pop(name) for name in _DOCUMENTS if _holds_documents(record.get(name))]
    counts = [record.pop(name) for name in _COUNTS if name in record]
    answer = next((one for one in answers if one is not None), None)
    if counts or _member(answer, "usage_metadata"):
        record["usage"] = counts[0] if counts else _member(answer, "usage_metadata")
    if answers:
        record["answer"] = _text(answer)
    if documents:
        record["documents"] = [_document(one) for one in documents[0]]
    needed = ("answer", "abstained", "error", "failure", "ranking", "documents")
    if all(record.get(name) is None for name in needed):
        raise ValueError("it returned neither an answer nor passages")
    plain: Record = _plain(record)
    return plain


def _named(result: Mapping[Any, Any]) -> Record:
    """The fields of a mapping by lower-case name, without those that name the question."""
    record: Record = {}
    for given, value in result.items():
        name = str(given).strip().lower()
        if name in record:
            raise ValueError(f"it returned {name} twice, in different capitals")
        if name not in _OWN_KEYS:
            record[name] = value
    return record


def _calling(system: Callable[..., Any], k: int, loop: EventLoop) -> Callable[[Question], Record]:
    parameters: Mapping[str, inspect.Parameter]
    try:
        parameters = inspect.signature(system).parameters
    except (TypeError, ValueError):
        parameters = {}
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())

    def ask(question: Question) -> Record:
        given = {
            "companies": list(question.companies),
            "years": list(question.years),
            "documents": list(question.documents),
            "k": k,
            "history": list(question.history),
        }
        wanted = {name: value for name, value in given.items() if name in parameters}
        if "question" in parameters or takes_all:
            return read_result(loop.wait(system(question=question.text, **wanted)))
        return read_result(loop.wait(system(question.text, **wanted)))

    return ask


def _input_of(runnable: Any) -> Callable[[str], Any]:
    """How a runnable wants its question: by name where its schema has a field for one."""
    try:
        schema = runnable.get_input_schema().model_json_schema()
    except Exception:  # the code is a user's: a schema that cannot be made names no field
        return lambda text: text
    fields = schema.get("properties", {}) if schema.get("type") == "object" else {}
    name = next((one for one in ("question", "input", "query") if one in fields), "")
    return lambda text: {name: text} if name else text


def _member(value: Any, name: str, absent: Any = None) -> Any:
    """An attribute that is a value, or ``absent``."""
    if value is None or isinstance(value, (str, int, float, Mapping)):
        return absent
    found = _attribute(value, name, absent)
    return absent if callable(found) else found


def _attribute(value: Any, name: str, absent: Any = None) -> Any:
    try:
        return getattr(value, name, absent)
    except Exception:  # the code is a user's: what cannot be computed is not there
        return absent


def _holds_documents(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _text(value: Any) -> Any:
    """The words of an answer: of a message those it holds."""
    for name in ("content", "response", "answer"):
        inner = _member(value, name)
        if isinstance(inner, str):
            return inner
    return value


def _document(value: Any) -> Record:
    """Text and ids of a passage that was retrieved."""
    if isinstance(value, tuple) and value:
        value = value[0]
    value = _member(value, "node") or value
    if isinstance(value, str):
        return {"text": value, "ids": []}
    if isinstance(value, Mapping):
        metadata = value.get("metadata") or value
        text = next((value[name] for name in _TEXTS if isinstance(value.get(name), str)), "")
    else:
        metadata = _member(value, "metadata") or {}
        members = (_member(value, name) for name in _TEXTS)
        text = next((one for one in members if isinstance(one, str)), "")
    return {"text": text, "ids": document_ids(metadata)}


def document_ids(metadata: Any) -> list[str]:
    """Ids of sentences or passages in the metadata of a passage."""
    named = metadata if isinstance(metadata, Mapping) else {}
    value: Any = next((named[name] for name in _IDS if named.get(name)), [])
    return [str(one) for one in (value if isinstance(value, (list, tuple)) else [value])]


def _plain(value: Any, depth: int = 0) -> Any:
    """A value as a file of records can hold it: what it cannot becomes its text."""
    # A number of numpy stands for the one that it holds.
    value = value.item() if getattr(value, "shape", None) == () else value
    # NaN stays: what reads records says what it means in which field.
    if value is None or isinstance(value, (bool, int, float)):
        if isinstance(value, int) and value.bit_length() > _MAX_BITS:
            return math.inf if value > 0 else -math.inf
        return value
    if depth < _MAX_DEPTH and isinstance(value, Mapping):
        return {_plain(str(name)): _plain(one, depth + 1) for name, one in value.items()}
    if depth < _MAX_DEPTH and isinstance(value, (list, tuple, set, frozenset)):
        ordered = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return [_plain(one, depth + 1) for one in ordered]
    return str(value).encode("utf-8", "replace").decode("utf-8")
