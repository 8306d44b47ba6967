"""A picture of a supply line."""

from __future__ import annotations

from assistant.pictures.line import line_picture
from assistant.questions.report import Report
from assistant.questions.view import View

from .report import SupplyResult


def supply_picture(view: View, report: Report[SupplyResult]) -> str:
    """A unit and its supply line, each hex with the cost up to it, as SVG."""
    supply = report.drawable
    assert supply is not None
    serving = [source.place for source in supply.tried if source.source == supply.source or len(supply.tried) == 1]
    line = [*serving[:1], *(step.hex for step in supply.line)]
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
        labels={step.hex: _mixed(step.sum.numerator, step.sum.denominator) for step in supply.line},
    )


def _mixed(numerator: int, denominator: int) -> str:
    """A fraction as players write it: 3 1/2."""
    whole, rest = divmod(numerator, denominator)
    return " ".join([*([str(whole)] if whole or not rest else []), *([f"{rest}/{denominator}"] if rest else [])])
