"""Sentences that do, or do not, attribute something that happened to a topic such as currency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pyarrow as pa

from finrag.atlases.connectors import (
    CONNECTORS,
    OFFSETS,
    CauseClause,
    Clauses,
    effect_end,
    lowered,
    read_clauses,
)
from finrag.atlases.labels import alternatives
from finrag.records.columns import nullable, required
from finrag.records.vocabulary import read_vocabulary
from finrag.text.phrases import MAX_SENTENCE_CHARACTERS, order_texts, trim
from finrag.text.statements import direction_said

CAUSE_SCHEMA = pa.schema(
    [
        *required(pa.string(), "text_hash", "topic"),
        *required(pa.bool_(), "is_explicit_attribution", "is_certain"),
        *required(pa.bool_(), "is_hypothetical", "is_offset"),
        *nullable(pa.string(), "connector", "effect_text", "effect_direction", "cause_text"),
    ]
)

MAX_EFFECT_WORDS = 18
MAX_SUBJECT_GAP = 60

_VOCABULARY: Final = read_vocabulary(__file__)
_POSSIBLE = _VOCABULARY.pattern("possible")
_EXPECTED = _VOCABULARY.pattern("expected")
_CHANGED = _VOCABULARY.pattern("changed")
_ADJECTIVE_AFTER = _VOCABULARY.pattern("adjective_after")
_INFLUENCE = _VOCABULARY.pattern("influence")
_VERBS = _VOCABULARY.texts["verbs"]
_NEEDS_READING = rf"\b(?:{'|'.join(CONNECTORS.values())}|{OFFSETS}|{_VERBS})"
_NOT_BEFORE = _VOCABULARY.pattern("not_before")
_TIME_BEFORE = _VOCABULARY.pattern("time_before")
_REVERSED = _VOCABULARY.pattern("reversed")
_NOT_A_CAUSE_AFTER = _VOCABULARY.pattern("not_a_cause_after")
_VERB = _VOCABULARY.pattern("verb")
_SUBJECT = _VOCABULARY.pattern("subject")
_VERB_DIRECTION = (
    ("increase", re.compile(r"\b(?:increased|raised)\b")),
    ("decrease", re.compile(r"\b(?:reduced|decreased|lowered|hurt|depressed)\b")),
)
_EARLIER = re.compile(r"\b(?:prior|previous|last)[ -](?:fiscal )?(?:year|period|quarter)")
_PASSIVE = re.compile(r"\b(?:was|were|been|also)(?: \w+){0,2} $")
_AND_CHANGED = re.compile(r"\band (?:increased|decreased|declined|fell|rose|grew)\b")
_CIRCUMSTANCE = _VOCABULARY.pattern("circumstance", re.IGNORECASE)
_INTRO = _VOCABULARY.pattern("intro", re.IGNORECASE)
_BARE = _VOCABULARY.pattern("bare", re.IGNORECASE)
_ACTOR = re.compile(r"\b(?:we|company|there)$")
_OBJECT_VERB = _VOCABULARY.pattern("object_verb")
_AMOUNT = re.compile(r",| by \$?\d| to \$?\d| from \$?\d")
_UNCLEAR = _VOCABULARY.pattern("unclear", re.IGNORECASE)
_AND_CLAUSE = re.compile(r",? and ")


class _Reading(NamedTuple):
    """What a text says of one occurrence of a cue; the last columns of the schema, in order."""

    is_explicit: bool = False
    is_certain: bool = False
    is_hypothetical: bool = False
    is_offset: bool = False
    connector: str | None = None
    effect_text: str | None = None
    effect_direction: str | None = None
    cause_text: str | None = None


def find_causes(texts: pa.Table, topics: pa.Table) -> pa.Table:
    """What each text says of each topic it names: is something that happened attributed to it?

    An attribution is explicit where the topic's cue stands in the cause clause of a connector
    (due to, driven by, as a result of …) whose effect is stated as a fact, or where the cue is
    the subject of a verb with a measured effect ("foreign currency reduced net sales by 3%";
    connector "verb"). A cause that could come, one that offsets the change or is excluded from
    it, and a mere mention are none.

    Args:
        texts: distinct texts, ``text_hash`` and ``sentence_text``.
        topics: ``topic``, ``pattern``; several rows of a topic are alternatives. Patterns are
            for text in lower case with plain apostrophes.

    Returns:
        Rows of ``CAUSE_SCHEMA``, one per text and topic named in it, by text_hash and
        topic. ``is_certain`` marks rows fit for a question: attributions whose words leave no
        room, and mentions without any word of influence; the rest is arguable either way.
        ``effect_text`` is the noun phrase of what is attributed, null where it is a pronoun or
        is not clear.

    Raises:
        ValueError: a null text, by its text_hash; a pattern that is no regular expression, by
            its topic.
    """
    import pyarrow.compute as pc

    patterns = _compiled(topics)
    ordered = order_texts(texts)
    column = pc.replace_substring(pc.utf8_lower(ordered["sentence_text"]), "’", "'")
    named = {
        topic: pc.match_substring_regex(column, pattern.pattern).to_pylist()
        for topic, pattern in patterns.items()
    }
    # Most texts say nothing that needs reading: whole columns tell which, far faster.
    to_read = pc.and_(
        pc.match_substring_regex(column, _NEEDS_READING),
        pc.less_equal(pc.utf8_length(column), MAX_SENTENCE_CHARACTERS),
    ).to_pylist()
    possible = pc.match_substring_regex(column, _POSSIBLE.pattern).to_pylist()
    influence = pc.match_substring_regex(column, _INFLUENCE.pattern).to_pylist()
    hashes, sentences = (column.to_pylist() for column in ordered.columns)
    rows: list[tuple[Any, ...]] = []
    for place, text_hash in enumerate(hashes):
        found = {topic: patterns[topic] for topic, is_named in named.items() if is_named[place]}
        if to_read[place]:
            read = _attributions_in(sentences[place], found)
            rows.extend((text_hash, *row) for row in read)
            continue
        is_clean = not influence[place] and not possible[place]
        mention = _Reading(is_certain=is_clean, is_hypothetical=possible[place])
        rows.extend((text_hash, topic, *mention) for topic in found)
    columns = zip(*rows, strict=True) if rows else ([] for _ in CAUSE_SCHEMA)
    arrays = [
        pa.array(values, field.type) for values, field in zip(columns, CAUSE_SCHEMA, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=CAUSE_SCHEMA)


def _compiled(topics: pa.Table) -> Mapping[str, re.Pattern[str]]:
    rows = topics.select(["topic", "pattern"]).to_pylist()
    for row in rows:
        try:
            re.compile(row["pattern"])
        except re.error as error:
            raise ValueError(f"pattern of topic {row['topic']} cannot be read: {error}") from error
    found = alternatives((row["topic"], row["pattern"]) for row in rows)
    return {topic: re.compile(pattern) for topic, pattern in found.items()}


def _attributions_in(
    sentence: str, patterns: Mapping[str, re.Pattern[str]]
) -> Iterator[tuple[Any, ...]]:
    """Topic and the reading of each topic named in a text."""
    text = lowered(sentence)
    clauses = read_clauses(text)
    for topic, pattern in patterns.items():
        readings = [_read_cue(sentence, text, cue, clauses) for cue in pattern.finditer(text)]
        if not readings:
            continue
        best = max(readings, key=lambda r: (r.is_explicit and r.is_certain, r.is_explicit))
        if not best.is_explicit and not all(reading.is_certain for reading in readings):
            best = best._replace(is_certain=False)
        yield (topic, *best)


def _read_cue(sentence: str, text: str, cue: re.Match[str], clauses: Clauses) -> _Reading:
    governing = [c for c in clauses.causes if c.connector_end <= cue.start() < c.cause_end]
    if governing:
        return _read_cause(sentence, text, cue, governing[-1], clauses)
    is_offset = clauses.is_offset(cue.start())
    verb = None if is_offset else _read_verb(sentence, text, cue)
    if verb is not None:
        return verb
    is_hypothetical = bool(_POSSIBLE.search(text))
    is_clean = not clauses.causes and not is_offset and not _INFLUENCE.search(text)
    return _Reading(
        is_certain=is_clean and not is_hypothetical,
        is_hypothetical=is_hypothetical,
        is_offset=is_offset,
    )


def _read_cause(
    sentence: str,
    text: str,
    cue: re.Match[str],
    clause: CauseClause,
    clauses: Clauses,
) -> _Reading:
    first = next(c for c in clauses.causes if c.clause_start == clause.clause_start)
    is_offset = clause.is_offset or clauses.is_offset(cue.start())
    words = text[clause.clause_start : clause.cause_end]
    is_hypothetical = bool(_POSSIBLE.search(words))
    leading = not trim(_INTRO.sub("", text[first.clause_start : first.connector_start]))
    if leading:
        effect = _effect_after(sentence, text, cue.end(), clause)
    else:
        effect = _effect_before(sentence, text, first)
    happened, effect_text, direction = effect
    if clause.name == "affected by":
        happened = happened and bool(_PASSIVE.search(text[: clause.connector_start]))
        direction = None
    if _AND_CHANGED.search(text, first.connector_end, clause.connector_start):
        direction = None
    is_explicit = happened and not is_hypothetical and not is_offset
    between = text[clause.connector_end : cue.start()]
    arguable = (
        _EXPECTED.search(words)
        or _NOT_BEFORE.search(text[: clause.connector_start])
        or _TIME_BEFORE.search(between)
        or _REVERSED.search(between)
        or _NOT_A_CAUSE_AFTER.search(text[cue.end() :])
        or _EARLIER.search(text[first.connector_end : clause.connector_start])
        or clause.name == "because"
    )
    negated = _NOT_BEFORE.search(text[: clause.connector_start])
    return _Reading(
        is_explicit=is_explicit and not negated,
        is_certain=is_explicit and not arguable,
        is_hypothetical=is_hypothetical,
        is_offset=is_offset,
        connector=clause.name,
        effect_text=effect_text,
        effect_direction=direction,
        cause_text=trim(sentence[clause.connector_end : _cause_end(text, clause, leading)]) or None,
    )


def _cause_end(text: str, clause: CauseClause, leading: bool) -> int:
    comma = text.find(", ", clause.connector_end) if leading else -1
    return comma if comma >= 0 else clause.cause_end


def _changes(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Finite verbs of change between two places; participles that qualify a noun are skipped."""
    for match in _CHANGED.finditer(text, start, end):
        has_subject = " " in match[0] and match[0] != "came about"
        if has_subject or not _ADJECTIVE_AFTER.search(text[start : match.start()]):
            yield match


