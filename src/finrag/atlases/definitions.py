"""Sentences that say what a company means by a term."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from finrag.text.phrases import Finding, find_in_texts, mask_parentheses, split_items, trim

DEFINITION_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("term", pa.string(), nullable=False),
        pa.field("definition_text", pa.string(), nullable=False),
        pa.field("definition_kind", pa.string(), nullable=False),
        pa.field("exclusions", pa.list_(pa.string()), nullable=False),
        pa.field("is_standard", pa.bool_(), nullable=False),
    ]
)

MAX_TERM_WORDS = 8
MIN_DEFINITION_WORDS = 3
MAX_ITEM_WORDS = 12
MAX_TRIES = 3

_QUOTED = r"[“\"]\s?(?P<{name}>[^“”\"]{{2,70}}?),?\s?[”\"]"
_START = r"(?:^|(?<=[.;:•·(]\s)(?=[A-Z“\"(])|(?<=[•(–—]))"
_LABEL = r"(?:[-–—•·*]\s*)?(?:\(\w{1,3}\)\s*)?"
_WHO = r"(?:[Ww]e|[Tt]he [Cc]ompany|[Mm]anagement|[A-Z][\w.&’']+(?: [A-Z][\w.&’']+){0,2})"

_WE_DEFINE = re.compile(
    rf"\b(?P<who>{_WHO}) (?:currently |generally |internally )?defines? "
    r"(?P<term>[^;:]{2,120}?),? as (?P<text>.+)"
)
_WHICH_WE_DEFINE = re.compile(
    rf"{_START}{_LABEL}(?P<term>[^,;:.]{{2,80}}?),? (?:(?:is|are) an? [^,;:.]{{3,60}}? )?"
    rf"(?:which|that) {_WHO} defines? as (?P<text>.+)"
)
_IS_DEFINED = re.compile(
    rf"{_START}{_LABEL}(?P<term>[^,;:.]{{2,110}}?) (?:is|are) defined "
    r"(?:by (?:us|[Mm]anagement|[Tt]he Company|[A-Z]\w+) )?as (?P<text>.+)"
)
_QUOTED_MEANS = re.compile(
    _QUOTED.format(name="term") + r" (?P<verb>means?|refers? to|(?:is|are) defined as) (?P<text>.+)"
)
_REPRESENTS = re.compile(
    rf"^{_LABEL}(?P<term>[A-Z][^,;:.$%\d]{{2,70}}?) represents? (?P<text>"
    r"(?:the|an?) (?:[\w-]+ ){0,2}?(?:number|amount|sum|difference|ratio|total|average|percentage|"
    r"portion) (?:of|by|that|we|between|a)\b.+|"
    r"(?:(?:the|our) )?(?:[\w-]+ ){0,3}?(?:sales|revenues?|profit|income|earnings|cash flows?|"
    r"debt) "
    r"(?:from operations )?(?:excluding|less|before|minus|adjusted|plus|divided by|as a percentage)"
    r"\b.+)"
)

_BAD_TERM = re.compile(
    r"^(?:some .*|it|this|these|those|that|they|which|we|us|our|he|she|what|each|such|company|"
    r"registrant|"
    r"the company|person|both|amounts?|other|(?:fiscal|the|calendar) (?:year|\d{4}).*|year|20\d\d|"
    r"(?:this|these|such|all|no|any|each|both|other) .*|.* (?:amounts?|terms?|balance|measure))$",
    re.IGNORECASE,
)
_TERM_BREAKS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|which|that|who|whose|if|when|where|because|may|can|"
    r"will|would|includes?|and/or|respectively|as|to|defined|following|based|also|fiscal|than|"
    r"see|note|table|section|item|represent(?:s|ed|ing)?|reported|recorded|included|does|not|often|"
    r"primarily|generally|typically|usually|mainly|we|our|purposes?|above|below|matter|results|described|"
    r"associated)\b|[$%—]|\d{3}|\b(\w+(?: \w+)?) \1\b",
    re.IGNORECASE,
)
_TERM_LEAD = re.compile(
    r"^(?:(?:for (?:the )?purposes? of [^,]{3,60}|as used (?:herein|in this \w+)|accordingly|"
    r"additionally|in addition|further|specifically|generally|historically|overall|however), )?"
    r"(?:(?:the|our|an?|its) )?(?:terms? )?(?=\S)",
    re.IGNORECASE,
)
_NAMES_OWNER = re.compile(r"^(?:the )?[Cc]ompany[’']s ")
_POINTER = re.compile(
    r"^(?:in|under|by|per|set forth|provided|described|discussed|follows|further|such|well|part|"
    r"necessary|those terms|to |appropriate|being|of |our |a part)\b|^(?:in|under) ",
    re.IGNORECASE,
)
_POINTS_AWAY = re.compile(
    r"^those \w+ (?:who|that|which)\b|, (?:was|were|grew|increased|decreased|represented) |"
    r", [A-Z]\w+ as the |\b(?:a|the) (?:significant|meaningful|substantial|large|major\w*|small) |"
    r"\b(?:see|as defined in|as described in|as set forth in|described below|defined below|"
    r"set forth below|as follows|the following)\b",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"internal controls?|disclosure controls?|accelerated filer|\brule 1[2-5][a-d]|exchange act|"
    r"securities act|item \d{3}|regulation s|material weakness|smaller reporting|affiliate|"
    r"code of ethics|executive officer|emerging growth",
    re.IGNORECASE,
)
_STANDARD_TERM = re.compile(
    r"fair value|benefit obligations?|goodwill|level [123i]|operating segments?|reporting units?|"
    r"critical (?:accounting|audit)|standalone selling price|performance obligations?|"
    r"transaction price|intrinsic value|deferred (?:revenue|tax|income)|service cost|"
    r"contract (?:assets?|liabilit\w+)|variable interest|net realizable|market risk|credit risk|"
    r"(?:interest rate|liquidity|operational|model|compliance|currency|price) risk|"
    r"remaining performance|lease term|incremental borrowing|retained earnings|treasury stock|"
    r"purchase (?:obligations?|commitments?)|contractual obligations?|inventor(?:y|ies)|"
    r"accounts (?:receivable|payable)|accrued|allowance|amortization|comprehensive (?:income|loss)|"
    r"cash equivalents?|earnings per share|restricted cash|noncontrolling|expected (?:term|life|"
    r"volatility|return|credit)|volatility|collateral|impairment|non-?accrual|variable "
    r"consideration|"
    r"probable|dilutive|portfolio segment|reasonably possible|unrecognized|plan assets|related "
    r"part(?:y|ies)|discount rate|"
    r"derivatives?|hedg\w+|value[- ]at[- ]risk|\bvar\b|control|right-of-use|lease liabilit",
    re.IGNORECASE,
)
_COMPANY_TERM = re.compile(r"(?:adjusted|non-gaap|organic|pro forma|core|free)\b", re.IGNORECASE)
_STANDARD_TEXT = re.compile(
    r"exchange price|exit price|market participants|orderly transaction|actuarial present value|"
    r"enforceable and legally binding|chief operating decision maker|\bASC\b|\bSFAS\b|\bFASB\b|"
    r"more[- ]likely[- ]than[- ]not|Internal Revenue Code|actuarial",
    re.IGNORECASE,
)
_TEXT_END = re.compile(
    r"[.;](?:\s|$)|,? and (?:we |it |use |believe |is (?:used|a )|are (?:used|a )|therefore )|"
    r", (?:because|while|although|whereas|since we|but we|which (?:we|is|are|may|management)|"
    r"and (?:may|should|does|do)\b)|\s[—–]\s"
)
_GOES_ON = re.compile(r"(?:and |or )?\(\w{1,3}\)|in addition|excluding|adjusted|less |plus ")
_OWN_NAME = re.compile(
    r"[“\"](?:the company|we|us|our|company|registrant)[,.]?[”\"]", re.IGNORECASE
)
_LISTED_TERM = re.compile(r"[”\"],? (?:(?:and|or) )?(?:the )?$")
_ABBREVIATION = re.compile(r"(?:\b(?:U\.S|Inc|Corp|Co|No|e\.g|i\.e|vs|Ltd|St)|\b[A-Z])$")
_CUT = re.compile(
    r",? (?:(?:but |and |further |as (?:further )?)?(?P<cue>excluding|exclusive of|before|"
    r"adjusted (?:to exclude|for)|less|minus|net of)|(?P<added>plus)|"
    r"(?P<other>adjusted to (?:eliminate|remove)|divided by|multiplied by|including|"
    r"inclusive of|as (?:presented|reported|shown|"
    r"determined|defined|well)|in (?:each|the|a) |for (?:the|a|each) |during|over |that |which |"
    r"where |from |expressed|calculated|whether|when |if |other than|such as)) ?"
)
# The scope of "costs of completion, disposal and …" cannot be told from punctuation.
_SHARED_HEAD = re.compile(
    r"^(?:[\w-]+ ){0,3}(?:costs?|effects?|impacts?|purchases?|gains?|losses|changes?|payments?|"
    r"acquisitions?|provisions?|proceeds|additions|amounts?) "
    r"(?:of|on|from|in|for|to|related|associated|resulting|attributable)\b"
)
_OPEN_END = re.compile(r" (?:and|&) (?!amortization\b|equipment\b|administrative\b|development\b)")
_UNCLEAN_ITEM = re.compile(
    r"^(?:other|others|etc|similar items|(?:certain|specified|these|such|(?:\w+ ){0,2}other "
    r"(?:items|adjustments|charges|"
    r"matters|costs|expenses)).*)$|"
    r"\b(?:we|that|which|who|is|are|was|were|because|if|when|certain of|following|as well|by)\b|"
    r"[()\[\]:;$]|\d{2}",
    re.IGNORECASE,
)


_CUE = (
    r"\bdefines? .{0,130}\bas\b|\b(?:is|are) defined .{0,30}\bas |"
    r"[”\"] (?:means?|refers? to) | represents? (?:the|an?|our|\w+ (?:sales|revenues?|profit|"
    r"income)|"
    r"(?:sales|revenues?|profit|income|earnings|cash|debt)) "
)
# In this order, and the first that fits: the earlier forms are parts of the later ones.
_FORMS = (
    ("define", "we_define", _WHICH_WE_DEFINE),
    ("define", "we_define", _WE_DEFINE),
    (" ", "means", _QUOTED_MEANS),
    (" defined ", "is_defined_as", _IS_DEFINED),
    (" represent", "represents", _REPRESENTS),
)


def find_definitions(texts: pa.Table) -> pa.Table:
    """The terms a text defines, in the words of the text.

    Four forms are read: "we define X as", "X is defined as", "X" in quotation marks "means", and
    "X represents the amount/number/… of" at the start of a sentence. Left out are pointers to a
    definition elsewhere, pronouns, years, and terms defined by SEC rules. The definition ends
    with its clause: "…, and we use it to …" is not part of it.

    Args:
        texts: distinct texts, ``text_hash`` and ``sentence_text``.

    Returns:
        Rows of ``DEFINITION_SCHEMA`` by text_hash and place. ``exclusions`` is empty unless
        every item after excluding, before, adjusted for, less, net of … can be told apart;
        what follows "plus" is added, not excluded.
        ``is_standard`` marks terms that accounting standards define, not the company.

    Raises:
        ValueError: a null text, by its text_hash.
    """
    return find_in_texts(texts, DEFINITION_SCHEMA, _CUE, _definitions_in)


def _definitions_in(sentence: str) -> Iterator[Finding]:
    for cue, kind, pattern in _FORMS:
        match = pattern.search(sentence) if cue in sentence else None
        for _ in range(MAX_TRIES):
            finding = _finding(sentence, match, kind) if match else None
            if finding:
                yield finding
                return
            # A later start may do: "Debt was half of capital (capital is defined as …)".
            match = pattern.search(sentence, match.start("term") + 1) if match else None


def _finding(sentence: str, match: re.Match[str], kind: str) -> Finding | None:
    term = _term(match["term"])
    text = _definition_text(match["text"], in_parentheses=_opens(sentence, match.start("term")))
    if term is None or text is None:
        return None
    if _BOILERPLATE.search(sentence):
        return None
    if kind == "represents" and re.search(r"\d|[$%]|\bthis\b|fair value|impairment", text):
        return None
    if kind == "means" and (
        _OWN_NAME.search(sentence) or _LISTED_TERM.search(sentence[: match.start()])
    ):
        return None
    if "verb" in match.groupdict() and "defined" in (match["verb"] or ""):
        kind = "is_defined_as"
    return {
        "term": term,
        "definition_text": text,
        "definition_kind": kind,
        "exclusions": _exclusions(text),
        "is_standard": not _COMPANY_TERM.match(term)
        and bool(_STANDARD_TERM.search(term) or _STANDARD_TEXT.search(text)),
    }


def _opens(sentence: str, place: int) -> bool:
    before = sentence[:place]
    return before.count("(") > before.count(")")


def _term(phrase: str) -> str | None:
    """The defined term without quotation marks, article, apposition; None where it is none."""
    phrase = re.sub(r"\s?\([^()]*\)", "", phrase)
    quoted = re.findall(r"[“\"]\s?([^“”\"]{2,70}?),?\s?[”\"]", phrase)
    if len(quoted) == 1:
        term = re.sub(r"[“”\"]", "", phrase).split(", ", 1)[0]
    elif quoted:
        return None
    else:
        term = phrase.split(", ", 1)[0]
        if re.search(r",? and | or ", phrase[len(term) :]):
            return None
    term = _NAMES_OWNER.sub("", _TERM_LEAD.sub("", term.strip(), count=1))
    term = re.sub(r"\s*\d$", "", trim(term).strip("“”\"'’ "))
    words = term.split()
    if not 0 < len(words) <= MAX_TERM_WORDS or len(term) < 2 or not term[0].isalpha():
        return None
    if words[-1] in ("and", "or", "of"):
        return None
    if _BAD_TERM.match(term) or _TERM_BREAKS.search(term) or term.count("(") or term.count(")"):
        return None
    return term


def _definition_text(text: str, in_parentheses: bool) -> str | None:
    masked = mask_parentheses(text)
    end = len(text)
    for match in _TEXT_END.finditer(masked):
        if match[0][0] == "." and _ABBREVIATION.search(
            masked, max(0, match.start() - 8), match.start()
        ):
            continue
        if match[0][0] == ";" and _GOES_ON.match(text, match.end()):
            continue
        end = match.start()
        break
    closing = masked.find(")")
    if in_parentheses and 0 <= closing < end:
        end = closing
    if end == len(text) and not text.rstrip().endswith((".", "”", ")", '"')):
        return None
    text = trim(text[:end]).rstrip(".")
    if _POINTER.match(text) or _POINTS_AWAY.search(text) or "respectively" in text:
        return None
    if len(text.split()) < MIN_DEFINITION_WORDS or text.count("(") != text.count(")"):
        return None
    return text


def _exclusions(text: str) -> list[str]:
    """Items after excluding, before, less …; empty where one of them is no plain noun phrase."""
    masked = mask_parentheses(text)
    cuts = list(_CUT.finditer(masked))
    items: list[str] = []
    for place, cut in enumerate(cuts):
        following = cuts[place + 1] if place + 1 < len(cuts) else None
        if cut["added"]:
            continue
        if not cut["cue"] and not cut["other"].startswith(("divided", "multiplied", "adjusted")):
            continue
        if not cut["cue"] or (following and following["other"]):
            return []
        listed = text[cut.end() : following.start() if following else len(text)]
        found = split_items(listed)
        settled = f", and {found[-1]}" in listed or not _OPEN_END.search(found[-1])
        if not settled or (len(found) > 1 and _SHARED_HEAD.match(found[0])):
            return []
        items.extend(found)
    clean = all(
        item and len(item.split()) <= MAX_ITEM_WORDS and not _UNCLEAN_ITEM.search(item)
        for item in items
    )
    return items if clean else []
