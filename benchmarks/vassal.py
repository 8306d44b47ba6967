"""What an answer inside VASSAL costs beyond the question itself: reading the running game, and the pipe to it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.streams import read_stream
from assistant.installed.registry import load_game
from assistant.service import ask, read_as
from benchmarks.cold import GAME
from benchmarks.measuring import Bench, Row
from module_builder.vassal.module import build_module

SETUP = "19-August-1914-East-Prussia.vsav"
UNIT = "25/3"
MOST_BEYOND = 0.3
"""Seconds that an answer may take beyond the question itself."""
ANSWERS = 25


def rows(bench: Bench) -> Iterator[Row]:
    """The median of warm answers through the pipe, less that of the question alone."""
    save = Archive(build_module(load_game(GAME)).data).read(SETUP)
    state, module = read_stream(save)
    fields = ("ask", f"supply unit={UNIT}", "russian", module.module, module.module_version, "", str(len(state)))
    request = "\t".join(fields).encode() + b"\n" + state
    words = [sys.executable, "-P", "-m", "assistant", "vassal", "answer"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout

        def answered() -> None:
            child.stdin.write(request)
            child.stdin.flush()
            while child.stdout.readline() != b"\n":
                pass

        answered()
        through = _measure(answered)
        child.stdin.close()
    position = read_as(SETUP, save, load_game, "russian")
    alone = _measure(lambda: ask(position, "supply", unit=UNIT))
    units = len(position.state.units)
    what = f"an answer in VASSAL with {units} units, warm, beyond the question itself"
    yield Row(what, "300 ms", through - alone, MOST_BEYOND, 1)


def _measure(work: Callable[[], object]) -> float:
    """The median of the seconds that something takes, by the clock: two processes take turns."""
    taken = []
    for _ in range(ANSWERS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return median(taken)