def _effect_before(
    sentence: str, text: str, clause: CauseClause
) -> tuple[bool, str | None, str | None]:
    """Whether the effect before a connector happened, its noun phrase, its direction."""
    start, end = clause.clause_start, effect_end(text, clause)
    verbs = list(_changes(text, start, max(end, clause.connector_start)))
    if verbs:
        for joint in _AND_CLAUSE.finditer(text, start, end):
            later = [verb for verb in verbs if verb.start() > joint.end() + 3]
            if later and joint.start() > verbs[0].end():
                start, verbs = joint.end(), later
    if not verbs:
        return False, None, None
    verb = verbs[0]
    subject = _INTRO.sub("", sentence[start : verb.start()])
    if re.search(r"\b(?:which|that|who)$", trim(subject)):
        subject = ""
    elif _ACTOR.search(trim(subject).lower()) or _OBJECT_VERB.match(text[verb.start() : end]):
        listed = _AMOUNT.split(sentence[verb.end() : end], maxsplit=1)
        # In "we recorded A, and B due to …" only B is the effect.
        subject = "" if re.search(r"\band\b", listed[-1]) and listed[1:] else listed[0]
    return True, _noun_phrase(subject), direction_said(text[start : max(end, verb.end())])


def _effect_after(
    sentence: str, text: str, cue_end: int, clause: CauseClause
) -> tuple[bool, str | None, str | None]:
    """The same for "As a result of …, sales fell": the effect stands behind the comma."""
    end = len(text)
    for mark in ("; ", ", which", ", while"):
        place = text.find(mark, cue_end)
        end = place if 0 <= place < end else end
    comma = text.find(", ", cue_end)
    verb = next(_changes(text, comma + 2, end), None) if comma >= 0 else None
    if verb is None or comma > clause.cause_end + 2:
        return False, None, None
    comma = text.rfind(", ", cue_end, verb.start())
    if _POSSIBLE.search(text[comma:end]) or _EXPECTED.search(text[comma:end]):
        return False, None, None
    subject = sentence[comma + 2 : verb.start()]
    if _ACTOR.search(trim(subject).lower()) or _OBJECT_VERB.match(text[verb.start() : end]):
        subject = _AMOUNT.split(sentence[verb.end() : end].rstrip("."), maxsplit=1)[0]
    return True, _noun_phrase(subject), direction_said(text[comma + 2 : end])


