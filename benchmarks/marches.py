"""Marches and railways on the eastern board: how far all units come, single moves, a route across the board, the turn."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assistant.asking.parameters import read_parameters
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game, question_of
from assistant.service import ask, parse
from assistant.state.state import GameState, Unit
from benchmarks.measuring import Bench, Environment, Goal, Row, Table, module, peak, warm
from benchmarks.sides import each_first, moves_by_a_hex
from twilight_in_the_east.ground.chart import Chart
from twilight_in_the_east.movement.march.prices import PricedMap
from twilight_in_the_east.movement.march.reach import Explorer, all_zones, read_purse
from twilight_in_the_east.movement.march.steps import Stepped, read_party

GRAPH = Environment("graphs", ("networkx", "rustworkx", "igraph", "scipy", "numpy"))
SIDES = {"central-powers": "german", "russian": "russian"}
"""By side, the nation of its units."""
HEAD = "game twilight-in-the-east\nboard east\ntrust charts counters\nturn=2\n"
LAND = (20, 80)
"""Between which columns of the board units are scattered, which is land."""
FRONTIER = 50
"""The column beyond which they are German."""
PRINTED = "(10-10-5-9) movement=7 back-steps=5 rail-cost=4"
FROM, TO = "09.111", "81.17"
"""RR Stations of the Central Powers at two ends of the board."""
ABOUT = """In one process, on the eastern board. Divisions of both sides are scattered over the land, all of which may move; each unit's reach
is with its ways, what is left and the chance of a Forced March. The peer's graph has the same steps at the same costs, and all find
the same hexes. Whole processes are measured for memory."""


def table(bench: Bench) -> Table:
    """Reaches of all units, and what is asked of one of them or of the turn."""
    units, runs = bench.sizes.front, bench.sizes.runs
    position = parse(scattered(units))
    game, state = position.game, position.state
    known, drawn = View(game, state), random.Random(8)
    moved = [apply_changes(game, state, [moves_by_a_hex(game, state, drawn)]) for _ in range(max(runs, 2))]
    explored = Explored(position)
    peers = bench.times(GRAPH, "reaches.py", data=explored.graph())
    train = parse(f"{FROM}: german infantry XX Train {PRINTED}\nnation german rail-points=90\n", position)
    phase = parse("phase=movement phasing=central-powers\n", position)
    first = next(unit for unit in state.units.values() if int(str(unit.place)[:2]) > FRONTIER)
    way = [beside(game, first)]
    whole = f"the reach of each of {units} units"
    reach_of_all(known)
    rows = [
        Row(
            f"{whole}, nothing of the map read before",
            warm(lambda: reach_of_all(View(game, state)), runs),
            goal=Goal(below=1),
        ),
        Row(
            "once a unit has moved by a hex",
            each_first(lambda other: reach_of_all(known.instead(other)), moved),
            goal=Goal(below=0.1),
        ),
        Row(f"{whole}, all steps being known", warm(explored.reach, runs), "networkx", peers.get("networkx")),
        Row(
            "`move` of a unit by a hex",
            warm(lambda: ask(position, "move", units=first.id, way=way), runs),
            goal=Goal(below=0.05),
        ),
        Row(
            f"`rail` from {FROM} to {TO}",
            warm(lambda: ask(train, "rail", units="Train", to=TO, rate=12), runs),
            goal=Goal(below=0.05),
        ),
        Row(f"`turn` with {units} units", warm(lambda: ask(phase, "turn"), runs), goal=Goal(below=0.3)),
        Row(
            f"{units} moves of one unit each, made again", warm(partial(replay, game, state), runs), goal=Goal(below=2)
        ),
        Row(
            f"`move` of each of {units} units by a hex, with all that it changes",
            warm(partial(move_each, position), runs),
            goal=Goal(below=2),
        ),
        Row("the most memory of a reach of all", memory(units) / 2**20, goal=Goal(below=250), unit="MiB"),
    ]
    return Table("Marches", ABOUT, rows)


def scattered(units: int) -> str:
    """A position in notation of so many divisions, one in a hex, where the board has land."""
    board, drawn = load_game("twilight-in-the-east").board("east"), random.Random(1)
    land = [hex for hex in board.in_order if LAND[0] < int(hex[:2]) < LAND[1] and _is_land(board.fact("terrain", hex))]
    places = drawn.sample(land, units)
    nations = ("german" if int(hex[:2]) > FRONTIER else "russian" for hex in places)
    lines = (
        f"{hex}: {nation} infantry XX {nation[0]}{number} {PRINTED}\n"
        for number, (hex, nation) in enumerate(zip(places, nations, strict=True))
    )
    return HEAD + "".join(lines)


def _is_land(terrain: Any) -> bool:
    return terrain is not None and terrain.value in ("clear", "rough", "wetlands")


def beside(game: Game, unit: Unit) -> str:
    """A hex beside a unit."""
    return game.board("east").neighbours(str(unit.place))[0]


def reach_of_all(view: View) -> list[object]:
    """The reports on how far the units of each side come."""
    question = question_of(view.game, "reach")
    return [question.answer(view, read_parameters(question, view, {"side": side}), {}) for side in SIDES]


def replay(game: Game, state: GameState) -> GameState:
    """The state after each unit has moved by a hex, one after the other."""
    drawn = random.Random(3)
    for _ in state.units:
        state = apply_changes(game, state, [moves_by_a_hex(game, state, drawn)])
    return state


def move_each(position: Position) -> Position:
    """The position after each unit of one side, then each of the other, has moved by a hex, if it may enter any."""
    board = position.game.board(position.state.board)
    for side in SIDES:
        position = parse(f"phase=movement phasing={side}\n", position)
        view = View(position.game, position.state)
        for unit in [unit for unit in view.units() if view.side_of(unit.id) == side]:
            reports = (ask(position, "move", units=unit.id, way=[hex]) for hex in board.neighbours(str(unit.place)))
            position = position.after(next((report.changes for report in reports if report.changes), ()))
    return position


def memory(units: int) -> int:
    """The most memory that a process takes, in bytes, which tells the reach of each unit of a side."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "units.pos"
        file.write_text(scattered(units), "utf-8")
        return max(peak(module("assistant", "ask", "reach", str(file), "--side", side)) for side in SIDES)


