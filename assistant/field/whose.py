"""Whose units a question is about: named units, a named side, or the sides whose turn it is to care."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..questions.view import View
from ..util.errors import InputError


def check_units(
    view: View, units: Collection[str], side: str, hint: str, placed: Callable[[str], bool] = lambda place: True
) -> None:
    """Raise InputError for a unit that is not on the map, and for one of another side.

    side: "" for any; hint: what to do about another side; placed: whether a place counts as on the map, by default any.
    """
    for name in units:
        place = view.unit(name).place
        if place is None or not placed(place):
            raise InputError(f"{name} is not on the map", hint="state where it stands, or leave it out")
        if side and view.side_of(name) not in ("", side):
            raise InputError(f"{name} is not a unit of {view.game.file.the_side(side)}", hint=hint)


def sides_asked(view: View, side: str, units: Collection[str] = (), active: str = "") -> tuple[str, ...]:
    """The sides that a question is about: the side that is named; or the sides of the units that are named; or else
    that of the viewpoint, the active side, or all.
    """
    if units and not side:
        return tuple(dict.fromkeys(own for name in units if (own := view.side_of(name))))
    sides = tuple(view.game.file.sides)
    named = side or (view.state.seen_by if view.state.seen_by in sides else "") or active
    return (named,) if named else sides
