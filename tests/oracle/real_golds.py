"""Numeric golds of public sets, each in fourteen right phrasings and fourteen wrong ones.

The sets are FinQA and TAT-QA as they were published. A phrasing shows the gold's own digits: it is
right by construction, and a wrong one differs from the gold by something that a reader sees.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

SHARED: Final = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
FINQA: Final = ("finqa_dev200", "finqa_test100", "finqa_train100")
TATQA: Final = ("tatqa_dev", "tatqa_test_gold")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SCALES: Final = {"thousand": 3, "million": 6, "billion": 9}
_ONES: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@dataclass(frozen=True)
class RealGold:
    """A numeric gold of a public set.

    Attributes:
        benchmark: ``finqa`` or ``tatqa``.
        question_id: its id there.
        document_id: the report that it is asked of.
        question: the question.
        golds: the printed gold, as the loader gives it.
        executed: result of the gold program as JSON text; None where there is none.
        unit: scale of the gold in the words of the set; None where it has none.
        printed: the digits that phrasings show.
        kind: ``percent``, ``share`` (a percentage that is printed as a decimal) or ``number``.
        power: powers of ten of the scale that the set states beside the digits.
    """

    benchmark: str
    question_id: str
    document_id: str
    question: str
    golds: tuple[str, ...]
    executed: str | None
    unit: str | None
    printed: Decimal
    kind: str
    power: int

    @property
    def is_reporting(self) -> bool:
        """Whether its document belongs to the part that is only reported on."""
        return int(sha256(self.document_id.encode()).hexdigest(), 16) % 3 == 2


def read_golds() -> Iterator[RealGold]:
    """The numeric golds of the sets, each question once."""
    seen = set()
    for gold in (*_finqa(), *_tatqa()):
        if gold.question_id not in seen and gold.printed != 0:
            seen.add(gold.question_id)
            yield gold


def _rows(names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for name in names:
        with gzip.open(SHARED / "qa" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _finqa() -> Iterator[RealGold]:
    for row in _rows(FINQA):
        answer = str(row["qa"]["answer"]).strip()
        bare = answer.removesuffix("%").strip()
        if _NUMBER.fullmatch(bare) is None or isinstance(row["qa"]["exe_ans"], str):
            continue
        yield RealGold(
            "finqa",
            row["id"],
            row["filename"],
            row["qa"]["question"],
            (answer,),
            json.dumps(row["qa"]["exe_ans"]),
            None,
            Decimal(bare),
            "percent" if answer.endswith("%") else "number",
            0,
        )


def _tatqa() -> Iterator[RealGold]:
    for row in _rows(TATQA):
        for asked in row["questions"]:
            answer, scale = asked["answer"], asked["scale"]
            if asked["answer_type"] not in ("arithmetic", "count") or isinstance(answer, list):
                continue
            try:
                printed = Decimal(str(answer))
            except InvalidOperation:
                continue
            yield RealGold(
                "tatqa",
                asked["uid"],
                row["table"]["uid"],
                asked["question"],
                (str(answer),),
                None,
                scale or None,
                printed,
                "percent" if scale == "percent" else "number",
                _SCALES.get(scale, 0),
            )


def _digits(value: Decimal) -> str:
    return f"{value:,f}"


def _spelled(gold: RealGold, value: Decimal) -> str:
    """The figure with its percent sign, or the word of its scale."""
    if gold.kind == "percent":
        return f"{_digits(value)}%"
    return f"{_digits(value)} {gold.unit}" if gold.power else _digits(value)


def _in_words(value: Decimal) -> str | None:
    """Whole numbers below a hundred as words; None for all others."""
    if value != value.to_integral_value() or not 0 < value < 100:
        return None
    tens, ones = divmod(int(value), 10)
    if tens < 2:
        return _ONES[int(value)]
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def right(gold: RealGold) -> dict[str, str]:
    """The gold in fourteen phrasings that a reader accepts, by kind."""
    said, plain = _spelled(gold, gold.printed), f"{gold.printed:f}"
    size, minus = abs(gold.printed), gold.printed < 0
    words = _in_words(gold.printed)
    tail = "percent" if gold.kind == "percent" else gold.unit if gold.power else ""
    if gold.kind == "percent":
        other = f"{_digits(gold.printed)} percent"
        table = f"Change (in percent): {f'({_digits(size)})' if minus else _digits(size)}"
    elif gold.power:
        other = _digits(gold.printed * 10**gold.power)
        table = f"Amount (in {gold.unit}s): {f'({_digits(size)})' if minus else _digits(size)}"
    else:
        other = f"({_digits(size)})" if minus else _digits(size)
        table = f"| Answer | {other} |"
    return {
        "bare": plain if gold.kind == "number" and not gold.power else said,
        "spelled": said,
        "full_stop": f"{said}.",
        "answer_is": f"The answer is {said}.",
        "therefore": f"Therefore, the final answer is: {said}",
        "bold": f"The result is **{said}**.",
        "boxed": "\\boxed{" + said.replace("%", "\\%") + "}",
        "latex": "\\( " + said.replace("%", "\\%") + " \\)",
        "equals": f"Calculation result = {said}",
        "in_other_units": other,
        "table": table,
        "hedged": f"Approximately {said}",
        "heading": f"### Answer\n\n{said}\n",
        "words": f"The answer is {words} {tail}".strip() + "." if words else f'"{said}"',
    }


# Questions of which a figure of either sign, or a percentage, may be the answer.
_FALLS: Final = re.compile(r"decreas|declin|reduc|fall|fell|drop|lower|loss|chang|growth|differen")
_PARTS: Final = re.compile(r"percent|%|margin|rate|ratio|portion|share|return|growth")
_THOUSANDS: Final = re.compile(r"thousand|million|billion")


def wrong(gold: RealGold) -> dict[str, str]:
    """Fourteen phrasings near the gold that say something else, by kind."""
    said, value = _spelled(gold, gold.printed), gold.printed
    step = Decimal(1).scaleb(int(value.as_tuple().exponent))
    off = (value + max(abs(value) / 50, 3 * step)).quantize(step)
    lower = gold.question.lower()
    far = 100 if _THOUSANDS.search(lower) else 1000
    turned = value * 3 if _FALLS.search(lower) or value < 0 else -value
    is_part = gold.kind == "percent" or _PARTS.search(lower)
    opposite = f"{_digits(value * 2)} shares" if is_part else f"{_digits(value)}%"
    return {
        "thousandfold": _spelled(gold, value * far),
        "thousandth": _spelled(gold, value / far),
        "tenfold": _spelled(gold, value * 10),
        "tenth": f"The answer is {_spelled(gold, value / 10)}.",
        "sign_turned": f"The answer is {_spelled(gold, turned)}.",
        "off_by_two_percent": f"The answer is {_spelled(gold, off)}.",
        "halved": f"Therefore, the final answer is: {_spelled(gold, value / 2)}",
        "doubled": f"**{_spelled(gold, value * 2)}**",
        "denied": f"The answer is not {said}.",
        "either_or": f"The answer is either {said} or {_spelled(gold, off)}.",
        "range": f"Between {_spelled(gold, value - abs(value) / 2)} and {_spelled(gold, off)}.",
        "other_unit": opposite,
        "bound": f"The answer is more than {said}.",
        "cannot": f"I cannot determine it; the filing does not say whether it is {said}.",
    }
