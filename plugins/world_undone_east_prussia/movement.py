"""The questions `move` and `reach`: how far units move, what that costs, which Movement Points they save, and what it
changes (3.3, 3.4, 5.0 to 5.3, 7.2, 9.4, 10.2.3 to 10.4, 10.6.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.field import Around, Barred
from assistant.field.moving import (
    Entered,
    Moved,
    Moving,
    Prices,
    Reach,
    check_way,
    ends_of,
    reach_of,
    start_of,
    stretch_of,
    unable_now,
)
from assistant.mechanics.procedure import Modifier
from assistant.pictures.usual import of_way
from assistant.questions import (
    Gather,
    InputError,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    Way,
    changed,
    declare,
    holding,
    note,
    permission,
    refused,
    step,
)
from assistant.state.changes import AnyChange, Gain
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import HexNumber

from . import ground, rail, terms
from .forces import army_of
from .stacking import counted, fits
from .supply import out_of_supply

PHASES = (terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT)
PRICES = Prices("terrain-cost", free=("none", "open"))
"""The Terrain Effects Chart: what it adds to the Movement Point of each hex."""
REFUGEES = 4
"""The last turn of refugees on the roads (10.4)."""
STACKS = 5
"""How many German stacks save Movement Points in a turn (5.1)."""
ABREAST = "VI/4"
"""The unit whose printed allowance of 1 is doubtful (9.1.2)."""


Works = Mapping[str, Sequence[str]]
"""Hexes in which a unit cuts or repairs the rail line, or stays to hold them, by the name of the parameter."""


class Mover(NamedTuple):
    """A unit that moves. at: its hex, "" off the map; points: what makes up its allowance; rivals: the hexes of the
    other Russian army, from which it keeps `apart` hexes.
    """

    facts: Gather
    around: Around
    unit: Unit
    at: str
    points: tuple[Modifier, ...]
    forced: bool
    rivals: frozenset[str]

    @property
    def allowance(self) -> int:
        """Its Movement Points."""
        return max(0, sum(modifier.amount for modifier in self.points))


# --- who moves, and how far --------------------------------------------------------------------------------------------


def since(view: View, track: str, army: str = "") -> int | None:
    """Game turns since one that is stated, None without it."""
    stated = view.integer(track, army)
    return view.integer("turn") - stated if stated else None


def samsonov(view: View, army: str, came: str) -> int | None:
    """Turns since Samsonov's die came out so, None for other armies and without the optional rule.
    Rule: 10.6.2.1/dies, 10.6.2.1/survives
    """
    led = army == f"{terms.RUSSIAN} {terms.SECOND}" and "samsonov" in view.words("options")
    return since(view, "samsonov-turn") if led and view.word("samsonov") == came else None


def points_of(facts: Gather, unit: Unit, *, forced: bool, unsupplied: bool) -> Iterator[Modifier]:
    """What makes up the Movement Points of a unit as it begins to move: its allowance as printed, less 1 without a line
    of supply, 1 more in a forced march and for Samsonov's army in the turn in which he survives and the next one, and
    in the Second Movement Phase those that were saved in its hex.
    Rule: 3.4/movement, 5.0/cost, 5.1/use, 10.3, 10.6.2.1/survives
    """
    view, printed = facts.view, facts.integer("ma", unit.id)
    doubtful = unit.type == ABREAST and printed == 1
    inferred = doubtful and view.ruling("fourth-division") == "inferred"
    saved = view.integer("reserved", unit.place) if unit.place else 0
    parts = (
        ("5.0", "as printed", printed),
        ("9.1.2", "misprinted", int(inferred)),
        ("3.4", "no line of supply", -int(unsupplied)),
        ("10.3", "forced march", int(forced)),
        ("10.6.2.1", "Samsonov survives", int(samsonov(view, army_of(view, unit.id), "survives") in (0, 1))),
        ("5.1", "saved", saved if saved and facts.word("phase") == terms.SECOND_MOVEMENT else 0),
    )
    return (Modifier(*part) for part in parts if part[2] or part[1] == "as printed")


def is_leaderless(facts: Gather, army: str) -> bool:
    """Whether an army may not move as its headquarters is lost: in that turn, and in the next two unless its die
    releases it.
    Rule: 10.6.2/effects
    """
    view = facts.view
    lost = since(view, "headquarters-lost", army) if army and "russian-headquarters" in view.words("options") else None
    return lost == 0 or (lost in (1, 2) and facts.word("released", army) == "no")


def bars_to_moving(facts: Gather, unit: Unit, side: str, *, forced: bool) -> list[Step]:
    """What keeps a unit from moving at all; a reinforcement: another turn than its own, or another phase than the first.
    Rule: 3.5, 5.0/mover, 5.3/entry, 9.4/41KB, 10.3, 10.6.2/effects, 10.6.2.1/dies
    """
    view, name, army = facts.view, unit.id, army_of(facts.view, unit.id)
    enters, turn = view.integer("arrives", name), view.integer("turn")
    off = not start_of(view, [name])
    if off and not enters:
        hint = f"state its hex, or the turn in which it arrives: {name} arrives=5"
        raise InputError(f"{name} is not on the map", hint=hint)
    clauses = (
        (view.flag("disrupted", name), "3.5", "{unit} is disrupted"),
        (view.flag("fixed", name), "9.4", "{unit} is fixed until it is released"),
        (is_leaderless(facts, army), "10.6.2", "its army has lost its headquarters and may not move"),
        (
            samsonov(view, army, "dies") == 1,
            "10.6.2.1",
            "the Second Army does not move in the turn after Samsonov's death",
        ),
        (
            forced and "forced-march" not in view.words("options"),
            "10.3",
            "forced marches are not among the optional rules",
        ),
        (off and facts.integer("turn") != enters, "5.3", "{unit} enters in turn {arrives}; this is turn {turn}"),
        (off and facts.word("phase") != PHASES[0], "5.3", "reinforcements enter in the First Movement Phase"),
    )
    return [*unable_now(view, name, side, PHASES, "5.0"), *holding(clauses, unit=name, arrives=enters, turn=turn)]


def rivals_of(view: View, around: Around, army: str) -> frozenset[str]:
    """The hexes of the army from which a Russian army keeps apart; none once that has ended, and from two turns after
    Samsonov's death.
    Rule: 7.2, 10.6.2.1/dies
    """
    dead = samsonov(view, f"{terms.RUSSIAN} {terms.SECOND}", "dies")
    if not army or view.flag("rivalry-ended") or (dead or 0) >= 2:
        return frozenset()
    return frozenset(str(unit.place) for unit in around.units if army_of(view, unit.id) not in ("", army))


def movers_of(facts: Gather, units: Sequence[str], *, forced: bool = False) -> list[Mover]:
    """Units that move together: they begin in one hex, and pick up nobody. Raises InputError for units of several.
    Rule: 5.0/stacks
    """
    at, stack = start_of(facts.view, units), [facts.view.unit(name) for name in units]
    around = ground.field(facts).around(facts.view.side_of(stack[0].id))
    lost = out_of_supply(facts, around, units) if at else frozenset[str]()
    return [
        Mover(
            facts,
            around,
            unit,
            at,
            (*points_of(facts, unit, forced=forced, unsupplied=unit.id in lost),),
            forced,
            rivals_of(facts.view, around, army_of(facts.view, unit.id)),
        )
        for unit in stack
    ]


# --- hex by hex --------------------------------------------------------------------------------------------------------


class Marched(Entered, frozen=True, kw_only=True):
    """A hex that a unit enters, with what it does there."""

    how: Annotated[str, note("march or rail")] = "march"


class March(Moved, frozen=True, kw_only=True):
    """The move of a unit as far as it is allowed."""

    entered: Annotated[tuple[Marched, ...], note("the hexes that the unit enters, with their costs")] = ()


class Order(NamedTuple):
    """How units move. line: their hex, then those that they enter; rail: the numbers of the hexes in it where a move by
    rail begins and ends; acts: by number of the hex, how many Movement Points are spent in it; mended: hexes where the
    rail line is repaired.
    """

    line: tuple[str, ...]
    rail: tuple[int, int] | None = None
    acts: Mapping[int, int] = Counter()
    mended: tuple[str, ...] = ()


def bar(mover: Mover, here: str, there: str, number: int) -> Barred | None:
    """What bars the next hex whatever it costs: an entry from another map edge, enemies, a fortress to Russians, the
    stop in an enemy zone, the way from one into another that no friend holds; on a forced march any hex next to an
    enemy; and the other Russian army, from which three hexes are kept free.
    Rule: 3.3/movement, 3.3/fort-entry, 5.3/entry, 7.2, 10.3
    """
    around, view = mover.around, mover.facts.view
    zones, edge = around.enemy_zones, terms.HOME_EDGE[around.side]
    if not here and edge not in mover.facts.words("map-edge", there):
        return Barred("5.3", f"reinforcements enter from the {edge} edge of the map")
    if there in around.enemies:
        return Barred("5.0", "enemies stand there")
    if around.side == terms.RUSSIAN and ground.fortress(view, there):
        return Barred("3.3", "no Russian unit enters a fortress by movement; it falls by combat alone")
    if number and here in zones:
        return Barred("3.3", f"the unit must stop in {here}, in an enemy zone of control")
    if here in zones and there in zones and there not in around.friends:
        return Barred("3.3", f"it leads from {here} in an enemy zone of control into another")
    if mover.forced and (there in zones or around.next_to_enemy(there)):
        return Barred("10.3", "a forced march may not lead next to an enemy or into an enemy zone of control")
    near = min((view.board.distance(there, rival) for rival in mover.rivals), default=9)
    if near < 3 or (near == 3 and view.ruling("rivalry-distance") == "four"):
        return Barred("7.2", "the First and the Second Army keep three hexes free between them")
    return None


def enter(mover: Mover, order: Order, here: str, there: str, number: int) -> Marched | Barred:
    """The next hex, with its cost or what bars it: by rail one Movement Point in all, else one for the hex and what the
    Terrain Effects Chart adds; one more for a town or city full of refugees; and what is done there. number: of the
    hexes entered before.
    Rule: 5.0/cost, 5.2/cost, 10.4
    """
    facts, acts = mover.facts, order.acts.get(number + 1, 0) + (0 if number else order.acts.get(0, 0))
    if order.rail and order.rail[0] <= number < order.rail[1]:
        barred = rail.rail_bar(facts, mover.around, here, there, order.mended)
        return barred or Marched(hex=there, cost=acts + (number == order.rail[0]), how="rail")
    if barred := bar(mover, here, there, number):
        return barred
    prices = [PRICES.of(facts, track, there) for track in ("terrain", "town")]
    prices += [PRICES.of(facts, "barrier", hexside(here, there))] if here else []
    refugees = "refugees" in facts.view.words("options") and facts.integer("turn") <= REFUGEES
    crowded = refugees and facts.word("town", there) in ("town", "city")
    if None in prices:
        return Barred("5.0", "the Terrain Effects Chart prohibits it")
    return Marched(hex=there, cost=1 + sum(filter(None, prices)) + crowded + acts)


def moves(mover: Mover, order: Order) -> Moving[Marched]:
    """How a unit moves: one hex is always allowed that nothing bars, unless it does more than march.
    Rule: 5.0/minimum, 5.3/entry
    """
    enters = partial(enter, mover, order)
    return Moving(
        mover.facts.view, mover.at, mover.allowance, enters, lambda entered: not order.rail and not order.acts
    )


def order_of(mover: Mover, way: Sequence[str], entrain: str, detrain: str, works: Works) -> Order:
    """How units move, as it is asked for: they entrain, ride and detrain for a Movement Point each. Reinforcements that
    enter entrained do not pay for it.

    works: hexes where something is done for a Movement Point, by its name. Raises InputError for hexes that are not on
    the route, or not in order.
    Rule: 5.2/cost, 5.3/rail
    """
    line, acts, ride = (mover.at, *way), Counter[int](), None
    if entrain or detrain or mover.facts.view.flag("entrained", mover.unit.id):
        first, last = stretch_of(line, entrain, detrain, names=("entrain", "detrain"))
        if first > last or not (entrain or mover.facts.view.flag("entrained", mover.unit.id)):
            raise InputError(f"detrain: the units do not entrain before {detrain}", hint="name that hex too: entrain=")
        enters = not mover.at and first == 1
        ride = (0 if enters else first, last)
        acts += Counter({first: int(bool(entrain) and not enters)}) + Counter({last: int(bool(detrain))})
    for name, places in works.items():
        for place in places:
            acts[stretch_of(line, place, "", names=(name, ""))[0]] += 1
    return Order(line, ride, +acts, tuple(works.get("repair", ())))


# --- what is saved for the Second Movement Phase ------------------------------------------------------------------------


def bars_to_marker(facts: Gather, side: str, at: str, marker: int) -> list[Step]:
    """What keeps a stack from an MP Reserved marker: another phase, another in its hex, five of other German stacks, one
    of another stack with units of the same Russian army.
    Rule: 5.1/marker, 5.1/limits
    """
    view, now = facts.view, facts.word("phase") == terms.FIRST_MOVEMENT and facts.word("phasing") == side
    marked = [hex for (track, hex), fact in view.stated.items() if track == "reserved" and fact.value and hex != at]
    armies, there = {army_of(view, unit.id) for unit in view.stack(at)}, view.integer("reserved", at)
    same = [hex for hex in marked if armies & {army_of(view, unit.id) for unit in view.stack(hex)}]
    clauses = (
        (not now, "5.1", "Movement Points are saved in the First Movement Phase of a side alone"),
        (there and there != marker, "5.1", "{hex} has a marker already, for {reserved}"),
        (side == terms.GERMAN and len(marked) >= STACKS, "5.1", "{most} German stacks save Movement Points already"),
        (side == terms.RUSSIAN and same, "5.1", "a stack of the same army saves Movement Points in {where}"),
    )
    return holding(clauses, hex=at, reserved=there, most=STACKS, where=same[:1])


def bars_to_saving(unit: str, left: int, at: str, marker: int, *, forced: bool) -> list[Step]:
    """What keeps a unit from ending its move under a marker: fewer Movement Points left than it shows, or a forced
    march. What it has beyond that is lost.
    Rule: 5.1/eligibility, 10.3
    """
    short = "{unit} has {left:#Movement Point} left, fewer than the {reserved} of the marker in {hex}"
    clauses = (
        (forced, "10.3", "{unit} saves no Movement Points in a forced march"),
        (not forced and left < marker, "5.1", short),
    )
    return holding(clauses, unit=unit, left=left, reserved=marker, hex=at)


def left_of(facts: Gather, name: str) -> int:
    """The Movement Points that a unit of the position has left in this phase. Rule: 5.0/stacks, 5.1/eligibility"""
    moved = facts.view.flag("moved", name)
    return facts.integer("mp-left", name) if moved else movers_of(facts, [name])[0].allowance


def bars_to_ending(mover: Mover, left: Mapping[str, int], ends: Mapping[str, str], marker: int) -> Iterator[Step]:
    """What keeps units from ending where they do: the markers there, or the one that the last hex receives.

    left, ends: Movement Points and hex of each unit at its end; marker: Movement Points that it shows, 0 for none.
    Rule: 5.1/eligibility
    """
    facts, last = mover.facts, [*ends.values()][-1]
    view = facts.view
    if marker:
        yield from bars_to_marker(facts, mover.around.side, last, marker)
        for other in (unit.id for unit in view.stack(last) if unit.id not in left):
            yield from bars_to_saving(other, left_of(facts, other), last, marker, forced=False)
    for unit, at in ends.items():
        shown = marker if marker and at == last else view.integer("reserved", at)
        if shown and facts.word("phase") == terms.FIRST_MOVEMENT:
            yield from bars_to_saving(unit, left[unit], at, shown, forced=mover.forced)


# --- what a move changes ------------------------------------------------------------------------------------------------


def holds_briefly(facts: Gather, unit: Unit) -> bool:
    """Whether a unit controls a hex only while it is there: cavalry, by the optional rule. Rule: 10.2.3"""
    return "cavalry-control" in facts.view.words("options") and facts.word("arm", unit.id) == terms.CAVALRY


def takes(mover: Mover, line: Sequence[str], hold: Collection[str]) -> Iterator[AnyChange]:
    """The hexes that come under control as a unit leaves, passes and enters them. hold: of those that cavalry controls
    only while it is there, the ones in which it spends a Movement Point.
    Rule: 2.0/Control, 10.2.3
    """
    view, side = mover.facts.view, mover.around.side
    rides = holds_briefly(mover.facts, mover.unit)
    for at in dict.fromkeys(hold if rides else filter(None, line)):
        own = view.word("control", at) or (side if view.word("country", at) == terms.OWN_COUNTRY[side] else "")
        if own != side:
            yield changed(view, "control", at, side, "10.2.3" if rides else "2.0")


def released(mover: Mover, line: Iterable[str]) -> Iterator[AnyChange]:
    """The fixed units that a Russian releases as he moves next to them. Rule: 9.4/41KB"""
    view = mover.facts.view
    near = {other for at in line for other in view.board.neighbours(at)}
    fixed = (unit for unit in view.units() if unit.place in near and view.flag("fixed", unit.id))
    if mover.around.side == terms.RUSSIAN:
        yield from (changed(view, "fixed", unit.id, False, "9.4") for unit in fixed)


def changes_of_unit(mover: Mover, order: Order, moved: March, *, entrains: bool, detrains: bool) -> Iterator[AnyChange]:
    """What a move changes of a unit: its place, that it has moved, whether it is entrained, and in the First Movement
    Phase what it has left.
    Rule: 5.0/stacks, 5.1/eligibility, 5.2/limits, 5.3/rail
    """
    view, name, last = mover.facts.view, mover.unit.id, len(moved.entered)
    if last:
        yield changed(view, "place", name, moved.entered[-1].hex, "5.0")
    yield changed(view, "moved", name, True, "5.0")
    if view.word("phase") == terms.FIRST_MOVEMENT:
        yield changed(view, "mp-left", name, 0 if mover.forced else moved.left, "5.1")
    if order.rail and last >= order.rail[0]:
        rides = not (detrains and last >= order.rail[1])
        if rides != view.flag("entrained", name):
            yield changed(view, "entrained", name, rides, "5.2")
        if entrains:
            yield Gain("entrained-units", mover.around.side, 1, "5.2")


def changes_of(
    movers: Sequence[Mover],
    order: Order,
    moved: Sequence[March],
    reserve: int,
    works: Works,
    *,
    entrains: bool,
    detrains: bool,
) -> Iterator[AnyChange]:
    """What a move of a stack changes. A marker that the last of its units leaves in the Second Movement Phase goes.
    Rule: 5.1/marker, 5.1/use
    """
    view, at = movers[0].facts.view, movers[0].at
    common = dict[tuple[str, str], AnyChange]()
    for mover, one in zip(movers, moved, strict=True):
        if one.cost or one.entered or not view.flag("moved", one.unit):
            yield from changes_of_unit(mover, order, one, entrains=entrains, detrains=detrains)
        line = (at, *(place.hex for place in one.entered))
        found = (*takes(mover, line, works["hold"]), *released(mover, line[1:]))
        common |= {(change.track, change.subject): change for change in found}
    yield from common.values()
    yield from rail.works(view, works["cut"], works["repair"])
    left_behind = {unit.id for unit in view.stack(at)} - {one.unit for one in moved if one.entered}
    if reserve:
        yield changed(view, "reserved", order.line[-1], reserve, "5.1")
    elif at and view.integer("reserved", at) and not left_behind:
        yield changed(view, "reserved", at, None, "5.1")


def over_limits(facts: Gather, places: Mapping[str, str]) -> tuple[str, ...]:
    """The hexes that are over the stacking limits once units have come there. places: by unit. Rule: 3.2"""
    view = facts.view
    there = {at: {*(unit.id for unit in view.stack(at)), *places} for at in dict.fromkeys(places.values())}
    stay = {at: [name for name in names if places.get(name, at) == at] for at, names in there.items()}
    return tuple(at for at, names in stay.items() if not fits([counted(facts, view.unit(name)) for name in names]))


def walk(mover: Mover, order: Order, end: int) -> tuple[March, list[Step]]:
    """The move of a unit of a stack up to the hex where it ends, by its number, and what keeps it from going there.
    Rule: 5.0/cost, 5.0/stacks
    """
    moving, name = moves(mover, order), mover.unit.id
    if end:
        return moving.moved(March, name, order.line[1 : end + 1], rule="5.0")
    stays = March(unit=name, at=mover.at, cost=order.acts.get(0, 0), allowance=mover.allowance)
    text = "{cost:#Movement Point} needed, but {unit} has {allowance}"
    return stays, holding([(stays.left < 0, "5.0", text)], stays)


def bars_to_acts(mover: Mover, order: Order, entrain: str, detrain: str, riders: int, works: Works) -> Iterator[Step]:
    """What keeps units from what they do on their way. riders: how many of them entrain, or enter entrained.
    Rule: 5.2/zoc, 5.2/cost, 10.2.3
    """
    facts, side, unit = mover.facts, mover.around.side, mover.unit
    if order.rail:
        yield from rail.bars_to_rail(facts, side, riders)
        zones = [barred for at in {entrain, detrain} - {""} if (barred := rail.in_zone(mover.around, at))]
        yield from (step(barred.rule, barred.why) for barred in zones)
        if entrain and not rail.is_rail_hex(facts, entrain):
            yield step("5.2", "no railway leads into {hex}", hex=entrain)
    for at in works["cut"]:
        yield from rail.bars_to_cutting(facts, unit, side, at, forced=mover.forced)
    for at in works["repair"]:
        yield from rail.bars_to_repair(facts, unit, side, at)
    if works["hold"] and not holds_briefly(facts, unit):
        yield step("10.2.3", "only cavalry needs that, by an optional rule: other units control what they enter")


# --- the questions ------------------------------------------------------------------------------------------------------


def way_steps(movers: Sequence[Mover], found: Move) -> Iterator[Step]:
    """The allowance of each unit where it is not the printed one, the hexes with their costs, and where the units end."""
    for mover in movers:
        for one in mover.points if len(mover.points) > 1 else ():
            yield step(one.rule, "{unit}: {amount:+} {why}", one, unit=mover.unit.id)
    for place in max((one.entered for one in found.units), key=len):
        yield step("5.2" if place.how == "rail" else "5.0", "{hex} by {how}: {cost}", place)
    for one in found.units:
        text = "{unit} has {left:#Movement Point} left" + (", by the minimum move" if one.minimum else "")
        yield step("5.0", text, one)


def after_steps(found: Move, end: str) -> list[Step]:
    """The marker and the stacking limits after the move."""
    clauses = (
        (
            found.reserved,
            "5.1",
            "{end} receives a marker: {reserved:#Movement Point} more in the Second Movement Phase",
        ),
        (found.over, "3.2", "over the stacking limits: {over}; what is too many when the phase ends is eliminated"),
    )
    return holding(clauses, found, end=end)


Forced = Annotated[bool, note("whether they make a forced march, by the optional rule")]
NO = "this move is not allowed"


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move of units that begin together."""

    units: Annotated[tuple[March, ...], note("the moves of the units")]
    reserved: Annotated[int, note("Movement Points of the marker that the last hex receives, 0 for none")] = 0
    over: Annotated[tuple[HexNumber, ...], note("hexes that are then over the stacking limits")] = ()

    @property
    def way(self) -> list[str]:
        """The hexes of the unit that goes farthest."""
        longest = max(self.units, key=lambda one: len(one.entered))
        return [*filter(None, [longest.at]), *(place.hex for place in longest.entered)]


