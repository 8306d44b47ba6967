"""Made-up positions with trains, depots and all: two sides along the frontier of a drawn board, as dense as is asked
for.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import assistant
from assistant.asking.parameters import read_parameters
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game, question_of
from assistant.service import ask, picture
from assistant.state.changes import Change
from assistant.state.state import GameState
from benchmarks.measuring import Bench, Goal, Row, Table, warm

SIDES = {
    "russian": ("russian", ("First", "Second", "Fourth")),
    "central-powers": ("german", ("Eighth", "Ninth", "AG W")),
}
"""By side, the nation of its units and its armies."""
PER_CORPS = 6
"""Units of a corps with its train."""


def table(bench: Bench) -> Table:
    """The supply of every unit of two sides, with lines and causes."""
    game, units, runs = load_game("twilight-in-the-east"), bench.sizes.front, bench.sizes.runs
    position = assistant.parse(two_sides(game, "east", units))
    state = position.state
    question = question_of(game, "supply")
    parameters = read_parameters(question, View(game, state), {})
    known = View(game, state)
    report = ask(position, "supply")

    def answer(view: View) -> object:
        return question.answer(view, parameters, {})

    answer(known)
    drawn, places = random.Random(14), [str(unit.place) for unit in state.units.values()]
    others = [assistant.parse(two_sides(game, "east", units, seed)).state for seed in range(3)]
    held = [apply_changes(game, state, [_falls(game, state, drawn.choice(places), drawn)]) for _ in range(max(runs, 2))]
    moved = [apply_changes(game, state, [moves_by_a_hex(game, state, drawn)]) for _ in range(max(runs, 2))]
    what = f"{units} units of two sides over the eastern board, every line, state and cause"
    rows = [
        Row(
            f"{what}, nothing of the map read before",
            warm(lambda: answer(View(game, state)), runs),
            goal=Goal(below=0.4),
        ),
        Row("other units on a map that is compiled", each_first(lambda one: answer(known.instead(one)), others)),
        Row("the same position once more", warm(lambda: answer(known), runs), goal=Goal(below=0.05)),
        Row(
            "once a hex has changed hands",
            each_first(lambda one: answer(known.instead(one)), held),
            goal=Goal(below=0.015),
        ),
        Row(
            "once a unit has moved by a hex",
            each_first(lambda one: answer(known.instead(one)), moved),
            goal=Goal(below=0.015),
        ),
        Row(
            "all of it as an SVG, with every line, reach and break",
            warm(lambda: picture(position, report, ".svg"), runs),
            goal=Goal(below=1.0),
        ),
    ]
    about = (
        "In one process. The position is invented: both sides along the frontier of 1914, with trains, depots and "
        "cavalry, a third of the units cut off or far from supply. The last rows report everything again."
    )
    return Table("Supply of whole sides", about, rows)


def each_first(answer: Callable[[GameState], object], states: Sequence[GameState]) -> float:
    """The median CPU time of an answer to several states, each for the first time."""
    times = []
    for state in states:
        before = time.process_time()
        answer(state)
        times.append(time.process_time() - before)
    return statistics.median(times)


def _falls(game: Game, state: GameState, near: str, drawn: random.Random) -> Change:
    """A hex beside some units that changes hands."""
    hex = drawn.choice(game.board(state.board).neighbours(near))
    held = game.board(state.board).fact("control", hex)
    return Change("control", hex, None, "russian" if held and held.value != "russian" else "central-powers", "")


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
