"""A small writer of PDF files: text at places and rules, in Helvetica, the same bytes each time.

Lengths are in points, 72 an inch, measured from the top left corner of the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

PAPER: Final = (612, 792)
SLIDE: Final = (720, 405)


@dataclass
class Sheet:
    """A page that is being filled.

    Attributes:
        size: its width and height.
        marks: operators of its content so far.
    """

    size: tuple[int, int]
    marks: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, size: float, words: str) -> None:
        """Print words with their baseline at a height; an empty text prints nothing."""
        shown = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        self.marks.append(f"BT /F1 {size:g} Tf {x:g} {self.size[1] - y:g} Td ({shown}) Tj ET")

    def lines(self, x: float, y: float, size: float, texts: Sequence[str]) -> float:
        """Print texts one below the other, and return the height of the next one."""
        for place, words in enumerate(texts):
            self.text(x, y + place * size * 1.3, size, words)
        return y + len(texts) * size * 1.3

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a line of half a point."""
        height = self.size[1]
        self.marks.append(f"0.5 w {x0:g} {height - y0:g} m {x1:g} {height - y1:g} l S")

    def table(
        self, x: float, y: float, widths: Sequence[float], rows: Sequence[Sequence[str | None]]
    ) -> float:
        """Draw a ruled table with lines of 18 points, and return its lower edge.

        A cell that is null belongs to the one on its left, without a rule between them.
        """
        edges = [x + sum(widths[:place]) for place in range(len(widths) + 1)]
        for number, row in enumerate(rows):
            top = y + 18 * number
            self.rule(edges[0], top, edges[-1], top)
            self.rule(edges[-1], top, edges[-1], top + 18)
            for edge, cell in zip(edges, row, strict=False):
                if cell is not None:
                    self.rule(edge, top, edge, top + 18)
                    self.text(edge + 4, top + 13, 10, cell)
        bottom = y + 18 * len(rows)
        self.rule(edges[0], bottom, edges[-1], bottom)
        return bottom


def pdf_bytes(sheets: Sequence[Sheet]) -> bytes:
    """Return sheets as a PDF file.

    Raises:
        UnicodeEncodeError: a text has a character that Windows-1252 has not.
    """
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(sheets)))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>",
        font,
    ]
    for place, sheet in enumerate(sheets):
        content = "\n".join(sheet.marks)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {sheet.size[0]} {sheet.size[1]}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * place} 0 R >>",
            f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream",
        ]
    return assembled(objects)


def assembled(objects: Sequence[str]) -> bytes:
    """Return objects, the first of which is the catalogue, as a PDF file."""
    written = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer\n"
    root = f"<< /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return written + (end + root).encode()
