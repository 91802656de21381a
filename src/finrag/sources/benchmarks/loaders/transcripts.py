"""Earnings calls: turns with speaker and role, and questions of who said what."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from finrag.records.fields import (
    bad_field,
    missing_field,
    optional_text,
    optional_whole,
    original_json,
    required_mappings,
    required_text,
)
from finrag.records.identity import hashed
from finrag.sources.benchmarks.loaders.speaker_roles import OPERATOR, UNKNOWN, Turn, speaker_roles
from finrag.sources.benchmarks.records import Judgment, Loaded, Passage, Question, Source
from finrag.text.people import is_nameless, name_words
from finrag.text.quotations import folded

QUESTIONS_A_SPEAKER: Final = 2
MIN_CHARS, MAX_CHARS, MIN_WORDS = 60, 240, 10
DOC_TYPES: Final = ("release", "slides", "transcript", "filing")

_UNCLEAR = re.compile(r"[<>\"“”…]|--|\b(?:uh|um)\b", re.I)


def load_transcript(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load a call with its turns, or a line of a chunk manifest.

    Call: `id`, `turns` (objects of `speaker`, `speaker_id`, `speech`), optionally `company`,
    `financial_quarter`. Each turn that says something is a passage; roles are read off the call
    (`speaker_roles`). Questions of who said a sentence, and of the role of who said it, are drawn
    from it (`attribution_questions`); the speakers that are left out are counted in `original`
    under `left_out`.

    Chunk: `doc_id` (else the folder of the file), `text`, optionally `chunk_id`, `doc_type` (one
    of `DOC_TYPES`), `page` (0-based) or `slide` (from 1), `chunk_index`, `speaker`, `role`. It is a
    turn where the document is a transcript, a page where a page or slide is given, else text.

    Raises:
        RecordFaultError: a field is missing or of a wrong kind.
    """
    if "turns" not in record:
        return _chunk(record, source)
    call_id = required_text(record, "id")
    turns = _turns(record)
    roles = speaker_roles(turns)
    title = _title(record)
    passages = tuple(
        Passage(
            f"{call_id}#turn-{place}",
            call_id,
            "turn",
            place,
            turn.speech,
            title=title,
            speaker=turn.speaker,
            role=roles[turn.speaker_key],
        )
        for place, turn in enumerate(turns)
        if turn.speech
    )
    questions, judgments, left_out = attribution_questions(call_id, title, turns, roles)
    fields = {**{name: value for name, value in record.items() if name != "turns"}}
    original = original_json({**fields, "left_out": left_out})
    return Loaded(original, questions, passages, judgments)


def _turns(record: Mapping[str, Any]) -> list[Turn]:
    turns = []
    for place, entry in enumerate(required_mappings(record, "turns")):
        speech = entry.get("speech", entry.get("text"))
        if speech is None:
            raise missing_field(f"turns[{place}].speech")
        if not isinstance(speech, str):
            raise bad_field(f"turns[{place}].speech", speech, "text")
        speaker = optional_text(entry, "speaker")
        name = " ".join(speaker.split()) if speaker else None
        key = optional_text(entry, "speaker_id") or name or f"turn {place}"
        turns.append(Turn(key, name, speech.strip()))
    if not turns:
        raise bad_field("turns", [], "a list of one turn or more")
    return turns


def _title(record: Mapping[str, Any]) -> str | None:
    company = optional_text(record, "company")
    quarter = optional_text(record, "financial_quarter")
    return f"{company} (quarter {quarter})" if company and quarter else company


def attribution_questions(
    call_id: str, title: str | None, turns: Sequence[Turn], roles: Mapping[str, str]
) -> tuple[tuple[Question, ...], tuple[Judgment, ...], dict[str, int]]:
    """Draw questions of who said a sentence, and of the role of who said it.

    A sentence serves if it has 60 to 240 characters and ten words or more, has a word that no
    other turn has (so that no other turn holds the sentence), is clearly heard, and names no
    speaker. Up to two a
    speaker are drawn by a hash of call and sentence, so that the same call gives the same
    questions whatever else is loaded. The answer stands for a person: operators, speakers without
    a name, and names that fit two speakers are left out.

    Returns:
        The questions (`answer_type` speaker; `category` speaker or role), a judgment each that
        names the turn, and the number of speakers left out by reason.
    """
    names = {turn.speaker_key: turn.speaker for turn in turns}
    left_out = _left_out(names, roles)
    questions: list[Question] = []
    judgments: list[Judgment] = []
    drawn: Counter[str] = Counter()
    about = f"On the call of {title}, " if title else ""
    for _, place, sentence in sorted(_quotations(call_id, turns)):
        key = turns[place].speaker_key
        if key in left_out or drawn[key] == QUESTIONS_A_SPEAKER:
            continue
        drawn[key] += 1
        for question in _asked(call_id, about, sentence, str(names[key]), roles[key]):
            questions.append(question)
            turn_id = f"{call_id}#turn-{place}"
            judgments.append(Judgment(question.question_id, f"turn {place}", "turn", turn_id))
    left_out |= dict.fromkeys(names.keys() - left_out.keys() - drawn.keys(), "without_quotation")
    counts = Counter(left_out.values())
    return tuple(questions), tuple(judgments), dict(sorted(counts.items()))


