"""Which line of a filing a name means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.revenue.labels import MAX_COST, aliases, fold, forms, is_bare
from finrag.revenue.pages import Leaf

_VOCABULARY: Final = read_vocabulary(__file__)
_JOINING: Final = _VOCABULARY.words["joining"]
_GENERIC: Final = _VOCABULARY.words["generic"]
_RELATING: Final = _VOCABULARY.words["relating"]
_SEGMENT_END = _VOCABULARY.pattern("segment_end")
_BRACKET = _VOCABULARY.pattern("bracket")

MIN_LOSS_OF_PRODUCT: Final = 2
"""What a label loses at least until a segment's name is left: "sales", "products"."""

# Lines and segments with the form by which they are named and what their label lost for it.
_Best = dict[tuple[str | None, str | None], tuple[str, int]]


@dataclass(frozen=True)
class Naming:
    """A line that a text names.

    Attributes:
        line_id: The line; None where the text names a segment that is no line itself.
        segment: That segment's label.
        cost: How much the label and the text lost until they were equal.
        is_bare: The name is made of words that fit many lines.
        is_of_segment: The name is that of a segment after which the line is named, and no more
            than that: "the Lamps segment" for the line "Lamps sales".
    """

    line_id: str | None
    segment: str | None
    cost: int
    is_bare: bool
    is_of_segment: bool = False

    @property
    def key(self) -> tuple[str | None, str | None, bool]:
        """What is named, however it is named."""
        return self.line_id, self.segment, self.is_of_segment


class Names:
    """All names of a filing's lines and segments.

    Args:
        leaves: All lines of the filing that are described; they refuse each other's texts.
        texts: Texts of the filing, in which aliases are defined.

    Raises:
        ValueError: A line_id stands twice.
    """

    def __init__(self, leaves: Sequence[Leaf], texts: Iterable[str]) -> None:
        self.leaves = {leaf.line_id: leaf for leaf in leaves}
        if len(self.leaves) != len(leaves):
            ids = [leaf.line_id for leaf in leaves]
            raise ValueError(
                f"line {next(i for i in ids if ids.count(i) > 1)!r} occurs twice; keep one"
            )
        self._aliases = aliases(texts)
        self._owners: dict[str, list[tuple[int, str | None, str | None]]] = {}
        folded = {leaf.line_id: fold(leaf.label) for leaf in leaves}
        self._labels = {each: label for each, label in folded.items() if not is_bare(label)}
        whole = {fold(leaf.label) for leaf in leaves}
        self._forms = {leaf.line_id: self._forms_of(leaf, whole) for leaf in leaves}
        for line_id, found in self._forms.items():
            self._add(found, line_id, None)
        for segment in sorted({leaf.segment for leaf in leaves if leaf.segment}):
            if fold(segment) not in whole:
                self._add(self._with_aliases(dict(forms(segment))), None, segment)

    def _add(self, found: dict[str, int], line_id: str | None, segment: str | None) -> None:
        for form, cost in found.items():
            self._owners.setdefault(form, []).append((cost, line_id, segment))

    def _forms_of(self, leaf: Leaf, whole: Collection[str]) -> dict[str, int]:
        mine = fold(leaf.label)
        found = {
            form: cost
            for form, cost in forms(leaf.label).items()
            if cost == 0 or not any(_is_edge(form, other) for other in whole if other != mine)
        }
        found = self._with_aliases(found)
        if leaf.segment:
            segments = self._with_aliases(dict(forms(leaf.segment)))
            for segment, more in segments.items():
                for form, cost in list(found.items()):
                    found.setdefault(f"{segment} {form}", more + cost)
        return found

    def _with_aliases(self, found: dict[str, int]) -> dict[str, int]:
        for form, cost in list(found.items()):
            for other in self._aliases.get(form, ()) if not is_bare(form) else ():
                found[other] = min(cost, found.get(other, MAX_COST))
        return found

    @cached_property
    def cues(self) -> frozenset[str]:
        """A word of each name; a text with none of them, in lower case, names no line."""
        longest = (max(form.split(), key=len) for form in self._owners)
        return frozenset(word[:-1] if word.endswith("y") else word for word in longest)

    def is_named(self, line_id: str, text: str, max_cost: int = MAX_COST) -> bool:
        """Whether a text holds a name of a line as whole words.

        Args:
            line_id: The line.
            text: Any text of the filing.
            max_cost: How much of its label the name may have lost; a name that is left with
                common words alone does not count.
        """
        said = f" {fold(_opened(text))} "
        return any(
            f" {form} " in said
            for form, cost in self._forms[line_id].items()
            if cost == 0 or (cost <= max_cost and not is_bare(form))
        )

    def mentioned(self, text: str) -> frozenset[str]:
        """Lines whose labels stand in a text as they are; labels of common words left out."""
        whole = f" {fold(text)} "
        return frozenset(
            line_id for line_id, label in self._labels.items() if f" {label} " in whole
        )

    def joined(self, name: str) -> set[str]:
        """Lines that a name lists; none where it tells of anything else."""
        rest = f" {fold(_opened(name))} "
        found = set()
        for line_id, label in sorted(self._labels.items(), key=lambda each: -len(each[1])):
            if f" {label} " in rest:
                found.add(line_id)
                rest = rest.replace(f" {label} ", " ")
        return found if len(found) > 1 and _JOINING.issuperset(rest.split()) else set()

    def meant(self, name: str, context: Sequence[str] = ()) -> Naming | None:
        """The line or segment that a whole name means.

        Args:
            name: A grammatical subject or a heading.
            context: Headings above; they tell lines of one label apart by their segments.

        Returns:
            None where the name is no line's, or equally near to several.
        """
        nearest = [
            (lost + cost, (line_id, segment), (form, cost))
            for form, lost in forms(name).items()
            for cost, line_id, segment in self._owners.get(form, ())
        ]
        least = min((cost for cost, *_ in nearest), default=MAX_COST + 1)
        if least > MAX_COST:
            return None
        best = {named: found for cost, named, found in nearest if cost == least}
        if len(best) > 1:
            best = self._distinguished(best, context)
        if len(best) != 1:
            return None
        ((line_id, segment), (form, lost)) = next(iter(best.items()))
        is_of_segment = (
            line_id is not None and lost >= MIN_LOSS_OF_PRODUCT and ends_in_segment(name)
        )
        return Naming(line_id, segment, least, is_bare(form), is_of_segment)

    def _distinguished(self, best: _Best, context: Sequence[str]) -> _Best:
        """Those of several lines or segments that stand below a heading of their segment."""
        above = [set(forms(heading)) for heading in context]
        kept: _Best = {}
        for (line_id, segment), found in best.items():
            of = self.leaves[line_id].segment if line_id else segment
            if of and any(set(forms(of)) & names for names in above):
                kept[line_id, segment] = found
        return kept

    def is_another_segment(self, name: str) -> bool:
        """Whether a name is that of a segment which neither is a line nor has one."""
        words = fold(name).split()
        is_named = not _GENERIC.issuperset(words) and _RELATING.isdisjoint(words)
        return is_named and ends_in_segment(name) and self.meant(name) is None


def ends_in_segment(name: str) -> bool:
    """Whether a name is that of a segment or of its revenue."""
    return bool(_SEGMENT_END.search(fold(name)))


def _opened(text: str) -> str:
    """A text whose brackets and marks of points do not hide or touch its words."""
    return _BRACKET.sub(" ", text)


def _is_edge(form: str, other: str) -> bool:
    """Whether a name begins or ends another one, or is it."""
    return f" {other} ".startswith(f" {form} ") or f" {other} ".endswith(f" {form} ")
