"""The gates of a report as JUnit XML, which continuous integration shows as tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.etree import ElementTree

# Where a verdict is none of these, the gate was measured.
_UNMEASURED: Final = ("too_few", "not_applicable", "waived")


def as_junit(report: Mapping[str, Any]) -> str:
    """One suite per phase, one test per gate and system.

    A broken error gate is a failure; a broken warning and a reference system below its limit pass
    and say so in their output. A gate that is waived, does not apply or has too few questions is
    skipped, with the reason.

    Args:
        report: as ``report_of`` gives it.
    """
    gates: Sequence[Mapping[str, Any]] = report["gates"]
    phases = sorted({gate["phase"] for gate in gates})
    root = ElementTree.Element("testsuites", _counts("finrag", gates))
    for phase in phases:
        of_phase = [gate for gate in gates if gate["phase"] == phase]
        suite = ElementTree.SubElement(root, "testsuite", _counts(phase, of_phase))
        for gate in of_phase:
            _add_case(suite, gate)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, gate: Mapping[str, Any]) -> None:
    name = f"{gate['gate_id']} ({gate['system_id']}, {gate['gold_set']})"
    case = ElementTree.SubElement(
        suite, "testcase", {"classname": _text(gate["phase"]), "name": _text(name)}
    )
    message = _text(f"{_figure(gate)}. {gate['rationale']}")
    if _is_failure(gate):
        failure = {"message": _text(_figure(gate)), "type": _text(gate["breach"])}
        ElementTree.SubElement(case, "failure", failure).text = message
    elif gate["breach"]:
        kind = "reference system" if gate["severity"] == "reference" else "warning"
        ElementTree.SubElement(case, "system-out").text = f"{kind}: {message}"
    elif gate["verdict"] in _UNMEASURED:
        reason = gate["waiver_reason"] or _figure(gate)
        message = _text(f"{gate['verdict']}: {reason}")
        ElementTree.SubElement(case, "skipped", {"message": message})


def _counts(name: str, gates: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    skipped = [g for g in gates if not g["breach"] and g["verdict"] in _UNMEASURED]
    return {
        "name": _text(name),
        "tests": str(len(gates)),
        "failures": str(sum(map(_is_failure, gates))),
        "errors": "0",
        "skipped": str(len(skipped)),
    }


def _is_failure(gate: Mapping[str, Any]) -> bool:
    return bool(gate["breach"]) and gate["severity"] == "error"


def _figure(gate: Mapping[str, Any]) -> str:
    """What was measured, over how many items, and the limit."""
    return f"{gate['statement']} (n = {gate['n'] or 0})"


def _text(value: object) -> str:
    """A text without the characters that XML has no place for."""
    return "".join(
        sign
        for sign in str(value)
        if sign in "\t\n\r"
        or "\x20" <= sign <= "\ud7ff"
        or "\ue000" <= sign <= "\ufffd"
        or sign >= "\U00010000"
    )
