"""Where units that begin a march together can go, for the page, which shows it before a way is tapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...asking.parameters import list_form_fields
from ...asking.placeholders import Placeholder, merge_placeholders
from ...installed.registry import question_of
from ...rules.field.movement import Reach as Reached
from ...state.points import format_points
from ...util.errors import InputError
from .answer_view import show_answer, show_trusted
from .combat_view import reach_question
from .desk import StandingTable
from .messages.board import ReachedHex, ReachShown
from .messages.requests import ReachRequest

NONE = ReachShown(hexes=())
"""What can be reached as far as a game tells: nothing in one without such a question."""


def answer_reach(table: StandingTable, request: ReachRequest) -> ReachShown:
    """Return the hexes that all of some units can reach. Of a unit that may not move, or of which facts are missing,
    the answer that says so stands for all. Raises InputError for no units, and for what is not a unit on the map.
    """
    if not request.units:
        raise InputError("no unit is named", hint="choose the units that march")
    name = reach_question(table.game)
    if not name:
        return NONE
    parameter = list_form_fields(question_of(table.game, name), table.game)[0]
    asked = [",".join(request.units)] if parameter.many else request.units
    reaches = list[Reached]()
    says = list[str]()
    rests_on = tuple[Placeholder, ...]()
    owing = None
    for units in asked:
        answer = table.ask(name, {parameter.name: units}, {})
        report = answer.report
        if report.result is None or report.verdict.kind == "no":
            return ReachShown(hexes=(), answer=show_answer(answer.position, report))
        reaches.append(report.result)
        says += report.answers_on(())
        if report.mark:
            rests_on = merge_placeholders(rests_on, report.rests_on)
        if report.asks and owing is None:
            owing = show_answer(answer.position, report)
    # of several reasons the first of the unit that is named last
    barred = {option.hex: option.barred for reach in reaches for option in reversed(reach.barred)}
    return ReachShown(
        hexes=tuple(_intersect_hexes(reaches)),
        barred=tuple(barred.items()),
        says=tuple(says),
        rests_on=show_trusted(table.position, rests_on),
        answer=owing,
    )


def _intersect_hexes(reaches: Sequence[Reached]) -> Iterable[ReachedHex]:
    """Yield the hexes that all units reach, each with the way and the points of the unit that has the fewest left
    there.
    """
    reached = [{place.hex: place for place in reach.hexes} for reach in reaches]
    for at in reached[0]:
        if all(at in places for places in reached):
            place = min((places[at] for places in reached), key=lambda place: (place.left, -place.beyond))
            beyond = format_points(place.beyond) if place.beyond else ""
            yield ReachedHex(hex=at, left=format_points(place.left), beyond=beyond, way=place.way)
