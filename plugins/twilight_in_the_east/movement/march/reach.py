"""The reach of units in a phase, and a unit's way through several phases (5.3, 5.4, 8.1, 8.3).

A reach has the points left to units in each hex, and any Forced March. On a way through phases enemies stay in place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import takewhile
from math import floor
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec

from assistant.asking import Gather, InputError, View, note, step
from assistant.asking.premises import Noted
from assistant.mechanics.crossings import Worked
from assistant.rules.field import HexBar, HexOption, SideField
from assistant.rules.field.movement import HexWithinReach, Moving, Reach
from assistant.state.differences import Divergence
from assistant.state.state import FactKey, Unit
from assistant.state.tracks import Fact
from assistant.state.vocabulary import UnitId
from assistant.util.memo import Memo

from ...concealment.cover import shrouded_enemies
from ...forces.account import read_account
from ...forces.activation import read_dot
from ...forces.armies import company_of
from ...forces.markers import BY_RAIL, TASK_COST, bar_of_task, marker_of
from ...forces.movement_points import allowance, bar_of_mover, excess_points_now, held_by_dot, is_immobile
from ...forces.spending import MAX_MARCH_POINTS, chance_of_march, chance_that_all_pass, measure_spending
from ...ground.calendar import MOVEMENT_PHASES, OUTSIDE_PLAYER_TURNS, PHASES, MovementPhase, first_phase, phases
from ...ground.chart import HALVES_PER_POINT
from ...ground.hexsides import around_side
from .ends import Ends
from .landsturm import NOBODY, LandsturmJudge, find_flights
from .movers import never_on_foot
from .prices import PricedMap
from .steps import CROSSING_RULE, Judge, MarchStep, Party, Stepped, hexes_affected, read_party
from .zones import Zones, enters_zone, zones_in

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
ENEMIES_BAR = HexBar("4.2", "enemies stand there")
"""The bar to a hex with enemies, for units that cannot begin to cross into it."""
Halves = int
"""A number of halves of a Movement Point."""
MAX_TURNS_AHEAD = 6
"""Maximum number of game turns until a meeting."""

# --- reach in one phase -----------------------------------------------------------------------------------------------


class WayState(NamedTuple):
    """The facts of a way that affect its later steps.

    Ways of equal cost are extended in the order of these values.
    """

    fled: tuple[str, ...]
    """Ids of the Landsturm that has fled, sorted."""
    in_zone: int
    """1 if the units entered a zone before and a ruling makes that matter, else 0."""


class Marching(HexWithinReach, frozen=True, kw_only=True):
    """A hex within reach, with its cost in halves of a Movement Point."""

    left: Annotated[Fraction, note("Movement Points that each unit then has left; of several the fewest")]
    march: Annotated[Fraction, note("Movement Points beyond the allowance, for which a Forced March is made")] = (
        msgspec.field(default_factory=Fraction)
    )
    passes: Annotated[
        Fraction | None, note("the chance that all pass their checks, null without a Forced March or where not known")
    ] = None

    @property
    def beyond(self) -> Fraction:
        """Movement Points beyond the allowance, spent by Forced March."""
        return self.march

    @property
    def points(self) -> Fraction:
        """The cost of the way in Movement Points."""
        return Fraction(self.cost, HALVES_PER_POINT)


class UnitReach(Reach, frozen=True, kw_only=True):
    """The reach of a unit or of units that move together.

    The allowance is in halves of a Movement Point.
    """

    units: Annotated[tuple[str, ...], note("the units that move together")] = ()
    hexes: Annotated[tuple[Marching, ...], note("the hexes, cheapest first")] = ()

    @property
    def short(self) -> int:
        """The number of hexes within reach without a Forced March; they come first, as they cost less."""
        return bisect_left(self.hexes, True, key=lambda place: bool(place.march))


class Budget:
    """The Movement Points that units can spend, shared by units with the same points.

    `before`: the points already spent in the phase.
    `allowed`: the allowance.
    `max_added`: the maximum number of points that a Forced March may add.
    """

    def __init__(self, before: Fraction, allowed: Fraction, max_added: int) -> None:
        self.before = before
        self.allowed = allowed
        self.max_added = max_added
        self._marches = dict[Fraction, tuple[Fraction, Noted]]()
        self._halves = dict[int, tuple[Halves, Noted]]()

    def left(self, points: Fraction) -> Fraction:
        """Return the points of the allowance left after spending `points` more."""
        return max(self.allowed - self.before - points, Fraction(0))

    def march(self, view: View, points: Fraction) -> Fraction:
        """Return the points beyond the allowance after spending `points` more."""

        def count() -> Fraction:
            return excess_points_now(view, self.before + points, self.allowed)

        return _work_out(view, self._marches, points, count)

    def halves(self, view: View, *, forced: bool) -> Halves:
        """Return the maximum number of halves of a Movement Point that the units may spend.

        `forced`: whether they may make a Forced March.

        Rule: 8.1, 8.3
        """
        added = self.max_added if forced else 0

        def count() -> Halves:
            halves = 0
            while self.march(view, Fraction(halves + 1, HALVES_PER_POINT)) <= added:
                halves += 1
            return halves

        return _work_out(view, self._halves, added, count)


def _work_out(view: View, table: dict[K, tuple[V, Noted]], key: K, work: Callable[[], V]) -> V:
    """Return an entry of a table, computed once, and repeat the facts and assumptions on which it rests."""
    if key not in table:
        table[key] = view.premises.note(work)
    made, noted = table[key]
    view.premises.note_again(noted)
    return made


_BUDGETS: Memo[tuple[Fraction, Fraction, int], Budget] = Memo()
"""The budgets by points spent, points allowed, and points that a Forced March may add."""


class Purse(NamedTuple):
    """The Movement Points of a unit in a phase."""

    unit: Unit
    before: Fraction
    """The points already spent in the phase."""
    allowed: Fraction
    """The allowance."""
    max_added: int
    """The maximum number of points that a Forced March may add."""

    def budget(self, view: View) -> Budget:
        """Return the budget shared by all units with the same points."""
        given = self.before, self.allowed, self.max_added
        return view.memo(_BUDGETS, given, lambda known, divergence: known or Budget(*given))


def read_purse(facts: Gather, unit: Unit, party: Sequence[str] = ()) -> Purse:
    """Return the Movement Points of a unit; its allowance is asked for if it is not stated.

    `party`: ids of the units that move with the unit.
    """
    facts.integer("movement", unit.id)
    before = read_account(facts, unit.id).total
    spends = measure_spending(facts, unit, before, "move", companions=tuple(party))
    return Purse(unit, before, spends.allowance, spends.most) if spends else Purse(unit, before, Fraction(0), 0)


def purse_in_phase(facts: Gather, unit: Unit, *, counter: bool) -> Purse:
    """Return the Movement Points of a unit at the start of a later phase."""
    arm = facts.word("arm", unit.id)
    return Purse(
        unit, Fraction(0), allowance(facts.integer("movement", unit.id), counter=counter), MAX_MARCH_POINTS.get(arm, 0)
    )


_ZONES: Memo[tuple[str, frozenset[str]], Zones] = Memo()
"""The enemy zones on the whole map, by side and by the ids of the units that have fled."""


def all_zones(facts: Gather, side: str, fled: frozenset[str] = NOBODY) -> tuple[SideField, Zones]:
    """Return the field of a side, and the enemy zones on the whole map, computed once for a view.

    In a concealed stack only the topmost unit is turned over and has a zone.

    `fled`: as in `Zones`.
    """
    around = around_side(facts, side, fled)
    below = frozenset(unit for stack in shrouded_enemies(facts.view, side).values() for unit in stack[1:])

    def read() -> Zones:
        if not below:
            return zones_in(facts, around, fled)
        zones = zones_in(facts, around_side(facts, side, fled | below), fled | below)
        return msgspec.structs.replace(zones, enemies=around.enemies)

    return around, facts.view.memo(_ZONES, (side, fled), lambda known, divergence: read())


class Explorer:
    """The search for the hexes within reach of units that move together.

    `starts`: the hexes where they may begin, each with the Landsturm that has already fled, or empty for their own hex.
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
        self._zones = field[1].hexes
        judge_of = Worked[frozenset[str], Judge](partial(_judge_without, facts, self._judge, prices))
        self._landsturm = LandsturmJudge(self._view, party.units, judge_of.__getitem__)

    @cached_property
    def allowance(self) -> Halves:
        """The maximum number of halves of a Movement Point that all units may spend."""
        return min(budget.halves(self._view, forced=self._forced) for budget in self._budgets)

    @property
    def depends_on_near(self) -> bool:
        """Whether only the units, the surroundings of its hexes and facts of the whole game decide the reach.

        More decides the reach of a dummy, a Fortress Garrison, a kept Asset Unit, or a unit that has moved in the
        phase.
        """
        judge = self._judge
        return not (judge.garrisons or judge.kept or judge.rumour or any(purse.before for purse in self._purses))

    @cached_property
    def moving(self) -> Moving[Stepped]:
        """The rules of the units' moves.

        If a ruling or Landsturm requires it, each way records whether a zone was entered and who has fled.
        """
        once = self._view.state.rulings.get("ezoc-leaving") == "once"
        flees = self._meets_landsturm()
        in_zone = int(once and self._has_entered_zone())
        # Local names avoid a reference cycle: `self` stores the functions below.
        judge, landsturm = self._judge, self._landsturm

        def enter(here: str, there: str, known: WayState) -> Stepped | HexBar:
            return judge.enter(here, there, known.in_zone)

        def enter_beside_landsturm(here: str, there: str, known: WayState) -> Stepped | HexBar:
            return landsturm.enter(here, there, known.in_zone, frozenset(known.fled))

        def so_far(known: WayState, step: Stepped) -> WayState:
            if not (once or flees):
                return known
            entered = int(once and (bool(known.in_zone) or step.enters_zone))
            fled = landsturm.fled_at(step.hex, frozenset(known.fled)) if flees else ()
            return WayState(tuple(sorted(fled)), entered)

        begun: dict[tuple[str, ...], WayState] = {
            (hex,): WayState(tuple(sorted(fled)), in_zone) for hex, fled in self._starts.items()
        }
        if not begun:
            begun = {(): WayState((), in_zone)}
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
        """Return whether any of the units has entered a zone in this phase; in a later phase none has."""
        ways = (read_account(self._facts, purse.unit.id).passed for purse in self._purses if purse.before)
        return any(enters_zone(self._zones, way) for way in ways)

    def _meets_landsturm(self) -> bool:
        """Return whether Landsturm that may flee is within reach, at the minimum cost of half a Movement Point a hex."""
        starts = self._starts or [str(self.party.units[0].place)]
        distance = self._view.board.distance
        return any(distance(start, hex) <= self.allowance for hex in self._landsturm.flights for start in starts)

    def reach(self) -> UnitReach:
        """Return the reach of the units; if they have other starts than their own hex, no barred hexes are listed."""
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
        """Return a hex that enemies leave once a crossing into it begins.

        If the units cannot pay for the crossing, the enemies bar the hex.

        Rule: 4.1.1a
        """
        if option.rule != CROSSING_RULE:
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
        return HexOption(option.hex, *ENEMIES_BAR)

    def marching(self, place: HexWithinReach) -> Marching:
        """Return a hex within reach, with the points left there."""
        left, march, passes = self._after[place.cost]
        return Marching(hex=place.hex, cost=place.cost, way=place.way, left=left, march=march, passes=passes)

    @cached_property
    def _after(self) -> Worked[Halves, tuple[Fraction, Fraction, Fraction | None]]:
        """The points left, the points of a Forced March and the chance to pass the checks, by the cost of a way."""
        facts, pairs = self._facts, list(zip(self._purses, self._budgets, strict=True))

        def reckon(cost: Halves) -> tuple[Fraction, Fraction, Fraction | None]:
            points = Fraction(cost, HALVES_PER_POINT)
            marches = {purse.unit.id: budget.march(facts.view, points) for purse, budget in pairs}
            return min(budget.left(points) for _, budget in pairs), max(marches.values()), _find_chance(facts, marches)

        return Worked(reckon)


