"""The walk of units that move together: units dropped and picked up on the way, the points spent, and the end (8.1,
8.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import Gather, InputError, Step, View, holding, note, step
from assistant.asking.view import changed
from assistant.rules.field import HexBar
from assistant.rules.field.movement import NONE_LEFT
from assistant.rules.field.ways import NoWay
from assistant.state.changes import Change
from assistant.state.points import format_amounts
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import HexLeft, UnitId

from ...concealment.cover import shrouded_enemies, turned_over_at
from ...concealment.rules import points_beyond, points_forgiven
from ...entering.arrival import March
from ...forces.account import ENDED_TRACK, SpendingPurpose, end_moves, read_account, spend
from ...forces.movement_points import allowance_now
from ...forces.spending import MovementSpending, measure_spending, spending_step, suppose_allowance
from ...ground.chart import HALVES_PER_POINT
from ...ground.edges import lies_off_map
from .landsturm import NOBODY, LandsturmJudge
from .prices import Prices
from .steps import CROSSED_WORDS, Judge, MarchStep, Stepped, causeway_counts, read_party
from .zones import ENTER_OR_LEAVE_COST, enters_zone, zones_along


class JudgesAlong:
    """The judges of the steps along a line of hexes, one for each party.

    `moving`: all units that go along any part of the line.
    `counter`: whether it is their Counter Movement Phase.
    """

    def __init__(
        self, facts: Gather, moving: Sequence[Unit], line: Sequence[str], prices: Prices | None = None, *, counter: bool
    ) -> None:
        self.facts = facts
        self._prices = prices
        self._counter = counter
        self._zones = cache(partial(zones_along, facts, moving, line))
        self._judges = dict[tuple[tuple[str, ...], frozenset[str], frozenset[str]], Judge]()

    def judge_of(self, party: tuple[str, ...], fled: frozenset[str] = NOBODY, shroud: frozenset[str] = NOBODY) -> Judge:
        """Return the judge of a party.

        `fled`: ids of the enemies who have fled from the party.
        `shroud`: ids of the concealed enemies whose zones are ignored.
        """
        asked = party, fled, shroud
        if asked not in self._judges:
            together = read_party(self.facts, [*map(self.facts.view.unit, party)], counter=self._counter)
            self._judges[asked] = Judge(self.facts, *self._zones(fled, shroud), together, self._prices)
        return self._judges[asked]


REVEALED_ZONE = "revealed-zone"
"""The ruling on the maximum cost of a zone that is revealed only as a hex in it is entered (26.2.5)."""
MIN_HEX_COST_POINTS = Fraction(1, 2)
"""The minimum cost of a hex, in Movement Points."""
BARRED_HEX = "{hex}: {why}"
"""The template of a bar to a hex."""


class MarchOrder(NamedTuple):
    """An order to march: the line, and the units that go along it."""

    line: tuple[str, ...]
    """The hex where the units start, followed by the hexes that they enter."""
    units: tuple[str, ...]
    """Ids of the units that start."""
    dropped: Mapping[int, tuple[str, ...]] = {}
    """Ids of the units left behind, by index of the hex in the line."""
    picked: Mapping[int, tuple[str, ...]] = {}
    """Ids of the units that join the stack, by index of the hex in the line."""

    def list_parties(self) -> list[tuple[str, ...]]:
        """Return the units that make each step, in order. Rule: 8.1c"""
        going = list(self.units)
        parties = list[tuple[str, ...]]()
        for number in range(len(self.line) - 1):
            left = self.dropped.get(number, ())
            going = [unit for unit in going if unit not in left] + [*self.picked.get(number, ())]
            parties.append(tuple(going))
        return parties

    @property
    def everybody(self) -> tuple[str, ...]:
        """All units that move."""
        return (*self.units, *(unit for units in self.picked.values() for unit in units))

    def find_leaving(self, view: View, *, off: bool) -> frozenset[str]:
        """Return the units that leave the map at the end of the line: all except those dropped earlier.

        `off`: whether the stack leaves the map from the last hex. It also leaves if the last place is off the map.
        """
        if not (off or lies_off_map(view, self.line[-1])):
            return frozenset()
        last = len(self.line) - 1
        stayed = [units for number, units in self.dropped.items() if off or number < last]
        return frozenset(self.everybody).difference(*stayed)

    @property
    def bound(self) -> frozenset[str]:
        """The units whose move ends when the stack stops: those dropped or picked up. Rule: 8.1c"""
        return frozenset().union(*self.dropped.values(), *self.picked.values())


def order_of(
    view: View, units: Sequence[str], line: Sequence[str], drop: Sequence[str], pick: Sequence[str]
) -> MarchOrder:
    """Return the order to march.

    `drop`, `pick`: units that the stack drops or picks up on the way, each with the hex, such as `25/3@41.19`.

    Raises InputError if one of them is impossible.
    """
    going = set(units)
    dropped = dict[int, tuple[str, ...]]()
    picked = dict[int, tuple[str, ...]]()
    for text in pick:
        unit, number = _parse_drop(view, "pick", text, line[1:-1])
        if unit in going:
            raise InputError(f"pick: {unit} is moving already")
        if view.unit(unit).place != line[number]:
            raise InputError(f"pick: {unit} is not in {line[number]}", hint="name a unit of the hex that is entered")
        if view.side_of(unit) != view.side_of(units[0]):
            raise InputError(f"pick: {unit} is not of the side that moves")
        going.add(unit)
        picked[number] = (*picked.get(number, ()), unit)
    joined = {unit: number for number, names in picked.items() for unit in names}
    for text in drop:
        unit, number = _parse_drop(view, "drop", text, line[1:])
        if unit not in going or joined.get(unit, 0) >= number:
            raise InputError(f"drop: {unit} is not moving as {line[number]} is entered")
        going.discard(unit)
        dropped[number] = (*dropped.get(number, ()), unit)
    order = MarchOrder(tuple(line), tuple(units), dropped, picked)
    if not all(order.list_parties()):
        raise InputError("drop: no unit is left to go on", hint="shorten the way, or drop fewer units")
    return order


def steps_against_picks(view: View, order: MarchOrder) -> list[Step]:
    """Return why a stack may not pick up units that have begun to move.

    Their moves end when the stack's move begins.

    Rule: 8.1b
    """
    ended = {change.subject for change in end_moves(view, order.units)}
    picked = (unit for units in order.picked.values() for unit in units)
    text = (
        "{unit} has begun to move separately; that move ends as {first} begins to move: leave it out, or undo its move"
    )
    first = order.units[0]
    return [bar for unit in picked for bar in holding([(unit in ended, "8.1", text)], unit=unit, first=first)]


def _parse_drop(view: View, name: str, text: str, hexes: Sequence[str]) -> tuple[str, int]:
    """Parse `25/3@41.19` as a unit and the index of the hex in the line; the dot may be missing.

    `name`: the name of the parameter.
    `hexes`: the hexes that may be named, in the order in which they are entered.
    """
    unit, sign, typed = text.rpartition("@")
    hex = view.board.grid.punctuated(typed.strip())
    if not sign or hex not in hexes:
        how = "name more hexes of the way"
        if hexes:
            how = f"write UNIT@HEX, with a hex of the way: {', '.join(hexes[:5])}"
        raise InputError(f"{name}: {text!r} is not a unit with a hex of the way", hint=how)
    return view.unit(unit.strip()).id, hexes.index(hex) + 1


class Walker(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's part in a move."""

    unit: UnitId
    at: HexLeft
    way: Annotated[tuple[str, ...], note("the hexes that the unit enters, in order")] = ()
    ground: Annotated[Fraction, note("Movement Points that the unit spends on the ground")] = msgspec.field(
        default_factory=Fraction
    )
    zones: Annotated[Fraction, note("Movement Points that EZOCs add")] = msgspec.field(default_factory=Fraction)
    beyond: Annotated[
        Fraction, note("Movement Points of these beyond its allowance, for an enemy who was concealed")
    ] = msgspec.field(default_factory=Fraction)
    before: Annotated[Fraction, note("Movement Points that the unit has spent before in this phase")] = msgspec.field(
        default_factory=Fraction
    )
    spending: Annotated[
        MovementSpending | None,
        note("what the unit then has spent in the phase, null where its allowance is not stated"),
    ] = None
    ended: Annotated[bool, note("whether the unit moves no further in this phase")] = False

    @property
    def points(self) -> Fraction:
        """The cost of the move for the unit."""
        return self.ground + self.zones

    @property
    def end(self) -> str:
        """The hex where the unit ends."""
        return self.way[-1] if self.way else self.at


