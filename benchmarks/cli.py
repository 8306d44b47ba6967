"""Commands, as a player waits for them: whole processes from a cold start."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.installed.registry import load_game
from benchmarks.front import front_line
from benchmarks.measuring import ROOT, Bench, Goal, Row, Table, cpu, module, peak

EXAMPLES = ROOT / "plugins" / "twilight_in_the_east" / "examples"
COMMANDS: dict[str, tuple[list[str | Path], Goal | None]] = {
    "`assistant --help`": (["--help"], Goal(below=0.05)),
    "`assistant battle battle.pos` (dice given)": (["battle", EXAMPLES / "battle.pos"], Goal(below=0.12)),
    "`assistant battle battle-before.pos` (all chances)": (["battle", EXAMPLES / "battle-before.pos"], Goal(below=0.2)),
    "`assistant supply supplied.pos` (traced over a board)": (["supply", EXAMPLES / "supplied.pos"], None),
}


def table(bench: Bench) -> Table:
    """An empty process, and each command."""
    runs = bench.sizes.cold_runs
    rows = [Row("an empty Python process", cpu([sys.executable, "-c", ""], runs))]
    for what, (words, goal) in COMMANDS.items():
        rows.append(Row(what, cpu(module("assistant", *words), runs), goal=goal))
    with TemporaryDirectory() as folder:
        rows.append(attacks(bench, Path(folder)))
    about = (
        "Whole processes from a cold start, including Python's start. No other program does this, so there is no peer."
    )
    return Table("Commands", about, rows)


def attacks(bench: Bench, folder: Path) -> Row:
    """All attacks of one side along a front, ranked."""
    position = folder / "front.pos"
    position.write_text(front_line(load_game("twilight-in-the-east"), bench.sizes.front), "utf-8")
    words = ["--side", "russian", "--attacker-ap", "all", "--defender-ap", "all"]
    command = module("assistant", "ask", "attacks", position, *words)
    most = peak(command) / 2**20
    what = f"`assistant ask attacks` (a front of {bench.sizes.front} units; at most {most:.0f} MiB)"
    return Row(what, cpu(command, bench.sizes.cold_runs), goal=Goal(below=2))
