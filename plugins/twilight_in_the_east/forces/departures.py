"""Units off the map: how they left, when they arrive, and whether they are destroyed.

Rules 1.2.2, 6.4.3a, 8.7.2, 16.2, 16.5 and 24.5.2.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.asking import InputError, View
from assistant.asking.view import changed
from assistant.state.changes import Change

from ..terms import DUMMY

DEPARTED = "departed"
"""Track: why a unit has left the map."""
ARRIVES = "arrives"
"""Track: the game turn in which a unit off the map enters it."""
ENTRY = "entry"
"""Track: where a unit off the map enters."""
BOX_ENTERED = "box-entered"
"""Track: the game turn in which a unit entered the Bukowina Holding Box in a movement phase."""
NOT_DEPARTED = "no"
OFF_FOR_GOOD = "off-map"
EXCHANGED = "exchanged"
WITHDRAWN = "withdrawn"
INTEGRATED = "integrated"
INCORPORATED = "incorporated"
NEVER_FORMED = "never-formed"
REMOVED = "removed"
DEPARTURES = {
    OFF_FOR_GOOD: ("1.2.2", "has left the map for good"),
    EXCHANGED: ("16.2", "has been exchanged for another unit"),
    WITHDRAWN: ("16.5", "has been withdrawn"),
    INTEGRATED: ("6.4.3a", "has been integrated into its parent"),
    INCORPORATED: ("8.7.2", "has given its last steps to other units"),
    NEVER_FORMED: ("16.2.2", "is never formed"),
    REMOVED: ("24.5.2", "is off the map while a German unit is adjacent to its hex"),
}
"""The rule and the words for each reason to leave the map, by value of the track `departed`."""


def departure_of(view: View, unit: str) -> str:
    """Return why a unit is off the map without being eliminated, a key of `DEPARTURES`, or "" if it is not."""
    way = view.word(DEPARTED, unit)
    return "" if way == NOT_DEPARTED else way


def depart(view: View, units: Iterable[str], way: str = OFF_FOR_GOOD, rule: str = "") -> list[Change]:
    """Return the changes by which units leave the map without being eliminated, so that no side scores for them.

    `way`: the reason, a key of `DEPARTURES`.
    `rule`: the rule that removes the units, or "" for the rule in `DEPARTURES`.

    Rule: 1.2.2b, 16.5
    """
    leaving = list(units)
    by = rule or DEPARTURES[way][0]
    gone = [changed(view, "place", unit, None, by) for unit in leaving]
    return [*gone, *(changed(view, DEPARTED, unit, way, by) for unit in leaving)]


def end_waiting(view: View, unit: str, rule: str) -> list[Change]:
    """Return the changes that clear the arrival and departure facts of a unit that enters the map."""
    stated = (track for track in (ARRIVES, ENTRY, DEPARTED) if view.state.value(track, unit))
    return [changed(view, track, unit, None, rule) for track in stated]


def pass_box(view: View, unit: str, place: str, entered: int | None) -> list[Change]:
    """Return the changes by which a unit enters the Bukowina Holding Box, or leaves it for a half-hex.

    `entered`: the game turn, if the unit enters the Box in a movement phase, or else None.

    Rule: 23.4.1, 23.4.2
    """
    changes = [changed(view, "place", unit, place, "23.4.1")]
    if view.state.value(BOX_ENTERED, unit) != entered:
        changes.append(changed(view, BOX_ENTERED, unit, entered, "23.4.2"))
    return changes


def is_destroyed(view: View, unit: str) -> bool:
    """Return whether a unit of the position has been destroyed.

    Such a unit is off the map, has not departed in another way, and does not arrive. A dummy is never destroyed.

    Rule: 16.2.1
    """
    off = view.unit(unit).place is None and not departure_of(view, unit)
    return off and not arrival_turn(view, unit) and view.word("arm", unit) != DUMMY


def arrival_turn(view: View, unit: str) -> int:
    """Return the game turn in which a unit off the map arrives, or 0 if it does not arrive.

    The turn stated in the position counts first. Otherwise it is the turn on the counter or in the scenario's schedule,
    unless that turn is over.

    Rule: 16.0
    """
    if view.state.value(ARRIVES, unit) is not None:
        return view.integer(ARRIVES, unit)
    # imported only here, because it is slow and most units are on the map
    from assistant.rules.arrivals import coming_unit, coming_units

    coming = coming_unit(coming_units(view, view.side_of(unit)), unit)
    return coming.turn if coming and coming.turn >= view.integer("turn") else 0


def check_not_departed(view: View, unit: str, parameter: str = "unit", hint: str = "") -> None:
    """Raise InputError if a unit has left the map for good.

    `parameter`: the parameter that names the unit, for the error.
    `hint`: the advice in the error, or "" for "it does not come back".
    """
    if way := departure_of(view, unit):
        rule, words = DEPARTURES[way]
        raise InputError(f"{parameter}: {unit} {words}", hint=hint or f"it does not come back ({rule})")
