"""Fortress Garrisons that move from one hex to another, within their complex or out of it (12.4.1)."""

from __future__ import annotations

from typing import Literal

from assistant.asking import Gather
from assistant.asking.view import View, changed
from assistant.state.changes import Change

from ..terms import FORTRESSES


def garrison_move(*, inside: bool, required: bool, can_stay: bool) -> Literal["free", "barred", "released"]:
    """Return whether a Fortress Garrison may enter a hex.

    Within its complex it is free. It leaves the complex, and is released, only in a retreat to which no hex of the
    complex is open.

    `inside`: whether the hex is the fortress unit's own or of its complex.
    `required`: whether the garrison must leave its hex.

    Rule: 12.4.1
    """
    if inside:
        return "free"
    return "released" if required and not can_stay else "barred"


def is_inside(view: View, here: str, there: str) -> bool:
    """Return whether two hexes are the same, or have fortress units of one Fortress Complex.

    A fortress unit without a stated complex ID belongs to no complex.
    """
    begun = {view.word("complex", unit) for unit in fortress_units_at(view, here)} - {""}
    reached = {view.word("complex", unit) for unit in fortress_units_at(view, there)}
    return here == there or not begun.isdisjoint(reached)


def known_inside(facts: Gather, here: str, there: str) -> bool:
    """Return `is_inside`, asking for unstated complex IDs if fortress units stand in both hexes."""
    begun = fortress_units_at(facts.view, here)
    reached = fortress_units_at(facts.view, there)
    if here != there and begun and reached:
        for unit in (*begun, *reached):
            facts.word("complex", unit)
    return is_inside(facts.view, here, there)


def release_garrison(view: View, unit: str, here: str, there: str) -> list[Change]:
    """Return the change that releases a Fortress Garrison which must leave its complex, or [] (12.4.1)."""
    move = garrison_move(inside=is_inside(view, here, there), required=True, can_stay=False)
    leaves = view.flag("garrison", unit) and move == "released"
    return [changed(view, "garrison", unit, None, "12.4.1")] if leaves else []


def fortress_units_at(view: View, place: str) -> list[str]:
    """Return the fortress units at a place, Fortresses and Forts. Rule: 2.2e"""
    return [unit.id for unit in view.stack(place) if view.word("arm", unit.id) in FORTRESSES]
