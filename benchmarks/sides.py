"""The supply of whole sides, on made-up positions with trains, depots and all: two sides along the frontier of a drawn board."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import assistant
from assistant.asking.parameters import read_parameters
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game, question_of
from assistant.service import picture
from assistant.state.changes import Change
from assistant.state.state import GameState
from benchmarks.cold import GAME
from benchmarks.measuring import TIMES, Bench, Prepared, Row, always, least

SIDES = {
    "russian": ("russian", ("First", "Second", "Fourth")),
    "central-powers": ("german", ("Eighth", "Ninth", "AG W")),
}
"""By side, the nation of its units and its armies."""
PER_CORPS = 6
"""Units of a corps with its train."""


def rows(bench: Bench) -> Iterator[Row]:
    """The supply of every unit of two sides, with lines and causes, once a unit has moved; and as a picture."""
    units, game = bench.sizes.front, load_game(GAME)
    many, few = (assistant.parse(two_sides(game, "east", number)) for number in (units, units // TIMES))
    what = f"supply of a front of {units} units, one of them moved by a hex"
    yield one_moved(bench, what, "all of it from scratch", many, few, ({},), "supply", 0.05)
    sides = [(position, assistant.ask(position, "supply", side="russian")) for position in (many, few)]
    drawings = [always(partial(picture, *answered, ".svg")) for answered in sides]
    drawn, fewer, anew = least(
        bench.sizes.runs,
        *drawings,
        always(lambda: answer_all(View(game, many.state), "supply", ({"side": "russian"},))),
    )
    what = f"SVG of the supply of a side of {units // 2} units, its lines, reaches and breaks"
    yield Row(what, "its supply, cold", drawn, anew, 2, smaller=fewer)


def one_moved(
    bench: Bench,
    what: str,
    against: str,
    many: Position,
    few: Position,
    asked: Sequence[dict[str, str]],
    question: str,
    goal: float,
) -> Row:
    """A question about many units once one of them has moved, beside the same with nothing known, as a page asks it.

    few: a quarter of the units; asked: the parameters with which the question is asked, each in turn.
    """

    def after_a_move(position: Position) -> Prepared:
        known, drawn = View(position.game, position.state), random.Random(14)
        answer_all(known, question, asked)

        def prepared() -> Callable[[], object]:
            change = moves_by_a_hex(position.game, position.state, drawn)
            moved = apply_changes(position.game, position.state, [change])
            return lambda: answer_all(known.view_of(moved), question, asked)  # what the page does

        return prepared

    anew = always(lambda: answer_all(View(many.game, many.state), question, asked))
    moved, fewer, whole = least(bench.sizes.runs, after_a_move(many), after_a_move(few), anew)
    return Row(what, against, moved, whole, goal, smaller=fewer)


def answer_all(view: View, name: str, asked: Sequence[dict[str, str]]) -> list[object]:
    """The reports on a question that is asked with each of some parameters."""
    question = question_of(view.game, name)
    return [question.answer(view, read_parameters(question, view, given), {}) for given in asked]


def moves_by_a_hex(game: Game, state: GameState, drawn: random.Random) -> Change:
    """A unit that moves into a free hex next to it."""
    taken = {unit.place for unit in state.units.values()}
    while True:
        unit = drawn.choice(list(state.units.values()))
        free = [hex for hex in game.board(state.board).neighbours(str(unit.place)) if hex not in taken]
        if free:
            return Change("place", unit.id, unit.place, drawn.choice(free), "")


def two_sides(game: Game, board: str, units: int, seed: int = 1914, near: tuple[int, int] = (2, 5)) -> str:
    """A position in notation of so many units on a drawn board, each on ground of its own side.

    near: how far from the enemy's ground they stand at least and at most, in hexes; depots stand at RR Stations farther back.
    """
    drawn, ground = random.Random(seed), game.board(board)
    own = {side: _held(game, board, side) for side in SIDES}
    lines = [f"game {game.id}", f"board {board}", "trust counters", "turn=5"]
    for side, (nation, armies) in SIDES.items():
        front, reached = set(own[side]), {hex for other in SIDES if other != side for hex in own[other]}
        edge = list(reached)
        order: list[str] = []
        for away in range(1, near[1] + 1):
            edge = sorted({beyond for hex in edge for beyond in ground.neighbours(hex)} - reached)
            reached |= set(edge)
            order += [hex for hex in edge if hex in front and away >= near[0]]
        order.sort()
        stations = [hex for hex in own[side] if _is_station(game, board, hex)]
        lines += _units(drawn, order, stations, nation, armies, units // len(SIDES))
    return "\n".join(lines) + "\n"


def _units(
    drawn: random.Random, hexes: Sequence[str], stations: Sequence[str], nation: str, armies: Sequence[str], units: int
) -> Iterator[str]:
    for number, army in enumerate(armies):
        if stations:
            at = drawn.choice(stations)
            yield f'{at}: {nation} major-depot - "{nation} {army} Depot" army="{army}" range=6 extended-range=8'
        yield f'{drawn.choice(hexes)}: {nation} cavalry XX "{nation} {number} c" army="{army}"'
    left = units - 2 * len(armies)
    corps = 0
    while left > 0:
        corps += 1
        army = armies[corps % len(armies)]
        start = drawn.randrange(max(len(hexes) - 12, 1))
        near = hexes[start : start + 12]
        size = min(PER_CORPS, left)
        named = f"{nation[0]}{corps}"
        yield f'{drawn.choice(near)}: {nation} corps-train - "{named} Train" corps={named} army="{army}" range=5 extended-range=8'
        for one in range(size - 1):
            arm = "artillery III" if one == 2 else "infantry XX"
            yield f'{drawn.choice(near)}: {nation} {arm} {one + 1}/{named} army="{army}"'
        left -= size


def _held(game: Game, board: str, side: str) -> list[str]:
    """The hexes of a board that a side holds at the start."""
    ground = game.board(board)
    return [hex for hex in ground.in_order if (fact := ground.fact("control", hex)) and fact.value == side]


def _is_station(game: Game, board: str, hex: str) -> bool:
    fact = game.board(board).fact("station", hex)
    return bool(fact and fact.value)