def _judge_without(facts: Gather, judge: Judge, prices: PricedMap, fled: frozenset[str]) -> Judge:
    """Return the judge of the units' steps that ignores enemies who have fled.

    `judge`: the judge that ignores none.
    """
    if not fled:
        return judge
    return Judge(facts, *all_zones(facts, judge.party.side, fled), judge.party, prices)


def _find_chance(facts: Gather, marches: Mapping[str, Fraction]) -> Fraction | None:
    """Return the chance that all units that make a Forced March pass their checks, or None if it is unknown.

    Asset Units check with their formation (6.4.1).

    `marches`: the points of the Forced March by unit.
    """
    units = (facts.view.unit(unit) for unit, march in marches.items() if march)
    checking = (unit for unit in units if company_of(facts, unit) not in marches)
    return chance_that_all_pass(chance_of_march(facts, unit, marches[unit.id]) for unit in checking)


Piece = Literal["bars", "points", "steps", "ends"]
"""A part of the work on a reach: bars to any move, Movement Points, steps into hexes, possible ends."""


class KnownReach(NamedTuple):
    """A reach explored earlier."""

    hexes: frozenset[str]
    """The hexes within reach, including the units' own hex."""
    reach: UnitReach
    noted: Mapping[Piece, Noted]
    """The facts and assumptions of each part of the work, except of parts whose result does not last."""
    facts: Mapping[FactKey, Fact]
    """The facts read about the units."""


