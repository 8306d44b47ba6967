"""A move as it is typed: a way by land and rail, or one across the sea, hex by hex, up to what bars it (11, 18.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from assistant.field import Barred, check_way
from assistant.questions import Gather, InputError, Step, step

from ..ground.zones import field, side_of
from ..supply.offensive import Offensive, offensive
from ..terms import FORTRESS, TRAIN
from .asked import MoveAsked
from .costs import POINT, points
from .land import Entered, Mover, allowance, bar, enter, is_minimum
from .rails import border, equivalent, is_free, is_transit, off_net, over_capacity, transit, unsupplied


class Rail(NamedTuple):
    """The rail move in a way. first, last: numbers of the hexes where it begins and ends, 0 for that of the unit."""

    first: int
    last: int


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """How far a move leads. barred: what it fails by, None if it is allowed; minimum: whether it is the minimum move."""

    entered: tuple[Entered, ...]
    barred: Step | None = None
    minimum: bool = False


def mover_of(facts: Gather, name: str, forced: str = "") -> tuple[Mover, Offensive | None]:
    """The unit that moves, and the supply unit that is expended for its Forced March. Raises InputError for a unit that is not on the map.

    Rule: 11.9, 17.9/1, 17.12
    """
    unit = facts.view.unit(name)
    at = str(unit.place)
    if unit.place is None or not facts.view.board.is_hex(at):
        raise InputError(f"unit: {name} is not on the map", hint="state in which hex it stands")
    around = field(facts).around(side_of(facts, unit))
    march = next(offensive(facts, around, [forced], around.units), None) if forced else None
    doubled = facts.flag("marching", name) or march is not None
    arm = facts.word("arm", name)
    has = allowance(facts, unit, arm, doubled=doubled)
    nation, size = facts.word("nation", name), facts.word("size", name)
    return Mover(facts, around, unit, nation, arm, size, at, has), march


def no_march(mover: Mover, march: Offensive | None) -> Iterator[Step]:
    """What keeps a unit from a Forced March: the supply unit is not its side's, has moved, or does not reach it. Rule: 17.9/1, 17.12"""
    if march is None:
        return
    if mover.view.side_of(march.source) != mover.side or mover.view.word("arm", march.source) != "supply":
        yield step("17.9", "{source} is not a supply unit of its side", march)
    elif march.why_not:
        yield step("17.10", "{source} cannot be expended: {why_not}", march)
    elif march.source == mover.unit.id:
        yield step("17.12", "{source} is not expended for its own Forced March", march)
    elif mover.unit.id not in march.units:
        yield step("17.9", "{unit} is not within the radius of {source}, {radius:#hex}", march, unit=mover.unit.id)


def rail_of(mover: Mover, asked: MoveAsked) -> Rail | None:
    """Where the rail move begins and ends; there is one at most. Raises InputError for a hex that is not on the way. Rule: 18.5"""
    if asked.by != "rail":
        if asked.entrain or asked.detrain:
            raise InputError("entrain and detrain are of a rail move", hint="type by=rail")
        return None
    line = [mover.at, *asked.way]
    for name, hex in (("entrain", asked.entrain), ("detrain", asked.detrain)):
        if hex and hex not in line:
            raise InputError(f"{name}: {hex} is not on the way", hint="name a hex of the way")
    first = line.index(asked.entrain) if asked.entrain else 0
    last = len(line) - 1 - line[::-1].index(asked.detrain) if asked.detrain else len(line) - 1
    if first >= last:
        raise InputError("the rail move enters no hex", hint="name the hex where it begins before that where it ends")
    return Rail(first, last)


def walk(mover: Mover, way: Sequence[str], rail: Rail | None) -> Walked:
    """A way by land and rail, up to the first thing that bars it. Rule: 11.0, 11.1, 11.6, 18.1, 18.5"""
    check_way(mover.view, mover.at, way)
    entered: list[Entered] = []
    spent = 0
    for number, (here, there) in enumerate(pairwise((mover.at, *way))):
        first = number == 0
        by_rail = rail is not None and rail.first <= number < rail.last
        if rail is not None and by_rail:
            one = enter_by_rail(mover, here, there, first=first, begins=number == rail.first)
        else:
            one = enter(mover, here, there, first=first)
        if isinstance(one, Barred):
            return Walked(entered=tuple(entered), barred=step(one.rule, "{hex}: {why}", hex=there, why=one.why))
        spent += one.cost
        if spent > mover.allowance:
            if len(way) == 1 and not by_rail and is_minimum(mover, one):
                return Walked(entered=(one,), minimum=True)
            text = "{hex}: {cost_points} Movement Points are needed, and {unit} has {allowance_points}"
            figures = {"cost_points": points(spent), "allowance_points": points(mover.allowance)}
            barred = step("11.1", text, hex=there, unit=mover.unit.id, **figures)
            return Walked(entered=tuple(entered), barred=barred)
        entered.append(one)
    return Walked(entered=tuple(entered))


def enter_by_rail(mover: Mover, here: str, there: str, *, first: bool, begins: bool) -> Entered | Barred:
    """A hex entered by rail, with its cost: a Movement Point for the whole of the rail move. begins: whether it begins there.

    Enemy zones stop it as they do any move. Rule: 18.1, 18.4, 18.5, 21.4
    """
    barred = None if is_transit(mover.view, here, there) else bar(mover, here, there, first=first)
    barred = barred or off_net(mover.facts, mover.side, here, there)
    if not barred and mover.arm != TRAIN:
        barred = border(mover.facts, mover.nation, mover.at, here, there)
    if barred:
        return barred
    zones = mover.around.enemy_zones
    disengages = here in zones
    cost = POINT * begins + POINT * disengages
    return Entered(hex=there, cost=cost, how="rail", disengages=disengages, stops=there in zones)


def no_rail(mover: Mover, line: Sequence[str], thirds: int) -> Iterator[Step]:
    """What keeps a unit from a rail move as a whole: its supply, the capacity, the transit line."""
    if mover.arm == FORTRESS:
        return
    yield from unsupplied(mover.facts, mover.around, mover.unit, mover.arm, line[0])
    yield from over_capacity(mover.facts, mover.side, thirds)
    yield from transit(mover.facts, mover.side, line)


def thirds_of(mover: Mover, line: Sequence[str]) -> int:
    """What a rail move takes of the capacity of its side, in thirds of an Army Equivalent. Rule: 18.2, 18.3"""
    if mover.arm == TRAIN or is_free(mover.facts, mover.side, mover.nation, mover.arm, line):
        return 0
    return equivalent(mover.view, mover.arm, mover.size)
