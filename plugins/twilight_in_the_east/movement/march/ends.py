"""The hexes where moves may end, and those over the stacking limits afterwards (4.2).

A Strategic Plan, the die of the German 1st Corps and the Warsaw Garrison let units pass through hexes in which they may
not end a move (21.1.4, 24.1.2, 25.6.1). All questions about moves use this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from assistant.asking import Gather, Step, View, step
from assistant.rules.field import SideField, side_of
from assistant.rules.field.ways import HexBar
from assistant.state.state import Unit

from ...forces.leaders import ends_too_far, is_held
from ...forces.objectives import forces_stated
from ...forces.unit import side_shown
from ...forces.units import CombatUnit, stack_excess
from ...fortresses.warsaw import bars_garrison_end, is_of_garrison
from ...ground.hexsides import around_side
from ...leaders import francois
from ...plans.movement import RULE, goals_of, steps_against
from ...terms import OFF_MAP, SUPPLY_ARMS

DRAWS_OFF = "it is farther from the nearest enemy, and the die of the German 1st Corps was 6"
"""The reason that bars the end of a move to units of the German 1st Corps."""
MIN_UNITS_OVER_LIMIT = 3
"""Minimum number of units that can exceed the limits of a hex; three can, if artillery is among them."""


class Ends:
    """The hexes where units may end their move.

    `present`: whether the units move in the present phase, to which the die of their corps applies.

    Raises MissingFacts if it is unknown whether a plan binds the units.
    """

    def __init__(self, facts: Gather, units: Sequence[Unit], *, present: bool = True) -> None:
        self._facts = facts
        self._units = units
        self.goals = goals_of(facts, units)
        self._held = [unit for unit in units if present and is_held(facts, unit)]
        self._garrison = [unit.id for unit in units if is_of_garrison(facts, unit)]

    @property
    def bind(self) -> bool:
        """Whether anything can bar a hex as the end of the move."""
        return bool(self.goals or self._held or self._garrison)

    @cached_property
    def _around(self) -> SideField:
        return around_side(self._facts, side_of(self._facts, self._units[0]))

    @property
    def is_free(self) -> bool:
        """Whether nothing can bar a hex as the end of the move, now or after changes elsewhere on the map."""
        return not (self.bind or forces_stated(self._facts.view))

    def bars(self, hex: str, start: str = "") -> Iterator[HexBar]:
        """Yield the bars to a hex as the end of a unit's move.

        The texts do not name the hex, so they fit all hexes barred for the same reason.

        `start`: the hex where the unit begins, if it moves in a later phase.
        """
        for goal in self.goals.values():
            if not goal.allows(self._facts.view, hex, start):
                yield HexBar(RULE, goal.why)
        if any(ends_too_far(self._around, unit, hex) for unit in self._held):
            yield HexBar(francois.CLOSE_RULE, DRAWS_OFF)
        for name in self._garrison:
            bar = bars_garrison_end(self._facts, name, hex)
            if bar:
                yield HexBar(bar.rule, bar.text)

    def steps(self, last_hexes: Mapping[str, str | None]) -> Iterator[Step]:
        """Yield a step for each reason why units may not end their move as planned.

        `last_hexes`: the last hex of each unit, or None for a unit that leaves the map.
        """
        for name in self._garrison:
            bar = bars_garrison_end(self._facts, name, last_hexes[name] or OFF_MAP)
            if bar:
                yield bar
        for unit in self._held:
            hex = last_hexes[unit.id]
            if not hex or not self._facts.view.board.is_hex(hex):
                continue
            hexes = ends_too_far(self._around, unit, hex)
            if hexes:
                text = (
                    "{unit} would end {after:#hex} from the nearest enemy and began {before} away: "
                    "its corps must not draw off in this phase, as its die was 6"
                )
                yield step(francois.CLOSE_RULE, text, unit=unit.id, before=hexes[0], after=hexes[1])
        yield from steps_against(self._facts.view, self.goals, last_hexes)


def steps_against_ends(view: View, last_hexes: Mapping[str, str | None]) -> list[Step]:
    """Return the reasons why units may not end their move as planned.

    `last_hexes`: the last hex of each unit, or None for a unit that leaves the map.

    Raises as `Ends`.
    """
    with view.gather() as facts:
        return [*Ends(facts, [view.unit(name) for name in last_hexes]).steps(last_hexes)]


def hexes_over_limit(facts: Gather, last_hexes: Mapping[str, str]) -> Iterator[str]:
    """Yield the hexes that would hold more units than may stay at the end of the phase.

    `last_hexes`: the last hex of each unit.

    Rule: 4.2.1
    """
    view = facts.view
    for hex in dict.fromkeys(last_hexes.values()):
        there = [unit for unit in view.stack(hex) if unit.id not in last_hexes]
        there += [view.unit(unit) for unit, end in last_hexes.items() if end == hex and unit not in view.decoys]
        if len(there) < MIN_UNITS_OVER_LIMIT:
            continue
        supply = [unit.id for unit in there if facts.word("arm", unit.id) in SUPPLY_ARMS]
        counted = [unit for unit in supply if not facts.flag("entrained", unit)]
        if any(stack_excess([counted_in_stack(facts, unit) for unit in there], len(counted))):
            yield hex


def counted_in_stack(facts: Gather, unit: Unit) -> CombatUnit:
    """Return a unit with only the values that the stacking limits need.

    Its losses are read, and asked for, only if it is an infantry division.
    """
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id)
    return CombatUnit(
        id=unit.id,
        nation="",
        arm=arm,
        size=size,
        formation=False,
        place=str(unit.place),
        reduced=(arm, size) == ("infantry", "XX") and side_shown(facts, unit.id) != "front",
        flags=frozenset({"entrained"} if facts.flag("entrained", unit.id) else ()),
    )