def move(
    view: View,
    *,
    units: tuple[UnitName, ...],
    way: Annotated[Way, note("the hexes that the units enter, in order; none for units that stay")] = (),
    drop: Annotated[tuple[str, ...], note("units left on the way, each with the hex: I/1@5320")] = (),
    forced: Forced = False,
    entrain: Annotated[PlaceName | None, note("the hex where they entrain; of reinforcements the first one")] = None,
    detrain: Annotated[PlaceName | None, note("the hex where they detrain; without it they stay entrained")] = None,
    cut: Annotated[tuple[PlaceName, ...], note("hexes where the unit cuts the rail line")] = (),
    repair: Annotated[tuple[PlaceName, ...], note("hexes where the unit repairs the rail line")] = (),
    hold: Annotated[tuple[PlaceName, ...], note("hexes that cavalry controls for a Movement Point")] = (),
    reserve: Annotated[int, note("Movement Points saved under a marker in the last hex")] = 0,
) -> Report[Move]:
    """The report on a move. Raises InputError for hexes that make no way, MissingFacts for what is not stated."""
    title, works = f"Move of {', '.join(units)}", {"cut": cut, "repair": repair, "hold": hold}
    if any(works.values()) and len(units) > 1:
        raise InputError("cut, repair and hold are the work of one unit", hint="ask for its move alone")
    with view.gather() as facts:
        movers = movers_of(facts, units, forced=forced)
        mover, side = movers[0], movers[0].around.side
        order = order_of(mover, way, entrain or "", detrain or "", works)
        ends, stays = ends_of(units, order.line, drop), not way and not order.acts
        if stays and not reserve:
            check_way(view, mover.at, way)
        bars = [why for one in movers if not stays for why in bars_to_moving(facts, one.unit, side, forced=forced)]
        if bars:
            return refused(title, NO, bars)
        riders = sum(bool(entrain and order.rail and end >= order.rail[0]) for end in ends.values())
        bars += bars_to_acts(mover, order, entrain or "", detrain or "", riders, works)
        moved, stopped = zip(*(walk(one, order, ends[one.unit.id]) for one in movers), strict=True)
        bars += [why for steps in stopped for why in steps]
        places = {name: order.line[end] for name, end in ends.items()}
        if not bars:
            left = {one.unit: left_of(facts, one.unit) if stays else one.left for one in moved}
            bars += bars_to_ending(mover, left, places, reserve)
        result = Move(units=moved, reserved=reserve, over=over_limits(facts, places))
        for side_of_hex in mover.around.unstated(result.way):
            view.granted("barrier", side_of_hex, "open", "3.3", "{hexsides} assumed to bear no river (not stated)")
        rides = {"entrains": bool(entrain), "detrains": bool(detrain)}
        changes = [] if bars else [*changes_of(movers, order, moved, reserve, works, **rides)]
    first = moved[0]
    return permission(
        title,
        ("{unit} may move to {end}: {cost} of {allowance} Movement Points", NO),
        bars,
        result,
        first,
        working={"Way": way_steps(movers, result), "Afterwards": after_steps(result, order.line[-1])},
        changes=changes,
        end=order.line[-1],
    )


