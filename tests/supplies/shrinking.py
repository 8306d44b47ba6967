"""A position at fault without all that the fault does not need."""

from __future__ import annotations

from collections.abc import Iterator

from .checking import Case
from .naive import World
from .worlds import drawn_ground

NEEDED = {"nation", "arm", "place", "army", "corps", "size", "range", "extended-range", "asset"}


def smaller(world: World) -> Iterator[World]:
    """The world without one thing: a unit, what is stated of one, a hexside, a fact about a hex."""
    for name in world["units"]:
        yield {**world, "units": {other: unit for other, unit in world["units"].items() if other != name}}
    if world["board"]:
        for at, line in enumerate(world["stated"]):
            yield without_statement(world, at, line)
    else:
        for sides in world["between"]:
            if not world["lines"]:
                yield {**world, "between": {other: lies for other, lies in world["between"].items() if other != sides}}
            elif sides in (ends := ((*sorted(world["lines"][0][:2]),), (*sorted(world["lines"][0][-2:]),))):
                way = world["lines"][0][1:] if sides == ends[0] else world["lines"][0][:-1]
                between = {other: lies for other, lies in world["between"].items() if other != sides}
                yield {**world, "between": between, "lines": [way]}
        for hex, facts in world["hexes"].items():
            for track in facts:
                yield without(world, "hexes", hex, track)
    for name, unit in world["units"].items():
        for track in set(unit) - NEEDED:
            yield without(world, "units", name, track)
    if world["campaign"]:
        yield {**world, "campaign": None, "turn": 5, "weather": "normal"}


def without(world: World, kind: str, name: str, track: str) -> World:
    """The world without one fact."""
    facts = {other: value for other, value in world[kind][name].items() if other != track}
    return {**world, kind: {**world[kind], name: facts}}


def without_statement(world: World, at: int, line: str) -> World:
    """The world with one hex or hexside of the board as it is drawn."""
    hexes, between = drawn_ground()
    name = line.split()[0]
    stated = [*world["stated"][:at], *world["stated"][at + 1 :]]
    if any(other.split()[0] == name for other in stated):
        return world
    if "|" in name:
        sides = (name.split("|")[0], name.split("|")[1])
        return {**world, "stated": stated, "between": {**world["between"], sides: between[sides]}}
    return {**world, "stated": stated, "hexes": {**world["hexes"], name: hexes[name]}}


def kind_of(fault: str) -> str:
    """A fault without the unit that it is about."""
    return fault.partition(": ")[2] or fault


def shrunk(world: World, fault: str, seed: int = 0) -> Case:
    """The smallest position that still has a fault of a kind."""
    kind, name = kind_of(fault), fault.partition(": ")[0]
    best, again = world, True
    while again:
        again = False
        for one in smaller(best):
            if one is not best and has(one, kind, name, seed):
                best, again = one, True
                break
    return Case(best, seed)


def has(world: World, kind: str, name: str, seed: int) -> bool:
    """Whether a world has a fault of a kind."""
    if name not in world["units"]:
        return False
    case = Case(world, seed)
    try:
        return any(
            kind_of(fault) == kind for fault in (*case.one_verdict(name), *case.true_alone(name), *case.true_of_side())
        )
    except Exception:  # what cannot be asked is no example of it
        return False
