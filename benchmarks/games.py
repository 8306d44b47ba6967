"""The same question in two games: what one costs should not depend much on the game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from assistant import Position, ask, read
from benchmarks.measuring import ROOT, Bench, Goal, Row, Table, cpu, module, warm_in_turn

OURS, PEER = "world_undone_east_prussia", "kaisers_war_in_the_east"
TIMES = 0.87
"""How many times as long the peer takes at least: we take at most 1.15 times as long."""
TURNS = 20
"""These questions are short: how many times as many runs as others they get."""
COUNTERPARTS = Path(__file__).parent / "counterparts"
"""A position of each game with the questions of which the examples differ in extent."""
MAPS = {
    "supply": "a hex in a forest and one cut off, over all hexes of the map",
    "drawn": "over the 2,124 hexes of a drawn one",
}
"""The examples of lines of supply over a whole map."""
ABOUT = """In one process, each question of *The World Undone* beside that of *Kaiser's War in the East*, as their examples ask it. Where
those differ in size, positions of similar size are used: three units attack one, one unit moves one hex, one retreats. A battle, a
move and a reach of *The World Undone* include lines of supply, of five hexes here; in *Kaiser's War* they do not."""


def table(bench: Bench) -> Table:
    """Each question that both games answer, and a line of supply over a whole map."""
    ours, theirs = (dict(questions_of(game)) for game in (OURS, PEER))
    rows = list[Row]()
    for name in sorted(ours.keys() & theirs.keys()):
        asked = [partial(ask, positions[name], name) for positions in (ours, theirs)]
        taken, peer = warm_in_turn(asked, TURNS * bench.sizes.runs)
        rows.append(Row(f"`{name}`", taken, "Kaiser's War", peer, Goal(times=TIMES)))
    for name, where in MAPS.items():
        supply = ROOT / "plugins" / OURS / "examples" / f"{name}.pos"
        taken = cpu(module("assistant", "supply", supply), bench.sizes.cold_runs)
        rows.append(Row(f"`assistant supply`, as a process, {where}", taken, goal=Goal(below=0.25)))
    return Table("Questions of two games", ABOUT, rows)


def questions_of(game: str) -> Iterator[tuple[str, Position]]:
    """The questions that the examples of a game ask, each with its position; and those of its counterpart in their place."""
    for path in (*sorted((ROOT / "plugins" / game / "examples").glob("*.pos")), COUNTERPARTS / f"{game}.pos"):
        position = read(path)
        yield from ((asked.question, position) for asked in position.asks)