class Explored:
    """The units of a position with the steps that they make, all of which have been judged."""

    def __init__(self, position: Position) -> None:
        self.view = View(position.game, position.state)
        with self.view.gather() as facts, self.view.gather() as cells:
            prices = PricedMap(self.view, Chart(cells))
            self.explorers = [
                Explorer(
                    facts,
                    all_zones(facts, self.view.side_of(unit.id)),
                    read_party(facts, [unit], counter=False),
                    prices,
                    [read_purse(facts, unit)],
                    forced=True,
                )
                for unit in self.view.units()
            ]

    def reach(self) -> list[int]:
        """How many hexes each unit reaches."""
        return [len(explorer.reach().hexes) for explorer in self.explorers]

    def graph(self) -> dict[str, Any]:
        """The same for a graph library: the steps from all hexes that units reach, those of each side apart."""
        places: dict[str, set[str]] = {side: set() for side in SIDES}
        total, edges = 0, dict[tuple[str, str], int]()
        for explorer in self.explorers:
            reached = explorer.reach().hexes
            total += len(reached)
            places[explorer.party.side] |= {explorer.moving.at, *(place.hex for place in reached)}
        for side, hexes in places.items():
            own = [explorer.moving for explorer in self.explorers if explorer.party.side == side]
            for here in hexes:
                for there in self.view.board.neighbours(here):
                    moving = next(
                        moving for moving in own if moving.at != there
                    )  # who stands there is a friend to others
                    step = moving.enter(here, there, 0)
                    if isinstance(step, Stepped):
                        edges[f"{side} {here}", f"{side} {there}"] = step.cost
        units = [(f"{each.party.side} {each.moving.at}", each.allowance) for each in self.explorers]
        return {"edges": [(*pair, cost) for pair, cost in edges.items()], "units": units, "total": total}