_Asked = tuple[tuple[str, ...], bool]
"""Ids of the units of a reach, and whether they may make a Forced March."""
_REACHES: Memo[None, dict[_Asked, KnownReach]] = Memo()
"""The reaches explored in a view."""


def known_reaches(view: View) -> dict[_Asked, KnownReach]:
    """Return the known reaches, by units and by whether they may make a Forced March.

    Reaches of the previous view are kept if nothing has changed near their hexes. The units' own hex is among them, so
    changes of the units count too.
    """

    def untouched(known: dict[_Asked, KnownReach] | None, divergence: Divergence) -> dict[_Asked, KnownReach]:
        changed = hexes_affected(view, divergence) if known else set[str]()
        return {asked: reach for asked, reach in (known or {}).items() if reach.hexes.isdisjoint(changed)}

    return view.memo(_REACHES, None, untouched)


class Recall:
    """The reaches known in a view, and the work on new ones.

    `forced`: whether the units may make a Forced March.
    """

    def __init__(self, view: View, *, forced: bool) -> None:
        self._view = view
        self.forced = forced
        self._known = known_reaches(view)
        self._noted = dict[_Asked, dict[Piece, Noted]]()
        self._explored = dict[_Asked, UnitReach]()

    def _asked(self, group: Sequence[Unit]) -> _Asked:
        return tuple(unit.id for unit in group), self.forced

    def find(self, group: Sequence[Unit], piece: Piece) -> KnownReach | None:
        """Return the known reach of units, or None if it or the piece of work is not known.

        The report takes over the facts and assumptions of the piece.
        """
        known = self._known.get(self._asked(group))
        if known is None or piece not in known.noted:
            return None
        self._view.premises.facts.update(known.facts)
        self._view.premises.note_again(known.noted[piece])
        return known

    def work_out(
        self, group: Sequence[Unit], piece: Piece, work: Callable[[], V], lasts: Callable[[V], bool] = lambda _: True
    ) -> V:
        """Do a piece of the work on a new reach, and return the result.

        `lasts`: whether the result holds until something changes near the hexes within reach.
        """
        result, noted = self._view.premises.note(work)
        if lasts(result):
            self._noted.setdefault(self._asked(group), {})[piece] = noted
        return result

    def explore(self, group: Sequence[Unit], make: Callable[[], Explorer]) -> UnitReach:
        """Return a new reach; `keep` stores it if it depends only on the surroundings of its hexes."""

        def work() -> tuple[Explorer, UnitReach]:
            explorer = make()
            return explorer, explorer.reach()

        explorer, reach = self.work_out(group, "steps", work)
        if explorer.depends_on_near and not explorer.prices.lacking:
            self._explored[self._asked(group)] = reach
        return reach

    def keep(self, *, ends: bool = True) -> None:
        """Store the reaches that were explored.

        `ends`: whether all facts that decide where the units may end are known.
        """
        units = {unit for names, _ in self._explored for unit in names}
        facts = dict[str, dict[FactKey, Fact]]()
        for key, fact in self._view.premises.facts.items() if units else ():
            if key[1] in units:
                facts.setdefault(key[1], {})[key] = fact
        for asked, reach in self._explored.items():
            hexes = frozenset((reach.at, *(place.hex for place in reach.hexes)))
            read = {key: fact for unit in asked[0] for key, fact in facts.get(unit, {}).items()}
            noted = {piece: noted for piece, noted in self._noted[asked].items() if ends or piece != "ends"}
            self._known[asked] = KnownReach(hexes, reach, noted, read)


