"""What units bring about among the enemy as they move, hex by hex: who has to displace (9.5, 9.8, 9.9), and which
cavalry may react (9.1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from assistant.asking import MissingFacts, Step, View, note, step
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId

from ...displacement.order import order_steps
from ...entering.arrival import Arrival, March, arrive
from ...entering.exposed import has_to_leave, is_train_caught
from ...entering.unsettled import Open
from ...terms import DISPLACING, FIELD_ARMS
from ..reaction import TRIGGERS, bars_of_reaction, trigger, within_area
from .movers import holds_garrison


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """Enemy cavalry that may react to a move."""

    unit: UnitId
    at: Annotated[str, note("the hex where the cavalry stands")]
    hex: HexNumber
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2")]
    open: Annotated[
        tuple[str, ...] | None, note("the hexes that are open to the cavalry then, null where that is not known")
    ] = None

    @property
    def is_possible(self) -> bool:
        """Whether it has a hex to go to, as far as is known."""
        return self.open is None or bool(self.open)

    @property
    def step(self) -> Step:
        """In words."""
        rule = "9.1.1"
        if not self.is_possible:
            text = "as {hex} is entered, {unit} in {at} does not react: no hex is open to it (ask cavalry)"
            return step(rule, text, self)
        text = "as {hex} is entered, {unit} in {at} may react: {why} (ask cavalry)"
        return step(rule, text, self, why=TRIGGERS[self.trigger])


def arrivals_of(view: View, marches: Iterable[March]) -> Iterator[Arrival]:
    """Yield the steps of some moves, each as it is made, in order."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            yield arrival
            now = arrival.after


def reactions_to(view: View, arrivals: Iterable[Arrival]) -> Iterator[Reaction]:
    """Yield the enemy cavalry for which each step is a trigger, by which one, and the hexes that are open to it then;
    whether anything else keeps it from a reaction, `cavalry` says.
    """
    neighbours = view.board.neighbours
    for arrival in arrivals:
        for hex in arrival.entered:
            left = arrival.left[0] if arrival.left else None
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in arrival.after.stack(place) if arrival.is_enemy(unit.id)]
            for unit in others:
                if view.word("arm", unit.id) != "cavalry":
                    continue
                at = str(unit.place)
                beside = _find_units_beside(arrival, at)
                pulled = trigger(neighbours(at), hex, left, beside, _find_hexes_beside_friends(arrival, unit))
                if pulled and not view.flag("entrained", unit.id):
                    hexes = _find_open_hexes(arrival, unit, left if pulled == 2 else None)
                    yield Reaction(unit=unit.id, at=at, hex=hex, trigger=pulled, open=hexes)


def _find_open_hexes(arrival: Arrival, cavalry: Unit, left: str | None) -> tuple[str, ...] | None:
    """Return the hexes that are open to cavalry that reacts to a step, None where that is not known. left: the hex that
    is barred to it because the enemy has just left it, None for none.
    """
    now = arrival.after
    apart = View(now.game, now.state, now.end)  # what is only looked at is no doubt of the report
    try:
        with apart.gather() as facts:
            bars = bars_of_reaction(facts, cavalry, arrival.march.units, left, keeps=holds_garrison(facts, cavalry))
        return within_area(bars, cavalry.id).open
    except MissingFacts:
        return None


def _find_units_beside(arrival: Arrival, at: str) -> list[str]:
    """Return the hexes around cavalry where units of the moving side stood before the step."""
    view = arrival.before

    def stays(unit: Unit) -> bool:
        return unit.id not in arrival.march.units and view.side_of(unit.id) == arrival.side

    return [place for place in view.board.neighbours(at) if any(map(stays, view.stack(place)))]


def _find_hexes_beside_friends(arrival: Arrival, cavalry: Unit) -> set[str]:
    """Return the hexes next to the other units of the side of some cavalry that are near the step."""
    view, board = arrival.after, arrival.after.board
    near = arrival.beside(arrival.entered)
    friends = [unit for hex in near for unit in view.stack(hex) if arrival.is_enemy(unit.id) and unit.id != cavalry.id]
    return {hex for unit in friends for hex in board.neighbours(str(unit.place))}


def displacing_units(arrivals: Iterable[Arrival]) -> Iterator[tuple[str, Unit]]:
    """Yield the units that have to leave their hexes as units go, each once, with the hex that these had entered then;
    "" for those who were left alone by units that went off the map.
    """
    named = set[str]()
    for arrival in arrivals:
        now = arrival.after
        there = [unit for hex in arrival.beside((*arrival.left, *arrival.entered)) for unit in now.stack(hex)]
        with now.gather() as facts:
            able = (unit for unit in there if unit.id not in named and now.word("arm", unit.id) in DISPLACING)
            due = [unit for unit in able if has_to_leave(facts, unit)]
        for unit in due:
            named.add(unit.id)
            yield next(iter(arrival.entered), ""), unit


def trains_caught(arrivals: Iterable[Arrival]) -> dict[str, Unit]:
    """Return the units in Rail Mode to which combat units or artillery come adjacent, by name. Rule: 8.2.4b"""
    caught = dict[str, Unit]()
    for arrival in arrivals:
        if not arrival.of_arm(FIELD_ARMS):
            continue
        for hex in arrival.beside(arrival.entered):
            for unit in arrival.after.stack(hex):
                if arrival.is_enemy(unit.id) and is_train_caught(arrival.after, unit):
                    caught[unit.id] = unit
    return caught


def units_to_displace(
    view: View, arrivals: Iterable[Arrival], displacing: Iterable[tuple[str, Unit]]
) -> Iterator[Open]:
    """Yield the artillery, Corps Trains and depots that have to leave their hex before anything else is done: units
    that go have come adjacent to them, or have left them alone there; and the units in Rail Mode to which they have
    come adjacent. The question `displace` says what becomes of each.

    displacing: of `displacing_units`.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    for unit in trains_caught(arrivals).values():
        text = (
            "{unit} in {hex} is in Rail Mode and displaces along its RR line at once, "
            "as an enemy is adjacent (ask displace)"
        )
        yield Open(unit.id, step("8.2.4", text, unit=unit.id, hex=unit.place))
    for _, unit in displacing:
        text = "{unit} in {hex} is adjacent to an enemy and may have to leave its hex at once (ask displace)"
        _, rule, _ = DISPLACING[view.word("arm", unit.id)]
        yield Open(unit.id, step(rule, text, unit=unit.id, hex=unit.place))


def order_of_interruptions(
    view: View, hexes: Iterable[str], reactions: Iterable[Reaction], displacing: Iterable[tuple[str, Unit]]
) -> Iterator[Step]:
    """Yield the order in which a move goes on in each hex where enemy cavalry may react or units have to leave their
    hexes. hexes: that are entered; reactions, displacing: of `reactions_to` and `displacing_units`.
    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    cavalry = dict[str, list[str]]()
    leaving = dict[str, dict[str, str]]()
    for reaction in reactions:
        if reaction.is_possible:
            cavalry.setdefault(reaction.hex, []).append(reaction.unit)
    for hex, unit in displacing:
        leaving.setdefault(hex, {})[unit.id] = view.word("arm", unit.id)
    for hex in dict.fromkeys(hexes):
        yield from order_steps(hex, cavalry.get(hex, ()), leaving.get(hex, {}))
