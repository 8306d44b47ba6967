"""Cavalry from outside its corps that a Corps Train serves: two formations at most (6.3.3, 14.3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.field import side_of
from assistant.questions import Gather, View, step
from assistant.state.state import Unit

from ..forces.armies import corps_and_army
from ..forces.assets import is_asset_unit
from .rules import HEX, RAILS

MOST = 2
"""Cavalry formations from outside its corps that a Corps Train may serve."""
GUEST = "draws-on"
"""The track of the Corps Train on which independent cavalry draws."""


def serves_guest(*, named: bool, others: int) -> bool:
    """Whether a Corps Train may serve cavalry from outside its corps.

    named: whether that cavalry is said to draw on it; others: how many other such formations are. Of more than two that are said to
    draw on it each may be one of the two. Rule: 14.3.1
    """
    return named or others < MOST


def bars_guest(facts: Gather, formation: Unit, train: Unit, named: Sequence[str]) -> str:
    """Why a Corps Train does not serve independent cavalry, "" if it may. named: the formations that are named as its guests."""
    drawn_on = facts.word(GUEST, formation.id)
    if drawn_on not in ("", train.id):
        return f"{formation.id} draws on {drawn_on} (14.3.1)"
    others = [name for name in named if name != formation.id]
    return "" if serves_guest(named=bool(drawn_on), others=len(others)) else full_house(others)


def presume_guest(view: View, formation: Unit, train: Unit) -> None:
    """Say in the report that a unit is taken to be one of the two guests of a Corps Train, where it is not named so and others may be."""
    with view.gather() as facts:
        draw = {other.id: facts.word(GUEST, other.id) for other in other_guests(facts, formation)}
        named = facts.word(GUEST, formation.id)
    rivals = [
        name for name, on in draw.items() if on == train.id or (not on and may_reach(view, train, view.unit(name)))
    ]
    if not named and len(rivals) >= MOST:
        text = "{unit} is one of the two formations from outside its corps that {source} serves, beside {others} "
        text += "(to name it: draws-on)"
        view.presume(step("14.3.1", text, unit=formation.id, source=train.id, others=rivals))


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
