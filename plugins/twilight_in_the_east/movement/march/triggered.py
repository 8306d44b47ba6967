"""What units bring about among the enemy as they move, hex by hex: who has to displace (9.5, 9.8, 9.9), and which cavalry
may react (9.1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.field import side_of
from assistant.questions import Gather, Step, View, note, step
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId

from ...displacement.rules import DISPLACING
from ...entering.following import Arrival, March, Open, arrive
from ...ground.hexsides import around_side
from ...terms import COMBAT_ARMS, DEPOTS
from ..reaction import TRIGGERS, trigger


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """Enemy cavalry that may react to a move."""

    unit: UnitId
    at: Annotated[str, note("the hex where the cavalry stands")]
    hex: HexNumber
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2")]

    @property
    def step(self) -> Step:
        """In words."""
        rule = "9.1.1"
        text = "as {hex} is entered, {unit} in {at} may react: {why} (ask cavalry)"
        return step(rule, text, self, why=TRIGGERS[self.trigger])


def arrivals_of(view: View, marches: Sequence[March]) -> Iterator[Arrival]:
    """The steps of some moves, each as it is made, in order."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            yield arrival
            now = arrival.after


def reactions_to(view: View, marches: Sequence[March]) -> Iterator[Reaction]:
    """The enemy cavalry that may react to each step, and by which trigger; whether it can, and where to, `cavalry` says."""
    neighbours = view.board.neighbours
    for arrival in arrivals_of(view, marches):
        for hex in arrival.entered:
            left = arrival.left[0] if arrival.left else None
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in arrival.after.stack(place) if arrival.is_enemy(unit.id)]
            for unit in (unit for unit in others if view.word("arm", unit.id) == "cavalry"):
                at = str(unit.place)
                pulled = trigger(
                    neighbours(at), hex, left, standing_beside(arrival, at, hex), beside_friends(arrival, unit)
                )
                if pulled and not view.flag("entrained", unit.id):
                    yield Reaction(unit=unit.id, at=at, hex=hex, trigger=pulled)


def standing_beside(arrival: Arrival, at: str, hex: str) -> list[str]:
    """The hexes around cavalry where units of the moving side stood before the step."""
    view = arrival.before
    own = arrival.march.units
    return [
        place
        for place in view.board.neighbours(at)
        if any(unit.id not in own and view.side_of(unit.id) == arrival.side for unit in view.stack(place))
    ]


def beside_friends(arrival: Arrival, cavalry: Unit) -> set[str]:
    """The hexes next to the other units of the side of some cavalry that are near the step."""
    view, board = arrival.after, arrival.after.board
    near = arrival.beside(arrival.entered)
    friends = [unit for hex in near for unit in view.stack(hex) if arrival.is_enemy(unit.id) and unit.id != cavalry.id]
    return {hex for unit in friends for hex in board.neighbours(str(unit.place))}


def units_to_displace(view: View, marches: Sequence[March]) -> Iterator[Open]:
    """The artillery, Corps Trains and depots that have to leave their hex before anything else is done: units that go
    have come adjacent to them, or have left them alone there. The question `displace` says what becomes of each.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    named = set[str]()
    for arrival in arrivals_of(view, marches):
        now = arrival.after
        there = [unit for hex in arrival.beside((*arrival.left, *arrival.entered)) for unit in now.stack(hex)]
        with now.gather() as facts:
            able = (unit for unit in there if unit.id not in named and now.word("arm", unit.id) in DISPLACING)
            due = [unit for unit in able if has_to_leave(facts, unit)]
        for unit in due:
            named.add(unit.id)
            text = "{unit} in {hex} is adjacent to an enemy and may have to leave its hex at once (ask displace)"
            _, rule, _ = DISPLACING[now.word("arm", unit.id)]
            yield Open(unit.id, step(rule, text, unit=unit.id, hex=unit.place))


def has_to_leave(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has to leave its hex: a depot next to an enemy; artillery or a Corps Train in an EZOC without a
    friendly combat unit. Those in Rail Mode have a rule of their own.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    if facts.flag("entrained", unit.id):
        return False
    around = around_side(facts, side_of(facts, unit))
    if facts.word("arm", unit.id) in DEPOTS:
        return around.next_to_enemy(str(unit.place))
    guarded = any(facts.word("arm", other.id) in COMBAT_ARMS for other in facts.view.stack(str(unit.place)))
    return unit.place in around.enemy_zones and not guarded
