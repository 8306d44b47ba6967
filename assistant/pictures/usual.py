"""The pictures of many questions, made when one is drawn: until then nothing of drawing is read in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..questions.report import Report
from ..questions.view import View

if TYPE_CHECKING:
    from ..drawing.scene import Scene
    from ..field.moving import Reach

R = TypeVar("R")


def of_way(hexes: Callable[[R], Sequence[str]]) -> Callable[[View, Report[R]], Scene]:
    """The picture of a way, with the hexes around it, as a question declares it. hexes: those of the way, by the
    question's result.
    """

    def picture(view: View, report: Report[R]) -> Scene:
        from .situation import line_picture

        way = hexes(_drawable(report))
        return line_picture(view, way, title=report.title, caption=report.verdict.text)

    return picture


def of_reach(points: Callable[[int], str] = str) -> Callable[[View, Report[Reach]], Scene]:
    """The picture of where a unit can move, each hex with its cost, as a question declares it. If a unit off the map cannot
    enter it, the picture shows all units on it.

    points: writes a cost in Movement Points, from the number that the result holds.
    """

    def picture(view: View, report: Report[Reach]) -> Scene:
        from .situation import line_picture

        reach = _drawable(report)
        labels = {place.hex: points(place.cost) for place in reach.hexes}
        units = [unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
        shown = [*filter(None, [reach.at]), *labels] or units
        return line_picture(view, (), title=report.title, shown=shown, labels=labels, caption=report.verdict.text)

    return picture


def of_combat(hexes: Callable[[R], tuple[str | Sequence[str], Iterable[str]]]) -> Callable[[View, Report[R]], Scene]:
    """The picture of a combat, as a question declares it. hexes: those that are attacked, one or several, and those
    that attack, by the question's result.
    """

    def picture(view: View, report: Report[R]) -> Scene:
        from .situation import combat_picture

        at, places = hexes(_drawable(report))
        return combat_picture(view, at, places, title=report.title, caption=report.verdict.text)

    return picture


def _drawable(report: Report[R]) -> R:
    result = report.drawable
    assert result is not None  # nothing is drawn of a report without a result
    return result
