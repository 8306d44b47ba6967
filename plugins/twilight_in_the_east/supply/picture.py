"""A picture of a supply line."""

from __future__ import annotations

import textwrap

from assistant.drawing.svg import to_svg
from assistant.pictures.situation import CAPTION, situation_scene
from assistant.questions.report import Report
from assistant.questions.view import View

from .report import SupplyResult


def supply_picture(view: View, report: Report[SupplyResult]) -> str:
    """A unit and its supply line, each hex with the cost up to it, as SVG. Raises ValueError without a result."""
    found = report.drawable
    if found is None:
        raise ValueError("a report without a result has nothing to draw")
    serving = [source.place for source in found.tried if source.source == found.source or len(found.tried) == 1]
    line = [*serving[:1], *(step.hex for step in found.line)]
    sums = {step.hex: _mixed(step.sum.numerator, step.sum.denominator) for step in found.line}
    near = [
        unit.place
        for unit in view.state.units.values()
        if unit.place and any(view.board.distance(unit.place, at) <= 2 for at in (*line, found.place))
    ]
    shown = list(dict.fromkeys([*line, found.place, *(source.place for source in found.tried), *near]))
    scene = situation_scene(
        view,
        shown,
        title=report.title,
        lines=[line] if found.line else (),
        labels=sums,
        caption=textwrap.wrap(report.verdict.text, CAPTION),
    )
    return to_svg(scene)


def _mixed(numerator: int, denominator: int) -> str:
    """A fraction as players write it: 3 1/2."""
    whole, rest = divmod(numerator, denominator)
    return " ".join([*([str(whole)] if whole or not rest else []), *([f"{rest}/{denominator}"] if rest else [])])
