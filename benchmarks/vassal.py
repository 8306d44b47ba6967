"""What an answer inside VASSAL costs beyond the question itself: reading the running game, and the pipe to it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.streams import read_stream
from assistant.installed.registry import load_game
from assistant.service import ask, read_as
from assistant.util.errors import quoted
from benchmarks.cold import GAME
from benchmarks.measuring import Bench, Row
from module_builder.vassal.module import build_module

SETUP = "19-August-1914-East-Prussia.vsav"
MAX_SECONDS_BEYOND = 0.3
"""The time that an answer may take beyond the question itself."""
ANSWERS = 25
"""The number of units that are asked about, one after the other, so that no answer is a kept one."""


def rows(bench: Bench) -> Iterator[Row]:
    """The median of warm answers through the pipe, less that of the question alone."""
    save = Archive(build_module(load_game(GAME)).data).read(SETUP)
    state, module = read_stream(save)
    position = read_as(SETUP, save, load_game, "russian")
    units = [unit.id for unit in position.state.units.values() if unit.place][:ANSWERS]

    def request(unit: str) -> bytes:
        named = ("ask", f"supply unit={quoted(unit)}", "russian", "", module.module, module.module_version, "")
        return "\t".join((*named, str(len(state)))).encode() + b"\n" + state

    words = [sys.executable, "-P", "-m", "assistant", "vassal", "answer"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout

        def ask_through_pipe(unit: str) -> None:
            child.stdin.write(request(unit))
            child.stdin.flush()
            while (line := child.stdout.readline()) != b"\n":
                assert line, "the assistant has ended without an answer"

        ask_through_pipe(units[-1])
        through = _measure(ask_through_pipe, units)
        child.stdin.close()
    alone = _measure(lambda unit: ask(position, "supply", unit=unit), units)
    what = f"an answer in VASSAL with {len(position.state.units)} units, warm, beyond the question itself"
    yield Row(what, "300 ms", through - alone, MAX_SECONDS_BEYOND, 1)


def _measure(work: Callable[[str], object], units: Sequence[str]) -> float:
    """Return the median of the seconds that something takes for a unit, by the clock: two processes take turns."""
    taken = []
    for unit in units:
        begun = time.perf_counter()
        work(unit)
        taken.append(time.perf_counter() - begun)
    return median(taken)
