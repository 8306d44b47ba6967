"""The cost of supply over a large map, beside graph libraries."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from assistant.game.hexes import Hex, HexGrid
from assistant.mechanics.crossings import Crossing, Crossings, OpenWays, compile_crossings
from assistant.mechanics.tracing import ANY_LENGTH, CostField, Spread
from benchmarks.measuring import Bench, Environment, Goal, Row, Sizes, Table, warm

GRAPHS = Environment("graphs", ("networkx", "rustworkx", "igraph", "scipy", "numpy"))
PEERS = {"scipy": 0.25, "igraph": 1, "rustworkx": 1, "networkx": 1}
"""The libraries, and how many times as long as we each of them has to take at least."""
TERRAIN, BARRIERS = ("clear", "rough", "wetlands", "mountain"), ("", "minor", "major")
COST = {"clear": 4, "rough": 6, "wetlands": 8, "mountain": 12, "": 0, "minor": 2, "major": 5}


def table(bench: Bench) -> Table:
    """A field from many sources with the lines to many hexes."""
    sizes = bench.sizes
    board = made_up(sizes)
    field = board.field()
    peers = bench.times(GRAPHS, "graphs.py", data=board.edges(field))
    what = f"{len(board.crossings.hexes):,} hexes, {sizes.sources} sources, {sizes.lines} lines"
    ours = warm(board.lines, sizes.runs)
    large = made_up(sizes._replace(columns=10 * sizes.columns, sources=10 * sizes.sources))
    fields = ((board, sizes.runs, Goal(below=0.01)), (large, sizes.cold_runs, None))
    rows = [
        Row(f"{len(map.crossings.hexes):,} hexes, the costs alone", warm(map.field, runs), goal=goal)
        for map, runs, goal in fields
    ]
    rows += [Row(what, ours, name, peers.get(name), Goal(times=times)) for name, times in PEERS.items()]
    about = (
        "Warm, in one process, with the graph built: the cost of the cheapest line from the nearest source to every "
        "hex, and some of those lines hex by hex. Costs are whole numbers that differ by direction; they result from "
        f"pricing {len(board.crossings.kinds)} kinds of crossing once. All programs find the same costs."
    )
    return Table("Supply", about, rows)


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


def made_up(sizes: Sizes) -> Board:
    """A map of random ground, the same one every time."""
    drawn = random.Random(1914)
    grid = HexGrid(format="{column:03}{row:03}", columns=(1, sizes.columns), rows=(1, sizes.rows))
    at = {grid.name(Hex(c, r)): Hex(c, r) for c in range(1, sizes.columns + 1) for r in range(1, sizes.rows + 1)}
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
        tuple(drawn.sample(list(at), sizes.sources)),
        tuple(drawn.sample(list(at), sizes.lines)),
    )


def price(crossing: Crossing) -> int:
    """By the ground that is entered and the hexside."""
    return COST[str(crossing.enters[0][1])] + COST[str(crossing.over[0][1])]