# --- ways to a hex through several phases -----------------------------------------------------------------------------


class MarchMoment(NamedTuple):
    """A moment in the course of the game."""

    turn: int
    phasing: str
    """The side whose player turn it is, or "" between player turns."""
    phase: str


def read_moment(facts: Gather) -> MarchMoment:
    """Return the game turn, player turn and phase of a position.

    Raises InputError if its phase is not named.
    """
    turn = facts.integer("turn")
    phase = facts.word("phase")
    if phase == "other":
        raise InputError(f"phase: {phase} does not say which phase it is", hint=f"state one of {', '.join(PHASES)}")
    return MarchMoment(turn, "" if phase in OUTSIDE_PLAYER_TURNS else facts.word("phasing"), phase)


def check_until(turn: int, until: int) -> None:
    """Raise InputError if a game turn is over or too far ahead."""
    if until < turn:
        raise InputError(f"until: GT {until} is over", hint=f"name a game turn from {turn} on")
    if until > turn + MAX_TURNS_AHEAD:
        raise InputError(f"until: GT {until} is too far ahead", hint=f"at most GT {turn + MAX_TURNS_AHEAD}")


def phases_until(side: str, now: MarchMoment, until: int, order: Sequence[str]) -> tuple[MovementPhase, ...]:
    """Return the phases in which a side moves, from now to the end of a game turn.

    These are the Movement Phases of its own player turns and the Counter Movement Phases of the enemy's (5.4.6, 5.4.7).

    `order`: both sides, in the order of their player turns.
    """
    first = first_phase(now.phase, now.phasing, now.turn, side, order)
    return tuple(takewhile(lambda phase: phase.turn <= until, phases(first, side, order)))


