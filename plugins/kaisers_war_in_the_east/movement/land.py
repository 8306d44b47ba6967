"""Movement by land and rail, hex by hex: bars, costs, stops, and the capacity of railroads.

Rules 11, 13.4, 13.5, 18, 21.4 and 22.1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Annotated, NamedTuple

from assistant.asking import Gather, InputError, Step, View, holding, note, step
from assistant.rules.field import HexBar, SideField, movement, side_of
from assistant.state.state import Unit, hexside

from .. import ground, seasons
from ..forces import kind_of
from ..supply.reach import Offensive, find_offensive_supply, out_of_reach, supply_in
from ..terms import CENTRAL_POWERS, FORTRESS, HOME, PARTISAN, SUPPLY, TRAIN

ROAD_COST_HALVES = 1
"""Halves of a Movement Point for a hex entered along a railroad (11.5)."""
HALVES_PER_POINT = 2
"""Halves of a Movement Point in a point: for a disengagement, and for a rail move (13.5, 18.1)."""
COSTLY_WATER = ("river", "lake")
"""Water on hexsides that may cost Movement Points (11.4)."""
RAIL_CAPACITY_THIRDS = 9
"""The rail capacity of a side in a phase, in thirds of an Army Equivalent (18.2)."""
SERBIA_OPENS_YEAR = 1916
"""The year in which the railroad across Serbia opens, in the first turn (18.6)."""
RUSSIA = "russia"
GERMANY = "germany"


class Mover(NamedTuple):
    """A unit that moves."""

    facts: Gather
    around: Annotated[SideField, note("the field from the viewpoint of its side")]
    unit: Unit
    nation: str
    arm: str
    size: str
    at: str
    allowance: Annotated[int, note("the allowance in halves of a Movement Point, doubled for a Forced March")]

    @property
    def view(self) -> View:
        """The position."""
        return self.facts.view

    @property
    def side(self) -> str:
        """The side of the unit."""
        return self.around.side


def mover_of(facts: Gather, name: str, forced: str | None = None) -> tuple[Mover, Offensive | None]:
    """Return the unit that moves, and the supply unit expended for its Forced March.

    Raises InputError if the unit is not on the map.

    Rule: 11.9, 17.9/1, 17.12
    """
    unit = facts.view.unit(name)
    at = str(unit.place)
    if not facts.view.board.is_hex(at):
        raise InputError(f"unit: {name} is not on the map", hint="state which hex it is in")
    around = ground.field(facts).around(side_of(facts, unit))
    march = next(find_offensive_supply(facts, around, [forced], around.units), None) if forced else None
    nation = facts.word("nation", name)
    arm = facts.word("arm", name)
    size = facts.word("size", name)
    has = count_allowance(facts, unit, arm, doubled=facts.flag("marching", name) or march is not None)
    return Mover(facts, around, unit, nation, arm, size, at, has), march


def count_allowance(facts: Gather, unit: Unit, arm: str, *, doubled: bool) -> int:
    """Return the Movement Points of a unit in halves, whether supplied or not.

    `doubled`: whether the unit makes a Forced March.

    Rule: 11.2, 11.3, 11.9, 17.14
    """
    if arm == FORTRESS:
        return 0
    return 2 * facts.integer("movement", unit.id) * (2 if doubled else 1)


def bars_to_moving(mover: Mover, march: Offensive | None) -> Iterator[Step]:
    """Yield the reasons why a unit cannot move, or make a Forced March.

    Rule: 11.2, 11.3, 17.9/1, 17.12, 23.0/2, SUP-summary/5
    """
    view = mover.view
    name = mover.unit.id
    yield from movement.unable_now(view, name, mover.side, ("movement",), "11.2")
    clauses = (
        (not mover.allowance, "11.3", "{unit} has no movement factor"),
        (ground.at_war(view, mover.nation) is False, "23.0", "{nation:title} units are neutral and do not move"),
        (view.flag("entrenched", name), "Opt/Entrench/1", "{unit} is turned over to entrench others"),
    )
    yield from holding(clauses, unit=name, nation=mover.nation)
    if march:
        own = view.side_of(march.source) == mover.side and view.word("arm", march.source) == SUPPLY
        why = out_of_reach(mover.facts, mover.around, view.unit(march.source), march.radius, [mover.at])
        unmarched = (
            (not own, "17.9", "{source} is not a supply unit of its side"),
            (march.why_not, "17.10", "{source} cannot be expended: {why_not}"),
            (march.source == name, "17.12", "{source} may not be expended for its own Forced March"),
            (why, "17.9", "{unit} is not within the radius of {source}, {radius:#hex}: {why}"),
        )
        yield from holding(unmarched, march, unit=name, why=why)[:1]


# --- costs ------------------------------------------------------------------------------------------------------------


def format_points(halves: int) -> str:
    """Return 5 halves of a Movement Point as `2.5`."""
    return f"{halves / 2:g}"


def hex_cost(facts: Gather, at: str) -> int:
    """Return the cost of a hex off the roads in halves, or 0 if its terrain is prohibited. Rule: 11.4, 22.1/2, 22.2"""
    terrain = facts.word("terrain", at)
    cost = _measure_cost(facts, terrain, partial(seasons.is_hard_in, facts, at)) if terrain else None
    return cost or 0


def hexside_cost(facts: Gather, lies: Collection[str]) -> int | None:
    """Return the cost that a hexside adds off the roads, or None if it may not be crossed.

    Rivers and lakes freeze in winter, but not in a thaw.

    Rule: 11.4, 22.1/3
    """
    costs = [
        _measure_cost(facts, water, lambda: seasons.season(facts) == "winter")
        for water in COSTLY_WATER
        if water in lies
    ]
    return None if None in costs else sum(filter(None, costs))


def _measure_cost(facts: Gather, feature: str, hard: Callable[[], bool]) -> int | None:
    """Return a cost of the Terrain Effects Chart in halves of a Movement Point, or None if it is prohibited.

    `hard`: returns whether winter's cost applies; it is called only if the two costs differ.
    """
    known = [facts.view.cell("terrain-cost", season, feature) for season in ("summer", "winter")]
    costs = {str(cell.values["cost"]) for cell in known if cell}
    if len(costs) != 1 or None in known:
        costs = {str(facts.cell("terrain-cost", "winter" if hard() else "summer", feature).values["cost"])}
    cost = costs.pop()
    return None if cost == ground.PROHIBITED else int(2 * Fraction(cost))


# --- moves by land, hex by hex ----------------------------------------------------------------------------------------


class Entered(movement.EnteredHex, frozen=True, kw_only=True):
    """A hex that a unit enters, with costs in halves of a Movement Point."""

    how: Annotated[str, note("land, road, rail or sea")]
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone; the cost includes this")] = False
    stops: Annotated[bool, note("whether the hex is in an enemy zone, where the unit must stop")] = False


def bar_hex(mover: Mover, here: str, there: str, number: int) -> HexBar | None:
    """Return the bar to the next hex regardless of its cost, or None.

    The bars are enemies, closed ground and enemy zones.

    Rule: 11.7, 11.8, 12.4, 13.4, 13.5
    """
    zones = mover.around.enemy_zones
    if there in mover.around.enemies:
        return HexBar("12.4", "enemies stand there")
    if here in zones and number:
        return HexBar("13.4", f"the unit must stop in {here}, in {ground.zone_in(mover.around, here)}")
    bound = ground.bound_as(mover.nation, mover.arm)
    if bound in ground.LIMITS:
        mover.facts.word("country", there)
    if shut := ground.bar_for_all(mover.facts, bound, here, there):
        return HexBar("11.8", shut.why) if shut.rule == "23.0" else shut
    if here in zones and there in zones:
        zones_of = [ground.zone_in(mover.around, place) for place in (here, there)]
        return HexBar("11.7", f"it leads out of {zones_of[0]} into {zones_of[1]}")
    return None


def price_step(mover: Mover, here: str, there: str, means: str, cost: int) -> Entered:
    """Return a hex with its cost, which is a Movement Point more for a unit that disengages. Rule: 13.4, 13.5"""
    zones = mover.around.enemy_zones
    leaves = here in zones
    return Entered(hex=there, cost=cost + HALVES_PER_POINT * leaves, how=means, disengages=leaves, stops=there in zones)


def enter_by_land(mover: Mover, here: str, there: str, number: int) -> Entered | HexBar:
    """Return a hex entered by land with its cost, or the bar to it.

    A railroad counts as a road for both sides.

    Rule: 11.1, 11.5/1, 11.5/2, 11.5/3, 13.4, 13.5, 21.4
    """
    if barred := bar_hex(mover, here, there, number):
        return barred
    if mover.arm == TRAIN and (barred := ground.bar_off_net(mover.facts, mover.side, here, there)):
        return HexBar("21.4", barred.why)
    if ground.has_railroad(mover.view, hexside(here, there)):
        return price_step(mover, here, there, "road", ROAD_COST_HALVES)
    features = ground.between(mover.view, here, there).lies
    land = hex_cost(mover.facts, there)
    water = hexside_cost(mover.facts, features)
    if water is None:
        return HexBar("11.7", "the Terrain Effects Chart prohibits it")
    return price_step(mover, here, there, "land", land + water)


def is_minimum(mover: Mover, entered: Entered) -> bool:
    """Return whether a unit may take its first step by land although it lacks the Movement Points.

    If the step is also a disengagement, a unit with an allowance below 2 may take it only by ruling minimum-disengage.

    Rule: 11.6
    """
    if not mover.allowance or entered.how == "rail":
        return False
    if not entered.disengages or mover.allowance >= 2 * HALVES_PER_POINT:
        return True
    return mover.view.ruling("minimum-disengage") == "yes"


def moving_of(mover: Mover, enter: movement.JudgeStep[Entered]) -> movement.Moving[Entered]:
    """Return the movement of a unit.

    `enter`: the function that judges each step.

    Rule: 11.1, 11.6
    """
    return movement.Moving(mover.view, mover.at, mover.allowance, enter, lambda entered: is_minimum(mover, entered))


def assume_near(mover: Mover, hexes: Iterable[str]) -> None:
    """Note the assumed zones of control of enemies near a unit or hexes that it may enter."""
    near = sorted({mover.at, *hexes})
    ground.assume_zones(
        mover.view, [enemy.id for place in near for enemy in mover.around.field.reaching(mover.side, place)]
    )


# --- moves by rail ----------------------------------------------------------------------------------------------------


class Rail(NamedTuple):
    """The part of a line of hexes that a unit moves by rail, as the indexes of its first and last hex."""

    first: int
    last: int


def rail_in(line: Sequence[str], entrain: str | None, detrain: str | None) -> Rail:
    """Return the beginning and end of the rail move in a line of hexes.

    Raises InputError if a hex is not in the line.

    Rule: 18.5
    """
    rail = Rail(*movement.stretch_of(line, entrain or "", detrain or "", names=("entrain", "detrain")))
    if rail.first >= rail.last:
        raise InputError("the rail move enters no hex", hint="name the hex where it begins before that where it ends")
    return rail


def enter_by_rail(mover: Mover, first: int, here: str, there: str, number: int) -> Entered | HexBar:
    """Return a hex entered by rail with its cost, or the bar to it. A whole rail move costs one Movement Point.

    Rule: 18.1, 18.4, 18.5, 21.4
    """
    barred = None if ground.is_transit(mover.view, hexside(here, there)) else bar_hex(mover, here, there, number)
    barred = barred or ground.bar_off_net(mover.facts, mover.side, here, there)
    if not barred and mover.arm != TRAIN:
        barred = bar_at_border(mover.view, {mover.at, here, there})
    return barred or price_step(mover, here, there, "rail", HALVES_PER_POINT * (number == first))


def bar_at_border(view: View, places: Collection[str]) -> HexBar | None:
    """Return the bar to a rail move that touches both sides of the Russian border, or None. Rule: 18.4"""
    within = {country == RUSSIA for place in places if (country := view.word("country", place))}
    return HexBar("18.4", "rail movement may not cross the Russian border") if len(within) > 1 else None


def measure_equivalent(view: View, arm: str, size: str) -> int:
    """Return the rail capacity that a unit takes, in thirds of an Army Equivalent. Rule: 18.2, 21.4"""
    if arm == TRAIN:
        return 0
    kind = kind_of(arm, size)
    if kind == "abteilung":
        return 3 if view.ruling("abteilung-rail") == "army" else 1
    return 3 if kind in ("army", "headquarters") else 1


def is_free(facts: Gather, side: str, nation: str, arm: str, line: Sequence[str]) -> bool:
    """Return whether a rail move takes no capacity: German and supply units that stay in Germany. Rule: 18.3"""
    if side != CENTRAL_POWERS or (nation != "german" and arm != SUPPLY):
        return False
    countries = [
        facts.word("country", place) for place in line
    ]  # the whole list, so that every missing country is asked for
    return all(country == GERMANY for country in countries)


def thirds_of(mover: Mover, line: Sequence[str]) -> int:
    """Return the rail capacity that a move takes, in thirds of an Army Equivalent. Rule: 18.2, 18.3"""
    free = mover.arm == TRAIN or is_free(mover.facts, mover.side, mover.nation, mover.arm, line)
    return 0 if free else measure_equivalent(mover.view, mover.arm, mover.size)


def bars_to_rail(mover: Mover, line: Sequence[str], thirds: int) -> Iterator[Step]:
    """Yield the reasons against a rail move as a whole: supply, rail capacity or the transit line.

    Rule: 17.6, 18.1, 18.2, 21.4, Opt/Partisan, SUP-summary/1
    """
    used = mover.view.integer("railed", mover.side)
    supplied = None if mover.arm == TRAIN else supply_in(mover.facts, mover.around, mover.unit, line[0])
    why = supplied.cause.text if supplied and supplied.cause else "as stated"
    over = "{used} thirds of an Army Equivalent have moved by rail; {thirds} more exceed the capacity of {capacity}"
    clauses = (
        (mover.arm == PARTISAN, "Opt/Partisan", "partisans may not move by rail"),
        (supplied and supplied.supplied is False, "18.1", "{unit} is not in General Supply in {place}: {why}"),
        (used + thirds > RAIL_CAPACITY_THIRDS, "18.2", over),
    )
    yield from holding(clauses, supplied, why=why, used=used, thirds=thirds, capacity=RAIL_CAPACITY_THIRDS)
    yield from bars_to_transit(mover.facts, mover.side, line)


def bars_to_transit(facts: Gather, side: str, line: Sequence[str]) -> list[Step]:
    """Return the bars to a rail move on the Serbian transit line. Rule: 18.6"""
    used = [here for here, there in pairwise(line) if ground.is_transit(facts.view, hexside(here, there))]
    if not used:
        return []
    if side != CENTRAL_POWERS:
        return [step("18.6", "the Allies may not use the Serbian transit line")]
    turn = facts.integer("turn")
    ends = {facts.word("country", used[0]), facts.word("country", line[-1])}
    short = "the move must end on the other side of the transit line, not in {end}"
    clauses = (
        (
            turn and seasons.year_of(turn) < SERBIA_OPENS_YEAR,
            "18.6",
            "the Serbian transit line opens only with the first turn of {year}",
        ),
        (ends != {"austria-hungary", "bulgaria"}, "18.6", short),
    )
    return holding(clauses, year=SERBIA_OPENS_YEAR, end=line[-1])


def note_granted_line(view: View, side: str, nation: str, line: Sequence[str], *, border: bool) -> None:
    """Note the assumptions about a rail line: railroads, control and country."""
    for here, there in pairwise(line):
        if not ground.is_transit(view, hexside(here, there)):
            text = "{hexsides} assumed to have a railroad (not stated)"
            view.granted("rail", hexside(here, there), "rail", "18.1", text)
    for place in line:
        if not (view.stack(place) or view.word("control", place) or view.word("country", place)):
            text = "{hexes} assumed to have been under own control since the phase began (not stated)"
            view.granted("control", place, side, "18.4", text)
        if border and not view.word("country", place):
            text = "{hexes} assumed to lie on the same side of the Russian border (country not stated)"
            view.granted("country", place, HOME.get(nation, RUSSIA), "18.4", text)
