"""Commands, as a player waits for them: whole processes from a cold start."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instructions import CLICK, EMPTY, count_all
from benchmarks.measuring import EXAMPLES, Bench, Process, Row, least_cold

GAME = "twilight-in-the-east"
SET_UP = f"{EXAMPLES.parent}/setups/19-august-1914.pos"
LIBRARIES = ("python", "-c", "import click, pluggy, msgspec, lxml.etree")
HELP, BATTLE = ("assistant", "--help"), ("assistant", "battle", f"{EXAMPLES}/battle.pos")
RULE, SUPPLY = ("assistant", "rules", GAME, "10.8"), ("assistant", "supply", SET_UP, "--umpire", "--unit", "36/17")
GOALS = (
    (HELP, CLICK, 1.3),
    (BATTLE, EMPTY, 17),
    (BATTLE, LIBRARIES, 3),
    (RULE, BATTLE, 0.5),
    (SUPPLY, BATTLE, 1.2),
)
"""Each command beside what it cannot do without, or beside another, and how many times as long it takes at most."""
SHOWN = {
    HELP: "`assistant --help`",
    BATTLE: "`assistant battle` with dice, cold",
    RULE: f"`assistant {' '.join(RULE[1:])}`",
    SUPPLY: "`assistant supply` of a unit of the set-up, cold",
    EMPTY: "an empty Python",
    CLICK: f"`{CLICK[-1]}`",
    LIBRARIES: f"`{LIBRARIES[-1]}`",
}


def rows(bench: Bench) -> Iterator[Row]:
    """The ratios of their instructions where valgrind is installed, and else of their times."""
    words = [*SHOWN]
    processes = [Process(bench.ours(program), *arguments) for program, *arguments in words]
    times = dict(zip(words, least_cold(bench.sizes.runs, *processes), strict=True))
    counts = {}
    if shutil.which("valgrind") and bench.sizes.counts:
        with TemporaryDirectory() as folder:
            counts = count_all(dict(zip(words, words, strict=True)), bench.commands, Path(folder))
    else:
        bench.left_out["valgrind"] = (
            "valgrind is not installed, so that the ratios of commands are those of their times"
        )
    for ours, theirs, goal in GOALS:
        counted = (counts[ours], counts[theirs]) if counts else None
        yield Row(SHOWN[ours], SHOWN[theirs], times[ours], times[theirs], goal, counted=counted)
