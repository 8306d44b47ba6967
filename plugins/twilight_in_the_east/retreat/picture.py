"""A picture of a retreat."""

from __future__ import annotations

import textwrap

from assistant.drawing.svg import to_svg
from assistant.pictures.situation import CAPTION, situation_scene
from assistant.questions.report import Report
from assistant.questions.view import View

from .report import RetreatResult


def retreat_picture(view: View, report: Report[RetreatResult]) -> str:
    """The hexes of a retreat and those around, as SVG. Raises ValueError without a result."""
    found = report.drawable
    if found is None:
        raise ValueError("a report without a result has nothing to draw")
    scene = situation_scene(
        view,
        [found.at, *found.way],
        title=report.title,
        lines=[[found.at, *found.way]] if found.way else (),
        caption=textwrap.wrap(report.verdict.text, CAPTION),
    )
    return to_svg(scene)