class Walked(NamedTuple):
    """The walk of units to the end of their way, or to the hex that stops them."""

    entered: tuple[Stepped, ...]
    walkers: tuple[Walker, ...]
    stopped: Step | None = None
    """The bar that keeps the units out of `hex`, or None if they reach the end."""
    hex: str = ""
    """The hex that the units cannot enter, or "" if they reach the end."""


def walk(order: MarchOrder, judges: JudgesAlong, *, forced: bool | None, free: bool) -> Walked:
    """Return the walk of units along their way, up to the first hex that they cannot enter or pay for.

    `forced`: whether they may make a Forced March, or None if that is open.
    `free`: whether the walk costs no Movement Points.
    """
    going = _Walk(order, judges, forced=forced, free=free)
    for (here, there), party in zip(pairwise(order.line), order.list_parties(), strict=True):
        if stopped := going.find_stop(party, here, there):
            return Walked(tuple(going.entered), tuple(going.walkers.values()), stopped, there)
    ended = {unit: msgspec.structs.replace(walker, ended=unit in order.bound) for unit, walker in going.walkers.items()}
    return Walked(tuple(going.entered), tuple(ended.values()))


class _Walk:
    """A walk in progress."""

    def __init__(self, order: MarchOrder, judges: JudgesAlong, *, forced: bool | None, free: bool) -> None:
        facts, view = judges.facts, judges.facts.view
        self._order, self._judges = order, judges
        self._forced, self._free = forced, free
        accounts = {unit: read_account(facts, unit) for unit in order.everybody}
        self.walkers = dict[str, Walker]()
        for unit, account in accounts.items():
            self.walkers[unit] = Walker(unit=unit, at=str(view.unit(unit).place), before=account.total)
        self.entered = list[Stepped]()
        self._fled = NOBODY  # ids of the enemies that have fled
        self._shrouded = shrouded_enemies(view, view.side_of(order.units[0]))
        self._shroud = frozenset(unit for stack in self._shrouded.values() for unit in stack)
        self._hidden = self._shroud  # ids of concealed enemies whose zones are still unknown
        zone_hexes = judges.judge_of(order.units, NOBODY, self._shroud).zones.hexes
        self._in_zone = int(any(enters_zone(zone_hexes, account.passed) for account in accounts.values()))

    def find_stop(self, party: tuple[str, ...], here: str, there: str) -> Step | None:
        """Move a party into the next hex, or return the bar that keeps it out."""
        facts, view, judges = self._judges.facts, self._judges.facts.view, self._judges
        unaware = self._hidden
        self._hidden = unaware.difference(turned_over_at(view, there, self._shrouded, self._shroud - unaware))
        for unit in self._order.picked.get(len(self.entered), ()):
            self.walkers[unit] = picked_up(view, self.walkers[unit], self.entered)
        march = MarchStep(judges.judge_of(party, self._fled, self._hidden), here, there, self._in_zone)
        units = march.by.party.units
        landsturm = LandsturmJudge(view, units, lambda gone: judges.judge_of(party, gone, self._hidden))
        outcome = landsturm.enter(here, there, self._in_zone, self._fled)
        before = None
        if unaware != self._hidden:
            before = march.judged_by(judges.judge_of(party, self._fled, unaware))
        if before and isinstance(outcome, Stepped):
            outcome = _entered_unawares(before, outcome)
        begun = march.begin(outcome)
        late = max(begun.zones - before.surcharge[0], 0) if before and begun else 0
        fled = landsturm.fled_at(there, self._fled)
        if isinstance(outcome, NoWay):
            self._judge_ahead()
        moved = dict[str, Walker]()
        if begun:
            for unit in party:
                moved[unit] = _after_step(facts, self.walkers[unit], begun, party, free=self._free, late=late)
        stopped = None if self._free else next(reasons_short(moved.values(), self._forced), None)
        if isinstance(outcome, HexBar):
            return stopped or step(outcome.rule, BARRED_HEX, hex=there, why=outcome.why)
        if stopped:
            return stopped
        paid = {unit: moved[unit].zones - self.walkers[unit].zones for unit in moved}
        self.walkers |= moved
        self.entered.append(outcome if self._free else _leave_out_unpaid(outcome, paid))
        self._fled = fled
        self._in_zone = self._in_zone or int(outcome.enters_zone)
        return None

    def _judge_ahead(self) -> None:
        """Judge the steps after one with unknown ground, so that the missing facts of all are asked for together."""
        ahead = zip(pairwise(self._order.line), self._order.list_parties(), strict=True)
        for hexes, party in [*ahead][len(self.entered) + 1 :]:
            self._judges.judge_of(party, self._fled).enter(*hexes, 0)


