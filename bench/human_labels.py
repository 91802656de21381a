"""How far our rules agree with people who judged real answers: ``python -m bench.human_labels``.

1,648 answers of language models to 103 questions about filings, labelled Correct Answer, Incorrect
Answer or Refusal. Rules were mended by reading answers to one half of the questions, and thresholds
were chosen there; the other half, whose questions share nothing with the first, confirms them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench.agreement import Agreement, cohen_kappa, confusion
from finrag.scoring.numbers import Answered, Expected, NumericVerdict, check_number
from finrag.scoring.numbers.reading import read_claims, read_question
from finrag.text.numbers import find_amounts
from finrag.text.refusals import is_refusal
from finrag.text.wording import Wording, read_boolean

ANSWERS = (
    Path(__file__).parents[2] / "shared" / "data" / "qa" / "financebench_model_answers.jsonl.gz"
)
LABELS = {"Correct Answer": "right", "Incorrect Answer": "wrong", "Refusal": "refusal"}
ROUGE_GRID = tuple(step / 100 for step in range(2, 62, 2))
WORDING = Wording()


@dataclass(frozen=True)
class Labelled:
    """One answer, its gold and what a person said of it."""

    question_id: str
    system: str
    question: str
    gold: str | float
    answer: str
    label: str

    @property
    def half(self) -> str:
        """By question, so that no question helps to choose and to confirm."""
        digest = hashlib.md5(self.question_id.encode(), usedforsecurity=False).hexdigest()
        return "confirm" if int(digest, 16) % 2 else "choose"

    @property
    def is_number(self) -> bool:
        return not isinstance(self.gold, str)

    @cached_property
    def gold_text(self) -> str:
        return self.gold if isinstance(self.gold, str) else expected_number(self).text or ""

    @cached_property
    def judged(self) -> NumericVerdict | None:
        """The verdict on the figure, where the gold is one."""
        expected = expected_number(self) if self.is_number else expected_figure(self)
        return None if expected is None else check_number(Answered(self.answer), expected)

    @cached_property
    def is_refusal(self) -> bool:
        return is_refusal(self.answer)

    @cached_property
    def boolean(self) -> float | None:
        """1 or 0 where the gold opens with yes or no; 0 where the answer states neither."""
        if self.is_number or read_boolean(self.gold_text) is None:
            return None
        return WORDING.boolean_match(self.answer, self.gold_text) or 0.0

    @cached_property
    def contains(self) -> float | None:
        return WORDING.contain_match(self.answer, self.gold_text)

    @cached_property
    def rouge_l(self) -> float:
        return WORDING.rouge_l(self.answer, self.gold_text)


def read_answers(path: Path = ANSWERS) -> list[Labelled]:
    """Every labelled answer of the file, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Labelled(
            row["financebench_id"],
            f"{row['model_name']} {row['eval_mode']}",
            row["question"],
            row["gold_answer"]
            if isinstance(row["gold_answer"], str)
            else float(row["gold_answer"]),
            str(row["model_answer"]),
            LABELS[row["label"]],
        )
        for row in rows
    ]


def expected_number(one: Labelled) -> Expected:
    """A bare gold number with the unit that its question names; shares stand for percent."""
    value, lower = float(one.gold), one.question.lower()
    plain = f"{value:.12g}"
    decimals = len(plain.partition(".")[2])
    for scale, factor in (("million", 1e6), ("billion", 1e9)):
        if f"usd {scale}" in lower:
            text = f"${value:,.{decimals}f} {scale}"
            return Expected(round(value * factor), "USD", None, text, one.question)
    if "%" in lower or "percent" in lower:
        text = f"{value * 100:.{max(decimals - 2, 0)}f}%"
        return Expected(round(value * 100, 9), "percent", None, text, one.question)
    unit = None
    if "days" in lower or "conversion cycle" in lower:
        unit = "days"
    elif re.search(r"\b(?:ratio|turnover|return on)\b", lower):
        unit = "ratio"
    return Expected(value, unit, None, plain, one.question)


def expected_figure(one: Labelled) -> Expected | None:
    """The one figure of a gold in words, where it has just one and is no yes or no."""
    if one.boolean is not None:
        return None
    amounts = [amount for amount in find_amounts(one.gold_text) if amount.kind == "amount"]
    if len(amounts) != 1 or amounts[0].is_range:
        return None
    asked = read_question(one.question, amounts[0].unit)
    claim = next(read_claims(one.gold_text, asked))
    return Expected(claim.value, amounts[0].unit, None, one.gold_text, one.question)


@dataclass(frozen=True)
class Check:
    """A rule beside the label that it should agree with; None where it does not apply."""

    name: str
    says: Callable[[Labelled], bool | None]
    label: str = "right"


def _verdict_right(one: Labelled) -> bool | None:
    return None if one.judged is None else one.judged.is_right


def _boolean_right(one: Labelled) -> bool | None:
    return None if one.boolean is None else one.boolean == 1


def answer_right(threshold: float) -> Callable[[Labelled], bool]:
    """The rules together: refusal, figure, yes or no, words of the gold, then ROUGE-L."""

    def says(one: Labelled) -> bool:
        if one.is_number:
            return bool(_verdict_right(one))
        if one.boolean is not None:
            return one.boolean == 1
        if one.contains == 1:
            return True
        if one.is_refusal:
            return False
        if one.judged is not None:
            return one.judged.is_right
        return one.rouge_l >= threshold

    return says


