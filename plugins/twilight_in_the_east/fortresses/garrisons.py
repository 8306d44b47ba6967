"""Fortress Garrisons, which keep to their fortress or Fortress Complex (12.4)."""

from __future__ import annotations

from typing import Literal

from assistant.questions import Gather
from assistant.questions.view import View, changed
from assistant.state.changes import Change

from ..terms import FORTRESSES


def garrison_move(inside: bool, required: bool, can_stay: bool) -> Literal["free", "barred", "released"]:
    """What entering a hex means to a Fortress Garrison: within its complex it is free to go; out of it only a retreat takes it
    to which no hex of the complex is open, and releases it.

    inside: whether the hex is the fortress unit's own or one of its complex; required: whether it has to leave its hex; can_stay:
    whether a hex of the complex is open to it. Rule: 12.4.1
    """
    if inside:
        return "free"
    return "released" if required and not can_stay else "barred"


def is_inside(view: View, here: str, there: str) -> bool:
    """Whether a hex is the one where a garrison stands, or one of its Fortress Complex: fortress units of one ID. An ID that is not
    stated joins no complex."""
    ids = ({view.word("complex", unit) for unit in _fortresses(view, place)} - {""} for place in (here, there))
    return here == there or bool(set.intersection(*ids))


def known_inside(facts: Gather, here: str, there: str) -> bool:
    """The same where the IDs are asked for on which it turns: where a fortress unit stands in either hex."""
    places = [_fortresses(facts.view, place) for place in (here, there)]
    for unit in (unit for units in places if here != there and all(places) for unit in units):
        facts.word("complex", unit)
    return is_inside(facts.view, here, there)


def released(view: View, unit: str, here: str, there: str) -> list[Change]:
    """The change to a unit that has to go from one hex to another and is a Fortress Garrison no more out of its complex (12.4.1)."""
    move = garrison_move(is_inside(view, here, there), required=True, can_stay=False)
    leaves = view.flag("garrison", unit) and move == "released"
    return [changed(view, "garrison", unit, None, "12.4.1")] if leaves else []


def _fortresses(view: View, place: str) -> list[str]:
    return [unit.id for unit in view.stack(place) if view.word("arm", unit.id) in FORTRESSES]