def picked_up(view: View, walker: Walker, entered: Sequence[Stepped]) -> Walker:
    """Return a unit's part in the move of the stack that picks it up.

    By a ruling the hexes that the stack has already entered cost the unit as much as the stack.

    `entered`: the hexes that the stack entered before.

    Rule: 8.1c
    """
    behind = sum((stepped.points for stepped in entered), Fraction(0))
    if view.ruling("picked-up") == "own":
        return walker
    return msgspec.structs.replace(walker, before=walker.before + behind)


def _entered_unawares(before: MarchStep, stepped: Stepped) -> Stepped:
    """Return a step into a zone that was unknown until the step revealed its enemy.

    The units pay for entering a zone, not for going from zone to zone (26.2.5).

    `before`: the step as if the enemy had no zone.
    """
    if before.here in before.by.zones.hexes or stepped.zones <= ENTER_OR_LEAVE_COST:
        return stepped
    cost = stepped.cost - (stepped.zones - ENTER_OR_LEAVE_COST) * HALVES_PER_POINT
    return msgspec.structs.replace(stepped, zones=ENTER_OR_LEAVE_COST, cost=cost, why="into an EZOC", enters_zone=True)


def _after_step(
    facts: Gather, walker: Walker, stepped: Stepped, party: Collection[str], *, free: bool, late: int = 0
) -> Walker:
    """Return a unit's part in the move, one step later.

    `late`: the Movement Points for zones of enemies who are revealed only by this step.
    """
    way = (*walker.way, stepped.hex)
    if free:
        return msgspec.structs.replace(walker, way=way)
    ground = walker.ground + stepped.ground
    zones = walker.zones + stepped.zones
    unit = facts.view.unit(walker.unit)
    beyond = walker.beyond
    allowed = allowance_now(facts.view, unit.id, None) if late else None
    if allowed is not None:
        left = allowed - (walker.before + ground + zones - beyond - late)
        extra = Fraction(late)
        forgiven = points_forgiven(left, extra)
        if facts.view.ruling(REVEALED_ZONE, forgiven > 0) == "part":
            extra -= forgiven
            zones -= forgiven
        beyond += points_beyond(left, extra)
    spent = walker.before + ground + zones - beyond
    spending = measure_spending(facts, unit, spent, "move", companions=tuple(party))
    if spending is None:
        suppose_allowance(facts.view, unit.id)
    return msgspec.structs.replace(walker, way=way, ground=ground, zones=zones, beyond=beyond, spending=spending)


