"""A small filing in inline XBRL, made up for tests."""

from __future__ import annotations

from finrag.filings.html import parse_markup, read_markup
from finrag.filings.model import Document

_SPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "ix": "http://www.xbrl.org/2013/inlineXBRL",
        "xbrli": "http://www.xbrl.org/2003/instance",
        "xbrldi": "http://xbrl.org/2006/xbrldi",
        "xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "iso4217": "http://www.xbrl.org/2003/iso4217",
    }.items()
)
_MEMBER = '<xbrldi:explicitMember dimension="a:Axis">a:NorthMember</xbrldi:explicitMember>'
_TYPED = (
    '<xbrldi:typedMember dimension="a:Day"><a:d xmlns:a="a">2025-01-01</a:d></xbrldi:typedMember>'
)
_YEAR = "<xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate>"
_SHARE = "<xbrli:measure>xbrli:shares</xbrli:measure>"
_DOLLAR = "<xbrli:measure>iso4217:USD</xbrli:measure>"
_RESOURCES = f"""<ix:resources>
<xbrli:context id="year"><xbrli:entity><xbrli:identifier scheme="s">1</xbrli:identifier>
</xbrli:entity><xbrli:period>{_YEAR}</xbrli:period></xbrli:context>
<xbrli:context id="end"><xbrli:period><xbrli:instant>2023-12-31</xbrli:instant></xbrli:period>
</xbrli:context>
<xbrli:context id="north"><xbrli:entity><xbrli:segment>{_MEMBER}</xbrli:segment></xbrli:entity>
<xbrli:period>{_YEAR}</xbrli:period><xbrli:scenario>{_TYPED}</xbrli:scenario></xbrli:context>
<xbrli:context id="bad"><xbrli:period><xbrli:instant>someday</xbrli:instant></xbrli:period>
</xbrli:context>
<xbrli:unit id="usd">{_DOLLAR}</xbrli:unit>
<xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>
<xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator>{_DOLLAR}</xbrli:unitNumerator>
<xbrli:unitDenominator>{_SHARE}</xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources>"""


def tagged(shown: str, name: str = "a:Sales", **given: str) -> str:
    """A tagged number, of 2023 and in millions of dollars unless something else is said."""
    attributes = {"contextRef": "year", "unitRef": "usd", "scale": "6", "decimals": "-6", **given}
    written = " ".join(f'{key.replace("_", ":")}="{value}"' for key, value in attributes.items())
    return f'<ix:nonFraction name="{name}" {written}>{shown}</ix:nonFraction>'


def told(shown: str, name: str, **given: str) -> str:
    """A tagged text."""
    attributes = {"contextRef": "year", **given}
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return f'<ix:nonNumeric name="{name}" {written}>{shown}</ix:nonNumeric>'


def filing(body: str, hidden: str = "", *, is_xml: bool = True) -> Document:
    """Read a document with a body and hidden facts; as HTML where it is not to be strict XML."""
    header = f"<ix:header><ix:hidden>{hidden}</ix:hidden>{_RESOURCES}</ix:header>"
    head = f'<html xmlns="http://www.w3.org/1999/xhtml" {_SPACES}><body>'
    text = f'{head}<div style="display:none">{header}</div>{body}</body></html>'
    data = text.encode() if is_xml else text.replace("</p></body>", "</body>").encode()
    root, parser, _ = parse_markup(data)
    assert parser == ("xml" if is_xml else "html")
    assert root is not None
    return read_markup(root, len(data))
