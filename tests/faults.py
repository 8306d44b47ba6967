"""Faults outside the functions that declare rules: `python -m tests.faults [COUNT] [SEED] [MODULE]`.

Small faults (see mutants.py) are put into functions of the core and of the builder, drawn by chance and one at a time. Any test of
`make test` that executes the function may notice one: those first that execute the changed line, and among them the nearest in the tree
and those that compare whole outputs.
What share of the faults they notice is printed; those that nobody notices are in build/faults. MODULE draws from modules whose name
begins so. Which test executes which line is found out once, and again when a source has changed.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from . import forks, reached
from .credited import Constants, Function, all_functions, found
from .mutants import Mutant, mutants
from .tried import digest

ROOT = reached.ROOT
KEPT = ROOT / "build" / "faults"
PACKAGES = ("assistant", "module_builder")
COUNT, SEED = 100, 1914
PATIENCE = 60.0
"""Seconds of tests, as they take under coverage, that a fault may live through; a function that everything calls is reached by thousands."""
WHOLE = "tests/test_pages.py"
"""The tests that compare all that is printed and drawn."""
SELECTION = ("-m", "not thorough", "--hypothesis-profile=few")


class Fault(NamedTuple):
    """A fault in a function."""

    function: Function
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.function.module}:{self.function.name}\n  - {self.mutant.before}\n  + {self.mutant.after}"


def drawn(count: int, seed: int, begins: str = "") -> list[Fault]:
    """So many faults, a longer function with more chances. begins: of the names of their modules."""
    chance = random.Random(seed)
    every = {
        package: [
            one for one in all_functions(package, ROOT / package) if not one.rules and one.module.startswith(begins)
        ]
        for package in PACKAGES
    }
    constants = {package: Constants(package, ROOT / package) for package in PACKAGES}
    functions = [(package, one) for package, of in every.items() for one in of if len(one.lines)]
    weights = [len(one.lines) for _, one in functions]
    faults: dict[str, Fault] = {}
    for package, one in chance.choices(functions, weights, k=10 * count) if functions else ():
        if len(faults) == count:
            break
        mutant = _any(one, constants[package], chance)
        if mutant is not None:
            fault = Fault(one, mutant)
            faults.setdefault(str(fault), fault)
    return list(faults.values())


def _any(function: Function, constants: Constants, chance: random.Random) -> Mutant | None:
    """One of the mutants of a function, None if it has none that can be put into its place."""
    try:
        itself = found(function)
    except (AssertionError, KeyError):  # a command, or defined in another way
        return None
    every = mutants(function.tree, itself.__globals__, function.owner, constants.read_by(function))
    free = itself.__code__.co_freevars
    fitting = [one for one in every if one.function.__code__.co_freevars == free]
    return chance.choice(fitting) if fitting else None


def reached_lines() -> reached.Reached:
    """What each test of `make test` executes, as long as no source changes."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / "seconds.json"
    state = digest(ROOT / folder for folder in (*PACKAGES, "plugins", "tests"))
    known = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    if known.get("state") != state:
        known = {"state": state, "seconds": reached.run(SELECTION, PACKAGES, KEPT / "coverage")}
        kept.write_text(json.dumps(known), "utf-8")
    return reached.Reached(KEPT / "coverage", known["seconds"])


def noticing(fault: Fault, known: reached.Reached) -> list[str]:
    """The tests that may notice a fault, as many as may be run for one: those first that execute its line, of these those beside its
    module, then those that compare whole outputs, then the nearest in the tree, the fastest first."""
    function = fault.function
    beside = Path("tests", *function.module.split(".")[:-1], f"test_{function.module.rpartition('.')[2]}.py")
    at_the_line = set(known.tests(function.file, (fault.mutant.line,)))

    def order(test: str) -> tuple[bool, int, int]:
        file = test.partition("::")[0]
        rank = (str(beside), WHOLE).index(file) if file in (str(beside), WHOLE) else 2
        return bool(at_the_line) and test not in at_the_line, rank, -len(os.path.commonpath([file, beside]))

    kept: list[str] = []
    left = PATIENCE
    for test in sorted(known.tests(function.file, function.lines), key=order):
        seconds = known.seconds.get(test, 0.0)
        if seconds <= left or not kept:
            left -= seconds
            kept.append(test)
    return kept


def judged(faults: Sequence[Fault]) -> Iterator[tuple[Fault, int, bool]]:
    """Each fault with how many tests were to notice it, and whether one did."""
    known = reached_lines()
    tests = [noticing(fault, known) for fault in faults]
    files = sorted({test.partition("::")[0] for some in tests for test in some})
    came: list[tuple[Fault, int, bool]] = []

    def work(collected: forks.Tests) -> None:
        trials = (
            forks.Trial(found(fault.function), fault.mutant.function, fault.mutant.reads, some)
            for fault, some in zip(faults, tests, strict=True)
        )
        for number, is_noticed in collected.noticed(trials, reached.PROCESSES):
            came.append((faults[number], len(tests[number]), is_noticed))

    forks.collected([*SELECTION, *files], known.seconds, work, anew=True)
    yield from came


def main(count: int = COUNT, seed: int = SEED, begins: str = "", least: float = 0.0) -> int:
    """Print the share and write what nobody noticed; 1 if less than the least share, in per cent, was noticed."""
    began = time.monotonic()
    came = list(judged(drawn(count, seed, begins)))
    left = sorted(f"{fault} ({tests} tests)" for fault, tests, is_noticed in came if not is_noticed)
    (KEPT / "survivors.txt").write_text("".join(f"{one}\n" for one in left), "utf-8")
    share = 100 * (len(came) - len(left)) / max(len(came), 1)
    minutes = (time.monotonic() - began) / 60
    print(
        f"COUNT={count} SEED={seed}: {len(came) - len(left)} of {len(came)} faults noticed ({share:.0f} %) in {minutes:.1f} minutes"
    )
    print(f"written: {KEPT.relative_to(ROOT)}/survivors.txt")
    return int(not came or share < least)


if __name__ == "__main__":
    count, seed, begins, least = [*sys.argv[1:], *("", "", "", "")][:4]
    sys.exit(main(int(count or COUNT), int(seed or SEED), begins, float(least or 0)))