def reach(
    view: View,
    *,
    unit: UnitName,
    by: Annotated[Literal["march", "rail"], note("march, or rail for only a move by rail")] = "march",
    forced: Forced = False,
) -> Report[Reach]:
    """The report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for what
    is not stated.
    """
    with view.gather() as facts:
        mover = movers_of(facts, [unit], forced=forced)[0]
        reasons = bars_to_moving(facts, mover.unit, mover.around.side, forced=forced)
        entrains = by == "rail" and not view.flag("entrained", unit)
        order = Order((mover.at,), (0, 99), {0: int(entrains)}) if by == "rail" else Order((mover.at,))
        if by == "rail" and not reasons:
            reasons += bars_to_acts(
                mover,
                order,
                mover.at if entrains else "",
                "",
                int(entrains),
                dict.fromkeys(("cut", "repair", "hold"), ()),
            )
        begins = () if mover.at else ground.edge_hexes(view, terms.HOME_EDGE[mover.around.side])
        moving = moves(mover, order)._replace(begins=begins, enter=partial(enter_known, mover, order))
        listed = "only hexes are listed whose terrain, rivers and railways are stated"
        rule = "5.2" if by == "rail" else "5.0"
        return reach_of(Reach, unit, by, moving, reasons, rule=rule, minimum_rule="5.0", listed=listed)


def enter_known(mover: Mover, order: Order, here: str, there: str, number: int) -> Marched | Barred:
    """The next hex, if all is stated that its cost rests on."""
    view, over = mover.facts.view, hexside(here, there) if here else ""
    tracks = [("rail", over)] if order.rail else [("terrain", there), ("town", there), ("barrier", over)]
    known = (view.fact(track, at) if order.rail else PRICES.knows(view, track, at) for track, at in tracks if at)
    return enter(mover, order, here, there, number) if all(known) else Barred("5.0", "its ground is not stated")


QUESTIONS = (
    declare(
        "move",
        "whether units may move by a way, what it costs, what they save, and what it changes",
        move,
        picture=of_way(lambda move: move.way),
    ),
    declare("reach", "the hexes that a unit can reach by marching or by rail, with what they cost", reach),
)
