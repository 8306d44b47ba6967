"""What a combat has cost its units so far, and where it has moved them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from ..forces.units import CombatUnit, Force

Amounts = tuple[tuple[str, int], ...]


class Toll(msgspec.Struct, frozen=True):
    """What a combat has cost so far.

    moved: units that stand elsewhere now, "" off the map; steps: lost, by unit; levels: lost, by the formation; disorder: the degree
    that a formation has now; hexes: that each Force has had to retreat by the result and its check, those beyond them for want of
    room left out; pushed: likewise, away from a Repulse.
    """

    moved: tuple[tuple[str, str], ...] = ()
    steps: Amounts = ()
    levels: Amounts = ()
    disorder: Amounts = ()
    hexes: Amounts = ()
    pushed: Amounts = ()

    def and_steps(self, more: Mapping[str, int]) -> Toll:
        """The same with more steps lost."""
        return replace(self, steps=summed(self.steps, more))

    def and_levels(self, more: Mapping[str, int]) -> Toll:
        """The same with more levels lost."""
        return replace(self, levels=summed(self.levels, more))

    def and_hexes(self, more: Mapping[str, int], *, pushed: bool) -> Toll:
        """The same with more hexes that Forces have had to retreat. pushed: whether away from a Repulse."""
        if pushed:
            return replace(self, pushed=summed(self.pushed, more))
        return replace(self, hexes=summed(self.hexes, more))

    def and_moved(self, more: Mapping[str, str]) -> Toll:
        """The same with units moved."""
        return replace(self, moved=tuple(sorted({**dict(self.moved), **more}.items()))) if more else self

    def of(self, units: Iterable[CombatUnit]) -> Toll:
        """What it has cost some units, wherever they stand."""
        names = {unit.id for unit in units}
        steps, levels = (tuple(one for one in amounts if one[0] in names) for amounts in (self.steps, self.levels))
        return Toll((), steps, levels)


def summed(one: Amounts, more: Mapping[str, int]) -> Amounts:
    """Two lists of amounts together."""
    found = dict(one)
    for name, amount in more.items():
        if amount:
            found[name] = found.get(name, 0) + amount
    return tuple(sorted(found.items()))


def after_toll(units: Iterable[CombatUnit], toll: Toll) -> tuple[CombatUnit, ...]:
    """Units as the combat has left them so far, those without a step left among them."""
    if not (toll.steps or toll.levels or toll.disorder):
        return tuple(units)
    steps, levels, disorder = dict(toll.steps), dict(toll.levels), dict(toll.disorder)
    return tuple(
        replace(
            unit,
            lost=min(unit.lost + steps.get(unit.id, 0), unit.steps),
            levels=unit.levels + levels.get(unit.id, 0),
            disorder=disorder.get(unit.id, unit.disorder),
        )
        if unit.id in steps or unit.id in levels or unit.id in disorder
        else unit
        for unit in units
    )


def left_of(force: Force, toll: Toll) -> Force | None:
    """A Force as the combat has left it so far, None if nothing is."""
    off = {name for name, place in toll.moved if not place}
    units = tuple(unit for unit in after_toll(force.units, toll) if unit.left > 0 and unit.id not in off)
    return Force(force.name, units) if units else None