class MarchLeg(msgspec.Struct, frozen=True, kw_only=True):
    """The march of a unit in one phase of its way."""

    turn: Annotated[int, note("game turn")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("movement or counter-movement")]
    way: Annotated[tuple[str, ...], note("the hexes that the unit enters, in order")]
    forced: Annotated[bool, note("whether the unit makes a Forced March")] = False


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """The way of a unit to a hex."""

    unit: UnitId
    arrives: Annotated[bool, note("whether the unit can be there in time")]
    legs: Annotated[tuple[MarchLeg, ...], note("what the unit does in each phase in which it moves")] = ()
    unknown: Annotated[
        tuple[str, ...],
        note(
            "of a unit for which no way was found, the hexes of whose ground too little is stated, "
            "so that one may exist"
        ),
    ] = ()

    @property
    def forced(self) -> bool:
        """Whether the unit needs a Forced March."""
        return any(leg.forced for leg in self.legs)


class Finder(NamedTuple):
    """The search for the way of a unit to a hex through several phases.

    Points already spent count only in the present phase.
    """

    facts: Gather
    field: tuple[SideField, Zones]
    """The field of the unit's side, and the enemy zones."""
    prices: PricedMap
    slots: Sequence[MovementPhase]
    """The phases in which the unit's side moves."""
    forced: bool
    """Whether the unit may make a Forced March."""
    unit: Unit
    to: str

    def find_way(self) -> Coming:
        """Return the way of the unit to the hex, without a Forced March if possible."""
        unit, unknown = self.unit, set[str]()
        for finder in (self._replace(forced=False), self) if self.forced else (self,):
            legs = finder._find_legs(unknown)
            if legs:
                return Coming(unit=unit.id, arrives=True, legs=legs)
        return Coming(unit=unit.id, arrives=unit.place == self.to, unknown=tuple(sorted(unknown)))

    def _find_legs(self, unknown: set[str]) -> tuple[MarchLeg, ...]:
        """Return the march of each phase, or () if the unit does not arrive.

        `unknown`: a set that collects the hexes of unknown ground.
        """
        start = str(self.unit.place)
        if never_on_foot(self.facts, self.unit) or start == self.to:
            return ()
        reached = {start: NOBODY}
        legs: dict[str, tuple[MarchLeg, ...]] = {start: ()}
        fleeing = find_flights(self.facts.view, [self.unit])
        due = self._count_points_due()
        if due is None:
            return ()
        for slot in self.slots:
            purse = self._read_purse(slot)
            if due and purse:
                purse, due = purse_after_task(purse, due)
            phase = MOVEMENT_PHASES[slot.counter]
            newly = self._reach_in_phase(slot, reached, purse, unknown) if purse and not due else {}
            for hex, ((begins, *way), marched) in newly.items():
                reached[hex] = reached[begins].union(*(fleeing.get(entered, NOBODY) for entered in way))
                leg = MarchLeg(turn=slot.turn, phasing=slot.phasing, phase=phase, way=tuple(way), forced=marched)
                legs[hex] = (*legs[begins], leg)
            if self.to in newly:
                return legs[self.to]
        return ()

    def _count_points_due(self) -> int | None:
        """Return the Movement Points that a task begun by the unit still needs, or 0 if it has no task.

        The task takes the unit's next points. None means that no way on foot is sought: the task ends in Rail Mode, or
        other units have spent their points.

        Rule: 8.9.2
        """
        facts, unit = self.facts, self.unit
        _, begun = bar_of_task(facts, unit)
        if not begun:
            return 0
        marker = marker_of(facts, unit)
        due = None if marker.task in BY_RAIL else TASK_COST - marker.points or None
        then = "no way on foot is sought for it" if due is None else "its first Movement Points go into that"
        facts.view.premises.assume(step("8.9.2", "{unit}: {why}; {then}", unit=unit.id, why=begun, then=then))
        return due

    def _read_purse(self, slot: MovementPhase) -> Purse | None:
        facts, unit = self.facts, self.unit
        if self._stays(slot):
            return None
        return read_purse(facts, unit) if slot.present else purse_in_phase(facts, unit, counter=slot.counter)

    def _reach_in_phase(
        self, slot: MovementPhase, starts: Mapping[str, frozenset[str]], purse: Purse, unknown: set[str]
    ) -> dict[str, tuple[tuple[str, ...], bool]]:
        """Return, for each hex that the unit reaches in a phase, its way with the start, and whether it needs a Forced
        March.

        `starts`: the hexes where the unit may begin, each with the Landsturm that has fled on the way there.
        `purse`: the points that the unit may spend on moving.
        `unknown`: a set that collects the hexes of unknown ground.
        """
        facts, units = self.facts, [self.unit]
        party = read_party(facts, units, counter=slot.counter)
        may_end = Ends(facts, units, present=slot.present)
        ends = dict[str, tuple[tuple[str, ...], bool]]()
        groups = [starts]
        if may_end.goals:  # under a Strategic Plan the start of the phase matters, so each start is explored by itself
            groups = [{hex: fled} for hex, fled in starts.items()]
        for begun in groups:
            explorer = Explorer(facts, self.field, party, self.prices, [purse], forced=self.forced, starts=begun)
            explored = explorer.reach()
            unknown.update(explored.unknown)
            for place in explored.hexes:
                start = "" if slot.present else place.way[0]
                if place.hex not in starts and not any(may_end.bars(place.hex, start)):
                    ends.setdefault(place.hex, (place.way, bool(place.march)))
        return ends

    def _stays(self, slot: MovementPhase) -> bool:
        """Return whether the unit cannot move in a phase.

        In the present phase all bars count except a task that the unit has begun. In later phases only three count: a
        dot until its turn, Rail Mode, and the lack of a Movement Allowance.

        Rule: 3.3.5
        """
        facts, unit = self.facts, self.unit
        if slot.present:
            return bar_of_mover(facts, unit)[0] not in ("", "8.9.2")
        dot, released, _ = read_dot(facts, unit)
        held = held_by_dot(dot, released, slot.turn)
        return bool(held) or facts.flag("entrained", unit.id) or is_immobile(facts, unit)


def purse_after_task(purse: Purse, due: int) -> tuple[Purse, int]:
    """Return a unit's Movement Points after it has continued its task in a phase, and the points still needed.

    Half points do not count for a task, and no Forced March is made beside it.

    `due`: the points that the task needs.

    Rule: 8.9.2, 4.5b
    """
    spent = min(due, floor(max(purse.allowed - purse.before, Fraction(0))))
    return purse._replace(before=purse.before + spent, max_added=0), due - spent
