"""General Supply agrees with a second reckoning that walks every path, on thousands of units, on a board and on paper."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from assistant.asking.view import View
from assistant.rules.supply import Supplied
from assistant.state.state import FactKey
from assistant.state.tracks import Fact
from kaisers_war_in_the_east.ground import field
from kaisers_war_in_the_east.supply.reach import judge_general_supply, sources_of

from ...cases import few, seeds, thorough
from ...conftest import typed
from .naive import Map, Piece, is_supplied

HEXES = [f"{column:02}{row:02}" for column in range(20, 24) for row in range(20, 24)]
SIDES = {"central-powers": "german", "allies": "russian"}
SHAPES = {"army": "infantry XXXX", "supply": "supply -", "fortress": "fortress -"}


def some_land(dice: Random, view: View) -> Map:
    """A map of sixteen hexes."""
    next_to = {hex: [one for one in view.board.neighbours(hex) if one in HEXES] for hex in HEXES}
    sides = sorted({frozenset((hex, other)) for hex in HEXES for other in next_to[hex]}, key=sorted)
    special = dice.sample(HEXES, 4)
    rails = {side for side in sides if dice.random() < 0.3}
    straits = set(dice.sample(sides, 2))
    return Map(next_to, set(special[:2]), {special[2]}, {special[3]}, straits, rails)


def some_pieces(dice: Random, land: Map) -> list[Piece]:
    """Units of both sides, no two sides in one hex."""
    found: list[Piece] = []
    for _ in range(dice.randint(5, 9)):
        at, side = dice.choice([hex for hex in HEXES if hex not in land.sea]), dice.choice([*SIDES])
        if any(one.at == at and one.side != side for one in found):
            continue
        found.append(Piece(side, dice.choice(["army", "army", "army", "supply", "fortress"]), at, dice.randint(1, 3)))
    return found


def position(land: Map, pieces: list[Piece], *, drawn: bool) -> View:
    """The same as a position, on a board or typed in full."""
    lines = ["game kaisers-war-in-the-east", "turn=1", "side central-powers whole-network", "side allies whole-network"]
    for number, one in enumerate(pieces):
        radius = f" radius={one.radius}" if one.kind == "supply" else ""
        lines.append(f"{one.at}: {SIDES[one.side]} {SHAPES[one.kind]} unit-{number}{radius}")
    made = typed("\n".join(lines))
    view = View(made.game, made.state)
    ground: dict[FactKey, Fact] = {("terrain", hex): Fact("clear") for hex in HEXES}
    ground |= {("terrain", hex): Fact("marsh") for hex in land.marsh}
    ground |= {("terrain", hex): Fact("all-sea") for hex in land.sea}
    ground |= {("country", hex): Fact("romania" if hex in land.neutral else "russia") for hex in HEXES}
    ground |= {("rail", "|".join(sorted(side))): Fact("rail") for side in land.rails}
    ground |= {("water", "|".join(sorted(side))): Fact(("all-sea",)) for side in land.straits}
    view.board = msgspec.structs.replace(
        view.board.with_facts_over(ground), hexes=frozenset(HEXES) if drawn else frozenset()
    )
    if not drawn:
        edge = {("terrain", hex): Fact("all-sea") for one in HEXES for hex in view.board.neighbours(one)}
        view.board = view.board.with_facts_over(edge | ground)
    return view


def reckoned(view: View, pieces: list[Piece]) -> list[Supplied]:
    """The supply of all units by the plugin."""
    with view.gather() as facts:
        who = field(facts)
        arounds = {side: who.around(side) for side in SIDES}
        sources = {side: sources_of(facts, around) for side, around in arounds.items()}
        return [
            judge_general_supply(facts, sources[one.side], view.unit(f"unit-{number}"))
            for number, one in enumerate(pieces)
        ]


@pytest.mark.rule("17.2", "17.3", "17.4", "17.5/1", "17.5/2", "17.5/3", "17.7", "13.0", "13.1", "13.2", "13.7", "20.1")
@few(1)
@pytest.mark.parametrize(("drawn", "seed"), [(drawn, seed) for drawn in (True, False) for seed in seeds(3)])
def test_every_unit_is_supplied_as_a_walk_over_all_paths_says(drawn: bool, seed: int) -> None:
    dice, empty, units = Random(17 + seed), typed("game kaisers-war-in-the-east\nturn=1"), 0
    for _ in range(90):
        land = some_land(dice, View(empty.game, empty.state))
        pieces = some_pieces(dice, land)
        found = reckoned(position(land, pieces, drawn=drawn), pieces)
        assert [one.supplied for one in found] == [is_supplied(land, pieces, one) for one in pieces], (land, pieces)
        units += len(pieces)
    assert units > 400


@thorough
@pytest.mark.rule("17.5/1", "17.5/3")
def test_what_is_named_as_the_cause_is_enough() -> None:
    """Without the enemies that a cause names, the unit is supplied."""
    dice, empty, causes = Random(5), typed("game kaisers-war-in-the-east\nturn=1"), 0
    for _ in range(300):
        land = some_land(dice, View(empty.game, empty.state))
        pieces = some_pieces(dice, land)
        for unit, one in zip(pieces, reckoned(position(land, pieces, drawn=True), pieces), strict=True):
            if not one.cause or not all(each.by for each in one.cause.hindrances):
                continue
            gone = {name for each in one.cause.hindrances for name in each.by}
            left = [piece for number, piece in enumerate(pieces) if f"unit-{number}" not in gone]
            assert is_supplied(land, left, unit), (land, pieces, one)
            causes += 1
    assert causes > 50


def test_no_enemy_more_improves_supply() -> None:
    dice, empty = Random(3), typed("game kaisers-war-in-the-east\nturn=1")
    for _ in range(60):
        land = some_land(dice, View(empty.game, empty.state))
        pieces = some_pieces(dice, land)
        free = [hex for hex in HEXES if hex not in land.sea and hex not in {one.at for one in pieces}]
        more = [*pieces, Piece("allies", "army", dice.choice(free))]
        before, after = (reckoned(position(land, units, drawn=True), units) for units in (pieces, more))
        for one, then, unit in zip(before, after, pieces, strict=False):
            if unit.side == "central-powers":
                assert one.supplied or not then.supplied, (land, more, unit)
