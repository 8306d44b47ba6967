"""Moves of Fortress Garrisons within their Fortress Complex or out of it (12.4.1)."""

from __future__ import annotations

from typing import Literal

from assistant.asking import Gather
from assistant.asking.view import View, changed
from assistant.state.changes import Change

from ..terms import FORTRESSES


def garrison_move(*, inside: bool, required: bool, can_stay: bool) -> Literal["free", "barred", "released"]:
    """Return whether a Fortress Garrison may enter a hex.

    Within its complex it is free. It leaves the complex only if it must leave its hex and no hex of the complex is
    open; then it is released.

    `inside`: whether the hex is in its complex, or its own.
    `required`: whether the garrison must leave its hex.
    `can_stay`: whether another hex of the complex is open to it.

    Rule: 12.4.1
    """
    if inside:
        return "free"
    return "released" if required and not can_stay else "barred"


def is_inside(view: View, here: str, there: str) -> bool:
    """Return whether two hexes are the same, or have fortress units with the same stated complex ID."""
    begun = {view.word("complex", unit) for unit in fortress_units_at(view, here)} - {""}
    reached = {view.word("complex", unit) for unit in fortress_units_at(view, there)}
    return here == there or not begun.isdisjoint(reached)


def known_inside(facts: Gather, here: str, there: str) -> bool:
    """Return `is_inside`, after asking for unstated complex IDs if both hexes have fortress units."""
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
