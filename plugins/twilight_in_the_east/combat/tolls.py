"""What a combat has cost so far, and its units after that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import note

from ..forces.units import CombatUnit, Force, Role, is_marsch
from ..terms import OFF_MAP

Amounts = tuple[tuple[str, int], ...]


class Toll(msgspec.Struct, frozen=True):
    """What a combat has cost so far."""

    moved: Annotated[tuple[tuple[str, str], ...], note('units that are elsewhere now, "" if they are eliminated')] = ()
    steps: Annotated[Amounts, note("lost, by unit")] = ()
    levels: Annotated[Amounts, note("lost, by the formation")] = ()
    disorder: Annotated[Amounts, note("the degree that a formation has now")] = ()
    hexes: Annotated[
        Amounts, note("that each Force has had to retreat by the result and its check, without those for want of room")
    ] = ()
    pushed: Annotated[Amounts, note("likewise, away from a Repulse")] = ()
    led: Annotated[Amounts, note("in how many Repulses each leader has been used")] = ()

    def and_steps(self, more: Mapping[str, int]) -> Toll:
        """Return the toll with more steps lost."""
        return replace(self, steps=add_amounts(self.steps, more))

    def and_levels(self, more: Mapping[str, int]) -> Toll:
        """Return the toll with more levels lost."""
        return replace(self, levels=add_amounts(self.levels, more))

    def and_hexes(self, more: Mapping[str, int], *, pushed: bool) -> Toll:
        """Return the toll with more hexes that Forces have had to retreat. pushed: whether away from a Repulse."""
        if pushed:
            return replace(self, pushed=add_amounts(self.pushed, more))
        return replace(self, hexes=add_amounts(self.hexes, more))

    def and_led(self, leaders: Iterable[str]) -> Toll:
        """Return the toll after one more Repulse in which some leaders have been used."""
        return replace(self, led=add_amounts(self.led, dict.fromkeys(leaders, 1)))

    def and_moved(self, more: Mapping[str, str]) -> Toll:
        """Return the toll with units moved."""
        return replace(self, moved=tuple(sorted({**dict(self.moved), **more}.items()))) if more else self

    def and_eliminated(self, left: Mapping[str, int]) -> Toll:
        """Return the toll with units eliminated. left: the steps that each of them has left."""
        return self.and_steps(left).and_moved(dict.fromkeys(left, ""))

    def of(self, units: Iterable[CombatUnit]) -> Toll:
        """Return what it has cost some units, wherever they stand on the map."""
        names = {unit.id for unit in units}
        steps = tuple(amount for amount in self.steps if amount[0] in names)
        levels = tuple(amount for amount in self.levels if amount[0] in names)
        departed = tuple(move for move in self.moved if move[0] in names and move[1] == OFF_MAP)
        return Toll(departed, steps, levels)


def add_amounts(amounts: Amounts, more: Mapping[str, int]) -> Amounts:
    """Return two lists of amounts together."""
    total = dict(amounts)
    for name, amount in more.items():
        if amount:
            total[name] = total.get(name, 0) + amount
    return tuple(sorted(total.items()))


def units_after(units: Iterable[CombatUnit], toll: Toll) -> tuple[CombatUnit, ...]:
    """Return units as the combat has left them so far, those without a step left among them, which those count with
    that have left the map for good.
    """
    departed = {name for name, place in toll.moved if place == OFF_MAP}
    if not (toll.steps or toll.levels or toll.disorder or departed):
        return tuple(units)
    steps = dict(toll.steps)
    levels = dict(toll.levels)
    disorder = dict(toll.disorder)
    struck = departed.union(steps, levels, disorder)
    after = []
    for unit in units:
        if unit.id in struck:
            lost = unit.steps if unit.id in departed else min(unit.lost + steps.get(unit.id, 0), unit.steps)
            fallen = unit.levels + levels.get(unit.id, 0)
            unit = replace(unit, lost=lost, levels=fallen, disorder=disorder.get(unit.id, unit.disorder))
        after.append(unit)
    return tuple(after)


def remaining_force(force: Force, toll: Toll) -> Force | None:
    """Return a Force as the combat has left it so far, None if nothing is, or all have left the map (1.2.2)."""
    off = {name for name, place in toll.moved if not place}
    units = tuple(unit for unit in units_after(force.units, toll) if unit.left > 0 and unit.id not in off)
    return Force(force.name, units) if units else None


def spares_marsch_units(role: Role, units: Sequence[CombatUnit], toll: Toll, marsch_first: str) -> bool:
    """Return whether the next step loss is the first of an attack, which goes to others than Marsch units; artillery
    that a retreat eliminates is no loss that an owner assigns.

    units: of the side, as they are now; marsch_first: ruling, whether units with a single step left take that loss for
    them.
    Rule: 23.8
    """
    lost = dict(toll.steps)
    begun = any(unit.id in lost for unit in units if unit.arm != "artillery")
    able = marsch_first == "others" or any(unit.left > 1 for unit in units if not is_marsch(unit))
    return role == "attacker" and not begun and able
