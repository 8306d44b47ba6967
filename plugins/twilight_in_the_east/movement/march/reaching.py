"""How far units come in a phase: all hexes within reach of a unit or of a stack, with what it has left there and whether it
makes a Forced March (8.1, 8.3).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.field import Around, Barred, HexOption
from assistant.field.moving import Moving, Reach, Reached
from assistant.questions import Gather, View, note
from assistant.state.state import Unit

from ...forces.account import read_account
from ...forces.movement_points import MOST, allowance, chance_of_march, excess_points_now, reckon_spending
from ...ground.costs import STEP
from ...ground.hexsides import around_side
from .steps import CROSSING, Judge, Party, Prices, Stepped
from .zones import Zones, zones_in

WITH_ENEMIES = Barred("4.2", "enemies stand there")
"""What bars a hex to who cannot begin to cross into it."""
Halves = int
"""Halves of a Movement Point."""


class Marching(Reached, frozen=True, kw_only=True):
    """A hex within reach. Its cost is in halves of a Movement Point."""

    left: Annotated[Fraction, note("Movement Points that each unit then has left; of several the fewest")]
    march: Annotated[Fraction, note("Movement Points beyond the allowance, for which a Forced March is made")] = (
        msgspec.field(default_factory=Fraction)
    )
    passes: Annotated[
        Fraction | None, note("the chance that all pass their checks, null without a Forced March or where not known")
    ] = None

    @property
    def beyond(self) -> Fraction:
        """Movement Points beyond the allowance, by Forced March."""
        return self.march

    @property
    def points(self) -> Fraction:
        """What the way costs, in Movement Points."""
        return Fraction(self.cost, STEP)


class UnitReach(Reach, frozen=True, kw_only=True):
    """Where a unit can move, or units that move together. The allowance is in halves of a Movement Point."""

    units: Annotated[tuple[str, ...], note("the units that move together")] = ()
    hexes: Annotated[tuple[Marching, ...], note("the hexes, cheapest first")] = ()


class Purse(NamedTuple):
    """The Movement Points of a unit in a phase. before: those spent in it; allowed: its allowance; most: what a Forced
    March may add.
    """

    unit: Unit
    before: Fraction
    allowed: Fraction
    most: int

    def left(self, points: Fraction) -> Fraction:
        """What it has left once it has spent some more."""
        return max(self.allowed - self.before - points, Fraction(0))

    def march(self, view: View, points: Fraction) -> Fraction:
        """What it spends beyond its allowance once it has spent some more."""
        return excess_points_now(view, self.before + points, self.allowed)

    def halves(self, view: View, *, forced: bool) -> Halves:
        """The most halves of a Movement Point that it may spend, with a Forced March or without one. Rule: 8.1, 8.3"""
        halves, added = 0, self.most if forced else 0
        while self.march(view, Fraction(halves + 1, STEP)) <= added:
            halves += 1
        return halves


def read_purse(facts: Gather, unit: Unit, beside: Sequence[str] = ()) -> Purse:
    """The Movement Points of a unit. Its allowance is asked for where it is not stated. beside: the units with it."""
    facts.integer("movement", unit.id)
    before = read_account(facts, unit.id).total
    spends = reckon_spending(facts, unit, before, "move", beside=tuple(beside))
    return Purse(unit, before, spends.allowance, spends.most) if spends else Purse(unit, before, Fraction(0), 0)


def purse_in_phase(facts: Gather, unit: Unit, *, counter: bool) -> Purse:
    """The Movement Points of a unit in a later phase, of which it has spent none."""
    arm = facts.word("arm", unit.id)
    return Purse(unit, Fraction(0), allowance(facts.integer("movement", unit.id), counter=counter), MOST.get(arm, 0))


def all_zones(facts: Gather, side: str) -> tuple[Around, Zones]:
    """The field of a side, and the enemy zones on the whole map, made once for a view."""
    around = around_side(facts, side)

    def read(known: Zones | None, apart: object) -> Zones:
        return zones_in(facts, around)

    return around, facts.view.kept(("zones of marches", side), read)


class Explorer:
    """Finds what is within reach of units that move together. starts: hexes in any of which they may begin, none for the
    one where they stand.
    """

    def __init__(
        self,
        facts: Gather,
        field: tuple[Around, Zones],
        party: Party,
        prices: Prices,
        purses: Sequence[Purse],
        *,
        forced: bool,
        starts: Collection[str] = (),
    ) -> None:
        self._facts, self._view, self._party, self._purses = facts, facts.view, party, purses
        self._forced, self._starts = forced, starts
        self._judge = Judge(facts, *field, party, prices)
        self._zones = field[1].every

    @cached_property
    def allowance(self) -> Halves:
        """The most halves of a Movement Point that all of them may spend."""
        return min(purse.halves(self._view, forced=self._forced) for purse in self._purses)

    @cached_property
    def moving(self) -> Moving[Stepped]:
        """How they move: whether a zone was entered on the way is what later steps have to know."""
        passed = [read_account(self._facts, unit.id).passed for unit in self._party.units]
        entered = any(
            here not in self._zones and there in self._zones for way in passed for here, there in pairwise(way)
        )
        once = self._view.state.rulings.get("ezoc-leaving") == "once"

        def so_far(before: int, step: Stepped) -> int:
            return int(once and (bool(before) or step.enters_zone))

        return Moving(
            self._view,
            str(self._party.units[0].place),
            self.allowance,
            self._judge.enter,
            starts=self._starts,
            so_far=so_far,
            begun=int(once and entered and not self._starts),
        )

    def reach(self) -> tuple[tuple[Marching, ...], tuple[HexOption, ...]]:
        """The hexes within reach, and those beside them that a rule bars."""
        places, barred = self.moving.explore()
        self._view.ruling("ezoc-leaving", any(place.hex in self._zones for place in places))
        return tuple(map(self.marching, places)), tuple(self._as_paid(option, places) for option in barred)

    def _as_paid(self, option: HexOption, places: Sequence[Reached]) -> HexOption:
        """A hex that is barred; enemies who leave it once a crossing begins stay if nothing is left to pay for that.
        Rule: 4.1.1a
        """
        if option.rule != CROSSING:
            return option
        spent = {place.hex: place.cost for place in places}
        if not self._starts:
            spent[str(self._party.units[0].place)] = 0
        near = [hex for hex in self._view.board.neighbours(option.hex) if hex in spent]
        outcomes = {hex: (self._judge.enter(hex, option.hex, 0), self._judge.pay(hex, option.hex, 0)) for hex in near}
        begun = (
            spent[hex] + crossing.cost <= self.allowance
            for hex, (bar, crossing) in outcomes.items()
            if isinstance(bar, Barred) and bar.rule == CROSSING and isinstance(crossing, Stepped)
        )
        return option if any(begun) else HexOption(option.hex, *WITH_ENEMIES)

    def marching(self, place: Reached) -> Marching:
        """A hex within reach, with what is left there."""
        points = Fraction(place.cost, STEP)
        marches = {purse.unit.id: purse.march(self._view, points) for purse in self._purses}
        return Marching(
            hex=place.hex,
            cost=place.cost,
            way=place.way,
            left=min(purse.left(points) for purse in self._purses),
            march=max(marches.values()),
            passes=self._chance(marches),
        )

    def _chance(self, marches: dict[str, Fraction]) -> Fraction | None:
        """The chance that all that make a Forced March pass their checks."""
        chances = [self._chance_of(unit, march) for unit, march in marches.items() if march]
        if not chances or None in chances:
            return None
        product = Fraction(1)
        for chance in chances:
            product *= chance or Fraction(0)
        return product

    def _chance_of(self, unit: str, march: Fraction) -> Fraction | None:
        """The chance that a unit passes its check, worked out once for each length of a march."""
        key = unit, march
        if key not in self._chances:
            self._chances[key] = chance_of_march(self._facts, self._view.unit(unit), march)
        return self._chances[key]

    @cached_property
    def _chances(self) -> dict[tuple[str, Fraction], Fraction | None]:
        return {}
