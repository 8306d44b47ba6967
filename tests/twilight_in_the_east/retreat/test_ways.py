"""The way back that costs least, against a plain walk over all ways."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from assistant.asking.view import View
from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.combat.retreat_ground import RetreatGround, closed_around
from twilight_in_the_east.forces.units import CombatUnit, Force
from twilight_in_the_east.retreat.ways import (
    RetreatHex,
    Stakes,
    WayBack,
    hexes_to_room,
    order_hexes,
    price,
    ways_to_room,
)

from ...cases import few, seeds
from ...conftest import typed

AT = "41.19"
UNIT = CombatUnit("A", "german", "infantry", "XX", True, AT, steps=12)
LIES = ("open", "open", "open", "minor-river", "major-river no-crossing", "ridge", "impassable", "lake")


def random_ground(seed: int) -> RetreatGround:
    """A stack on random ground, with enemies around it in depth."""
    dice = random.Random(seed)
    board = typed("turn=3").game.board("")
    near = {AT: None}
    for _ in range(3):
        near |= dict.fromkeys(other for hex in list(near) for other in board.neighbours(hex))
    lines = ["turn=3", f"{AT} clear: german infantry XX A (12-16-7-11)"]
    others = [hex for hex in near if hex != AT]
    for number, hex in enumerate(dice.sample(others, 5)):
        lines.append(f"{hex}: russian infantry XX R{number} (10-10-0-9)")
    done: set[frozenset[str]] = set()
    for hex in near:
        for other in board.neighbours(hex):
            if other in near and frozenset((hex, other)) not in done:
                done.add(frozenset((hex, other)))
                lines.append(f"{hex}|{other} {dice.choice(LIES)}")
    position = typed("\n".join(lines))
    pieces = Pieces(View(position.game, position.state))
    return pieces.layout(()).ground((Force("A", (UNIT,)),), AT)


def all_ways(ground: RetreatGround, here: str, before: str, left: int) -> Iterator[tuple[str, ...]]:
    """Every way of so many hexes, or as far as it leads, by nothing but what bars a hex."""
    nexts = [hex for hex, barred in closed_around(ground, here).items() if not barred and hex != before]
    if not left or not nexts:
        yield ()
        return
    for there in nexts:
        for rest in all_ways(ground, there, here, left - 1):
            yield (there, *rest)


def cost(ground: RetreatGround, way: tuple[str, ...], owed: int) -> tuple[int, int, bool, int]:
    """Hexes short, steps, guns and levels of a way, counted anew."""
    places = (AT, *way)
    zones = rivers = ridges = 0
    for here, there in zip(places, way, strict=False):
        zones += there in ground.enemy_zones and there not in ground.friends
        rivers += ground.terrain.passage(here, there).river
        ridges += ground.terrain.passage(here, there).mountains
    guns = zones > 1 or rivers > 0 or ridges > 0
    return owed - len(way), max(0, zones - 1), guns, min(3, zones) + rivers


@few(3)
@pytest.mark.parametrize("seed", seeds(40))
def test_the_first_way_offered_is_the_least_costly_of_all(seed: int) -> None:
    ground, owed = random_ground(seed), 3
    way: list[str] = []
    walked = []
    while len(way) < owed:
        here, before = ([AT, *way])[-1], (["", AT, *way])[-2] if way else ""
        options = order_hexes(WayBack(ground, here, before), tuple(walked), Stakes(owed, True, True), "straight")
        if not options:
            break
        walked.append(options[0])
        way.append(options[0].hex)
    every = list(all_ways(ground, AT, "", owed))
    assert tuple(way) in every
    assert cost(ground, tuple(way), owed) == min(cost(ground, one, owed) for one in every)


def test_the_nearest_hex_with_room_is_looked_for_three_hexes_far() -> None:
    ground = random_ground(1)
    reach = {n: {way[-1] for way in all_ways(ground, AT, "", n) if len(way) == n} for n in (1, 2, 3)}
    two = sorted(reach[2] - reach[1] - {AT})[0]
    number, nexts = hexes_to_room(WayBack(ground, AT), lambda hex: hex == two)
    assert number == 2
    assert {hex.hex for hex in nexts} <= reach[1]
    assert hexes_to_room(WayBack(ground, AT), lambda hex: False) == (0, ())


@pytest.mark.parametrize(("in_mountains", "lost"), [(True, True), (False, False)])
def test_mountains_cost_a_stack_nothing_that_has_only_mountain_guns(in_mountains: bool, lost: bool) -> None:
    ridge, river = (RetreatHex("42.19", mountains=True),), (RetreatHex("42.19", river=True),)
    stakes = Stakes(owed=1, guns=True, in_mountains=in_mountains)
    assert (price(ridge, stakes)[3], price(river, stakes)[3]) == (lost, True)


@pytest.mark.rule("4.2.3b")
def test_where_no_hex_has_room_and_no_way_leads_off_the_map_no_ruling_matters() -> None:
    ground = random_ground(1)
    assert ways_to_room(WayBack(ground, AT), lambda hex: False) == ()
    assert "excess-off-map" not in ground.view.premises.rulings
