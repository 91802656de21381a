"""Matching of references to pages: which predicted page is which gold page."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

TOLERANCE: Final = 1
_EXTENSION = re.compile(r"\.(?:pdf|html?|txt|docx?|pptx?|xlsx?|md|json|xml|csv)(?:\.gz)?$")


@dataclass(frozen=True)
class Reference:
    """A page of a document; without a page, the document as a whole."""

    document: str
    page: int | None = None


def document_key(name: str) -> str:
    """Return a document's name as names are compared.

    Case, folders, the extension, and whether words are parted by spaces, underscores or dashes do
    not matter; all else does, an author and year in parentheses too.
    """
    plain = unicodedata.normalize("NFKC", name).casefold().replace("\\", "/").strip()
    base = _EXTENSION.sub("", plain.rstrip("/").rpartition("/")[2])
    return " ".join(re.split(r"[\s_\-\u2010-\u2015]+", base)).strip()


def match_references(
    predicted: Sequence[Reference],
    gold: Sequence[Reference],
    tolerance: int = TOLERANCE,
    key: Callable[[str], str] = document_key,
) -> tuple[tuple[int, int], ...]:
    """Match references of the same document whose pages differ by at most `tolerance`.

    Each reference, a repeated one too, is matched at most once. Of all such matchings the one with
    most pairs is taken, of these one with the least sum of page distances, and of these the one in
    which lower pages are matched first: the order of the lists decides nothing but ties between
    equal references. A gold reference without a page takes what is left of its document; a
    predicted one without a page meets no gold page.

    Args:
        predicted: what a system names.
        gold: what it should name.
        tolerance: pages that a match may be off.
        key: what two names of one document have in common.

    Returns:
        Places in the two lists (predicted, gold), in the order of `gold`; each at most once.

    Raises:
        ValueError: `tolerance` is negative.
    """
    if tolerance < 0:
        raise ValueError(f"tolerance is {tolerance}; give 0 or more pages")
    ours, theirs = _by_document(predicted, key), _by_document(gold, key)
    pairs = [
        pair
        for document in theirs
        for pair in _match_pages(ours.get(document, []), theirs[document], tolerance)
    ]
    return tuple(sorted(pairs, key=lambda pair: pair[1]))


def name_words(name: str) -> list[str]:
    """Return the words of a document's name as names are compared, plural or not; sorted.

    A name in words ("Q1 2023 Earnings Call") means the documents whose names have all of them.
    """
    words = re.findall(r"[^\W_]+", document_key(name))
    singular = {
        word.removesuffix("s") if word.isalpha() and len(word) > 3 else word for word in words
    }
    return sorted(singular)


_Placed = list[tuple[int, int | None]]


def _by_document(references: Sequence[Reference], key: Callable[[str], str]) -> dict[str, _Placed]:
    """Return (place, page) of the references by document."""
    grouped: defaultdict[str, _Placed] = defaultdict(list)
    for place, reference in enumerate(references):
        grouped[key(reference.document)].append((place, reference.page))
    return dict(grouped)


def _match_pages(predicted: _Placed, gold: _Placed, tolerance: int) -> list[tuple[int, int]]:
    pairs = _match_sorted(_sorted(predicted), _sorted(gold), tolerance)
    taken = {place for place, _ in pairs}
    left = [place for place, _ in predicted if place not in taken]
    whole = [place for place, page in gold if page is None]
    return pairs + list(zip(left, whole, strict=False))


def _sorted(placed: _Placed) -> list[tuple[int, int]]:
    """Return (page, place) of those with a page, in order."""
    return sorted((page, place) for place, page in placed if page is not None)


def _match_sorted(
    predicted: list[tuple[int, int]], gold: list[tuple[int, int]], tolerance: int
) -> list[tuple[int, int]]:
    """Match two sorted lists of (page, place).

    On a line some best matching has no crossing pairs, so that a table over the two lists finds
    it: best[i][j] is (pairs, -distance) of predicted[i:] and gold[j:].
    """
    rows, columns = len(predicted), len(gold)
    best = [[(0, 0)] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            distance = abs(predicted[i][0] - gold[j][0])
            if distance <= tolerance:
                count, near = best[i + 1][j + 1]
                best[i][j] = max(best[i][j], (count + 1, near - distance))
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        distance = abs(predicted[i][0] - gold[j][0])
        count, near = best[i + 1][j + 1]
        if distance <= tolerance and best[i][j] == (count + 1, near - distance):
            pairs.append((predicted[i][1], gold[j][1]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
