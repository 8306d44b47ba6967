"""How far units come in a phase: all hexes within reach of a unit or of a stack, with what it has left there and
whether it makes a Forced March (8.1, 8.3).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from assistant.asking import Gather, View, note
from assistant.asking.premises import Noted
from assistant.mechanics.crossings import Worked
from assistant.rules.field import HexBar, HexOption, SideField
from assistant.rules.field.movement import HexWithinReach, Moving, Reach
from assistant.state.differences import Divergence
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ...concealment.cover import shrouded_enemies
from ...forces.account import read_account
from ...forces.armies import company_of
from ...forces.movement_points import allowance, excess_points_now
from ...forces.spending import MOST, chance_of_march, chance_that_all_pass, measure_spending
from ...ground.chart import STEP
from ...ground.hexsides import around_side
from .landsturm import NOBODY, LandsturmJudge
from .prices import PricedMap
from .steps import CROSSING, Judge, MarchStep, Party, Stepped, touched
from .zones import Zones, enters_zone, zones_in

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

WITH_ENEMIES = HexBar("4.2", "enemies stand there")
"""What bars a hex to who cannot begin to cross into it."""
Halves = int
"""Halves of a Movement Point."""


class Passed(NamedTuple):
    """What later steps of a way have to know of it, in the order in which ways of the same price are gone on with."""

    fled: tuple[str, ...]
    """The Landsturm that has fled, in order."""
    in_zone: int
    """1 if a zone was entered, where that matters."""


class Marching(HexWithinReach, frozen=True, kw_only=True):
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


class Budget:
    """What units of the same allowance that have spent the same can spend, worked out once for all of them.

    before: what they have spent in the phase; allowed: their allowance; most: what a Forced March may add.
    """

    def __init__(self, before: Fraction, allowed: Fraction, most: int) -> None:
        self.before = before
        self.allowed = allowed
        self.most = most
        self._marches = dict[Fraction, tuple[Fraction, Noted]]()
        self._halves = dict[int, tuple[Halves, Noted]]()

    def left(self, points: Fraction) -> Fraction:
        """Return what they have left once they have spent some more."""
        return max(self.allowed - self.before - points, Fraction(0))

    def march(self, view: View, points: Fraction) -> Fraction:
        """Return what they spend beyond their allowance once they have spent some more."""

        def count() -> Fraction:
            return excess_points_now(view, self.before + points, self.allowed)

        return _work_out(view, self._marches, points, count)

    def halves(self, view: View, *, forced: bool) -> Halves:
        """Return the most halves of a Movement Point that they may spend, with a Forced March or without one. Rule:
        8.1, 8.3
        """
        added = self.most if forced else 0

        def count() -> Halves:
            halves = 0
            while self.march(view, Fraction(halves + 1, STEP)) <= added:
                halves += 1
            return halves

        return _work_out(view, self._halves, added, count)


def _work_out(view: View, table: dict[K, tuple[V, Noted]], key: K, work: Callable[[], V]) -> V:
    """Return an entry of a table, worked out once, with what a report says of it each time that it is used."""
    if key not in table:
        table[key] = view.premises.note(work)
    made, noted = table[key]
    view.premises.note_again(noted)
    return made


_BUDGETS: Memo[tuple[Fraction, Fraction, int], Budget] = Memo()
"""By Movement Points spent, allowed and added by a Forced March, what can be spent."""


class Purse(NamedTuple):
    """The Movement Points of a unit in a phase."""

    unit: Unit
    before: Fraction
    """Those spent in it."""
    allowed: Fraction
    """Its allowance."""
    most: int
    """What a Forced March may add."""

    def budget(self, view: View) -> Budget:
        """Return what all units with as many can spend."""
        given = self.before, self.allowed, self.most
        return view.memo(_BUDGETS, given, lambda known, apart: known or Budget(*given))


def read_purse(facts: Gather, unit: Unit, beside: Sequence[str] = ()) -> Purse:
    """Return the Movement Points of a unit. Its allowance is asked for where it is not stated. beside: the units with
    it.
    """
    facts.integer("movement", unit.id)
    before = read_account(facts, unit.id).total
    spends = measure_spending(facts, unit, before, "move", beside=tuple(beside))
    return Purse(unit, before, spends.allowance, spends.most) if spends else Purse(unit, before, Fraction(0), 0)


def purse_in_phase(facts: Gather, unit: Unit, *, counter: bool) -> Purse:
    """Return the Movement Points of a unit in a later phase, of which it has spent none."""
    arm = facts.word("arm", unit.id)
    return Purse(unit, Fraction(0), allowance(facts.integer("movement", unit.id), counter=counter), MOST.get(arm, 0))


_ZONES: Memo[tuple[str, frozenset[str]], Zones] = Memo()
"""The enemy zones on the whole map, by side and units that have fled."""


def all_zones(facts: Gather, side: str, fled: frozenset[str] = NOBODY) -> tuple[SideField, Zones]:
    """Return the field of a side, and the enemy zones on the whole map, made once for a view: of the concealed units in
    a stack only the topmost is turned over and has one. fled: as of `Zones`.
    """
    around = around_side(facts, side, fled)
    below = frozenset(unit for stack in shrouded_enemies(facts.view, side).values() for unit in stack[1:])

    def read() -> Zones:
        if not below:
            return zones_in(facts, around, fled)
        zones = zones_in(facts, around_side(facts, side, fled | below), fled | below)
        return msgspec.structs.replace(zones, enemies=around.enemies)

    return around, facts.view.memo(_ZONES, (side, fled), lambda known, apart: read())


class Explorer:
    """Finds what is within reach of units that move together.

    starts: hexes in any of which they may begin, each with the Landsturm that has fled from them before, none for the
    one where they stand.
    """

    def __init__(
        self,
        facts: Gather,
        field: tuple[SideField, Zones],
        party: Party,
        prices: PricedMap,
        purses: Sequence[Purse],
        *,
        forced: bool,
        starts: Mapping[str, frozenset[str]] = {},
    ) -> None:
        self._facts = facts
        self._view = facts.view
        self.party = party
        self._purses = purses
        self.prices = prices
        self._forced = forced
        self._starts = starts
        self._judge = Judge(facts, *field, party, prices)
        self._budgets = [purse.budget(self._view) for purse in purses]
        self._zones = field[1].every
        judge_of = Worked[frozenset[str], Judge](partial(_judge_without, facts, self._judge, prices))
        self._landsturm = LandsturmJudge(self._view, party.units, judge_of.__getitem__)

    @cached_property
    def allowance(self) -> Halves:
        """The most halves of a Movement Point that all of them may spend."""
        return min(budget.halves(self._view, forced=self._forced) for budget in self._budgets)

    @cached_property
    def basis(self) -> Hashable | None:
        """All of the units, besides their facts and what lies near, on which their reach turns; None where that of a
        dummy, a Fortress Garrison or a kept Asset Unit turns on more.
        """
        judge = self._judge
        if judge.garrisons or judge.kept or judge.rumour:
            return None
        return judge.kind, tuple((purse.before, purse.allowed, purse.most) for purse in self._purses)

    @cached_property
    def moving(self) -> Moving[Stepped]:
        """How they move: whether a zone was entered on the way, and who has fled, is what later steps have to know."""
        once = self._view.state.rulings.get("ezoc-leaving") == "once"
        flees = self._meets_landsturm()
        in_zone = int(once and self._has_entered_zone())
        judge, landsturm = self._judge, self._landsturm  # these functions do not refer to this object, which holds them

        def enter(here: str, there: str, known: Passed) -> Stepped | HexBar:
            return judge.enter(here, there, known.in_zone)

        def enter_beside_landsturm(here: str, there: str, known: Passed) -> Stepped | HexBar:
            return landsturm.enter(MarchStep(judge, here, there, known.in_zone), frozenset(known.fled))

        def so_far(known: Passed, step: Stepped) -> Passed:
            if not (once or flees):
                return known
            entered = int(once and (bool(known.in_zone) or step.enters_zone))
            fled = landsturm.fled_at(step.hex, frozenset(known.fled)) if flees else ()
            return Passed(tuple(sorted(fled)), entered)

        begun: dict[tuple[str, ...], Passed] = {
            (hex,): Passed(tuple(sorted(fled)), in_zone) for hex, fled in self._starts.items()
        }
        if not begun:
            begun = {(): Passed((), in_zone)}
        return Moving(
            self._view,
            str(self.party.units[0].place),
            self.allowance,
            enter_beside_landsturm if flees else enter,
            so_far=so_far,
            begun=begun,
            tells_apart=once or flees,
        )

    def _has_entered_zone(self) -> bool:
        """Return whether any of the units has entered a zone before in the phase: in a later one it has spent nothing
        yet.
        """
        ways = (read_account(self._facts, purse.unit.id).passed for purse in self._purses if purse.before)
        return any(enters_zone(self._zones, way) for way in ways)

    def _meets_landsturm(self) -> bool:
        """Return whether Landsturm may flee from the units as far as they come: no step costs less than half a Movement
        Point.
        """
        starts = self._starts or [str(self.party.units[0].place)]
        distance = self._view.board.distance
        return any(distance(start, hex) <= self.allowance for hex in self._landsturm.flights for start in starts)

    def reach(self) -> UnitReach:
        """Return where the units can move; what a rule bars is listed for units that begin where they stand."""
        places, barred, unknown = self.moving.explore()
        self._view.ruling("ezoc-leaving", any(place.hex in self._zones for place in places))
        units = tuple(unit.id for unit in self.party.units)
        return UnitReach(
            unit=units[0],
            at=self.moving.at,
            allowance=self.allowance,
            units=units,
            hexes=tuple(map(self.marching, places)),
            barred=tuple(self._as_paid(option, places) for option in barred),
            unknown=tuple(unknown),
        )

    def _as_paid(self, option: HexOption, places: Sequence[HexWithinReach]) -> HexOption:
        """Return a hex that enemies leave once the crossing begins, or with them in it if nothing is left to pay for that.

        Rule: 4.1.1a
        """
        if option.rule != CROSSING:
            return option
        at = self.moving.at
        near = self._view.board.neighbours(option.hex)
        ways = [(0, (at,)), *((place.cost, (at, *place.way)) for place in places)]
        begun = self._has_entered_zone()
        for cost, way in ways:
            if way[-1] in near:
                march = MarchStep(self._judge, way[-1], option.hex, int(begun or enters_zone(self._zones, way)))
                crossing = march.begin(march.enter())
                if crossing and cost + crossing.cost <= self.allowance:
                    return option
        return HexOption(option.hex, *WITH_ENEMIES)

    def marching(self, place: HexWithinReach) -> Marching:
        """Return a hex within reach, with what is left there."""
        left, march, passes = self._after[place.cost]
        return Marching(hex=place.hex, cost=place.cost, way=place.way, left=left, march=march, passes=passes)

    @cached_property
    def _after(self) -> Worked[Halves, tuple[Fraction, Fraction, Fraction | None]]:
        """By what a way costs, what is left at its end, what a Forced March adds, and the chance to pass the checks."""
        facts, pairs = self._facts, list(zip(self._purses, self._budgets, strict=True))

        def reckon(cost: Halves) -> tuple[Fraction, Fraction, Fraction | None]:
            points = Fraction(cost, STEP)
            marches = {purse.unit.id: budget.march(facts.view, points) for purse, budget in pairs}
            return min(budget.left(points) for _, budget in pairs), max(marches.values()), _find_chance(facts, marches)

        return Worked(reckon)


def _judge_without(facts: Gather, judge: Judge, prices: PricedMap, fled: frozenset[str]) -> Judge:
    """Return a judge of the steps of units without the enemies who have fled from them. judge: with all of them."""
    if not fled:
        return judge
    return Judge(facts, *all_zones(facts, judge.party.side, fled), judge.party, prices)


def _find_chance(facts: Gather, marches: Mapping[str, Fraction]) -> Fraction | None:
    """Return the chance that all pass their checks that make a Forced March, Asset Units with their formation aside
    (6.4.1). marches: how much each unit makes.
    """
    units = (facts.view.unit(unit) for unit, march in marches.items() if march)
    checking = (unit for unit in units if company_of(facts, unit) not in marches)
    return chance_that_all_pass(chance_of_march(facts, unit, marches[unit.id]) for unit in checking)


class KnownReach(NamedTuple):
    """The reach of units as it was explored."""

    basis: Hashable
    """As of `Explorer`."""
    hexes: frozenset[str]
    """Those that they can reach, and their own."""
    reach: UnitReach
    noted: Noted
    """What a report says of it besides."""


_REACHES: Memo[None, dict[tuple[tuple[str, ...], bool], KnownReach]] = Memo()
"""The reaches that have been explored."""


def known_reaches(view: View) -> dict[tuple[tuple[str, ...], bool], KnownReach]:
    """Return the reaches that are known, by the units and by whether they may make a Forced March: those explored in a
    view, and of those in the view `instead` of which it is all that are still the same, as nothing lies apart near
    their hexes.
    """

    def untouched(
        known: dict[tuple[tuple[str, ...], bool], KnownReach] | None, apart: Divergence
    ) -> dict[tuple[tuple[str, ...], bool], KnownReach]:
        changed = touched(view, apart) if known else set[str]()
        return {asked: reach for asked, reach in (known or {}).items() if reach.hexes.isdisjoint(changed)}

    return view.memo(_REACHES, None, untouched)


def explore_or_recall(view: View, explorer: Explorer, *, forced: bool) -> UnitReach:
    """Return where units that move together can move, explored anew only if that is not known."""
    units = tuple(unit.id for unit in explorer.party.units)
    reaches = known_reaches(view)
    known = reaches.get((units, forced))
    basis = explorer.basis
    if known is not None and basis is not None and known.basis == basis:
        view.premises.note_again(known.noted)
        return known.reach
    reach, noted = view.premises.note(explorer.reach)
    if basis is not None and not explorer.prices.lacking:
        hexes = frozenset((reach.at, *(place.hex for place in reach.hexes)))
        reaches[units, forced] = KnownReach(basis, hexes, reach, noted)
    return reach
