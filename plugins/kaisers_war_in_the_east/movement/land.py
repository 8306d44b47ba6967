"""Movement by land and rail, hex by hex: what bars a hex, what it costs, where a unit must stop, and the capacity of
railroads (11, 13.4, 13.5, 18, 21.4, 22.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

from assistant.asking import Gather, InputError, Step, View, holding, note
from assistant.rules.field import HexBar, SideField, movement
from assistant.state.state import Unit, hexside

from .. import ground, passage, seasons
from ..supply.reach import Offensive, find_offensive_supply, out_of_reach
from ..terms import FORTRESS, SUPPLY, TRAIN

ROAD = 1
"""The cost of a hex that is entered along a railroad, in halves of a Movement Point (11.5)."""
POINT = 2
"""A Movement Point in halves: what it costs to disengage, and what a rail move costs (13.5, 18.1)."""
COSTLY = ("river", "lake")
"""What may cost something on a hexside (11.4)."""


class Mover(NamedTuple):
    """A unit that moves."""

    facts: Gather
    around: Annotated[SideField, note("the field as its side sees it")]
    unit: Unit
    nation: str
    arm: str
    size: str
    at: str
    allowance: Annotated[int, note("in halves of a Movement Point, doubled for a Forced March")]

    @property
    def view(self) -> View:
        """The position."""
        return self.facts.view

    @property
    def side(self) -> str:
        """The side that it fights on."""
        return self.around.side


def mover_of(facts: Gather, name: str, forced: str | None = None) -> tuple[Mover, Offensive | None]:
    """Return the unit that moves, and the supply unit that is expended for its Forced March. Raises InputError for a
    unit that is not on the map.

    Rule: 11.9, 17.9/1, 17.12
    """
    unit = facts.view.unit(name)
    at = str(unit.place)
    if not facts.view.board.is_hex(at):
        raise InputError(f"unit: {name} is not on the map", hint="state which hex it is in")
    around = ground.field(facts).around(ground.side_of(facts, unit))
    march = next(find_offensive_supply(facts, around, [forced], around.units), None) if forced else None
    nation = facts.word("nation", name)
    arm = facts.word("arm", name)
    size = facts.word("size", name)
    has = count_allowance(facts, unit, arm, doubled=facts.flag("marching", name) or march is not None)
    return Mover(facts, around, unit, nation, arm, size, at, has), march


def count_allowance(facts: Gather, unit: Unit, arm: str, *, doubled: bool) -> int:
    """Return the Movement Points of a unit in halves; twice as many in a Forced March. Unused ones are not saved, and
    supply does not matter. Rule: 11.2, 11.3, 11.9, 17.14
    """
    if arm == FORTRESS:
        return 0
    return 2 * facts.integer("movement", unit.id) * (2 if doubled else 1)


def bars_to_moving(mover: Mover, march: Offensive | None) -> Iterator[Step]:
    """Yield what keeps a unit from moving at all: another phase, a move made before, no movement, neutrality,
    entrenchment; from a Forced March: the supply unit that would be expended is not its side's, has moved, or does not
    reach it. Rule: 11.2, 11.3, 17.9/1, 17.12, 23.0/2, SUP-summary/5
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
    """Return halves of a Movement Point as players say them: 5 are 2.5."""
    return f"{halves / 2:g}"


def hex_cost(facts: Gather, at: str) -> int:
    """Return what it costs to enter a hex off the roads, unless its terrain is prohibited. A thaw is winter in Russia.
    Rule: 11.4, 22.1/2, 22.2
    """
    terrain = facts.word("terrain", at)
    cost = _measure_cost(facts, terrain, partial(seasons.is_hard_in, facts, at)) if terrain else None
    return cost or 0


def hexside_cost(facts: Gather, lies: Collection[str]) -> int | None:
    """Return what crossing a hexside adds off the roads; None for one that may not be crossed. Rivers and lakes freeze
    in winter, but not in a thaw. Rule: 11.4, 22.1/3
    """
    costs = [
        _measure_cost(facts, water, lambda: seasons.season(facts) == "winter") for water in COSTLY if water in lies
    ]
    return None if None in costs else sum(filter(None, costs))


