"""Cavalry from outside its corps that a Corps Train serves: two formations at most (6.3.3, 14.3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.field import side_of
from assistant.questions import Gather, View
from assistant.questions.report import Ask
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ..forces.armies import corps_and_army
from ..forces.assets import attaching, is_asset_unit
from .rules import HEX, RAILS

MOST = 2
"""Cavalry formations from outside its corps that a Corps Train may serve."""
GUEST = "draws-on"
"""The track of the Corps Train on which independent cavalry draws."""


class Barred(NamedTuple):
    """Why a Corps Train does not serve a guest as far as is known, and what would tell; asks are empty where that is certain."""

    why_not: str
    asks: tuple[Ask, ...] = ()


def serves_guest(*, named: bool, others: int, may_be: int) -> bool | None:
    """Whether a Corps Train serves cavalry from outside its corps, None where that turns on what is not stated.

    named: whether that cavalry is said to draw on it; others: how many other such formations are; may_be: of how many it is not
    said on which train they draw. Of more than two that are said to draw on it each may be one of the two. Rule: 14.3.1
    """
    if others >= MOST:
        return None if named else False
    return True if named or others + may_be < MOST else None


def as_guest(facts: Gather, unit: Unit, train: Unit) -> Barred | None:
    """Why a Corps Train cannot serve a unit as one of its two guests; None if it can, and for a unit that is not a guest."""
    unit = attaching(facts, unit)
    if not is_guest(facts, unit):
        return None
    drawn_on = facts.word(GUEST, unit.id)
    if drawn_on not in ("", train.id):
        return Barred(f"{unit.id} draws on {drawn_on} (14.3.1)")
    draw = {other.id: facts.word(GUEST, other.id) for other in other_guests(facts, unit)}
    others = [name for name, on in draw.items() if on == train.id]
    unsaid = [name for name, on in draw.items() if not on and may_reach(facts.view, train, facts.view.unit(name))]
    serves = serves_guest(named=bool(drawn_on), others=len(others), may_be=len(unsaid))
    if serves:
        return None
    if serves is False:
        return Barred(full_house(others))
    title = f"whether {unit.id} is one of the two formations from outside its corps that {train.id} serves"
    title += f", beside {', '.join([*others, *unsaid])}"
    how = f"{quoted(unit.id)} {GUEST}={quoted(train.id)}, or another train"
    if len(others) >= MOST:
        title = f"which two of {', '.join(sorted([unit.id, *others]))} draw on {train.id}: {len(others) + 1} are named"
        how = f"{quoted(unit.id)} {GUEST}=TRAIN, another train, or so for another of them"
    asked = Ask(kind="fact", name=how, rule="14.3.1", title=title, how=how, key=(GUEST, unit.id))
    return Barred("it serves two from outside its corps, and which is not stated", (asked,))


def full_house(others: Sequence[str]) -> str:
    """Why a Corps Train does not serve one more guest, in words."""
    return f"it serves {' and '.join(others)}, and no more than two from outside its corps (14.3.1)"


def named_guests(facts: Gather) -> dict[str, tuple[str, ...]]:
    """By Corps Train the formations of independent cavalry on the map that are named to draw on it."""
    view, found = facts.view, dict[str, tuple[str, ...]]()
    units = {unit.id: unit for unit in view.units()}
    for name in sorted(name for track, name in view.state.facts if track == GUEST and name in units):
        train = view.word(GUEST, name)
        if train and view.board.is_hex(units[name].place or "") and is_guest(facts, units[name]):
            found[train] = (*found.get(train, ()), name)
    return found


def may_reach(view: View, train: Unit, unit: Unit) -> bool:
    """Whether a unit may be within reach of a Corps Train, be it along a double-track RR line all the way."""
    hexes = max(view.integer(reach, train.id) for reach in ("range", "extended-range"))
    return not hexes or view.board.distance(str(train.place), str(unit.place)) * min(RAILS.values()) <= hexes * HEX


def is_guest(facts: Gather, unit: Unit) -> bool:
    """Whether a unit is independent cavalry, which may draw on the train of any corps of its army (6.3.3)."""
    independent = facts.word("arm", unit.id) == "cavalry" and not corps_and_army(facts.view, unit.id)[0]
    return independent and not is_asset_unit(facts, unit.id)


def other_guests(facts: Gather, unit: Unit) -> Iterator[Unit]:
    """The other formations of independent cavalry of a unit's army, as far as that is stated."""
    view = facts.view
    side, army = side_of(facts, unit), view.word("army", unit.id)
    for other in view.units():
        known = view.word("arm", other.id) == "cavalry" and view.word("army", other.id) == army
        if (
            known
            and other.id != unit.id
            and view.board.is_hex(other.place or "")
            and side_of(facts, other) == side
            and is_guest(facts, other)
        ):
            yield other
