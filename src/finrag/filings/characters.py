"""Characters that show nothing, and those that Windows puts where Unicode has controls."""

from __future__ import annotations

import re
from typing import Final

SHOWN: Final = {
    **{code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)},
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF), ""),
    # So that bytes of a damaged file reach no table.
    **dict.fromkeys((*range(0x09), *range(0x0E, 0x1C), 0x7F, *range(0xD800, 0xE000)), ""),
}
_HIDDEN: Final = re.compile(f"[{re.escape(''.join(map(chr, SHOWN)))}]")


def shown(text: str) -> str:
    """The text without characters that show nothing."""
    return text.translate(SHOWN) if _HIDDEN.search(text) else text
