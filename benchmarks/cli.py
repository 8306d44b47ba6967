"""Commands, as a player waits for them: whole processes from a cold start."""

from __future__ import annotations

import sys
from pathlib import Path

from .measuring import ROOT, Bench, Goal, Row, Table, cpu, module

EXAMPLES = ROOT / "plugins" / "twilight_in_the_east" / "examples"
COMMANDS: dict[str, tuple[list[str | Path], Goal | None]] = {
    "`assistant --help`": (["--help"], Goal(below=0.1)),
    "`assistant battle battle.pos` (dice given)": (["battle", EXAMPLES / "battle.pos"], Goal(below=0.2)),
    "`assistant battle battle-before.pos` (all chances)": (["battle", EXAMPLES / "battle-before.pos"], Goal(below=0.2)),
    "`assistant supply supplied.pos` (traced over a board)": (["supply", EXAMPLES / "supplied.pos"], None),
}


def table(bench: Bench) -> Table:
    """An empty process, and each command."""
    runs = bench.sizes.cold_runs
    rows = [Row("an empty Python process", cpu([sys.executable, "-c", ""], runs))]
    for what, (words, goal) in COMMANDS.items():
        rows.append(Row(what, cpu(module("assistant", *words), runs), goal=goal))
    about = (
        "Whole processes from a cold start, Python's own start included. Nothing else does this, so there is no peer."
    )
    return Table("Commands", about, rows)
