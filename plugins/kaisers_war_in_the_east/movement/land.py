"""Movement by land, hex by hex: what bars a hex, what it costs, where a unit has to stop (11, 13.4, 13.5, 21.4)."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Annotated, NamedTuple

import msgspec

from assistant.field import Around, Barred
from assistant.questions import Gather, Step, View, note, step
from assistant.state.state import Unit

from ..ground.countries import at_war
from ..ground.entry import LIMITS, closed
from ..ground.zones import between
from ..terms import FORTRESS, TRAIN
from .costs import POINT, ROAD, hex_cost, hexside_cost, points
from .rails import has_railroad, off_net


class Mover(NamedTuple):
    """A unit that moves. allowance: in halves of a Movement Point, doubled for a Forced March; around: the field as its side sees it."""

    facts: Gather
    around: Around
    unit: Unit
    nation: str
    arm: str
    size: str
    at: str
    allowance: int

    @property
    def view(self) -> View:
        """The position."""
        return self.facts.view

    @property
    def side(self) -> str:
        """The side that it fights on."""
        return self.around.side


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that a unit enters."""

    hex: Annotated[str, note("its number")]
    cost: Annotated[int, note("what entering it costs, in halves of a Movement Point")]
    how: Annotated[str, note("land, road, rail or sea")]
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone, which is in the cost")] = False
    stops: Annotated[bool, note("whether the hex is in an enemy zone, so that the unit stops there")] = False

    @property
    def points(self) -> str:
        """The cost in Movement Points."""
        return points(self.cost)


def allowance(facts: Gather, unit: Unit, arm: str, *, doubled: bool) -> int:
    """The Movement Points of a unit in halves; twice as many in a Forced March. Unused ones are not saved, and supply does not
    matter. Rule: 11.2, 11.3, 11.9, 17.14
    """
    if arm == FORTRESS:
        return 0
    return 2 * facts.integer(facts.view.side_up("movement", unit.id), unit.id) * (2 if doubled else 1)


def unable(mover: Mover) -> Iterator[Step]:
    """What keeps a unit from moving at all: another phase, a move made before, no movement, neutrality, entrenchment.
    Rule: 11.2, 11.3, 23.0/2
    """
    view, name = mover.view, mover.unit.id
    phase, phasing = view.word("phase"), view.word("phasing")
    if phase and phase != "movement":
        yield step("11.2", "units move in the Movement Phase, and it is {phase}", phase=phase)
    if phasing and phasing != mover.side:
        yield step("11.2", "it is the player turn of the {phasing}", phasing=phasing)
    if mover.facts.flag("moved", name):
        yield step("11.2", "{unit} has moved in this phase", unit=name)
    if not mover.allowance:
        yield step("11.3", "{unit} has no movement factor", unit=name)
    if at_war(view, mover.nation) is False:
        yield step("23.0", "{nation} units are neutral and do not move", nation=mover.nation)
    if view.flag("entrenched", name):
        yield step("Opt/Entrench/1", "{unit} is turned over to entrench others", unit=name)


def bar(mover: Mover, here: str, there: str, *, first: bool) -> Barred | None:
    """What bars the next hex whatever it costs: enemies, closed ground, the stop in enemy zones, and the way from one into another.

    first: whether the move begins with it. Rule: 11.7, 11.8, 12.4, 13.4, 13.5
    """
    zones = mover.around.enemy_zones
    if there in mover.around.enemies:
        return Barred("12.4", "enemies stand there")
    if here in zones and not first:
        return Barred("13.4", f"the unit has to stop in the enemy zone of control of {here}")
    if mover.nation in LIMITS:
        mover.facts.word("country", there)
    if shut := closed(mover.facts, mover.nation, here, there):
        return Barred("11.8", shut.why) if shut.rule == "23.0" else shut
    if here in zones and there in zones:
        return Barred("11.7", "it leads from one enemy zone of control into another")
    return None


def enter(mover: Mover, here: str, there: str, *, first: bool) -> Entered | Barred:
    """A hex entered by land, with its cost, or what bars it. A railroad counts as a road, whoever controls it.
    Rule: 11.1, 11.5/1, 11.5/2, 11.5/3, 13.4, 13.5, 21.4
    """
    if barred := bar(mover, here, there, first=first):
        return barred
    if mover.arm == TRAIN and (barred := off_net(mover.facts, mover.side, here, there)):
        return Barred("21.4", barred.why)
    zones = mover.around.enemy_zones
    road = has_railroad(mover.view, here, there)
    cost: int | None = ROAD
    if not road:
        entered, crossed = (
            hex_cost(mover.facts, there),
            hexside_cost(mover.facts, between(mover.view, here, there).lies),
        )
        cost = None if entered is None or crossed is None else entered + crossed
    if cost is None:
        return Barred("11.7", "the Terrain Effects Chart prohibits it")
    disengages = here in zones
    return Entered(
        hex=there,
        cost=cost + POINT * disengages,
        how="road" if road else "land",
        disengages=disengages,
        stops=there in zones,
    )


def is_minimum(mover: Mover, entered: Entered) -> bool:
    """Whether a first hex that costs more than a unit has may be entered all the same, for all that it has.

    Whether that holds for the point of a disengagement too is the ruling minimum-disengage. Rule: 11.6
    """
    if not mover.allowance or entered.cost <= mover.allowance:
        return False
    if not entered.disengages or mover.allowance > POINT:
        return True
    return mover.view.ruling("minimum-disengage") == "yes"


class Reached(NamedTuple):
    """A hex within reach. cost: in halves of a Movement Point; way: the hexes entered; minimum: whether only the minimum move leads there."""

    cost: int
    way: tuple[str, ...]
    minimum: bool = False


def within_reach(mover: Mover) -> dict[str, Reached]:
    """The hexes that a unit can move to by land, each with its cheapest way. On a paper map these are the hexes whose terrain is stated.
    Rule: 11.1, 11.6
    """
    view, found = mover.view, dict[str, Reached]()
    edge: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while edge:
        spent, way = heappop(edge)
        here = way[-1] if way else mover.at
        if here in found:
            continue
        if way:
            found[here] = Reached(min(spent, mover.allowance), way, spent > mover.allowance)
            if spent >= mover.allowance:
                continue
        for there in view.board.neighbours(here):
            known = view.fact("terrain", there) or has_railroad(view, here, there)
            if there in found or there == mover.at or not known:
                continue
            entered = enter(mover, here, there, first=not way)
            if isinstance(entered, Barred):
                continue
            if spent + entered.cost <= mover.allowance or (not way and is_minimum(mover, entered)):
                heappush(edge, (spent + entered.cost, (*way, there)))
    return found
