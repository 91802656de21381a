"""Pages of the server and the report of a run; every text in them is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import jinja2

from finrag.command.serving.marks import LONGEST_COMMENT, LONGEST_NAME, MARKS, QUESTIONS_SHOWN
from finrag.live.page import TEMPLATES
from finrag.publishing.markdown import escaped

WRONG_SHOWN: Final = 50
_FOLDER: Final = Path(__file__).parent / "templates"


def render(name: str, **shown: Any) -> str:
    """A page of the folder ``templates``."""
    return _environment().get_template(name).render(**shown)


def style() -> str:
    """The style of all pages, which is that of the page of ``finrag ask``."""
    return (TEMPLATES / "style.css").read_text(encoding="utf-8")


def report(state: Mapping[str, Any], items: Mapping[str, Mapping[str, Any]]) -> str:
    """What a run measured, as Markdown: headline, figures, gates, and what was not right."""
    wrong = [row for _, row in sorted(items.items()) if row["right"] == 0.0]
    lines = [
        f"# {escaped(state['headline'], 2000)}",
        "",
        escaped(state["measured_on"], 2000),
        "",
        f"Run {state['run_id']} of {escaped(state['candidate'])}, ended {state['ended_at']}.",
        "",
        *(f"- {escaped(line, 2000)}" for line in state["figures"]),
        "",
    ]
    for gate in state["gates"] or ():
        said = gate.get("statement") or f"{gate['gate']}: {gate['value']}, limit {gate['limit']}"
        lines.append(f"- **{escaped(gate['state'])}**: {escaped(said)} ({escaped(gate['gate'])})")
    if state["gates"]:
        lines.append("")
    if wrong:
        lines += [f"## Not answered right: {len(wrong):,} of {len(items):,}", ""]
        for row in wrong[:WRONG_SHOWN]:
            said = row["answer"] if row["outcome"] == "answered" else row["failure"]
            lines.append(f"- {escaped(row['question'])}: {row['outcome']}, {escaped(said)}")
        if len(wrong) > WRONG_SHOWN:
            lines.append(f"- … and {len(wrong) - WRONG_SHOWN:,} more, in the JSON")
    return "\n".join(lines).rstrip() + "\n"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {
        "marks": list(MARKS),
        "longest_comment": LONGEST_COMMENT,
        "longest_name": LONGEST_NAME,
        "page_size": QUESTIONS_SHOWN,
    }
    return environment