def _asked(call_id: str, about: str, sentence: str, speaker: str, role: str) -> Iterator[Question]:
    """Yield the question of the speaker and, where it is known, that of the role."""
    wordings = {
        "speaker": (f'{about}who said: "{sentence}"?', speaker),
        "role": (f'{about}what is the role of the speaker who said: "{sentence}"?', role),
    }
    for category, (wording, answer) in wordings.items():
        if category == "speaker" or role != UNKNOWN:
            yield Question(
                f"{call_id}#{category}-{hashed(sentence)}",
                wording[0].upper() + wording[1:],
                call_id,
                answers=(answer,),
                answer_type="speaker",
                category=category,
                asks=category,
            )


def _left_out(names: Mapping[str, str | None], roles: Mapping[str, str]) -> dict[str, str]:
    """Return why a speaker is not asked for, by speaker key."""
    words = {key: frozenset(name_words(name or "")) for key, name in names.items()}
    left_out = {}
    for key, name in names.items():
        rivals = [other for other in words if other != key and words[other]]
        if roles[key] == OPERATOR:
            left_out[key] = "operator"
        elif is_nameless(name):
            left_out[key] = "nameless"
        elif any(words[key] <= words[other] or words[other] <= words[key] for other in rivals):
            left_out[key] = "ambiguous"
    return left_out


def _quotations(call_id: str, turns: Sequence[Turn]) -> Iterator[tuple[str, int, str]]:
    """Yield a drawing key, the turn and the words of each sentence that can be asked about."""
    texts = [folded(turn.speech) for turn in turns]
    shared = Counter(word for text in texts for word in set(_long_words(text)))
    spoken = {
        word
        for turn in turns
        for word in name_words(turn.speaker or "")
        if len(word) > 2 and not is_nameless(turn.speaker)
    }
    for place, turn in enumerate(turns):
        for sentence in _sentences(turn.speech):
            sought = folded(sentence)
            words = _long_words(sought)
            if (
                _is_quotable(sentence)
                and any(shared[word] == 1 for word in words)
                and not spoken & set(re.findall(r"[\w-]+", sought))
            ):
                yield hashed(call_id, sentence), place, sentence


def _sentences(text: str) -> Iterator[str]:
    from finrag.text.sentences import split_spans

    for start, end in split_spans(text):
        yield " ".join(text[start:end].split())


def _long_words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{5,}", text)


def _is_quotable(sentence: str) -> bool:
    return (
        MIN_CHARS <= len(sentence) <= MAX_CHARS
        and len(sentence.split()) >= MIN_WORDS
        and sentence[0].isupper()
        and sentence[-1] in ".!"
        and _UNCLEAR.search(sentence) is None
    )


def _chunk(record: Mapping[str, Any], source: Source) -> Loaded:
    folder = PurePosixPath(source.file.replace("\\", "/")).parent.name
    document_id = optional_text(record, "doc_id", "document_id") or folder
    if not document_id:
        raise missing_field("turns", "doc_id")
    words = required_text(record, "text", "chunk_text", "speech")
    kind = (optional_text(record, "doc_type") or "").lower()
    if kind and kind not in DOC_TYPES:
        raise bad_field("doc_type", record["doc_type"], f"one of {', '.join(DOC_TYPES)}")
    slide = optional_whole(record, "slide", least=1)
    page = optional_whole(record, "page") if slide is None else slide - 1
    space = "turn" if kind == "transcript" else "text" if page is None else "page"
    position = optional_whole(record, "chunk_index")
    position = source.number - 1 if position is None else position
    chunk_id = optional_text(record, "chunk_id") or f"{space}-{position}"
    speaker = optional_text(record, "speaker")
    role = optional_text(record, "role")
    passage = Passage(
        chunk_id if chunk_id.startswith(f"{document_id}#") else f"{document_id}#{chunk_id}",
        document_id,
        space,
        position,
        words,
        page=page,
        title=optional_text(record, "title"),
        speaker=speaker,
        role=role.lower() if role else UNKNOWN if speaker else None,
    )
    return Loaded(original_json(record, ("text", "chunk_text", "speech")), passages=(passage,))