def _leave_out_unpaid(stepped: Stepped, paid: Mapping[str, Fraction]) -> Stepped:
    """Return a step without the cost of zones that its units need not pay by ruling revealed-zone.

    `paid`: the Movement Points that each unit spends on zones.
    """
    spared = {unit: stepped.zones - points for unit, points in paid.items() if points != stepped.zones}
    by_all = min(spared.values()) if len(spared) == len(paid) else Fraction(0)
    return msgspec.structs.replace(stepped, spared=spared, cost=stepped.cost - int(by_all * HALVES_PER_POINT))


def steps_of_spent(facts: Gather, order: MarchOrder, forced: bool | None) -> list[Step]:
    """Return a line for each unit that starts with too few Movement Points for any hex.

    `forced`: as in `walk`.

    Rule: 8.1, 8.3
    """
    steps = list[Step]()
    if len(order.line) == 1:
        return steps
    for unit in order.units:
        spent = read_account(facts, unit).total
        allowed = allowance_now(facts.view, unit, None)
        if not spent or allowed is None or spent + MIN_HEX_COST_POINTS <= allowed:
            continue
        spends = measure_spending(facts, facts.view.unit(unit), spent + MIN_HEX_COST_POINTS, "move")
        if spends and (spends.why or forced is False):
            most = 0 if forced is False else spends.most
            text = NONE_LEFT + ": it has spent {before}, and its limit is {limit}"
            if forced is False:
                text += " without a Forced March"
            elif not most:
                text += ": {why}"
            steps.append(step(spends.rule or "8.3", text, spends, before=spent, limit=allowed + most))
    return steps


