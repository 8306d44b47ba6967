"""A picture of a supply line."""

from __future__ import annotations

from assistant.pictures.line import line_picture
from assistant.questions import Report, View, step

from .report import SupplyResult


def supply_picture(view: View, report: Report[SupplyResult]) -> str:
    """A unit and its supply line, each hex with the cost up to it, as SVG."""
    supply = report.drawable
    assert supply is not None
    serving = [source.place for source in supply.tried if source.source == supply.source or len(supply.tried) == 1]
    line = [*serving[:1], *(one.hex for one in supply.line)]
    near = [
        unit.place
        for unit in view.state.units.values()
        if unit.place and any(view.board.distance(unit.place, at) <= 2 for at in (*line, supply.place))
    ]
    return line_picture(
        view,
        line,
        title=report.title,
        caption=report.verdict.text,
        shown=[supply.place, *(source.place for source in supply.tried), *near],
        labels={one.hex: step("", "{sum}", one).text for one in supply.line},
    )
