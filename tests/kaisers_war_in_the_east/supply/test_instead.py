"""Supply in a view instead of another one: the same as in a view that knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game, question_of
from assistant.mechanics.crossings import Crossing, Ground
from assistant.rules.supply import ways_of_lines
from assistant.state.changes import Change
from assistant.state.state import GameState, hexside
from kaisers_war_in_the_east.ground import field

from ...cases import few, seeds
from ...conftest import typed

GAME = "kaisers-war-in-the-east"
BOARD = load_game(GAME).board("map")
HEXES = list(BOARD.in_order)
UNITS = {
    "AH-3": "(9-9-4)",
    "Ger-8": "(9-9-4)",
    "CP-supply-1": "radius=2",
    "AH-4": "(9-9-4)",
    "Rus-1": "(9-9-4)",
    "Rus-2": "(9-9-4)",
    "Rus-3": "(9-9-4)",
    "Rus-8": "(9-9-4)",
    "Allied-supply-1": "radius=3",
}


def position(dice: Random) -> str:
    """Units of both sides on the hexes of the map that the rules number, with the ground typed."""
    lines = [f"game {GAME}", "board map", "turn=1", "side central-powers whole-network", "side allies whole-network"]
    lines += [f"{hex} {dice.choice(['clear', 'clear', 'rough', 'marsh'])} country=russia" for hex in HEXES]
    pairs = sorted({hexside(hex, other) for hex in HEXES for other in BOARD.neighbours(hex) if other in HEXES})
    lines += [f"{pair} rail" for pair in pairs if dice.random() < 0.2]
    lines += [f"{pair} open" for pair in pairs]
    lines += [f"{hex}: {name} {UNITS[name]}" for name, hex in zip(UNITS, dice.sample(HEXES, len(UNITS)), strict=True)]
    return "\n".join(lines) + "\n"


def crossings(view: View) -> dict[str, list[tuple[str, Crossing]]]:
    """What lies in the hexes that lines enter and leave, enemy zones among it."""
    with view.gather() as facts:
        around = field(facts).read().around("allies")

    def ground(at: str) -> Ground:
        return ("terrain", view.word("terrain", at)), ("zone", at in around.enemy_zones)

    ways = ways_of_lines(around, ground, lambda here, there: (), lambda unit: "supply" in unit)
    return {hex: [*ways.from_hex(hex)] for hex in ways.hexes}


def supply(view: View) -> Report[object]:
    """The supply of all units."""
    question = question_of(view.game, "supply")
    return question.answer(view, read_parameters(question, view, {}), {})


def changes(dice: Random, place: Position) -> Iterator[tuple[Change, GameState]]:
    """Changes one after another, each with the position after it: a unit moves, or the ground of a hex changes."""
    state = place.state
    for _ in range(6):
        if dice.random() < 0.3:
            hex = dice.choice(HEXES)
            change = Change("terrain", hex, state.value("terrain", hex), dice.choice(["clear", "marsh"]), "")
        else:
            unit = state.units[dice.choice([*UNITS])]
            taken = {other.place for other in state.units.values()}
            change = Change("place", unit.id, unit.place, dice.choice([hex for hex in HEXES if hex not in taken]), "")
        state = apply_changes(place.game, state, [change])
        yield change, state


@few(8)
@pytest.mark.parametrize("seed", seeds(10))
@pytest.mark.parametrize("read", [supply, crossings])
def test_it_is_that_of_a_view_that_knows_nothing(seed: int, read: Callable[[View], object]) -> None:
    dice = Random(seed)
    place = typed(position(dice))
    known = view = View(place.game, place.state)
    first = read(view)
    for change, state in changes(dice, place):
        view = view.view_of(state)
        assert read(view) == read(View(place.game, state)), change
    assert read(known) == first == read(View(place.game, place.state))
