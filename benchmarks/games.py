"""The same question in two games: what one costs should not depend much on the game."""

from __future__ import annotations

from collections.abc import Iterator

from assistant import Position, ask, read
from benchmarks.measuring import ROOT, Bench, Goal, Row, Table, cpu, module, warm

OURS, PEER = "world_undone_east_prussia", "kaisers_war_in_the_east"
TIMES = 1 / 1.15
"""How many times as long the peer takes at least."""


def table(bench: Bench) -> Table:
    """Each question that both games answer, in their own examples, and a line of supply over a whole map."""
    ours, theirs = (dict(questions_of(game)) for game in (OURS, PEER))
    rows = [
        Row(
            f"`{name}`",
            timed(ours[name], name, bench.sizes.runs),
            "Kaiser's War",
            timed(theirs[name], name, bench.sizes.runs),
            Goal(times=TIMES),
        )
        for name in sorted(ours.keys() & theirs.keys())
    ]
    supply = ROOT / "plugins" / OURS / "examples" / "supply.pos"
    what = "`assistant supply`, a unit of East Prussia over all hexes of its map, as a process"
    rows.append(Row(what, cpu(module("assistant", "supply", supply), bench.sizes.cold_runs), goal=Goal(below=0.25)))
    about = "In one process, each question of *The World Undone* beside that of *Kaiser's War in the East*, as their examples ask it."
    return Table("Questions of two games", about, rows)


def questions_of(game: str) -> Iterator[tuple[str, Position]]:
    """The questions that the examples of a game ask, each with its position."""
    for path in sorted((ROOT / "plugins" / game / "examples").glob("*.pos")):
        position = read(path)
        yield from ((asked.question, position) for asked in position.asks)


def timed(position: Position, question: str, runs: int) -> float:
    """CPU time of a question, in seconds."""
    return warm(lambda: ask(position, question), runs)