def _read_verb(sentence: str, text: str, cue: re.Match[str]) -> _Reading | None:
    verb = _VERB.match(text, cue.end())
    if verb is None or verb.end() - cue.end() > 2 * MAX_SUBJECT_GAP + len(verb["effect"]):
        return None
    clause_start = max(text.rfind(mark, 0, cue.start()) for mark in ("; ", ": ", ", and ", "• "))
    subject = text[clause_start + 1 if clause_start >= 0 else 0 : cue.start()].lstrip(" ;:•·-")
    subject = subject.removeprefix("and ").removeprefix(", and ")
    if not _SUBJECT.match(subject.lstrip(", ").removeprefix("and ")):
        return None
    if _POSSIBLE.search(text):
        return None
    direction = next((d for d, pattern in _VERB_DIRECTION if pattern.search(verb["verb"])), None)
    return _Reading(
        is_explicit=True,
        is_certain=not _EXPECTED.search(text),
        connector="verb",
        effect_text=_noun_phrase(sentence[verb.start("effect") : verb.end("effect")]),
        effect_direction=direction,
        cause_text=trim(sentence[cue.start() : verb.end("gap")]),
    )


def _noun_phrase(phrase: str) -> str | None:
    """The phrase if it names something by itself, else None."""
    phrase = trim(phrase)
    phrase = _CIRCUMSTANCE.sub("", re.sub(r"^(?:\(\w{1,3}\) |and )", "", phrase))
    words = phrase.split()
    if not 0 < len(words) <= MAX_EFFECT_WORDS:
        return None
    if _BARE.match(phrase) or _UNCLEAR.search(phrase) or phrase.count("(") != phrase.count(")"):
        return None
    return phrase