def reasons_short(walkers: Collection[Walker], forced: bool | None) -> Iterator[Step]:
    """Yield why units have too few Movement Points for their walk so far.

    `forced`: as in `walk`.

    Rule: 8.3
    """
    for walker in walkers:
        spends = walker.spending
        if spends is None:
            continue
        if spends.why:
            yield spending_step(spends)
        elif spends.march and forced is False:
            text = (
                "{unit} has {allowance} Movement Points, but {spent} would be spent, "
                "and forced=no rules out a Forced March"
            )
            yield step("8.3", text, spends)


def marches_of(order: MarchOrder, entered: int) -> list[March]:
    """Return each step made, with the units that made it.

    `entered`: the number of steps made.
    """
    return [March(party, (order.line[number + 1],)) for number, party in enumerate(order.list_parties()[:entered])]


# --- changes by a walk ------------------------------------------------------------------------------------------------


def changes_of_account(view: View, walked: Walked, staying: Iterable[Walker]) -> Iterator[Change]:
    """Yield the changes to the units' accounts of Movement Points after a move.

    They record the points spent, the hexes passed and the moves ended. Moves begun by other units end too.

    `staying`: the units that stay on the map.
    """
    yield from end_moves(view, [walker.unit for walker in walked.walkers])
    for walker in staying:
        paid: dict[SpendingPurpose, Fraction] = {"march": walker.ground, "revealed": walker.beyond}
        yield from spend(view, walker.unit, {**paid, "zones": walker.zones - walker.beyond}, walker.way)
        if walker.ended:
            yield changed(view, ENDED_TRACK, walker.unit, True, "8.1")


def changes_of_causeways(facts: Gather, order: MarchOrder, walked: Walked) -> Iterator[Change]:
    """Yield the changes to the number of units that have crossed each causeway in the phase. Rule: 8.1.6"""
    crossing = dict[str, dict[str, None]]()
    for number, party in enumerate(order.list_parties()[: len(walked.entered)]):
        crossing.setdefault(hexside(order.line[number], order.line[number + 1]), {}).update(dict.fromkeys(party))
    for over, names in crossing.items():
        if facts.view.flag("causeway", over):
            units: list[Unit] = [facts.view.unit(name) for name in names]
            counts = causeway_counts(facts, over, units)
            amounts = {word: Fraction(count) for word, count in zip(CROSSED_WORDS, counts, strict=True)}
            yield changed(facts.view, "crossed", over, format_amounts(amounts), "8.1.6")