def _measure_cost(facts: Gather, feature: str, hard: Callable[[], bool]) -> int | None:
    """Return a cost of the Terrain Effects Chart in halves of a Movement Point, None for what is prohibited; whether
    winter's holds is asked only where it differs from summer's.
    """
    known = [facts.view.cell("terrain-cost", season, feature) for season in ("summer", "winter")]
    costs = {str(cell.values["cost"]) for cell in known if cell}
    if len(costs) != 1 or None in known:
        costs = {str(facts.cell("terrain-cost", "winter" if hard() else "summer", feature).values["cost"])}
    cost = costs.pop()
    return None if cost == passage.PROHIBITED else int(2 * Fraction(cost))


# --- hex by hex -------------------------------------------------------------------------------------------------------


class Entered(movement.EnteredHex, frozen=True, kw_only=True):
    """A hex that a unit enters. Its costs are in halves of a Movement Point."""

    how: Annotated[str, note("land, road, rail or sea")]
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone; the cost includes this")] = False
    stops: Annotated[bool, note("whether the hex is in an enemy zone, where the unit must stop")] = False


def bar(mover: Mover, here: str, there: str, number: int) -> HexBar | None:
    """Return what bars the next hex whatever it costs: enemies, closed ground, the stop in enemy zones, and the way
    from one into another.

    number: of the hexes entered before. Rule: 11.7, 11.8, 12.4, 13.4, 13.5
    """
    zones = mover.around.enemy_zones
    if there in mover.around.enemies:
        return HexBar("12.4", "enemies stand there")
    if here in zones and number:
        return HexBar("13.4", f"the unit must stop in {here}, in {ground.zone_in(mover.around, here)}")
    bound = passage.bound_as(mover.nation, mover.arm)
    if bound in passage.LIMITS:
        mover.facts.word("country", there)
    if shut := passage.bar_for_all(mover.facts, bound, here, there):
        return HexBar("11.8", shut.why) if shut.rule == "23.0" else shut
    if here in zones and there in zones:
        zones_of = [ground.zone_in(mover.around, place) for place in (here, there)]
        return HexBar("11.7", f"it leads out of {zones_of[0]} into {zones_of[1]}")
    return None


def price_step(mover: Mover, here: str, there: str, how: str, cost: int) -> Entered:
    """Return a hex with what it costs to enter it, a point more for a unit that disengages. Rule: 13.4, 13.5"""
    zones = mover.around.enemy_zones
    leaves = here in zones
    return Entered(hex=there, cost=cost + POINT * leaves, how=how, disengages=leaves, stops=there in zones)


def enter(mover: Mover, here: str, there: str, number: int) -> Entered | HexBar:
    """Return a hex entered by land, with its cost, or what bars it. A railroad counts as a road, whoever controls it.
    Rule: 11.1, 11.5/1, 11.5/2, 11.5/3, 13.4, 13.5, 21.4
    """
    if barred := bar(mover, here, there, number):
        return barred
    if mover.arm == TRAIN and (barred := passage.bar_off_net(mover.facts, mover.side, here, there)):
        return HexBar("21.4", barred.why)
    if ground.has_railroad(mover.view, hexside(here, there)):
        return price_step(mover, here, there, "road", ROAD)
    features = ground.between(mover.view, here, there).lies
    land = hex_cost(mover.facts, there)
    water = hexside_cost(mover.facts, features)
    if water is None:
        return HexBar("11.7", "the Terrain Effects Chart prohibits it")
    return price_step(mover, here, there, "land", land + water)


def is_minimum(mover: Mover, entered: Entered) -> bool:
    """Return whether a hex that costs more than a unit has may be entered as the first by land all the same, for all
    that it has.

    Whether that holds for the point of a disengagement too is the ruling minimum-disengage. Rule: 11.6
    """
    if not mover.allowance or entered.how == "rail":
        return False
    if not entered.disengages or mover.allowance >= 2 * POINT:
        return True
    return mover.view.ruling("minimum-disengage") == "yes"


def moves(mover: Mover, enter: movement.JudgeStep[Entered]) -> movement.Moving[Entered]:
    """Return how a unit moves where each step is judged so. Rule: 11.1, 11.6"""
    return movement.Moving(mover.view, mover.at, mover.allowance, enter, lambda entered: is_minimum(mover, entered))


def assume_near(mover: Mover, hexes: Iterable[str]) -> None:
    """Say in the report of which enemies a zone of control was assumed that reaches a unit's hex, or those that it may
    enter.
    """
    near = sorted({mover.at, *hexes})
    ground.assume_zones(
        mover.view, [enemy.id for place in near for enemy in mover.around.field.reaching(mover.side, place)]
    )
