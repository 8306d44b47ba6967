"""The cost of supply over a large map, beside graph libraries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from assistant.game.hexes import Hex, HexGrid
from assistant.mechanics.crossings import Crossing, Crossings, OpenWays, compile_crossings
from assistant.mechanics.tracing import ANY_LENGTH, CostField, Spread
from benchmarks.measuring import TIMES, Bench, Environment, Row, Sizes, always, least

GRAPHS = Environment("graphs", ("networkx", "rustworkx", "igraph", "scipy", "numpy"))
PEERS = {"rustworkx": 1.2, "scipy": 0.35, "igraph": None, "networkx": None}
"""The libraries, and the goals of their times by ours."""
TERRAIN, BARRIERS = ("clear", "rough", "wetlands", "mountain"), ("", "minor", "major")
COST = {"clear": 4, "rough": 6, "wetlands": 8, "mountain": 12, "": 0, "minor": 2, "major": 5}


def rows(bench: Bench) -> Iterator[Row]:
    """A field from many sources with the lines to many hexes, the graph being built: all programs find the same costs."""
    sizes = bench.sizes
    board, smaller = made_up(sizes), made_up(sizes, TIMES)
    peers = bench.times(GRAPHS, "graphs.py", data=board.edges(board.field()))
    ours, quarter = least(2 * sizes.runs, always(board.lines), always(smaller.lines))
    what = f"cost field of {len(board.crossings.hexes):,} hexes, {sizes.sources} sources, {sizes.lines} lines"
    for name, goal in PEERS.items():
        yield Row(what, name, ours, peers.get(name), goal, more=True, smaller=quarter if goal else None)


class Board(NamedTuple):
    """A map ready to be traced on, where lines begin and to which hexes they are wanted."""

    crossings: Crossings
    ways: OpenWays
    sources: tuple[str, ...]
    ends: tuple[str, ...]

    def field(self) -> CostField:
        """The cost of every hex."""
        return Spread(self.ways, dict.fromkeys(self.sources, 0)).within(ANY_LENGTH)

    def lines(self) -> list[tuple[str, ...]]:
        """The cost of every hex, and the lines."""
        spread = Spread(self.ways, dict.fromkeys(self.sources, 0))
        spread.within(ANY_LENGTH)
        return [spread.line(end) for end in self.ends]

    def edges(self, field: CostField) -> dict[str, Any]:
        """The same for a graph library: numbers instead of hexes, costs instead of kinds."""
        number = self.crossings.number
        ways = [(at, self.crossings.ways(at)) for at in range(len(self.crossings.hexes))]
        return {
            "edges": [(at, to, price(self.crossings.kinds[kind])) for at, way in ways for to, kind in way],
            "sources": [number[source] for source in self.sources],
            "ends": [number[end] for end in self.ends],
            "nodes": len(self.crossings.hexes),
            "total": sum(field.cost.values()),
        }


def made_up(sizes: Sizes, smaller: int = 1) -> Board:
    """A map of random ground, the same one every time. smaller: how many times."""
    drawn, columns = random.Random(1914), sizes.columns // smaller
    grid = HexGrid(format="{column:03}{row:03}", columns=(1, columns), rows=(1, sizes.rows))
    at = {grid.name(Hex(c, r)): Hex(c, r) for c in range(1, columns + 1) for r in range(1, sizes.rows + 1)}
    terrain = {name: drawn.choices(TERRAIN, (6, 2, 1, 1))[0] for name in at}
    around = {name: [grid.name(other) for other in grid.neighbours(place).values()] for name, place in at.items()}
    barrier = {frozenset((name, other)): drawn.choices(BARRIERS, (7, 2, 1))[0] for name in at for other in around[name]}
    crossings = compile_crossings(
        at,
        around.__getitem__,
        lambda name: (("terrain", terrain[name]),),
        lambda name, other: (("barrier", barrier[frozenset((name, other))]),),
    )
    return Board(
        crossings,
        OpenWays(crossings, price),
        tuple(drawn.sample(list(at), sizes.sources // smaller)),
        tuple(drawn.sample(list(at), sizes.lines // smaller)),
    )


def price(crossing: Crossing) -> int:
    """By the ground that is entered and the hexside."""
    return COST[str(crossing.enters[0][1])] + COST[str(crossing.over[0][1])]