def best_threshold(answers: Iterable[Labelled]) -> float:
    """The ROUGE-L from which on an answer is best called right, by kappa."""
    listed = list(answers)

    def kappa(threshold: float) -> float:
        check = Check("", lambda one: one.rouge_l >= threshold)
        return agreement(check, listed).kappa or 0.0

    return max(ROUGE_GRID, key=kappa)


def checks(answers: Sequence[Labelled]) -> list[Check]:
    """Every rule; what has a threshold takes the one chosen on the first half."""
    chosen = [one for one in answers if one.half == "choose"]
    in_words = best_threshold(one for one in chosen if not one.is_number)
    return [
        Check("refusal, all answers", lambda one: one.is_refusal, "refusal"),
        Check(
            "refusal, pure numbers",
            lambda one: one.is_refusal if one.is_number else None,
            "refusal",
        ),
        Check(
            "numeric verdict, pure numbers",
            lambda one: _verdict_right(one) if one.is_number else None,
        ),
        Check(
            "numeric verdict, one figure in words",
            lambda one: None if one.is_number else _verdict_right(one),
        ),
        Check("boolean", _boolean_right),
        Check(
            "boolean, where the answer states one",
            lambda one: None if read_boolean(one.answer) is None else _boolean_right(one),
        ),
        Check("contain_match, all answers", lambda one: one.contains == 1),
        Check(
            "contain_match, pure numbers",
            lambda one: one.contains == 1 if one.is_number else None,
        ),
        Check(
            "contain_match, words",
            lambda one: None if one.is_number else one.contains == 1,
        ),
        Check(
            f"rouge_l >= {in_words:.2f}, words",
            lambda one: None if one.is_number else one.rouge_l >= in_words,
        ),
        *(
            Check(f"rouge_l >= {fixed:.2f}, all answers", _rouge_at(fixed))
            for fixed in (0.2, 0.3, 0.5)
        ),
        Check("all rules together", answer_right(in_words)),
        Check(
            "all rules together, words",
            lambda one: None if one.is_number else answer_right(in_words)(one),
        ),
    ]


def _rouge_at(threshold: float) -> Callable[[Labelled], bool]:
    return lambda one: one.rouge_l >= threshold


def labelled_pairs(check: Check, answers: Iterable[Labelled]) -> list[tuple[str, str]]:
    """What the rule says and what the person said, of the answers to which the rule applies."""
    other = f"not {check.label}"
    return [
        (check.label if said else other, check.label if one.label == check.label else other)
        for one in answers
        if (said := check.says(one)) is not None
    ]


def agreement(check: Check, answers: Iterable[Labelled]) -> Agreement:
    return cohen_kappa(labelled_pairs(check, answers))


def disagreements(check: Check, answers: Iterable[Labelled]) -> list[Labelled]:
    return [
        one
        for one in answers
        if (said := check.says(one)) is not None and said != (one.label == check.label)
    ]


def report(answers: Sequence[Labelled]) -> str:
    """Tables in Markdown: agreement of each rule, and verdicts beside labels."""
    lines = [
        "| rule | half | n | agree | by chance | kappa "
        "| both | rule only | person only | neither |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for check in checks(answers):
        for half in ("all", "choose", "confirm"):
            part = [one for one in answers if half in ("all", one.half)]
            lines.append(_line(check, half, labelled_pairs(check, part)))
    verdicts = [(one.judged.verdict, one.label) for one in answers if one.is_number and one.judged]
    lines += ["", "| verdict on pure numbers | label | n |", "|---|---|---|"]
    lines += [f"| {verdict} | {label} | {n} |" for verdict, label, n in confusion(verdicts)]
    return "\n".join(lines)


def _line(check: Check, half: str, pairs: list[tuple[str, str]]) -> str:
    found, yes = cohen_kappa(pairs), check.label
    counts = {(one == yes, other == yes): 0 for one in (yes, "") for other in (yes, "")}
    for one, other in pairs:
        counts[one == yes, other == yes] += 1
    cells = [counts[key] for key in ((True, True), (True, False), (False, True), (False, False))]
    figures = [
        "." if value is None else f"{value:.3f}"
        for value in (found.observed, found.expected, found.kappa)
    ]
    return (
        f"| {check.name} | {half} | {found.n} | " + " | ".join([*figures, *map(str, cells)]) + " |"
    )


def main() -> int:
    if not ANSWERS.is_file():
        print(f"no labelled answers at {ANSWERS}", file=sys.stderr)
        return 2
    answers = read_answers()
    print(report(answers))
    for name in sys.argv[1:]:
        for check in (one for one in checks(answers) if one.name.startswith(name)):
            print(f"\n{check.name}: where it disagrees")
            for one in disagreements(check, answers):
                said = re.sub(r"\s+", " ", one.answer)
                reason = one.judged.reason if one.judged else ""
                print(
                    f"- {one.half}, {one.label}: {one.gold_text[:120]} | {reason} | {said[-240:]}"
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
