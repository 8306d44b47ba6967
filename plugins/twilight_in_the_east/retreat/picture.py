"""A picture of a retreat."""

from __future__ import annotations

from assistant.pictures.line import line_picture
from assistant.questions.report import Report
from assistant.questions.view import View

from .report import RetreatResult


def retreat_picture(view: View, report: Report[RetreatResult]) -> str:
    """The hexes of a retreat and those around, as SVG."""
    retreat = report.drawable
    assert retreat is not None
    return line_picture(view, [retreat.at, *retreat.way], title=report.title, caption=report.verdict.text)
