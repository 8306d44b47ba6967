"""Faults outside the functions that declare rules: `python -m tests.faults [COUNT] [SEED] [MODULE]`.

Small faults (see mutants.py) are put into functions of the core and of the builder, drawn by chance and one at a time. The tests that may
notice one are those of `make test` that stand at the module's place in the tree or import it, and execute the function. What share of
the faults they notice is printed; those that nobody notices are in build/faults. MODULE draws from modules whose name begins so.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from . import forks, reached
from .credited import Constants, Function, all_functions, found
from .mutants import Mutant, mutants

ROOT = reached.ROOT
KEPT = ROOT / "build" / "faults"
PACKAGES = ("assistant", "module_builder")
COUNT, SEED = 100, 1914
PATIENCE = 20.0
"""Seconds of tests that a fault may live through; a function that everything calls is reached by thousands."""
NEAREST = 5
"""The most files of tests for a module: the nearest in the tree."""
SELECTION = ("-m", "not thorough", "--hypothesis-profile=few")


class Fault(NamedTuple):
    """A fault in a function, and the files of the tests that may notice it."""

    function: Function
    mutant: Mutant
    files: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.function.module}:{self.function.name}\n  - {self.mutant.before}\n  + {self.mutant.after}"


def drawn(count: int, seed: int, begins: str = "") -> list[Fault]:
    """So many faults, a longer function with more chances. begins: of the names of their modules."""
    chance = random.Random(seed)
    near = Neighbours(ROOT / "tests")
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
        files = near.of(one.module)
        if mutant is not None and files:
            fault = Fault(one, mutant, files)
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


class Neighbours:
    """The files of tests by the modules that they stand beside in the tree or import."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts = {file: file.read_text("utf-8") for file in sorted(folder.rglob("test_*.py"))}

    def of(self, module: str) -> tuple[Path, ...]:
        """Those of a module, the nearest first."""
        package, _, name = module.rpartition(".")
        beside = self._folder.joinpath(*package.split("."), f"test_{name}.py")
        imports = re.compile(
            rf"^ *(?:from {re.escape(module)} import|import {re.escape(module)}\b|from {re.escape(package)} import .*\b{name}\b)",
            re.MULTILINE,
        )
        those = [file for file, text in self._texts.items() if file == beside or imports.search(text)]
        near = sorted(those, key=lambda file: (file != beside, -len(os.path.commonpath([file, beside])), file))
        return tuple(near[:NEAREST])


def judged(faults: Sequence[Fault]) -> Iterator[tuple[Fault, int, bool]]:
    """Each fault with how many tests were to notice it, and whether one did."""
    KEPT.mkdir(parents=True, exist_ok=True)
    files = sorted({str(file.relative_to(ROOT)) for fault in faults for file in fault.files})
    covered = sorted({fault.function.module for fault in faults})
    seconds = reached.run([*SELECTION, *files], covered, KEPT / "coverage")
    known = reached.Reached(KEPT / "coverage", seconds)
    tests = [_patient(known, known.tests(fault.function.file, fault.function.lines)) for fault in faults]
    came: list[tuple[Fault, int, bool]] = []

    def work(collected: forks.Tests) -> None:
        trials = (
            forks.Trial(found(fault.function), fault.mutant.function, fault.mutant.reads, some)
            for fault, some in zip(faults, tests, strict=True)
        )
        for number, is_noticed in collected.noticed(trials, reached.PROCESSES):
            came.append((faults[number], len(tests[number]), is_noticed))

    forks.collected([*SELECTION, *files], seconds, work)
    yield from came


def _patient(known: reached.Reached, tests: Iterable[str]) -> list[str]:
    """The first of some tests, as many as may be run for one fault."""
    kept, spent = [], 0.0
    for test in tests:
        spent += known.seconds.get(test, 0.0)
        if spent > PATIENCE:
            break
        kept.append(test)
    return kept


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
